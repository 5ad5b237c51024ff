// What is drawn and how it came to be, as one immutable value; every act is a pure step to the next.

import { boxActs } from "./state_box";
import { polygonActs } from "./state_polygon";
import type { Box, Point, Said, Size } from "./types";

export interface Shape {
  readonly points: readonly Point[];
  readonly closed: boolean;
  readonly box: Box | null;
  /** The first corner of a box that is being set. */
  readonly corner: Point | null;
}

export interface State {
  readonly tool: "polygon" | "box";
  readonly size: Size;
  readonly shape: Shape;
  readonly past: readonly Shape[];
  readonly future: readonly Shape[];
  /** Changes of one gesture (a drag, a key held) are one step to undo. */
  readonly gesture: string | null;
  readonly selected: number | null;
  readonly grabbed: boolean;
}

export type Act =
  | { readonly do: "add"; readonly at: Point }
  | { readonly do: "close" }
  /** `unchecked` while it is dragged; `settle` looks when it is let go. */
  | { readonly do: "move"; readonly index: number; readonly to: Point; readonly gesture: string; readonly unchecked?: boolean }
  | { readonly do: "settle" }
  /** Takes back a gesture that was none: nothing to redo is left of it. */
  | { readonly do: "cancel"; readonly gesture: string }
  | { readonly do: "insert"; readonly after: number; readonly at?: Point }
  | { readonly do: "remove"; readonly index: number }
  | { readonly do: "shift"; readonly by: Point; readonly gesture: string }
  | { readonly do: "box"; readonly from: Point; readonly to: Point; readonly gesture: string }
  | { readonly do: "clear" }
  | { readonly do: "undo" }
  | { readonly do: "redo" }
  | { readonly do: "select"; readonly index: number | null }
  | { readonly do: "grab"; readonly on: boolean }
  | { readonly do: "replace"; readonly shape: Shape };

export interface Step {
  readonly state: State;
  /** What is told: what was done, or why it was not. */
  readonly said?: Said;
  readonly refused?: boolean;
}

export const EMPTY: Shape = { points: [], closed: false, box: null, corner: null };

export function started(tool: State["tool"], size: Size, shape: Shape = EMPTY): State {
  return { tool, size, shape, past: [], future: [], gesture: null, selected: null, grabbed: false };
}

export function isEmpty(shape: Shape): boolean {
  return shape.points.length === 0 && shape.box === null && shape.corner === null;
}

export function refused(state: State, word: string, values: Record<string, string | number> = {}): Step {
  return { state, said: { word, values }, refused: true };
}

/** The state with a new shape; the old one can be undone to. */
export function changed(state: State, shape: Partial<Shape>, gesture: string | null = null): State {
  const continues = gesture !== null && gesture === state.gesture;
  return {
    ...state,
    shape: { ...state.shape, ...shape },
    past: continues ? state.past : [...state.past, state.shape],
    future: [],
    gesture,
  };
}

function undo(state: State): Step {
  const before = state.past.at(-1);
  if (before === undefined) return refused(state, "nothing_to_undo");
  const next = {
    ...state, shape: before, past: state.past.slice(0, -1), future: [state.shape, ...state.future],
    gesture: null, selected: null, grabbed: false,
  };
  return { state: next, said: { word: "undone", values: { count: next.past.length } } };
}

function redo(state: State): Step {
  const after = state.future[0];
  if (after === undefined) return refused(state, "nothing_to_redo");
  const next = {
    ...state, shape: after, past: [...state.past, state.shape], future: state.future.slice(1),
    gesture: null, selected: null, grabbed: false,
  };
  return { state: next, said: { word: "redone", values: { count: next.future.length } } };
}

function cancel(state: State, gesture: string): Step {
  const before = state.past.at(-1);
  if (state.gesture !== gesture || before === undefined) return { state };
  return { state: { ...state, shape: before, past: state.past.slice(0, -1), gesture: null, selected: null }, said: { word: "cancelled" } };
}

function clear(state: State): Step {
  if (isEmpty(state.shape)) return refused(state, "nothing_to_clear");
  return { state: { ...changed(state, EMPTY), selected: null, grabbed: false }, said: { word: "cleared" } };
}

export function step(state: State, act: Act): Step {
  switch (act.do) {
    case "undo": return undo(state);
    case "redo": return redo(state);
    case "clear": return clear(state);
    case "cancel": return cancel(state, act.gesture);
    case "select": return { state: { ...state, selected: act.index, grabbed: false, gesture: null } };
    case "replace": return { state: { ...changed(state, act.shape), selected: null, grabbed: false } };
    case "grab":
      if (act.on && isEmpty(state.shape)) return refused(state, "nothing_to_grab");
      return { state: { ...state, grabbed: act.on, selected: null, gesture: null } };
    default: return state.tool === "box" ? boxActs(state, act) : polygonActs(state, act);
  }
}
