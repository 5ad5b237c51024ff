// Mouse, pen and touch. OpenSeadragon tells presses, drags and clicks; what is not drawing stays its own pan and pinch.

import type OpenSeadragon from "openseadragon";

import { inside } from "./geometry";
import { NEAR } from "./editor";
import type { Editor } from "./editor";
import { spots } from "./overlay";
import type { Point } from "./types";

type Press =
  | { readonly kind: "spot"; readonly index: number }
  | { readonly kind: "shape" }
  | { readonly kind: "box" }
  | { readonly kind: "pan" };

/** A press that moves less than this is a click. */
const STILL = 5;
const AGAIN_MS = 400;

interface Event {
  readonly position: OpenSeadragon.Point;
  readonly originalEvent: globalThis.Event;
  readonly pointerType?: string;
  preventDefaultAction?: boolean;
}

export class Pointer {
  private press: (Press & { readonly from: Point; readonly near: number }) | null = null;
  private dragged = false;
  private last: Point = [0, 0];
  private gestures = 0;
  private space = false;
  private before: { readonly x: number; readonly y: number; readonly time: number } | null = null;

  constructor(private readonly editor: Editor) {
    const { viewer, element } = editor.view;
    viewer.addHandler("canvas-press", (event) => this.pressed(event as unknown as Event));
    viewer.addHandler("canvas-drag", (event) => this.drag(event as unknown as Event));
    viewer.addHandler("canvas-drag-end", (event) => this.dragEnd(event as unknown as Event));
    viewer.addHandler("canvas-click", (event) => this.click(event as unknown as Event & { quick: boolean }));
    viewer.addHandler("canvas-pinch", () => this.cancel());
    element.addEventListener("pointermove", (event) => this.hover(event));
    element.addEventListener("pointerleave", () => editor.aim(null, 0));
    element.addEventListener("pointerdown", (event) => this.middle(event));
    // OpenSeadragon tells of a second finger only once it moves.
    element.addEventListener("pointerdown", ({ pointerType, isPrimary }) => {
      if (pointerType === "touch" && !isPrimary) this.cancel();
    });
    element.addEventListener("keydown", (event) => this.spaceKey(event, true));
    element.addEventListener("keyup", (event) => this.spaceKey(event, false));
    element.addEventListener("blur", () => this.left());
  }

  private get gesture(): string {
    return `drag ${this.gestures}`;
  }

  /** What is done elsewhere in between makes two clicks no double click. */
  private left(): void {
    this.space = false;
    this.before = null;
  }

  private at(event: Event): Point {
    return this.editor.place([event.position.x, event.position.y]);
  }

  private pressed(event: Event): void {
    const near = event.pointerType === "touch" ? NEAR.touch : NEAR.mouse;
    const from = this.at(event);
    this.press = { ...this.kind(from, near, event.originalEvent as PointerEvent), from, near };
    this.dragged = false;
    this.last = from;
    this.gestures += 1;
  }

