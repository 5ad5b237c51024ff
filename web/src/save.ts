// The queue of saves: one at a time, at most a moment after a change, again and again while there is no connection.

import { failureOf, Offline } from "./api";
import type { Answer, DraftBody, Failure } from "./api";
import type { Clock } from "./announce";
import { Keeping } from "./keeping";
import type { Keeper } from "./kept";
import type { Draft, Work } from "./types";
import { sameWork } from "./work";

export type Status =
  | { readonly is: "clean" }
  | { readonly is: "saving" }
  | { readonly is: "saved"; readonly at: string }
  | { readonly is: "offline"; readonly kept: boolean }
  | { readonly is: "signed_out"; readonly kept: boolean }
  | { readonly is: "conflict"; readonly draft: Draft }
  | { readonly is: "lease_over"; readonly failure: Failure }
  | { readonly is: "refused"; readonly failure: Failure };

export interface Parts {
  readonly tab: string;
  readonly put: (body: DraftBody) => Promise<Answer>;
  readonly keeper: Keeper;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onStatus: (status: Status) => void;
  readonly onSaved: (version: number, work: Work) => void;
}

/** After the first change that is not sent: with the call under way and the next this stays well within a second. */
const SAVE_AFTER_MS = 350;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before a try: doubled each time, and spread so that many do not come back at once. */
export function wait(tries: number, random: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + random / 2);
}

export class SaveQueue {
  private work: Work | null = null;
  private acknowledged: Work | null = null;
  private inFlight: Promise<void> | null = null;
  private timer: unknown = null;
  private tries = 0;
  private overwrite = false;
  private stopped: "no" | "choice" | "over" = "no";
  private kept = true;
  /** When the first of the changes came that no call has taken along yet. */
  private since: number | null = null;
  private readonly keeping: Keeping;

  constructor(private readonly parts: Parts, public base: number) {
    this.keeping = new Keeping(parts.clock, () => this.keep());
  }

  get unsent(): boolean {
    return this.work !== null && this.work !== this.acknowledged;
  }

  /** Takes a changed work: on this computer at once, on the server in a moment. */
  changed(work: Work): void {
    // Back at what the server has (after an undo, or another tab's version), there is nothing to save.
    if (this.inFlight === null && !this.overwrite && this.acknowledged !== null && sameWork(work, this.acknowledged)) {
      this.work = this.acknowledged;
      this.unplan();
      this.since = null;
      this.drop();
      return;
    }
    this.work = work;
    this.since ??= this.parts.clock.now();
    this.keeping.changed();
    if (this.stopped === "no" && this.timer === null && this.inFlight === null) this.plan(SAVE_AFTER_MS);
  }

  /** Tries at once: the network is back, somebody signed in again, the page is being left. */
  async flush(): Promise<void> {
    if (this.stopped !== "no" || !this.unsent) return this.inFlight ?? undefined;
    this.unplan();
    await (this.inFlight ?? this.send());
  }

  /** No more saves: the work was sent, or given back. */
  async stop(): Promise<void> {
    this.stopped = "over";
    this.unplan();
    await this.inFlight;
  }

  /** What is there was sent, or given up: nothing is unsent any more. */
  done(): void {
    this.keeping.drop();
    this.acknowledged = this.work;
  }

  /** After a stop that came to nothing. */
  resume(): void {
    this.stopped = "no";
    if (this.unsent) this.plan(SAVE_AFTER_MS);
  }

  /** Another tab's version takes the place of this one's. */
  adopt(version: number, work: Work): void {
    this.base = version;
    this.work = work;
    this.acknowledged = work;
    this.since = null;
    this.stopped = "no";
    this.unplan();
    this.drop();
    this.parts.onStatus({ is: "clean" });
  }

  /** This tab's version goes on top of the other, which stays in the history. */
  keepMine(version: number): void {
    this.base = version;
    this.overwrite = true;
    this.stopped = "no";
    this.plan(0);
  }

  /** Writes to this computer what waits for it. */
  settle(): void {
    this.keeping.settle();
  }

  private drop(): void {
    this.keeping.drop();
    this.parts.keeper.drop(this.parts.tab);
  }

  private keep(): void {
    const { parts, work, base } = this;
    if (work === null) return;
    const at = new Date(parts.clock.now()).toISOString();
    this.kept = parts.keeper.put({ tab: parts.tab, base, work, at, unsent: true });
  }

  /** What was changed while a call was under way has waited already. */
  private due(): number {
    const waited = this.parts.clock.now() - (this.since ?? this.parts.clock.now());
    return Math.min(Math.max(SAVE_AFTER_MS - waited, 0), SAVE_AFTER_MS);
  }

  private plan(ms: number): void {
    this.unplan();
    this.timer = this.parts.clock.later(ms, () => {
      this.timer = null;
      void this.send();
    });
  }

  private unplan(): void {
    if (this.timer !== null) this.parts.clock.stop(this.timer);
    this.timer = null;
  }

  private send(): Promise<void> {
    if (this.inFlight !== null) return this.inFlight;
    const work = this.work;
    if (work === null || work === this.acknowledged) return Promise.resolve();
    this.since = null;
    this.parts.onStatus({ is: "saving" });
    this.inFlight = this.once(work).finally(() => {
      this.inFlight = null;
      if (this.stopped === "no" && this.timer === null && this.unsent) this.plan(this.due());
    });
    return this.inFlight;
  }

  private async once(work: Work): Promise<void> {
    const { tab, put } = this.parts;
    try {
      const answer = await put({ base: this.base, tab, work, overwrite: this.overwrite });
      this.take(answer, work);
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      this.again({ is: "offline", kept: this.kept });
    }
  }

  private take(answer: Answer, work: Work): void {
    const failure = failureOf(answer);
    if (answer.status === 200) return this.saved(answer.body as { version: number; saved_at: string }, work);
    if (answer.status === 401 || answer.status === 403) return this.again({ is: "signed_out", kept: this.kept });
    if (failure.code === "draft_conflict") return this.conflict(failure.details as unknown as Draft, work);
    if (answer.status === 409 || answer.status === 404) return this.halt({ is: "lease_over", failure });
    if (answer.status >= 500 || answer.status === 429) return this.again({ is: "offline", kept: this.kept });
    // What the server refuses for its content is sent again when it has changed.
    this.acknowledged = work;
    return this.parts.onStatus({ is: "refused", failure });
  }

  private saved(body: { version: number; saved_at: string }, work: Work): void {
    this.base = body.version;
    this.acknowledged = work;
    this.overwrite = false;
    this.tries = 0;
    if (this.unsent) this.keeping.now();
    else this.drop();
    this.parts.onStatus({ is: "saved", at: body.saved_at });
    this.parts.onSaved(body.version, work);
  }

  private conflict(draft: Draft, work: Work): void {
    // A save of this tab whose acknowledgement was lost is no conflict; neither is another tab's that says the same.
    if (draft.tab === this.parts.tab || sameWork(draft.work, work)) {
      this.base = draft.version;
      this.keeping.now();
      return this.plan(0);
    }
    this.stopped = "choice";
    return this.parts.onStatus({ is: "conflict", draft });
  }

  private halt(status: Status): void {
    this.stopped = "over";
    this.unplan();
    this.parts.onStatus(status);
  }

  private again(status: Status): void {
    this.parts.onStatus(status);
    if (this.stopped === "no") this.plan(wait(this.tries, this.parts.random()));
    this.tries += 1;
  }
}
