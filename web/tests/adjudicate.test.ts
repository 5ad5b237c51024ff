import assert from "node:assert/strict";
import { test } from "node:test";

import { actOf, bodyOf, drawnWork, rejectedWork, sameShape, shapeToMend } from "../src/adjudicate_choice";
import type { Adjudication, Candidate } from "../src/adjudicate_choice";
import { EMPTY } from "../src/state";
import type { Work } from "../src/types";
import { shapeOf } from "../src/work";

const SQUARE = { ...EMPTY, points: [[0, 0], [9, 0], [9, 9]] as const, closed: true };
const work = (outcome: Work["outcome"]): Work => ({ ...drawnWork("grounding", SQUARE), outcome });

function candidate(letter: string, how: Candidate["how"], number: number | null, given: Work | null): Candidate {
  return { letter, how, number, work: given, rings: [], said: "", who: "", note: "", rule: how === "mended" ? "majority" : "" };
}

const CANDIDATES = [
  candidate("A", "picked", 7, work("polygon")), candidate("T", "given", 0, work("polygon")),
  candidate("T2", "given", 1, null), candidate("B", "mended", null, work("polygon")),
];
const TASK = { id: 1, base: 3, candidates: CANDIDATES, task: { stage: "grounding" } } as unknown as Adjudication;

const press = (key: string, held: Partial<Record<"ctrlKey" | "shiftKey" | "altKey" | "metaKey", boolean>> = {}) =>
  ({ key, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, ...held });

test("letters and numbers pick, a shifted letter shows or hides", () => {
  const letters = ["A", "B", "T"];
  assert.deepEqual(actOf(press("b"), letters, false), { do: "pick", letter: "B" });
  assert.deepEqual(actOf(press("3"), letters, false), { do: "pick", letter: "T" });
  assert.deepEqual(actOf(press("9"), letters, false), { do: "pick", letter: "9" });
  assert.deepEqual(actOf(press("B", { shiftKey: true }), letters, false), { do: "show", letter: "B" });
  assert.deepEqual(actOf(press("g"), letters, false), { do: "gold" });
  assert.deepEqual(actOf(press("Enter"), letters, false), { do: "confirm" });
  for (const key of ["ArrowUp", "+", "0", "Tab", "Escape", "ä"]) assert.equal(actOf(press(key), letters, false), null, key);
  for (const held of ["ctrlKey", "altKey", "metaKey"]) assert.equal(actOf(press("a", { [held]: true }), letters, false), null);
});

test("while one mends, the photo has the keys of drawing; only M and Ctrl+S are the page's", () => {
  for (const key of ["a", "c", "g", "1", "Enter", "r", "n"]) assert.equal(actOf(press(key), ["A"], true), null, key);
  assert.deepEqual(actOf(press("m"), ["A"], true), { do: "mend" });
  for (const mending of [true, false]) {
    assert.deepEqual(actOf(press("s", { ctrlKey: true }), ["A"], mending), { do: "confirm" });
    assert.deepEqual(actOf(press("s", { metaKey: true }), ["A"], mending), { do: "confirm" });
  }
});

test("what is sent says how it was decided", () => {
  const sent = (letter: string) => bodyOf({ is: "candidate", letter }, TASK, "why");
  assert.deepEqual(sent("A"), { how: "picked", base: 3, note: "why", picked: 7 });
  assert.deepEqual(sent("T"), { how: "given", base: 3, note: "why", target: 0 });
  assert.deepEqual(sent("B"), { how: "mended", base: 3, note: "why", rule: "majority" });
  assert.equal(sent("T2"), null);
  assert.equal(sent("X"), null);
  assert.equal(bodyOf({ is: "none" }, TASK, ""), null);
  const mended = bodyOf({ is: "drawn", from: "A", shape: SQUARE }, TASK, "");
  assert.deepEqual(mended, { how: "mended", base: 3, note: "", work: drawnWork("grounding", SQUARE), picked: 7 });
  assert.equal(bodyOf({ is: "drawn", from: "T", shape: SQUARE }, TASK, "")?.picked, undefined);
  assert.equal(bodyOf({ is: "drawn", from: "A", shape: { ...SQUARE, closed: false } }, TASK, ""), null);
});

test("a rejection says why, by the step that ends the task", () => {
  const [questions, regions, reason] = ["several_questions", "several_regions", "blurred"].map((why) => rejectedWork("grounding", why, "x"));
  assert.deepEqual([questions!.several_questions, questions!.several_regions, questions!.outcome], [true, null, null]);
  assert.deepEqual([regions!.several_questions, regions!.several_regions, regions!.outcome], [false, true, null]);
  assert.deepEqual([reason!.outcome, reason!.reason, reason!.reason_text], ["cannot_draw", "blurred", "x"]);
  assert.equal("several_questions" in rejectedWork("box", "blurred", ""), false);
  assert.deepEqual(rejectedWork("box", "blurred", "").box, null);
});

test("the whole image is mended as the outline of the photo", () => {
  const size = { width: 8, height: 6 };
  assert.deepEqual(shapeToMend(work("whole_image"), size).points, [[0, 0], [8, 0], [8, 6], [0, 6]]);
  assert.deepEqual(shapeToMend({ ...drawnWork("box", EMPTY), outcome: "whole_image" }, size).box, [0, 0, 8, 6]);
  assert.ok(sameShape(shapeToMend(work("polygon"), size), shapeOf(work("polygon"))));
});
