// Whether an outline meets itself. Sides are numbered from 0 here, from 1 in words; side i goes from point i to the next.

import { sideCount } from "./geometry";
import type { Point } from "./types";

/** Whole hundredths, so that the sign of a turn is exact. */
const whole = (p: Point): Point => [Math.round(p[0] * 100), Math.round(p[1] * 100)];

function turn(a: Point, b: Point, c: Point): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

function between(a: Point, b: Point, p: Point): boolean {
  return (
    Math.min(a[0], b[0]) <= p[0] && p[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= p[1] && p[1] <= Math.max(a[1], b[1])
  );
}

/** Whether two segments have a point in common, touching among it. */
export function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [t1, t2, t3, t4] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (t1 !== t2 && t3 !== t4) return true;
  return (
    (t1 === 0 && between(a, b, c)) || (t2 === 0 && between(a, b, d)) ||
    (t3 === 0 && between(c, d, a)) || (t4 === 0 && between(c, d, b))
  );
}

/** Whether the way a → b → c runs back over itself. */
function turnsBack(a: Point, b: Point, c: Point): boolean {
  return turn(a, b, c) === 0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0;
}

function sidesMeet(ring: readonly Point[], closed: boolean, i: number, j: number): boolean {
  const [n, first, second] = [ring.length, Math.min(i, j), Math.max(i, j)];
  const [a, b] = [ring[first]!, ring[(first + 1) % n]!];
  const [c, d] = [ring[second]!, ring[(second + 1) % n]!];
  if (second === first + 1 && !(closed && n === 2)) return turnsBack(a, b, d);
  if (closed && first === 0 && second === n - 1) return turnsBack(c, a, b);
  return meet(a, b, c, d);
}

/** Whether two sides are far apart, by their frames: cheap, and true of nearly all pairs of an outline of many points. */
function apart(ring: readonly Point[], i: number, j: number): boolean {
  const n = ring.length;
  const a = ring[i]!;
  const b = ring[(i + 1) % n]!;
  const c = ring[j]!;
  const d = ring[(j + 1) % n]!;
  return (
    Math.max(a[0], b[0]) < Math.min(c[0], d[0]) || Math.max(c[0], d[0]) < Math.min(a[0], b[0]) ||
    Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.max(c[1], d[1]) < Math.min(a[1], b[1])
  );
}

/** The sides that end in a point. */
export function sidesAt(index: number, count: number, closed: boolean): number[] {
  const sides = [index - 1, index].map((side) => (closed ? (side + count) % count : side));
  return sides.filter((side) => side >= 0 && side < (closed ? count : count - 1));
}

/** The sides that may meet another by a move of points: none where all have moved together. */
export function sidesMoved(before: readonly Point[], now: readonly Point[], closed: boolean): number[] {
  const moved = now.flatMap((p, i) => (p === before[i] ? [] : [i]));
  if (moved.length === now.length && now.length > 1) return [];
  return [...new Set(moved.flatMap((i) => sidesAt(i, now.length, closed)))];
}

/** How many pairs of sides were looked at, for tests. */
export const looks = { pairs: 0 };

/** The first two sides that meet though they should not; null where none do. `only`: sides to look at. */
export function crossing(
  points: readonly Point[],
  closed: boolean,
  only?: readonly number[],
): readonly [number, number] | null {
  if (only?.length === 0) return null;
  const ring = points.map(whole);
  const count = sideCount(points, closed);
  const looked = only ?? Array.from({ length: count }, (_, i) => i);
  for (const i of looked) {
    // Of all sides, each pair is looked at once.
    for (let j = only === undefined ? i + 1 : 0; j < count; j += 1) {
      looks.pairs += 1;
      if (j !== i && !apart(ring, i, j) && sidesMeet(ring, closed, i, j)) return [Math.min(i, j), Math.max(i, j)];
    }
  }
  return null;
}
