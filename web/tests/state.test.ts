import assert from "node:assert/strict";
import { test } from "node:test";

import { looks } from "../src/crossing";
import { EMPTY, started, step } from "../src/state";
import type { Act, State } from "../src/state";
import { movedCrossing } from "../src/state_polygon";
import type { Point } from "../src/types";

const SIZE = { width: 100, height: 60 };

function after(acts: readonly Act[], tool: State["tool"] = "polygon"): State {
  return acts.reduce((state, act) => step(state, act).state, started(tool, SIZE));
}

const add = (x: number, y: number): Act => ({ do: "add", at: [x, y] });
const SQUARE: Act[] = [add(10, 10), add(30, 10), add(30, 30), add(10, 30)];
const CLOSED: Act[] = [...SQUARE, { do: "close" }];
const points = (state: State) => state.shape.points as Point[];
const word = (state: State, act: Act) => step(state, act).said?.word;

test("points are added in their order, and kept in the photo", () => {
  assert.deepEqual(points(after([add(10, 10), add(500, -4)])), [[10, 10], [100, 0]]);
});

test("a side that would cross is refused, and says which", () => {
  const state = after([add(0, 0), add(20, 20), add(20, 0)]);
  const result = step(state, add(0, 20));
  assert.equal(result.refused, true);
  assert.equal(result.state, state);
  assert.deepEqual(result.said, { word: "crossing", values: { first: 1, second: 3 } });
});

test("closing needs three different points, an area, and a side that crosses none", () => {
  assert.equal(word(after([add(1, 1), add(5, 5)]), { do: "close" }), "too_few");
  assert.deepEqual(step(after([add(1, 1)]), { do: "close" }).said?.values, { count: 1 });
  const spiral = after([add(0, 0), add(40, 0), add(40, 40), add(10, 40), add(10, 5), add(30, 20)]);
  assert.equal(word(spiral, { do: "close" }), "crossing");
  assert.equal(step(spiral, { do: "close" }).state.shape.closed, false);
  assert.equal(after(CLOSED).shape.closed, true);
  assert.equal(word(after(CLOSED), { do: "close" }), "already_closed");
  const line = started("polygon", SIZE, { ...EMPTY, points: [[0, 0], [10, 0], [20, 0]] });
  assert.equal(step(line, { do: "close" }).refused, true);
});

test("a hole and a second outline are refused, each with its reason", () => {
  assert.equal(word(after(CLOSED), add(20, 20)), "no_holes");
  assert.equal(word(after(CLOSED), add(50, 50)), "one_outline");
  assert.equal(points(step(after(CLOSED), add(20, 20)).state).length, 4);
});

test("the same point twice is one", () => {
  assert.equal(word(after([add(5, 5)]), add(5, 5)), "same_point");
});

test("an outline has no end of undoing and doing again", () => {
  const zigzag = Array.from({ length: 500 }, (_, i) => add(i / 10, i % 2 === 0 ? 10 + i / 100 : 40));
  let state = after(zigzag);
  assert.equal(points(state).length, 500);
  for (let i = 0; i < 500; i += 1) state = step(state, { do: "undo" }).state;
  assert.deepEqual(state.shape, EMPTY);
  assert.equal(word(state, { do: "undo" }), "nothing_to_undo");
  for (let i = 0; i < 500; i += 1) state = step(state, { do: "redo" }).state;
  assert.deepEqual(points(state), points(after(zigzag)));
  assert.equal(word(state, { do: "redo" }), "nothing_to_redo");
});

test("a new change ends what could be done again", () => {
  const state = after([...SQUARE, { do: "undo" }, add(12, 25)]);
  assert.equal(word(state, { do: "redo" }), "nothing_to_redo");
});

test("clearing can be undone", () => {
  const state = after([...CLOSED, { do: "clear" }]);
  assert.deepEqual(state.shape, EMPTY);
  assert.deepEqual(step(state, { do: "undo" }).state.shape, after(CLOSED).shape);
  assert.equal(word(after([]), { do: "clear" }), "nothing_to_clear");
});

