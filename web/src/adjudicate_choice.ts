// What a reviewer has chosen, the work that it is, and which key does what. Nothing here knows the page.

import type { Pressed } from "./keys";
import { EMPTY } from "./state";
import type { Shape } from "./state";
import type { Assignment, Point, Size, Stage, Work } from "./types";
import { NO_ANSWERS, shapeOf, shapeOutcome, workOf } from "./work";

export interface Candidate {
  readonly letter: string;
  readonly how: "picked" | "given" | "mended";
  readonly number: number | null;
  readonly work: Work | null;
  readonly rings: readonly (readonly Point[])[];
  readonly said: string;
  readonly who: string;
  readonly note: string;
  /** The aggregator that made it; empty where none did. */
  readonly rule: string;
}

export interface Decided {
  readonly id: number;
  readonly how: string;
  readonly note: string;
  readonly decided_by: string;
}

export interface Adjudication {
  readonly id: number;
  readonly task: Assignment["task"];
  readonly gold: boolean;
  readonly base: number;
  readonly standing: Decided | null;
  readonly candidates: readonly Candidate[];
}

export type Choice =
  | { readonly is: "none" }
  | { readonly is: "candidate"; readonly letter: string }
  /** Drawn with the editor, from a candidate or anew. */
  | { readonly is: "drawn"; readonly from: string | null; readonly shape: Shape }
  | { readonly is: "rejected"; readonly why: string; readonly text: string };

export interface Body {
  readonly how: "picked" | "mended" | "rejected" | "given";
  readonly base: number;
  readonly note: string;
  readonly work?: Work;
  readonly picked?: number;
  readonly target?: number;
  readonly rule?: string;
}

/** The shape with which mending begins: the whole photo has one too, though nobody drew it. */
export function shapeToMend(work: Work, size: Size): Shape {
  if (work.outcome !== "whole_image") return shapeOf(work);
  const { width, height } = size;
  if (work.stage === "box") return { ...EMPTY, box: [0, 0, width, height] };
  return { ...EMPTY, points: [[0, 0], [width, 0], [width, height], [0, height]], closed: true };
}

/** Whether a shape is whole, so that it can stand. */
export function isWhole(shape: Shape): boolean {
  return shape.box !== null || (shape.closed && shape.points.length >= 3);
}

export function sameShape(a: Shape, b: Shape): boolean {
  const plain = ({ points, closed, box }: Shape) => JSON.stringify([points, closed, box]);
  return plain(a) === plain(b);
}

function steps(stage: Stage) {
  const answered = stage === "grounding" ? false : null;
  return { ...NO_ANSWERS, several_questions: answered, several_regions: answered };
}

export function drawnWork(stage: Stage, shape: Shape): Work {
  return workOf(stage, { ...steps(stage), outcome: shapeOutcome(stage) }, shape, 0);
}

/** The work that says why there is no one region. */
export function rejectedWork(stage: Stage, why: string, text: string): Work {
  if (stage === "grounding" && why === "several_questions") {
    return workOf(stage, { ...NO_ANSWERS, several_questions: true }, EMPTY, 0);
  }
  if (stage === "grounding" && why === "several_regions") {
    return workOf(stage, { ...NO_ANSWERS, several_questions: false, several_regions: true }, EMPTY, 0);
  }
  return workOf(stage, { ...steps(stage), outcome: "cannot_draw", reason: why, reason_text: text }, EMPTY, 0);
}

/** What is sent; null where nothing that can stand is chosen. */
export function bodyOf(choice: Choice, task: Adjudication, note: string): Body | null {
  const { stage } = task.task;
  const common = { base: task.base, note };
  const called = (letter: string | null) => task.candidates.find((one) => one.letter === letter);
  if (choice.is === "rejected") return { ...common, how: "rejected", work: rejectedWork(stage, choice.why, choice.text) };
  if (choice.is === "drawn") {
    if (!isWhole(choice.shape)) return null;
    const from = called(choice.from);
    const picked = from?.how === "picked" && from.number !== null ? { picked: from.number } : {};
    return { ...common, how: "mended", work: drawnWork(stage, choice.shape), ...picked };
  }
  const chosen = choice.is === "candidate" ? called(choice.letter) : undefined;
  if (chosen?.work == null) return null;
  // The server makes it again, so that it is what the rule makes.
  if (chosen.how === "mended") return { ...common, how: "mended", rule: chosen.rule };
  if (chosen.how === "given") return { ...common, how: "given", target: chosen.number ?? 0 };
  return { ...common, how: "picked", picked: chosen.number ?? 0 };
}

export type Act =
  | { readonly do: "pick" | "show"; readonly letter: string }
  | { readonly do: "confirm" | "mend" | "reject" | "gold" | "undo" | "next" | "previous" | "hide" | "keys" };

const ACTS: Readonly<Record<string, Exclude<Act["do"], "pick" | "show">>> = {
  m: "mend", r: "reject", g: "gold", u: "undo", n: "next", p: "previous", h: "hide", "?": "keys", enter: "confirm",
};

/** What a key does; null where it is none of this page's. `letters`: of the candidates, in their order. */
export function actOf(press: Pressed, letters: readonly string[], mending: boolean): Act | null {
  const key = press.key.toLowerCase();
  const held = press.ctrlKey || press.metaKey;
  if (held && !press.altKey && (key === "s" || (key === "enter" && mending))) return { do: "confirm" };
  if (held || press.altKey) return null;
  // The photo has the keys of the drawing page while one draws.
  if (mending) return key === "m" && !press.shiftKey ? { do: "mend" } : null;
  const act = ACTS[key];
  if (act !== undefined && (!press.shiftKey || key === "?")) return { do: act };
  if (/^[1-9]$/.test(key)) return { do: "pick", letter: letters[Number(key) - 1] ?? key };
  if (!/^[a-z]$/.test(key)) return null;
  return { do: press.shiftKey ? "show" : "pick", letter: key.toUpperCase() };
}
