// A file goes to the server in parts; it goes on where it stopped, after a pause, a lost line or a reload of the page.

import type { Clock } from "./announce";
import type { Answer } from "./api";
import { failureOf, Offline } from "./api";

/** How the file stands on the server. */
export interface Begun {
  readonly id: string;
  readonly size: number;
  readonly received: number;
  readonly part: number;
}

/** What an upload asks of the server. */
export interface Server {
  begin(name: string, size: number): Promise<Answer>;
  look(id: string): Promise<Answer>;
  send(id: string, offset: number, bytes: Blob): Promise<Answer>;
}

/** What is remembered of an unfinished upload, so that the same file goes on after a reload. */
export interface Kept {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly changed: number;
}

export interface Store {
  get(): Kept | null;
  set(kept: Kept | null): void;
}

export type Said =
  | { readonly what: "sending"; readonly received: number; readonly size: number }
  | { readonly what: "waiting"; readonly seconds: number }
  | { readonly what: "paused" }
  | { readonly what: "refused"; readonly message: string };

export interface Parts {
  readonly server: Server;
  readonly store: Store;
  readonly clock: Clock;
  readonly say: (said: Said) => void;
}

const FIRST_WAIT_S = 1;
const LONGEST_WAIT_S = 60;

export class Upload {
  private paused = false;
  private wake: (() => void) | null = null;

  constructor(private readonly file: File, private readonly parts: Parts) {}

  /** Sends what is not there yet; returns the upload's number once all of it is, null where it was refused. */
  async run(): Promise<string | null> {
    let wait = FIRST_WAIT_S;
    let begun: Begun | null = null;
    for (;;) {
      await this.whilePaused();
      const answer = await this.next(begun);
      if (answer === null || passes(answer, begun !== null)) {
        this.parts.say({ what: "waiting", seconds: wait });
        await this.rest(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT_S);
        // Whatever came through meanwhile, the server knows.
        begun = null;
      } else if (answer.status === 404 && (begun !== null || this.kept() !== null)) {
        this.parts.store.set(null);
        begun = null;
      } else if (answer.status >= 400) {
        const failure = failureOf(answer);
        this.parts.say({ what: "refused", message: `${failure.message} ${failure.remedy}`.trim() });
        return null;
      } else {
        wait = FIRST_WAIT_S;
        begun = answer.body as Begun;
        this.remember(begun.id);
        this.parts.say({ what: "sending", received: begun.received, size: begun.size });
        if (begun.received >= begun.size) return begun.id;
      }
    }
  }

  pause(): void {
    this.paused = true;
    this.parts.say({ what: "paused" });
  }

  goOn(): void {
    this.paused = false;
    this.wake?.();
  }

  /** The next step: to begin or find out how much is there, then part after part; null where no answer came. */
  private async next(begun: Begun | null): Promise<Answer | null> {
    const { server } = this.parts;
    try {
      if (begun !== null) {
        const bytes = this.file.slice(begun.received, Math.min(begun.received + begun.part, begun.size));
        return await server.send(begun.id, begun.received, bytes);
      }
      const kept = this.kept();
      return kept === null ? await server.begin(this.file.name, this.file.size) : await server.look(kept.id);
    } catch (error) {
      if (error instanceof Offline) return null;
      throw error;
    }
  }

  /** What is remembered, where it is of this very file. */
  private kept(): Kept | null {
    const kept = this.parts.store.get();
    const { name, size, lastModified } = this.file;
    return kept !== null && kept.name === name && kept.size === size && kept.changed === lastModified ? kept : null;
  }

  private remember(id: string): void {
    const { name, size, lastModified } = this.file;
    this.parts.store.set({ id, name, size, changed: lastModified });
  }

  private async whilePaused(): Promise<void> {
    while (this.paused) await new Promise<void>((done) => { this.wake = done; });
  }

  private rest(seconds: number): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
      this.parts.clock.later(seconds * 1_000, done);
    });
  }
}

/** Whether what was refused is worth another try: another tab is at it, too many calls, a server that restarts. */
function passes(answer: Answer, amid: boolean): boolean {
  const { code } = failureOf(answer);
  return code === "busy" || code === "wrong_offset" || (answer.status === 429 && amid) || [502, 503, 504].includes(answer.status);
}
