// Sending the work, and giving the task back.

import { failureOf, Offline } from "./api";
import type { Answer, Api } from "./api";
import { problemsOf } from "./checks";
import { ask, byId } from "./dialogs";
import type { Keeper } from "./kept";
import type { SaveQueue } from "./save";
import type { Problem, Work } from "./types";
import { leavesOut, sendable } from "./work";
import { say } from "./words";

export interface Parts {
  readonly api: Api;
  readonly queue: SaveQueue;
  readonly keeper: Keeper;
  /** The same at each try, so that sending twice is sending once. */
  readonly key: string;
  readonly work: () => Work;
  readonly withText: ReadonlySet<string>;
  readonly wrong: (problems: readonly Problem[]) => void;
  readonly lock: (on: boolean) => void;
  readonly tell: (sentence: string) => void;
}

/** Only a page of this server is gone to. */
export function ownAddress(next: unknown, here: string): string {
  const url = new URL(typeof next === "string" ? next : "/", here);
  return url.origin === new URL(here).origin ? url.href : new URL("/", here).href;
}

function leave(parts: Parts, next: unknown): void {
  parts.queue.done();
  parts.keeper.forget();
  location.assign(ownAddress(next, location.href));
}

/** Stops saving, does a call, and goes on saving where it came to nothing. */
async function attempt(parts: Parts, call: () => Promise<Answer>): Promise<Answer | null> {
  parts.lock(true);
  await parts.queue.stop();
  try {
    const answer = await call();
    if (answer.status === 200 || answer.status === 201) return answer;
    failed(parts, answer);
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    parts.tell(say("not_sent_offline"));
  }
  parts.lock(false);
  parts.queue.resume();
  return null;
}

function failed(parts: Parts, answer: Answer): void {
  const { message, remedy, details } = failureOf(answer);
  const problems = details["problems"];
  // Not filled in as it must be, or not accepted in a qualification: shown beside the answers until the next try.
  if (Array.isArray(problems)) {
    parts.lock(false);
    parts.wrong(problems as Problem[]);
  } else if (answer.status === 401 || answer.status === 403) {
    byId("sign-in").hidden = false;
    parts.tell(say("not_sent_signed_out"));
  } else {
    parts.tell(`${say("not_sent")} ${message} ${remedy}`.trim());
  }
}

export async function send(parts: Parts): Promise<void> {
  const work = parts.work();
  const problems = problemsOf(sendable(work), parts.withText);
  parts.wrong(problems);
  if (problems.length > 0) return;
  if (leavesOut(work) && (await ask("dialog-send")) !== "send") return;
  const answer = await attempt(parts, () => parts.api.submit(parts.key, sendable(parts.work())));
  if (answer !== null) leave(parts, (answer.body as { next?: unknown } | null)?.next);
}

export async function giveBack(parts: Parts, home: string): Promise<void> {
  const why = byId<HTMLTextAreaElement>("return-why");
  if ((await ask("dialog-return")) !== "return") return;
  const answer = await attempt(parts, () => parts.api.giveBack(why.value.trim()));
  if (answer !== null) leave(parts, home);
}
