// From the photo to the screen and back: one scale and one origin, in CSS pixels of the drawing's own element.

import type { Point } from "./types";

export interface Camera {
  /** CSS pixels a pixel of the photo. */
  readonly scale: number;
  /** Where the photo's upper left corner is. */
  readonly origin: Point;
  /** Width and height of the element. */
  readonly extent: Point;
}

export function toScreen(camera: Camera, p: Point): Point {
  return [camera.origin[0] + p[0] * camera.scale, camera.origin[1] + p[1] * camera.scale];
}

export function toPhoto(camera: Camera, p: Point): Point {
  return [(p[0] - camera.origin[0]) / camera.scale, (p[1] - camera.origin[1]) / camera.scale];
}

/** How far the view must go, in CSS pixels, so that a point is in it with a margin; zero where it is. */
export function shiftIntoView(camera: Camera, p: Point, margin = 24): Point {
  const at = toScreen(camera, p);
  const need = (v: number, length: number) => (v < margin ? v - margin : v > length - margin ? v - length + margin : 0);
  return [need(at[0], camera.extent[0]), need(at[1], camera.extent[1])];
}
