// What the page itself can say against sending a work, to be quick; the server decides (`foveate.annotation.problems`).

import { answersOf, ended, shapeOutcome } from "./work";
import type { Problem, Work } from "./types";
import { say } from "./words";

function problem(field: string, word: string, values: Record<string, string | number> = {}): Problem {
  return { field, problem: say(`${word}_problem`, values), remedy: say(`${word}_remedy`, values) };
}

function ofShape(work: Work): Problem[] {
  if (work.stage === "box") return work.box ? [] : [problem("box", "box_missing")];
  const count = work.polygon?.length ?? 0;
  if (count === 0) return [problem("polygon", "polygon_missing")];
  if (count < 3) return [problem("polygon", "polygon_few", { count })];
  return work.closed === true ? [] : [problem("polygon", "polygon_open", { count })];
}

function ofReason(work: Work, withText: ReadonlySet<string>): Problem[] {
  if (work.reason === null || work.reason === "") return [problem("reason", "reason_missing")];
  if (withText.has(work.reason) && work.reason_text.trim() === "") return [problem("reason_text", "reason_text_missing")];
  return [];
}

function ofOutcome(work: Work, withText: ReadonlySet<string>): Problem[] {
  if (work.outcome === null) return [problem("outcome", "outcome_missing")];
  if (work.outcome === "cannot_draw") return ofReason(work, withText);
  return work.outcome === shapeOutcome(work.stage) ? ofShape(work) : [];
}

/** `withText`: the reasons that need a text. */
export function problemsOf(work: Work, withText: ReadonlySet<string>): Problem[] {
  if (work.stage !== "grounding") return ofOutcome(work, withText);
  if (work.several_questions === null) return [problem("several_questions", "step_missing", { step: 1 })];
  if (work.several_questions === false && work.several_regions === null) {
    return [problem("several_regions", "step_missing", { step: 2 })];
  }
  return ended(answersOf(work)) ? [] : ofOutcome(work, withText);
}
