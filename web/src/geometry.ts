// Plane geometry of outlines and boxes, in upright pixels of the photo; nothing here knows the screen.

import type { Box, Point, Size } from "./types";

/** Coordinates are kept to a hundredth of a pixel: finer than any hand, and exact in the tests of crossing below. */
const STEPS = 100;

export function rounded(p: Point): Point {
  return [Math.round(p[0] * STEPS) / STEPS, Math.round(p[1] * STEPS) / STEPS];
}

export function clamped(p: Point, size: Size): Point {
  return rounded([Math.min(Math.max(p[0], 0), size.width), Math.min(Math.max(p[1], 0), size.height)]);
}

export function same(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function midpoint(a: Point, b: Point): Point {
  return rounded([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
}

/** Area of a closed outline, in pixels of the photo. */
export function area(points: readonly Point[]): number {
  let twice = 0;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length]!;
    twice += a[0] * b[1] - b[0] * a[1];
  });
  return Math.abs(twice) / 2;
}

export function boxArea(box: Box): number {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

export function boxOf(a: Point, b: Point): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
}

export function inside(p: Point, points: readonly Point[]): boolean {
  let odd = false;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length]!;
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) odd = !odd;
  });
  return odd;
}

/** The step from `by` that keeps every point in the photo. */
export function shiftWithin(points: readonly Point[], by: Point, size: Size): Point {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const held = (step: number, low: number, high: number, end: number) => Math.min(Math.max(step, -low), end - high);
  return rounded([
    held(by[0], Math.min(...xs), Math.max(...xs), size.width),
    held(by[1], Math.min(...ys), Math.max(...ys), size.height),
  ]);
}

/** The side of an outline nearest to a point: its number from 0, how far, and where on it. */
export function nearestSide(points: readonly Point[], closed: boolean, p: Point) {
  let best: { side: number; distance: number; at: Point } | null = null;
  for (let side = 0; side < sideCount(points, closed); side += 1) {
    const at = nearestOn(points[side]!, points[(side + 1) % points.length]!, p);
    const far = distance(at, p);
    if (best === null || far < best.distance) best = { side, distance: far, at };
  }
  return best;
}

function nearestOn(a: Point, b: Point, p: Point): Point {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  if (length === 0) return a;
  const t = Math.min(Math.max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length, 0), 1);
  return [a[0] + t * dx, a[1] + t * dy];
}

export function sideCount(points: readonly Point[], closed: boolean): number {
  return closed ? points.length : Math.max(points.length - 1, 0);
}
