// From where a page goes on: what the server has, what this computer kept, what another tab is doing.

import type { Keeper, Kept } from "./kept";
import { beginning } from "./kept";
import { mustAsk } from "./dialogs";
import { clockTime } from "./status";
import type { Draft, Work } from "./types";

export interface Begun {
  readonly base: number;
  readonly work: Work | null;
  /** The work is of this computer and not yet on the server. */
  readonly unsent: boolean;
  /** The entries that were gone through; they may be dropped once the work is kept under this tab's name. */
  readonly through: readonly string[];
}

/** Goes through what this computer kept, newest first; what another open tab keeps is its own. */
export async function begin(draft: Draft | null, keeper: Keeper, open: ReadonlySet<string>): Promise<Begun> {
  let begun: Begun = { base: draft?.version ?? 0, work: draft?.work ?? null, unsent: false, through: [] };
  for (const kept of keeper.all().filter((entry) => !open.has(entry.tab))) {
    if (!begun.unsent) begun = await choose(draft, kept, begun);
    else if (await wantsOlder(kept, begun)) begun = { ...begun, work: kept.work };
    begun = { ...begun, through: [...begun.through, kept.tab] };
  }
  return begun;
}

async function choose(draft: Draft | null, kept: Kept, begun: Begun): Promise<Begun> {
  const found = beginning(draft, kept);
  if (found.from === "server") return begun;
  if (found.from === "computer") return { ...begun, base: found.base, work: found.work, unsent: true };
  const filled = { there: clockTime(found.draft.saved_at), here: clockTime(kept.at) };
  const mine = (await mustAsk("dialog-begin", filled)) === "here";
  return mine ? { ...begun, work: kept.work, unsent: true } : begun;
}

/** Two tabs were closed before either was saved: the older one is asked about too. */
async function wantsOlder(kept: Kept, begun: Begun): Promise<boolean> {
  if (JSON.stringify(kept.work) === JSON.stringify(begun.work)) return false;
  return (await mustAsk("dialog-begin-older", { here: clockTime(kept.at) })) === "older";
}
