import assert from "node:assert/strict";
import { test } from "node:test";

import { commandOf } from "../src/review_keys";

const plain = { ctrlKey: false, altKey: false, metaKey: false, repeat: false };

test("yes and no by their letters, in capitals too, and the arrows", () => {
  assert.equal(commandOf({ ...plain, key: "y" }), "yes");
  assert.equal(commandOf({ ...plain, key: "N" }), "no");
  assert.equal(commandOf({ ...plain, key: "ArrowLeft" }), "before");
  assert.equal(commandOf({ ...plain, key: "ArrowRight" }), "after");
  assert.equal(commandOf({ ...plain, key: "x" }), null);
});

test("what the browser means, or a key that is held, answers nothing", () => {
  for (const other of ["ctrlKey", "altKey", "metaKey", "repeat"]) {
    assert.equal(commandOf({ ...plain, key: "n", [other]: true }), null);
  }
});
