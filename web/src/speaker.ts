// What one live region says, one sentence after another: a reader that is given the next too soon drops the one before.

import type { Clock } from "./announce";

/** So long each sentence has the region for itself. */
export const EACH_MS = 900;
/** So long the last one stays, for readers that come late; who reads the page to its end shall not meet it again. */
export const STAYS_MS = 10_000;

export class Speaker {
  private readonly waiting: string[] = [];
  private busy: unknown = null;
  private fading: unknown = null;
  private last = "";

  constructor(private readonly put: (sentence: string) => void, private readonly clock: Clock) {}

  /** Says a sentence after those before it; not twice in a row. */
  say(sentence: string): void {
    if (sentence === "" || sentence === (this.waiting.at(-1) ?? this.last)) return;
    this.waiting.push(sentence);
    if (this.busy === null) this.next();
  }

  /**
   * Says what all the others led to: those that still wait are out of date. What has the focus by now is heard first:
   * a reader that is given both at once names only one of them.
   */
  end(sentence: string): void {
    for (const timer of [this.busy, this.fading]) if (timer !== null) this.clock.stop(timer);
    this.waiting.splice(0, Infinity, ...(sentence === "" ? [] : [sentence]));
    this.fading = null;
    this.last = "";
    this.put("");
    this.busy = this.clock.later(EACH_MS, () => this.next());
  }

  private next(): void {
    const sentence = this.waiting.shift();
    this.busy = null;
    if (sentence === undefined) {
      this.fading = this.clock.later(STAYS_MS, () => this.put(""));
      return;
    }
    if (this.fading !== null) this.clock.stop(this.fading);
    this.fading = null;
    this.last = sentence;
    this.put(sentence);
    this.busy = this.clock.later(EACH_MS, () => this.next());
  }
}