  private kind(at: Point, near: number, event: PointerEvent): Press {
    const { state } = this.editor;
    if (this.space) return { kind: "pan" };
    if (event.shiftKey && !this.editor.empty) return { kind: "shape" };
    const index = this.editor.spotAt(at, near);
    if (index !== null) return { kind: "spot", index };
    if (state.tool === "polygon") return { kind: state.grabbed ? "shape" : "pan" };
    const { box } = state.shape;
    if (box === null) return { kind: "box" };
    const ring: Point[] = [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]];
    return { kind: state.grabbed || inside(at, ring) ? "shape" : "pan" };
  }

  private drag(event: Event): void {
    const { press, editor } = this;
    if (press === null) return;
    const at = this.at(event);
    const edged = this.editor.edged(at);
    const moved = Math.hypot(at[0] - press.from[0], at[1] - press.from[1]) * editor.camera.scale;
    if (!this.dragged && moved < STILL) {
      event.preventDefaultAction = true;
      return;
    }
    this.dragged = true;
    if (press.kind === "pan") return;
    event.preventDefaultAction = true;
    const { gesture } = this;
    if (press.kind === "spot") {
      if (editor.state.selected !== press.index) editor.act({ do: "select", index: press.index });
      editor.act({ do: "move", index: press.index, to: edged, gesture, unchecked: true });
    } else if (press.kind === "box") editor.act({ do: "box", from: this.editor.edged(press.from), to: edged, gesture });
    else this.shift(at, gesture);
  }

  /** The shape stops at the photo's edge; the pointer finds it again where it left it. */
  private shift(at: Point, gesture: string): void {
    const { editor, last } = this;
    const before = spots(editor.state)[0]!;
    editor.act({ do: "shift", by: [at[0] - last[0], at[1] - last[1]], gesture });
    const after = spots(editor.state)[0]!;
    this.last = [last[0] + after[0] - before[0], last[1] + after[1] - before[1]];
  }

  private dragEnd(event: Event): void {
    if (this.press === null || this.press.kind === "pan") return;
    event.preventDefaultAction = true;
    if (this.dragged) this.editor.act({ do: "settle" });
  }

  private click(event: Event & { quick: boolean }): void {
    const { press, editor } = this;
    this.press = null;
    event.preventDefaultAction = true;
    if (press === null || this.dragged || this.space) return;
    if (this.again(event)) return this.twice();
    const at = this.editor.edged(this.at(event));
    if (press.kind === "shape") return;
    if (press.kind !== "spot") return void editor.setPoint(at, press.near);
    const target = editor.targetAt(at, press.near);
    if (target?.kind === "close") return void editor.act({ do: "close" });
    editor.act({ do: "select", index: press.index });
  }

  /** Whether a click is the second of a double click. OpenSeadragon pairs clicks by time alone, also those at two places. */
  private again({ position, originalEvent }: Event): boolean {
    const { before } = this;
    const now = { x: position.x, y: position.y, time: originalEvent.timeStamp };
    const is = before !== null && now.time - before.time < AGAIN_MS && Math.hypot(now.x - before.x, now.y - before.y) <= STILL;
    this.before = is ? null : now;
    return is;
  }

  private twice(): void {
    const { points, closed } = this.editor.state.shape;
    if (this.editor.state.tool === "polygon" && !closed && points.length > 0) this.editor.act({ do: "close" });
  }

  /** A second finger: what the first began is no drawing. */
  private cancel(): void {
    if (this.press !== null && this.dragged && this.press.kind !== "pan") this.editor.act({ do: "cancel", gesture: this.gesture });
    this.press = null;
    this.dragged = true;
  }

  private hover(event: PointerEvent): void {
    if (event.pointerType === "touch" || event.buttons !== 0) return;
    const box = this.editor.view.element.getBoundingClientRect();
    const at = this.editor.place([event.clientX - box.left, event.clientY - box.top]);
    this.editor.aim(this.editor.edged(at), NEAR.mouse);
  }

  /** The middle button pans, whatever is under it. */
  private middle(event: PointerEvent): void {
    if (event.button !== 1) return;
    event.preventDefault();
    const { element } = this.editor.view;
    element.setPointerCapture(event.pointerId);
    let [x, y] = [event.clientX, event.clientY];
    const move = (to: PointerEvent) => {
      this.editor.view.panBy([x - to.clientX, y - to.clientY]);
      [x, y] = [to.clientX, to.clientY];
    };
    const up = () => element.removeEventListener("pointermove", move);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up, { once: true });
    element.addEventListener("pointercancel", up, { once: true });
  }

  private spaceKey(event: KeyboardEvent, down: boolean): void {
    if (event.key !== " ") return;
    event.preventDefault();
    this.space = down;
    this.editor.view.element.classList.toggle("panning", down);
  }
}
