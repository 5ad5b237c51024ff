import assert from "node:assert/strict";
import { test } from "node:test";

import { handlePoints, pulled, tooSmall } from "../src/boxes";
import { shiftIntoView, toPhoto, toScreen } from "../src/camera";
import { crossing, meet } from "../src/crossing";
import { area, clamped, inside, midpoint, nearestSide, shiftWithin } from "../src/geometry";
import type { Point } from "../src/types";

const SIZE = { width: 100, height: 60 };
const SQUARE: Point[] = [[10, 10], [30, 10], [30, 30], [10, 30]];

test("the area of an outline, whichever way round", () => {
  assert.equal(area(SQUARE), 400);
  assert.equal(area([...SQUARE].reverse()), 400);
  assert.equal(area([[0, 0], [4, 0], [0, 3]]), 6);
  assert.equal(area([[1, 1], [5, 5]]), 0);
});

test("points are kept in the photo, to a hundredth of a pixel", () => {
  assert.deepEqual(clamped([-3, 70], SIZE), [0, 60]);
  assert.deepEqual(clamped([1.23456, 5], SIZE), [1.23, 5]);
});

test("a point is inside, or not", () => {
  assert.equal(inside([20, 20], SQUARE), true);
  assert.equal(inside([31, 20], SQUARE), false);
  const horseshoe: Point[] = [[0, 0], [30, 0], [30, 30], [20, 30], [20, 10], [10, 10], [10, 30], [0, 30]];
  assert.equal(inside([15, 20], horseshoe), false);
  assert.equal(inside([25, 20], horseshoe), true);
});

test("a whole shape stops at the edge, each way by itself", () => {
  assert.deepEqual(shiftWithin(SQUARE, [-50, 5], SIZE), [-10, 5]);
  assert.deepEqual(shiftWithin(SQUARE, [500, 500], SIZE), [70, 30]);
});

test("the nearest side, its number, and where on it", () => {
  assert.deepEqual(nearestSide(SQUARE, true, [20, 11]), { side: 0, distance: 1, at: [20, 10] });
  // The side that closes an outline is there only once it is closed.
  assert.equal(nearestSide(SQUARE, true, [9, 20])?.side, 3);
  assert.notEqual(nearestSide(SQUARE, false, [9, 20])?.side, 3);
  assert.equal(nearestSide([[1, 1]], false, [9, 20]), null);
});

test("segments that cross, touch, overlap or miss", () => {
  assert.equal(meet([0, 0], [10, 10], [0, 10], [10, 0]), true);
  assert.equal(meet([0, 0], [10, 0], [5, 0], [5, 9]), true);
  assert.equal(meet([0, 0], [10, 0], [4, 0], [6, 0]), true);
  assert.equal(meet([0, 0], [10, 0], [11, 0], [16, 0]), false);
  assert.equal(meet([0, 0], [10, 0], [0, 1], [10, 1]), false);
});

test("an outline that meets itself tells which sides", () => {
  assert.equal(crossing(SQUARE, true), null);
  assert.deepEqual(crossing([[0, 0], [10, 10], [10, 0], [0, 10]], true), [0, 2]);
  // The same points, still open: sides 0 and 2 cross all the same.
  assert.deepEqual(crossing([[0, 0], [10, 10], [10, 0], [0, 10]], false), [0, 2]);
  // Runs back over its own side.
  assert.deepEqual(crossing([[0, 0], [10, 0], [5, 0]], false), [0, 1]);
  // Touches itself in a point.
  assert.deepEqual(crossing([[0, 0], [10, 0], [10, 10], [5, 0], [0, 10]], true)?.includes(0), true);
  // Straight on is no crossing.
  assert.equal(crossing([[0, 0], [5, 0], [10, 0], [10, 10]], true), null);
});

test("looking at one side finds what looking at all finds", () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 500; round += 1) {
    const points: Point[] = Array.from({ length: 3 + (round % 6) }, () => [Math.floor(random() * 12), Math.floor(random() * 12)]);
    for (const closed of [true, false]) {
      const count = closed ? points.length : points.length - 1;
      const sides = Array.from({ length: count }, (_, i) => crossing(points, closed, [i]) !== null);
      assert.equal(crossing(points, closed) !== null, sides.includes(true), JSON.stringify({ points, closed }));
    }
  }
});

test("handles of a box: eight, and each pulls its own sides", () => {
  const box = [10, 10, 30, 20] as const;
  const handles = handlePoints(box);
  assert.equal(handles.length, 8);
  assert.deepEqual(handles[0], [10, 10]);
  assert.deepEqual(handles[3], [30, 15]);
  handles.forEach((_, i) => {
    const moved = pulled(box, i, [21, 16], SIZE);
    assert.equal(tooSmall(moved), false);
    const sides = moved.filter((side, j) => side !== box[j]).length;
    assert.equal(sides, i % 2 === 0 ? 2 : 1, `handle ${i}`);
  });
  assert.deepEqual(pulled(box, 0, [90, 90], SIZE), [29, 19, 30, 20]);
  assert.deepEqual(pulled(box, 4, [900, 900], SIZE), [10, 10, 100, 60]);
});

test("from the photo to the screen and back, at every zoom", () => {
  for (const scale of [0.01, 0.37, 1, 7.5, 32]) {
    const camera = { scale, origin: [-1234.5, 77.25] as Point, extent: [800, 600] as Point };
    const [x, y] = toPhoto(camera, toScreen(camera, [123.45, 6.78]));
    assert.ok(Math.abs(x - 123.45) < 1e-6 && Math.abs(y - 6.78) < 1e-6);
  }
});

test("the view follows a point that is outside of it", () => {
  const camera = { scale: 2, origin: [0, 0] as Point, extent: [200, 100] as Point };
  assert.deepEqual(shiftIntoView(camera, [50, 25]), [0, 0]);
  assert.deepEqual(shiftIntoView(camera, [100, 0]), [24, -24]);
});

test("the middle of a side", () => assert.deepEqual(midpoint([0, 0], [5, 3]), [2.5, 1.5]));
