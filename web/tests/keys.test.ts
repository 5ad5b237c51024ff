import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { commandOf, direction, everywhere, KEYS } from "../src/keys";
import type { Pressed } from "../src/keys";

function press(combination: string): Pressed {
  const parts = combination.split(/\+(?=.)/);
  const key = parts.at(-1)!;
  return {
    key, shiftKey: parts.includes("Shift"), ctrlKey: parts.includes("Ctrl"), altKey: parts.includes("Alt"), metaKey: false,
  };
}

test("every key of the table does what the table says", () => {
  for (const { command, shown } of KEYS) {
    for (const combination of shown) {
      const ways = combination.includes("Arrows") ? ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"] : [null];
      for (const way of ways) {
        const pressed = press(way === null ? combination : combination.replace("Arrows", way));
        assert.equal(commandOf(pressed), command, combination);
        assert.equal(direction(pressed) !== null, way !== null);
      }
    }
  }
});

test("no key of the browser's own is taken", () => {
  for (const combination of ["Ctrl+C", "Ctrl+R", "Ctrl+W", "Ctrl+T", "Ctrl+0", "Ctrl++", "Ctrl+-", "Alt+F4", "F5", "F12", "Shift+Enter"]) {
    assert.equal(commandOf(press(combination)), null, combination);
  }
});

test("signs work however a layout reaches them", () => {
  assert.equal(commandOf(press("Shift+?")), "keys");
  assert.equal(commandOf(press("Shift++")), "zoom_in");
  assert.equal(commandOf(press("Ctrl+Alt+]")), "next");
  assert.equal(commandOf({ ...press("z"), metaKey: true }), "undo");
});

test("plain letters work on the photo only", () => {
  for (const { command, shown } of KEYS) {
    if (everywhere(command)) assert.ok(shown.every((combination) => /^(Ctrl|F\d)/.test(combination)), command);
  }
});

test("the documentation names every key", () => {
  const text = readFileSync("../docs/drawing.md", "utf8");
  for (const { shown } of KEYS) {
    for (const combination of shown) {
      const written = combination.split(/\+(?=.)/).map((key) => `<kbd>${key}</kbd>`).join("+");
      assert.ok(text.includes(written), `docs/drawing.md does not name ${written}`);
    }
  }
});
