// Calls of the server on the page on which a task is decided about.

import { call, failureOf, Offline } from "./api";
import type { Answer } from "./api";
import { ask } from "./dialogs";
import type { Body, Decided } from "./adjudicate_choice";
import { say } from "./words";

export interface Done {
  readonly base: number;
  readonly next: number | null;
}

/** Sends something; where it was refused, the sentence that says so. */
export async function sent(url: string, body: unknown): Promise<Answer | string> {
  try {
    const answer = await call("POST", url, body);
    return answer.status === 401 ? say("not_decided_signed_out") : answer;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    return say("not_decided_offline");
  }
}

export function refusal(answer: Answer): string {
  const { message, remedy } = failureOf(answer);
  return `${say("refused")} ${message} ${remedy}`.trim();
}

/** Decides; where somebody else has meanwhile, a person chooses. "theirs": the other decision is left. */
export async function decided(url: string, body: Body, how: (how: string) => string): Promise<Done | "theirs" | string> {
  let wanted = body;
  for (;;) {
    const answer = await sent(url, wanted);
    if (typeof answer === "string") return answer;
    if (answer.status === 201) return answer.body as Done;
    const failure = failureOf(answer);
    const newest = failure.details["newest"] as Decided | null | undefined;
    if (failure.code !== "decided_meanwhile" || newest == null) return refusal(answer);
    const what = say("meanwhile", { who: newest.decided_by, how: how(newest.how) });
    const chosen = await ask("dialog-meanwhile", { what, note: newest.note });
    if (chosen === "theirs") return "theirs";
    if (chosen !== "mine") return refusal(answer);
    wanted = { ...wanted, base: newest.id };
  }
}
