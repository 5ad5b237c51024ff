// When to write what is kept on this computer: at once, then at most a few times a second while changes go on.

import type { Clock } from "./announce";

const PAUSE_MS = 250;

export class Keeping {
  private timer: unknown = null;
  private last = -Infinity;

  constructor(private readonly clock: Clock, private readonly write: () => void) {}

  /** There is something new to keep. */
  changed(): void {
    if (this.timer !== null) return;
    const wait = this.last + PAUSE_MS - this.clock.now();
    // A clock that was put back must not put off a write.
    if (wait <= 0 || wait > PAUSE_MS) return this.now();
    this.timer = this.clock.later(wait, () => this.now());
  }

  /** Writes what still waits: the hand is lifted, or the page may be left. */
  settle(): void {
    if (this.timer !== null) this.now();
  }

  now(): void {
    this.drop();
    this.last = this.clock.now();
    this.write();
  }

  /** There is nothing to keep any more. */
  drop(): void {
    if (this.timer !== null) this.clock.stop(this.timer);
    this.timer = null;
  }
}
