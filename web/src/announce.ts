// What is said to screen readers: the newest sentence, not more often than one can listen to.

export interface Clock {
  now(): number;
  later(ms: number, act: () => void): unknown;
  stop(timer: unknown): void;
}

export const CLOCK: Clock = {
  now: () => Date.now(),
  later: (ms, act) => setTimeout(act, ms),
  stop: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** While keys are held, only where one has come to is worth saying. */
const PAUSE_MS = 400;

export class Announcer {
  private timer: unknown = null;
  private odd = false;

  constructor(private readonly put: (sentence: string) => void, private readonly clock: Clock = CLOCK) {}

  /** Says a sentence after a short rest; another one before that takes its place. */
  say(sentence: string): void {
    if (this.timer !== null) this.clock.stop(this.timer);
    this.timer = this.clock.later(PAUSE_MS, () => this.now(sentence));
  }

  /** Says a sentence at once: a refusal, a loss of connection. */
  now(sentence: string): void {
    if (this.timer !== null) this.clock.stop(this.timer);
    this.timer = null;
    // The same sentence twice is said twice only where the text differs.
    this.odd = !this.odd;
    this.put(this.odd ? sentence : `${sentence}\u00a0`);
  }
}
