// Saving of a task that is being done: the queue, the other tabs, and the choices that only a person can make.

import { CLOCK } from "./announce";
import type { Api } from "./api";
import { Attention } from "./attention";
import { copy, ask, byId, mustAsk } from "./dialogs";
import type { Keeper } from "./kept";
import { SaveQueue } from "./save";
import type { Status } from "./save";
import { clockTime, StatusLine } from "./status";
import { Tabs } from "./tabs";
import type { Draft, Work } from "./types";
import { say } from "./words";

export interface Parts {
  readonly api: Api;
  readonly keeper: Keeper;
  readonly assignment: number;
  readonly tab: string;
  readonly announce: (sentence: string) => void;
  readonly work: () => Work;
  /** Puts another version on the page. */
  readonly show: (work: Work) => void;
  readonly lock: (on: boolean) => void;
}

export class Session {
  readonly queue: SaveQueue;
  readonly tabs: Tabs;
  readonly attention = new Attention(() => performance.now());
  private readonly line: StatusLine;

  constructor(private readonly parts: Parts) {
    this.line = new StatusLine(parts.announce);
    this.queue = new SaveQueue({
      tab: parts.tab, put: parts.api.saveDraft, keeper: parts.keeper, clock: CLOCK, random: Math.random,
      onStatus: (status) => this.status(status), onSaved: (version, work) => this.tabs.saved(version, work),
    }, 0);
    this.tabs = new Tabs(parts.assignment, parts.tab, {
      onOthers: (count) => (byId("others").hidden = count === 0),
      onSaved: (version, work) => this.elsewhere(version, work),
    });
    this.listen();
  }

  changed(): void {
    this.queue.changed(this.parts.work());
  }

  private listen(): void {
    const settle = () => this.queue.settle();
    for (const name of ["pointerup", "pointercancel", "keyup", "pagehide"]) window.addEventListener(name, settle);
    const see = () => {
      settle();
      const visible = document.visibilityState === "visible";
      this.attention.visible(visible);
      // Whoever looks away may not come back, and whoever comes back may have signed in again.
      void this.queue.flush();
    };
    see();
    document.addEventListener("visibilitychange", see);
    window.addEventListener("focus", () => void this.queue.flush());
    window.addEventListener("online", () => void this.queue.flush());
    window.addEventListener("pagehide", () => this.tabs.leave());
    window.addEventListener("pageshow", (event) => event.persisted && this.tabs.enter());
    window.addEventListener("beforeunload", (event) => this.queue.unsent && event.preventDefault());
  }

  private status(status: Status): void {
    this.line.show(status);
    if (status.is === "conflict") void this.conflict(status.draft);
    if (status.is === "lease_over") void this.leaseOver();
  }

  /** Another tab of this browser has saved. Without changes of its own this one follows; else the server finds a conflict. */
  private elsewhere(version: number, work: Work): void {
    if (this.queue.unsent || version <= this.queue.base) return;
    this.queue.adopt(version, work);
    this.parts.show(work);
    this.parts.announce(say("followed"));
    byId("notice").textContent = say("followed");
  }

  private async conflict(draft: Draft): Promise<void> {
    const choice = await mustAsk("dialog-conflict", { time: clockTime(draft.saved_at) });
    if (choice === "mine") return this.queue.keepMine(draft.version);
    this.queue.adopt(draft.version, draft.work);
    return this.parts.show(draft.work);
  }

  private async leaseOver(): Promise<void> {
    this.parts.lock(true);
    const filled = { why: byId("save-status").textContent ?? "" };
    if ((await ask("dialog-lease", filled)) !== "copy") return;
    const done = await copy(JSON.stringify(this.parts.work(), null, 1), byId<HTMLTextAreaElement>("copied"));
    byId("notice").textContent = say(done ? "copied" : "copy_by_hand");
  }
}
