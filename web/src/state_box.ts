// The acts on a box.

import { boxArea, boxOf, clamped, shiftWithin } from "./geometry";
import { corners, pulled, shifted, tooSmall } from "./boxes";
import { changed, refused } from "./state";
import type { Act, State, Step } from "./state";
import type { Box, Point, Said } from "./types";

function told(word: string, box: Box): Said {
  const [x0, y0, x1, y1] = box.map(Math.round) as [number, number, number, number];
  return { word, values: { x0, y0, x1, y1, area: Math.round(boxArea(box)) } };
}

function add(state: State, raw: Point): Step {
  const at = clamped(raw, state.size);
  if (state.shape.box !== null) return refused(state, "one_box");
  if (state.shape.corner === null) {
    const values = { x: Math.round(at[0]), y: Math.round(at[1]) };
    return { state: changed(state, { corner: at }), said: { word: "corner_set", values } };
  }
  const box = boxOf(state.shape.corner, at);
  if (tooSmall(box)) return refused(state, "box_too_small");
  return { state: changed(state, { box, corner: null }), said: told("box_set", box) };
}

/** A box drawn in one go; it is looked at when it is let go. */
function span(state: State, act: Extract<Act, { do: "box" }>): Step {
  if (state.shape.box !== null && state.gesture !== act.gesture) return refused(state, "one_box");
  const box = boxOf(clamped(act.from, state.size), clamped(act.to, state.size));
  return { state: changed(state, { box, corner: null }, act.gesture), said: told("box_set", box) };
}

function move(state: State, act: Extract<Act, { do: "move" }>): Step {
  if (state.shape.box === null) return { state };
  const box = pulled(state.shape.box, act.index, act.to, state.size);
  if (String(box) === String(state.shape.box)) return { state };
  return { state: changed(state, { box }, act.gesture), said: told("box_changed", box) };
}

function settle(state: State): Step {
  const { box } = state.shape;
  const before = state.past.at(-1);
  if (state.gesture === null || box === null || before === undefined || !tooSmall(box)) {
    return { state: { ...state, gesture: null } };
  }
  return refused({ ...state, shape: before, past: state.past.slice(0, -1), gesture: null }, "box_too_small");
}

function shift(state: State, by: Point, gesture: string): Step {
  if (state.shape.box === null) return refused(state, "nothing_to_grab");
  const held = shiftWithin(corners(state.shape.box), by, state.size);
  if (held[0] === 0 && held[1] === 0) return refused(state, "at_the_edge");
  const box = shifted(state.shape.box, held);
  return { state: changed(state, { box }, gesture), said: told("box_changed", box) };
}

export function boxActs(state: State, act: Act): Step {
  switch (act.do) {
    case "add": return add(state, act.at);
    case "close": return refused(state, "box_needs_no_closing");
    case "box": return span(state, act);
    case "move": return move(state, act);
    case "settle": return settle(state);
    case "insert": return refused(state, "box_has_four_sides");
    case "remove": return refused(state, "box_has_four_sides");
    case "shift": return shift(state, act.by, act.gesture);
    default: return { state };
  }
}