test("a drag is one step to undo", () => {
  const drag: Act[] = [1, 2, 3].map((i) => ({ do: "move", index: 0, to: [10 - i, 10 - i], gesture: "drag 1", unchecked: true }));
  const state = after([...CLOSED, ...drag, { do: "settle" }]);
  assert.deepEqual(points(state)[0], [7, 7]);
  assert.deepEqual(points(step(state, { do: "undo" }).state)[0], [10, 10]);
});

test("a drag that ends in a crossing is put back, and says so", () => {
  const drag: Act = { do: "move", index: 0, to: [50, 20], gesture: "drag 1", unchecked: true };
  const dragged = after([...CLOSED, drag]);
  const result = step(dragged, { do: "settle" });
  assert.equal(result.said?.word, "put_back");
  assert.deepEqual(result.state.shape, after(CLOSED).shape);
  assert.equal(result.state.past.length, after(CLOSED).past.length);
});

test("a key that would make a crossing moves nothing", () => {
  const result = step(after(CLOSED), { do: "move", index: 0, to: [50, 20], gesture: "keys 1" });
  assert.equal(result.said?.word, "crossing");
  assert.deepEqual(result.state.shape, after(CLOSED).shape);
});

test("a point is put in after another, in the middle or at a place, and is chosen", () => {
  const state = after([...CLOSED, { do: "insert", after: 3 }]);
  assert.deepEqual(points(state)[4], [10, 20]);
  assert.equal(state.selected, 4);
  assert.deepEqual(points(after([...CLOSED, { do: "insert", after: 0, at: [12, 10] }]))[1], [12, 10]);
  // The side that closes is not there while the outline is open.
  assert.equal(word(after(SQUARE), { do: "insert", after: 3 }), "no_side_to_split");
});

test("removing: a triangle opens, an outline that would cross stays", () => {
  const triangle = after([add(0, 0), add(20, 0), add(20, 20), { do: "close" }]);
  const opened = step(triangle, { do: "remove", index: 0 }).state;
  assert.equal(opened.shape.closed, false);
  assert.deepEqual(points(opened), [[20, 0], [20, 20]]);
  // A spike reaches over; without its tip's neighbour the side would cut it.
  const dart = after([add(0, 0), add(40, 0), add(40, 40), add(20, 5), add(0, 40), { do: "close" }]);
  assert.equal(step(dart, { do: "remove", index: 3 }).refused, undefined);
  const bent = after([add(0, 0), add(50, 0), add(50, 30), add(30, 30), add(30, 10), add(2, 10), add(2, 40), add(20, 40), add(20, 50), add(0, 50), { do: "close" }]);
  assert.equal(word(bent, { do: "remove", index: 9 }), "crossing");
});

test("the whole moves, and stops at the edge", () => {
  const state = after([...CLOSED, { do: "shift", by: [-50, 2], gesture: "drag" }]);
  assert.deepEqual(points(state)[0], [0, 12]);
  assert.equal(state.shape.closed, true);
  assert.equal(word(state, { do: "shift", by: [-1, 0], gesture: "drag" }), "at_the_edge");
  assert.equal(word(after([]), { do: "shift", by: [1, 1], gesture: "drag" }), "nothing_to_grab");
});

test("choosing and holding change nothing that is drawn, and cannot be undone", () => {
  const state = after([...CLOSED, { do: "select", index: 2 }, { do: "grab", on: true }]);
  assert.equal(state.past.length, CLOSED.length);
  assert.deepEqual([state.selected, state.grabbed], [null, true]);
  assert.equal(step(state, { do: "select", index: null }).state.grabbed, false);
});

test("a box by two points, whichever comes first", () => {
  const state = after([add(40, 30), add(10, 50)], "box");
  assert.deepEqual(state.shape.box, [10, 30, 40, 50]);
  assert.equal(state.shape.corner, null);
  assert.equal(word(state, add(1, 1)), "one_box");
});

