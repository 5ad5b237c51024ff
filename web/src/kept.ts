// What is kept on this computer until the server has acknowledged it: one entry an assignment and tab.

import { sameWork } from "./work";
import type { Draft, Work } from "./types";

export interface Kept {
  readonly tab: string;
  /** The version that it builds on. */
  readonly base: number;
  readonly work: Work;
  /** When it was filled in, by this computer's clock. */
  readonly at: string;
  readonly unsent: boolean;
}

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Where the browser forbids to keep anything, to ask for the store is an error already. */
const NOTHING: Store = {
  length: 0, key: () => null, getItem: () => null, removeItem: () => undefined,
  setItem: () => {
    throw new Error("This browser keeps nothing.");
  },
};

export function ownStore(): Store {
  try {
    return localStorage;
  } catch {
    return NOTHING;
  }
}

export class Keeper {
  private readonly prefix: string;

  constructor(private readonly store: Store, assignment: number) {
    this.prefix = `foveate.draft.${assignment}.`;
  }

  /** False where the browser keeps nothing (full, or forbidden); the server's copy is then the only one. */
  put(kept: Kept): boolean {
    try {
      this.store.setItem(this.prefix + kept.tab, JSON.stringify(kept));
      return true;
    } catch {
      return false;
    }
  }

  drop(tab: string): void {
    try {
      this.store.removeItem(this.prefix + tab);
    } catch {
      // What cannot be read cannot hold anything either.
    }
  }

  /** The key of the submission: the same after a crash, so that sending twice is sending once. */
  key(make: () => string): string {
    const name = this.prefix.replace(".draft.", ".key.");
    try {
      const key = this.store.getItem(name) ?? make();
      this.store.setItem(name, key);
      return key;
    } catch {
      return make();
    }
  }

  /** After the work was sent or given back. */
  forget(): void {
    for (const kept of this.all()) this.drop(kept.tab);
    try {
      this.store.removeItem(this.prefix.replace(".draft.", ".key."));
    } catch {
      // As in `drop`.
    }
  }

  all(): Kept[] {
    const found: Kept[] = [];
    try {
      for (let i = 0; i < this.store.length; i += 1) {
        const name = this.store.key(i);
        if (name?.startsWith(this.prefix)) found.push(JSON.parse(this.store.getItem(name) ?? "null") as Kept);
      }
    } catch {
      return found;
    }
    return found.filter((kept) => kept !== null).sort((a, b) => (a.at < b.at ? 1 : -1));
  }
}

export type Beginning =
  /** Nothing here that the server does not have. */
  | { readonly from: "server"; readonly base: number; readonly work: Work | null }
  /** This computer's builds on what the server has: it goes on from there. */
  | { readonly from: "computer"; readonly base: number; readonly work: Work; readonly tab: string }
  /** Both went on since: the person chooses. */
  | { readonly from: "ask"; readonly draft: Draft; readonly kept: Kept };

/** Where to go on from after a page is loaded. */
export function beginning(draft: Draft | null, kept: Kept | null): Beginning {
  const base = draft?.version ?? 0;
  const server: Beginning = { from: "server", base, work: draft?.work ?? null };
  if (kept === null || !kept.unsent || (draft !== null && sameWork(draft.work, kept.work))) return server;
  // The same tab's newer version on the server is a save whose acknowledgement was lost: what is kept is newer still.
  if (draft === null || draft.version === kept.base || draft.tab === kept.tab) {
    return { from: "computer", base, work: kept.work, tab: kept.tab };
  }
  return { from: "ask", draft, kept };
}
