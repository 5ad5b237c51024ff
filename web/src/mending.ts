// What was told to be wrong when the work was refused goes as soon as it is mended.

import { problemsOf } from "./checks";
import { sendable } from "./work";
import type { Problem, Work } from "./types";

/** What of it is still wrong, in the words of now. What only the server sees is gone once its field has changed. */
export function stillWrong(told: readonly Problem[], then: Work, now: Work, withText: ReadonlySet<string>): Problem[] {
  const [before, found] = [then, now].map((work) => problemsOf(sendable(work), withText)) as [Problem[], Problem[]];
  const value = (work: Work, field: string) => JSON.stringify((work as unknown as Record<string, unknown>)[field]);
  return told.flatMap((one) => {
    const same = found.find(({ field }) => field === one.field);
    if (same !== undefined) return [same];
    const seenHere = before.some(({ field }) => field === one.field);
    return !seenHere && value(then, one.field) === value(now, one.field) ? [one] : [];
  });
}

export interface Parts {
  readonly work: () => Work;
  readonly withText: () => ReadonlySet<string>;
  /** `lead`: the focus goes there. */
  readonly show: (problems: readonly Problem[], lead: boolean) => void;
}

export class Mending {
  private told: readonly Problem[] = [];
  private shown: readonly Problem[] = [];
  private then: Work | null = null;

  constructor(private readonly parts: Parts) {}

  wrong(problems: readonly Problem[]): void {
    this.told = this.shown = problems;
    this.then = problems.length > 0 ? this.parts.work() : null;
    this.parts.show(problems, true);
  }

  changed(): void {
    if (this.then === null) return;
    const now = stillWrong(this.told, this.then, this.parts.work(), this.parts.withText());
    if (JSON.stringify(now) === JSON.stringify(this.shown)) return;
    this.shown = now;
    this.parts.show(now, false);
  }
}
