// Ties together what is drawn, where one looks, and what is said. Pointer, keys and buttons all come here.

import { toPhoto, toScreen } from "./camera";
import type { Camera } from "./camera";
import { crossing } from "./crossing";
import { area, boxArea, clamped, distance, nearestSide } from "./geometry";
import { Overlay, spots } from "./overlay";
import type { Hints } from "./overlay";
import { isEmpty, started, step } from "./state";
import type { Act, Shape, State, Step } from "./state";
import { movedCrossing } from "./state_polygon";
import type { Point, Said, Size } from "./types";
import type { View } from "./view";

/** How near a pointer must be, in CSS pixels. */
export const NEAR = { mouse: 9, touch: 22 } as const;
const SPLIT_NEAR = 6;
/** A pointer this near to the photo's edge means the edge: beyond it there may be nothing left to point at. */
const EDGE_NEAR = 2;
/** While an outline is open, a click near a side rather means a new point. */
const SPLIT_NEAR_OPEN = 3;

export interface Heard {
  readonly changed: () => void;
  /** What was done (`refused`: why not). */
  readonly told: (said: Said, refused: boolean) => void;
  readonly drew: (state: State) => void;
  /** Why nothing may be drawn now; null where it may. */
  readonly locked: () => Said | null;
}

const DRAWING = new Set<Act["do"]>(["add", "close", "box", "insert", "move", "shift", "remove"]);

export class Editor {
  state: State;
  hints: Hints = { aim: null, crosshair: null, target: null, warning: false };
  private readonly overlay: Overlay;
  private shown: { readonly state: State; readonly scale: number } | null = null;

  constructor(readonly view: View, tool: State["tool"], readonly size: Size, private readonly heard: Heard) {
    this.state = started(tool, size);
    this.overlay = new Overlay(view.element);
  }

  /** What was drawn before; nothing to undo yet. */
  begin(shape: Shape): void {
    this.state = started(this.state.tool, this.size, shape);
    this.draw();
  }

  act(act: Act): Step {
    const why = DRAWING.has(act.do) ? this.heard.locked() : null;
    if (why !== null) {
      this.heard.told(why, true);
      return { state: this.state, said: why, refused: true };
    }
    const before = this.state.shape;
    const result = step(this.state, act);
    this.state = result.state;
    if (this.state.shape !== before) this.heard.changed();
    if (result.said !== undefined) this.heard.told(result.said, result.refused === true);
    this.draw();
    return result;
  }

  /** A click or Enter at a place: close, split a side, or set a point. */
  setPoint(at: Point, near: number): Step {
    const target = this.targetAt(at, near);
    if (target?.kind === "close") return this.act({ do: "close" });
    if (target?.kind === "split") return this.act({ do: "insert", after: target.side, at: target.at });
    return this.act({ do: "add", at });
  }

  targetAt(at: Point, near: number): { kind: "close" | "split"; at: Point; side: number } | null {
    const { points, closed } = this.state.shape;
    if (this.state.tool === "box" || points.length < 2) return null;
    const camera = this.view.camera();
    const far = (p: Point) => distance(toScreen(camera, p), toScreen(camera, at));
    if (!closed && points.length >= 3 && far(points[0]!) <= near) return { kind: "close", at: points[0]!, side: 0 };
    const side = nearestSide(points, closed, at);
    const limit = closed ? SPLIT_NEAR : SPLIT_NEAR_OPEN;
    if (side === null || side.distance * camera.scale > limit || this.spotAt(at, near) !== null) return null;
    return { kind: "split", at: side.at, side: side.side };
  }

  /** The point or handle near a place. */
  spotAt(at: Point, near: number): number | null {
    const camera = this.view.camera();
    let best: number | null = null;
    let least: number = near;
    spots(this.state).forEach((spot, i) => {
      const far = distance(toScreen(camera, spot), toScreen(camera, at));
      if (far <= least) [best, least] = [i, far];
    });
    return this.state.shape.corner === null ? best : null;
  }

  /** Shows what a pointer at a place would do. */
  aim(at: Point | null, near: number): void {
    const place = at === null ? null : clamped(at, this.size);
    const target = place === null || this.heard.locked() !== null ? null : this.targetAt(place, near);
    this.hints = { ...this.hints, aim: place, target };
    this.draw();
  }

  crosshairTo(at: Point | null): void {
    this.hints = { ...this.hints, crosshair: at, aim: at };
    this.draw();
  }

  draw(): void {
    if (!this.view.ready) return;
    this.hints = { ...this.hints, warning: this.warning() };
    const { camera } = this;
    this.overlay.draw(this.state, camera, this.hints);
    const told = this.shown?.state === this.state && this.shown.scale === camera.scale;
    this.shown = { state: this.state, scale: camera.scale };
    if (!told) this.heard.drew(this.state);
  }

  /** The outline meets itself, or would by the point that is aimed at. */
  private warning(): boolean {
    const { points, closed } = this.state.shape;
    if (this.state.tool === "box") return false;
    if (this.state.gesture !== null) return movedCrossing(this.state) !== null;
    const { aim } = this.hints;
    if (aim === null || closed || points.length < 2 || this.hints.target !== null) return false;
    return crossing([...points, aim], false, [points.length - 1]) !== null;
  }

  place(screen: Point): Point {
    return toPhoto(this.view.camera(), screen);
  }

  /** A place, on the photo's edge where it is all but there. */
  edged([x, y]: Point): Point {
    const held = (v: number, end: number) => {
      const near = Math.min(EDGE_NEAR / this.camera.scale, end / 4);
      return v < near ? Math.min(v, 0) : v > end - near ? Math.max(v, end) : v;
    };
    return [held(x, this.size.width), held(y, this.size.height)];
  }

  get camera(): Camera {
    return this.view.camera();
  }

  /** How much of the photo is drawn, in its pixels. */
  get area(): number {
    const { box, points, closed } = this.state.shape;
    if (box !== null) return boxArea(box);
    return closed || points.length >= 3 ? area(points) : 0;
  }

  get empty(): boolean {
    return isEmpty(this.state.shape);
  }
}
