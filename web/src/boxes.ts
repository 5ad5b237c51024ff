// The eight handles of a box, and what pulling one does.

import { clamped, rounded } from "./geometry";
import type { Box, Point, Size } from "./types";

/** Clockwise from the upper left: which of x0, y0, x1, y1 a handle moves. */
const HANDLES: readonly (readonly ["x0" | "x1" | null, "y0" | "y1" | null])[] = [
  ["x0", "y0"], [null, "y0"], ["x1", "y0"], ["x1", null], ["x1", "y1"], [null, "y1"], ["x0", "y1"], ["x0", null],
];
export const HANDLE_COUNT = HANDLES.length;
/** A box has at least one pixel. */
const LEAST = 1;

export function handlePoints(box: Box): Point[] {
  const [x0, y0, x1, y1] = box;
  return HANDLES.map(([h, v]): Point => [
    h === "x0" ? x0 : h === "x1" ? x1 : (x0 + x1) / 2,
    v === "y0" ? y0 : v === "y1" ? y1 : (y0 + y1) / 2,
  ]);
}

/** The box with a handle at `to`; it stops a pixel before the opposite side. */
export function pulled(box: Box, handle: number, to: Point, size: Size): Box {
  const [h, v] = HANDLES[handle]!;
  const p = clamped(to, size);
  return [
    h === "x0" ? Math.min(p[0], box[2] - LEAST) : box[0],
    v === "y0" ? Math.min(p[1], box[3] - LEAST) : box[1],
    h === "x1" ? Math.max(p[0], box[0] + LEAST) : box[2],
    v === "y1" ? Math.max(p[1], box[1] + LEAST) : box[3],
  ];
}

export function shifted(box: Box, by: Point): Box {
  const [a, b] = [rounded([box[0] + by[0], box[1] + by[1]]), rounded([box[2] + by[0], box[3] + by[1]])];
  return [a[0], a[1], b[0], b[1]];
}

export function tooSmall(box: Box): boolean {
  return box[2] - box[0] < LEAST || box[3] - box[1] < LEAST;
}

export function corners(box: Box): [Point, Point] {
  return [[box[0], box[1]], [box[2], box[3]]];
}
