// Every act of drawing by keys: a crosshair that arrows move, points to go through, and the whole shape to carry.

import { shiftIntoView } from "./camera";
import { NEAR } from "./editor";
import type { Editor } from "./editor";
import { clamped } from "./geometry";
import { commandOf, direction, everywhere } from "./keys";
import type { Command } from "./keys";
import { spots } from "./overlay";
import type { Act } from "./state";
import type { Point, Said } from "./types";

const FAR = 10;
const PAN = 40;

export interface Asked {
  readonly open: (which: "keys" | "instructions") => void;
  readonly say: (said: Said) => void;
}

function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return target.matches?.("input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable]");
}

export class Keyboard {
  /** Keys that are held move as one step to undo. */
  private held = 0;
  /** Where the crosshair was when the focus left the photo. */
  private rest: Point | null = null;

  constructor(private readonly editor: Editor, private readonly asked: Asked) {
    const { element } = editor.view;
    // Before OpenSeadragon's own listener.
    element.addEventListener("keydown", (event) => this.onPhoto(event), { capture: true });
    element.addEventListener("keyup", () => (this.held += 1));
    element.addEventListener("blur", () => this.left());
    element.ownerDocument.addEventListener("keydown", (event) => this.anywhere(event));
  }

  /** By a button of the toolbar. */
  run(command: Command): void {
    this.perform(command, [0, 0]);
  }

  private onPhoto(event: KeyboardEvent): void {
    const command = commandOf(event);
    if (command === null || everywhere(command)) return;
    if ((command === "next" || command === "previous") && event.key === "Tab" && !this.tabStays(command)) return;
    event.preventDefault();
    event.stopPropagation();
    this.perform(command, direction(event) ?? [0, 0]);
  }

  private anywhere(event: KeyboardEvent): void {
    const command = commandOf(event);
    if (command === null || !everywhere(command) || typing(event)) return;
    if (event.target instanceof Element && event.target.closest("dialog[open]")) return;
    event.preventDefault();
    this.perform(command, [0, 0]);
  }

  /** Tab goes on through the points once one is chosen, and leaves the photo after the last: no trap. */
  private tabStays(command: "next" | "previous"): boolean {
    const { selected } = this.editor.state;
    if (selected === null) return false;
    const next = selected + (command === "next" ? 1 : -1);
    return next >= 0 && next < spots(this.editor.state).length;
  }

  private left(): void {
    this.held += 1;
    this.rest = this.editor.hints.crosshair ?? this.rest;
    this.editor.crosshairTo(null);
  }

  private perform(command: Command, way: readonly [number, number]): void {
    const { editor } = this;
    const { selected } = editor.state;
    switch (command) {
      case "cursor": return this.go(way, 1 / editor.camera.scale);
      case "cursor_far": return this.go(way, FAR / editor.camera.scale);
      case "cursor_pixel": return this.go(way, 1);
      case "pan": return editor.view.panBy([way[0] * PAN, way[1] * PAN]);
      case "set": return this.set();
      case "close": return this.act({ do: "close" });
      case "next": return this.choose(1);
      case "previous": return this.choose(-1);
      case "insert": return this.act({ do: "insert", after: selected ?? -1 });
      case "remove": return this.remove();
      case "grab": return this.grab();
      case "release": return this.release();
      case "undo": return this.act({ do: "undo" });
      case "redo": return this.act({ do: "redo" });
      case "clear": return this.act({ do: "clear" });
      default: return this.look(command);
    }
  }

  private look(command: Command): void {
    const { view } = this.editor;
    const at = this.here();
    switch (command) {
      case "zoom_in": view.zoom(1, at); break;
      case "zoom_out": view.zoom(-1, at); break;
      case "fit": view.fit(); break;
      case "full_size": view.zoomTo(1, at); break;
      case "where": return this.tellWhere();
      case "keys": case "instructions": return this.asked.open(command);
      default: return;
    }
    this.asked.say({ word: "zoomed", values: { percent: Math.round(view.scale(false) * 100) } });
  }

  private act(act: Act): void {
    this.editor.act(act);
    this.follow();
  }

  /** Where keys act: the chosen point, the crosshair, or the middle of the view. */
  private here(): Point {
    const { state, hints, view, size } = this.editor;
    const chosen = state.selected === null ? undefined : spots(state)[state.selected];
    return chosen ?? hints.crosshair ?? this.rest ?? clamped(view.centre(), size);
  }

  private go(way: readonly [number, number], step: number): void {
    const { editor, held } = this;
    const by: Point = [way[0] * step, way[1] * step];
    const { selected, grabbed } = editor.state;
    if (grabbed) return this.act({ do: "shift", by, gesture: `keys ${held}` });
    const from = this.here();
    const to: Point = [from[0] + by[0], from[1] + by[1]];
    if (selected !== null) return this.act({ do: "move", index: selected, to, gesture: `keys ${held}` });
    // The crosshair keeps fractions, so that steps of the screen add up at every zoom.
    const { width, height } = editor.size;
    const crosshair: Point = [Math.min(Math.max(to[0], 0), width), Math.min(Math.max(to[1], 0), height)];
    editor.crosshairTo(crosshair);
    this.follow();
    this.asked.say({ word: "crosshair_at", values: { x: Math.round(crosshair[0]), y: Math.round(crosshair[1]) } });
  }

  private set(): void {
    const { editor } = this;
    if (editor.state.grabbed || editor.state.selected !== null) return this.release();
    if (editor.hints.crosshair === null) {
      editor.crosshairTo(this.here());
      return this.tellWhere();
    }
    editor.setPoint(editor.hints.crosshair, NEAR.mouse);
  }

  private choose(step: number): void {
    const { state } = this.editor;
    const count = spots(state).length;
    if (count === 0) return this.asked.say({ word: "nothing_to_choose" });
    const from = state.selected ?? (step > 0 ? -1 : 0);
    this.act({ do: "select", index: (from + step + count) % count });
    this.tellWhere();
  }

  private remove(): void {
    const { state } = this.editor;
    if (state.selected !== null) return this.act({ do: "remove", index: state.selected });
    if (state.tool === "polygon" && !state.shape.closed && state.shape.points.length > 0) {
      return this.act({ do: "remove", index: state.shape.points.length - 1 });
    }
    return this.asked.say({ word: "choose_first" });
  }

  private grab(): void {
    const on = !this.editor.state.grabbed;
    const result = this.editor.act({ do: "grab", on });
    if (result.refused !== true) this.asked.say({ word: on ? "grabbed" : "released" });
  }

  /** Lets go of what is chosen or carried; never of what is drawn. */
  private release(): void {
    const { state } = this.editor;
    const at = this.here();
    const chosen = state.selected !== null || state.grabbed;
    this.editor.act({ do: "select", index: null });
    this.editor.crosshairTo(at);
    if (chosen) this.asked.say({ word: "released" });
  }

  private follow(): void {
    const { view, camera } = this.editor;
    const [x, y] = shiftIntoView(camera, this.here());
    if (x !== 0 || y !== 0) view.panBy([x, y]);
  }

  private tellWhere(): void {
    const { state, size } = this.editor;
    const at = this.here();
    const values = { x: Math.round(at[0]), y: Math.round(at[1]), width: size.width, height: size.height };
    if (state.selected === null) return this.asked.say({ word: "where", values });
    const spotted = { ...values, number: state.selected + 1, count: spots(state).length };
    return this.asked.say({ word: state.shape.box === null ? "point_chosen" : "handle_chosen", values: spotted });
  }
}

