// From what is filled in and drawn to the work that is saved and sent, and back.

import { EMPTY } from "./state";
import type { Shape } from "./state";
import type { Outcome, Stage, Work } from "./types";

/** What stands in the form at the side. */
export interface Answers {
  readonly several_questions: boolean | null;
  readonly several_regions: boolean | null;
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  readonly reason_text: string;
  readonly comment: string;
}

export const NO_ANSWERS: Answers = {
  several_questions: null, several_regions: null, outcome: null, reason: null, reason_text: "", comment: "",
};

export function shapeOutcome(stage: Stage): Outcome {
  return stage === "box" ? "box" : "polygon";
}

/** The work as a draft: all that is there, also what a later answer has made needless. */
export function workOf(stage: Stage, answers: Answers, shape: Shape, seconds: number): Work {
  const common = {
    stage, outcome: answers.outcome, reason: answers.reason, reason_text: answers.reason_text,
    comment: answers.comment, seconds,
  };
  if (stage === "box") return { ...common, box: shape.box };
  const drawn = { ...common, polygon: shape.points, closed: shape.closed };
  if (stage === "polygon") return drawn;
  return { ...drawn, several_questions: answers.several_questions, several_regions: answers.several_regions };
}

export function answersOf(work: Work): Answers {
  return {
    several_questions: work.several_questions ?? null, several_regions: work.several_regions ?? null,
    outcome: work.outcome, reason: work.reason, reason_text: work.reason_text, comment: work.comment,
  };
}

export function shapeOf(work: Work): Shape {
  return { ...EMPTY, points: work.polygon ?? [], closed: work.closed ?? false, box: work.box ?? null };
}

/** Whether a "yes" in step 1 or 2 has ended the sample. */
export function ended(answers: Answers): boolean {
  return answers.several_questions === true || answers.several_regions === true;
}

/** Whether the third step is reached (at once, where there are no steps before it). */
export function mayDraw(stage: Stage, answers: Answers): boolean {
  return stage !== "grounding" || (answers.several_questions === false && answers.several_regions === false);
}

/** The work as it is sent: without what the answers have made needless. */
export function sendable(work: Work): Work {
  const answers = answersOf(work);
  const over = work.stage === "grounding" && ended(answers);
  const outcome = over ? null : work.outcome;
  const draws = outcome === shapeOutcome(work.stage);
  const lean = {
    ...work, outcome,
    reason: outcome === "cannot_draw" ? work.reason : null,
    reason_text: outcome === "cannot_draw" ? work.reason_text : "",
  };
  if (work.stage === "box") return { ...lean, box: draws ? (work.box ?? null) : null };
  const drawn = { ...lean, polygon: draws ? (work.polygon ?? []) : [], closed: draws && work.closed === true };
  if (work.stage === "polygon") return drawn;
  return { ...drawn, several_regions: work.several_questions === true ? null : (work.several_regions ?? null) };
}

/** Whether two works say the same; attention aside, which goes on by itself. */
export function sameWork(a: Work, b: Work): boolean {
  const plain = ({ seconds: _, ...rest }: Work) => JSON.stringify(Object.entries(rest).sort(([x], [y]) => (x < y ? -1 : 1)));
  return plain(a) === plain(b);
}

/** Whether sending would leave out something that was drawn. */
export function leavesOut(work: Work): boolean {
  const sent = sendable(work);
  const drawn = (w: Work) => (w.polygon?.length ?? 0) > 0 || (w.box ?? null) !== null;
  return drawn(work) && !drawn(sent);
}