test("a box is at least a pixel", () => {
  const state = after([add(40, 30)], "box");
  assert.equal(word(state, add(40.5, 50)), "box_too_small");
  assert.deepEqual(step(state, add(40.5, 50)).state.shape.corner, [40, 30]);
});

test("a box drawn in one go is one step, and none where it is too small", () => {
  const drag = (x: number): Act => ({ do: "box", from: [10, 10], to: [x, 30], gesture: "drag 1" });
  const state = after([drag(12), drag(25), { do: "settle" }], "box");
  assert.deepEqual(state.shape.box, [10, 10, 25, 30]);
  assert.deepEqual(step(state, { do: "undo" }).state.shape, EMPTY);
  assert.deepEqual(after([drag(10.2), { do: "settle" }], "box").shape, EMPTY);
});

test("sides of a box are pulled, and all of it moves", () => {
  const two = [add(10, 10), add(30, 30)];
  const pulled = after([...two, { do: "move", index: 3, to: [50, 5], gesture: "a" }], "box");
  assert.deepEqual(pulled.shape.box, [10, 10, 50, 30]);
  const moved = after([...two, { do: "shift", by: [500, -3], gesture: "b" }], "box");
  assert.deepEqual(moved.shape.box, [80, 7, 100, 27]);
  assert.equal(word(moved, { do: "close" }), "box_needs_no_closing");
});

function ringOf(count: number): State {
  const ring = Array.from({ length: count }, (_, i): Point => {
    const turn = (2 * Math.PI * i) / count;
    return [Math.round(5000 + 2500 * Math.cos(turn)) / 100, Math.round(3000 + 2500 * Math.sin(turn)) / 100];
  });
  return started("polygon", SIZE, { ...EMPTY, points: ring, closed: true });
}

test("dragging a point of many looks at its two sides only, at every move and when it is let go", () => {
  const count = 500;
  let state = ringOf(count);
  looks.pairs = 0;
  for (let i = 0; i < 10; i += 1) {
    state = step(state, { do: "move", index: 0, to: [80 + i, 30], gesture: "drag 1", unchecked: true }).state;
    assert.equal(movedCrossing(state), null);
  }
  state = step(state, { do: "settle" }).state;
  assert.ok(looks.pairs >= 11 * count && looks.pairs <= 11 * 2 * count, `${looks.pairs} pairs`);
  looks.pairs = 0;
  step(state, { do: "move", index: 0, to: [82, 30], gesture: "keys 1" });
  assert.ok(looks.pairs > 0 && looks.pairs <= 2 * count, `${looks.pairs} pairs`);
  looks.pairs = 0;
  state = step(state, { do: "shift", by: [1, 1], gesture: "drag 2" }).state;
  assert.equal(movedCrossing(state), null);
  assert.equal(looks.pairs, 0);
});

test("a drag into a crossing is seen at once, whichever sides it meets", () => {
  for (const index of [0, 1, 250, 499]) {
    const state = ringOf(500);
    const across = state.shape.points[(index + 250) % 500]!;
    const beyond: Point = [50 + (across[0] - 50) * 1.1, 30 + (across[1] - 30) * 1.1];
    const dragged = step(state, { do: "move", index, to: beyond, gesture: "drag 1", unchecked: true }).state;
    assert.notEqual(movedCrossing(dragged), null);
    assert.equal(word(dragged, { do: "settle" }), "put_back");
  }
});

test("a drag that a second finger cancels leaves nothing to redo, and takes nothing else back", () => {
  const state = after(CLOSED);
  const dragged = step(state, { do: "move", index: 0, to: [5, 5], gesture: "drag 1", unchecked: true }).state;
  const back = step(dragged, { do: "cancel", gesture: "drag 1" });
  assert.deepEqual(back.state, { ...state, selected: null, gesture: null });
  assert.equal(back.said?.word, "cancelled");
  // A drag that has moved nothing so far.
  assert.equal(step(state, { do: "cancel", gesture: "drag 2" }).state, state);
});
