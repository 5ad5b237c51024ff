// The acts on an outline.

import { crossing, sidesAt, sidesMoved } from "./crossing";
import { area, clamped, inside, midpoint, rounded, same, shiftWithin, sideCount } from "./geometry";
import { changed, refused } from "./state";
import type { Act, State, Step } from "./state";
import type { Point } from "./types";

/** As many as `foveate.annotation.work` takes. */
const MOST_POINTS = 5000;

function crosses(state: State, pair: readonly [number, number]): Step {
  return refused(state, "crossing", { first: pair[0] + 1, second: pair[1] + 1 });
}

function distinct(points: readonly Point[]): number {
  return new Set(points.map(String)).size;
}

function add(state: State, raw: Point): Step {
  const { points, closed } = state.shape;
  const at = clamped(raw, state.size);
  if (closed) return refused(state, inside(at, points) ? "no_holes" : "one_outline");
  if (points.length >= MOST_POINTS) return refused(state, "too_many", { most: MOST_POINTS });
  const last = points.at(-1);
  if (last !== undefined && same(last, at)) return refused(state, "same_point");
  const next = [...points, at];
  const pair = next.length > 2 ? crossing(next, false, [next.length - 2]) : null;
  if (pair !== null) return crosses(state, pair);
  const values = { count: next.length, x: Math.round(at[0]), y: Math.round(at[1]) };
  return { state: { ...changed(state, { points: next }), selected: null }, said: { word: "point_set", values } };
}

function close(state: State): Step {
  const { points, closed } = state.shape;
  if (closed) return refused(state, "already_closed");
  if (distinct(points) < 3) return refused(state, "too_few", { count: distinct(points) });
  const pair = crossing(points, true);
  if (pair !== null) return crosses(state, pair);
  if (area(points) === 0) return refused(state, "flat");
  const said = { word: "closed", values: { count: points.length, area: Math.round(area(points)) } };
  return { state: { ...changed(state, { closed: true }), selected: null }, said };
}

function move(state: State, act: Extract<Act, { do: "move" }>): Step {
  const { points, closed } = state.shape;
  const to = clamped(act.to, state.size);
  if (points[act.index] === undefined || same(points[act.index]!, to)) return { state };
  const next = points.map((p, i) => (i === act.index ? to : p));
  if (act.unchecked !== true) {
    const pair = crossing(next, closed, sidesAt(act.index, next.length, closed));
    if (pair !== null) return crosses(state, pair);
  }
  const values = { number: act.index + 1, x: Math.round(to[0]), y: Math.round(to[1]) };
  return { state: changed(state, { points: next }, act.gesture), said: { word: "point_moved", values } };
}

/** The first sides that meet by the gesture under way; what has not moved was looked at when it was drawn. */
export function movedCrossing(state: State): readonly [number, number] | null {
  const { points, closed } = state.shape;
  const before = state.past.at(-1);
  if (state.gesture === null || before?.points.length !== points.length) return null;
  return crossing(points, closed, sidesMoved(before.points, points, closed));
}

/** The end of a drag: an outline that crosses itself goes back to what it was before it. */
function settle(state: State): Step {
  const pair = movedCrossing(state);
  const flat = state.shape.closed && area(state.shape.points) === 0;
  const before = state.past.at(-1);
  if ((pair === null && !flat) || state.gesture === null || before === undefined) {
    return { state: { ...state, gesture: null } };
  }
  const back = { ...state, shape: before, past: state.past.slice(0, -1), gesture: null };
  if (pair === null) return refused(back, "flat");
  return refused(back, "put_back", { first: pair[0] + 1, second: pair[1] + 1 });
}

function insert(state: State, after: number, raw?: Point): Step {
  const { points, closed } = state.shape;
  if (after < 0 || after >= sideCount(points, closed)) return refused(state, "no_side_to_split");
  if (points.length >= MOST_POINTS) return refused(state, "too_many", { most: MOST_POINTS });
  const at = raw ? clamped(raw, state.size) : midpoint(points[after]!, points[(after + 1) % points.length]!);
  if (points.some((p) => same(p, at))) return refused(state, "same_point");
  const next = [...points.slice(0, after + 1), at, ...points.slice(after + 1)];
  const pair = crossing(next, closed, sidesAt(after + 1, next.length, closed));
  if (pair !== null) return crosses(state, pair);
  const values = { number: after + 2, count: next.length };
  return { state: { ...changed(state, { points: next }), selected: after + 1 }, said: { word: "inserted", values } };
}

function remove(state: State, index: number): Step {
  const { points } = state.shape;
  if (points[index] === undefined) return refused(state, "nothing_selected");
  const next = points.filter((_, i) => i !== index);
  // An outline of two points is none: it opens again, so that it can be gone on with.
  const closed = state.shape.closed && next.length >= 3;
  const pair = crossing(next, closed);
  if (pair !== null) return crosses(state, pair);
  if (closed && area(next) === 0) return refused(state, "flat");
  const selected = next.length === 0 ? null : Math.min(index, next.length - 1);
  const values = { number: index + 1, count: next.length };
  return { state: { ...changed(state, { points: next, closed }), selected }, said: { word: "removed", values } };
}

function shift(state: State, by: Point, gesture: string): Step {
  const { points } = state.shape;
  if (points.length === 0) return refused(state, "nothing_to_grab");
  const held = shiftWithin(points, by, state.size);
  if (held[0] === 0 && held[1] === 0) return refused(state, "at_the_edge");
  const next = points.map((p) => rounded([p[0] + held[0], p[1] + held[1]]));
  const values = { x: Math.round(next[0]![0]), y: Math.round(next[0]![1]) };
  return { state: changed(state, { points: next }, gesture), said: { word: "shape_moved", values } };
}

export function polygonActs(state: State, act: Act): Step {
  switch (act.do) {
    case "add": return add(state, act.at);
    case "close": return close(state);
    case "move": return move(state, act);
    case "settle": return settle(state);
    case "insert": return insert(state, act.after, act.at);
    case "remove": return remove(state, act.index);
    case "shift": return shift(state, act.by, act.gesture);
    default: return { state };
  }
}
