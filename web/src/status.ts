// The line that says whether the work is safe.

import { byId } from "./dialogs";
import type { Status } from "./save";
import { say } from "./words";

/** The hours, minutes and seconds of the reader's own clock. */
export function clockTime(iso: string): string {
  const form = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  return new Date(iso).toLocaleTimeString(document.documentElement.lang || undefined, form);
}

export function sentence(status: Status): string {
  switch (status.is) {
    case "clean": return "";
    case "saving": return say("saving");
    case "saved": return say("saved", { time: clockTime(status.at) });
    case "offline": return say(status.kept ? "offline" : "offline_not_kept");
    case "signed_out": return say(status.kept ? "signed_out" : "signed_out_not_kept");
    case "conflict": return say("conflict");
    case "lease_over": return `${status.failure.message} ${status.failure.remedy}`.trim() || say("lease_over");
    case "refused": return `${say("not_taken")} ${status.failure.message} ${status.failure.remedy}`.trim();
  }
}

const BAD = new Set<Status["is"]>(["offline", "signed_out", "conflict", "lease_over", "refused"]);

export class StatusLine {
  private bad = false;

  constructor(private readonly announce: (sentence: string) => void) {}

  show(status: Status): void {
    const line = byId("save-status");
    // While there is no connection, each new try would hide why nothing is saved.
    if (status.is === "saving" && this.bad) return;
    const text = sentence(status);
    const [was, is] = [this.bad, BAD.has(status.is)];
    byId("sign-in").hidden = status.is !== "signed_out";
    // Each save is shown; said is only what changes whether the work is safe.
    if (is && line.textContent !== text) this.announce(text);
    if (was && !is) this.announce(text);
    line.textContent = text;
    line.dataset["state"] = is ? "bad" : status.is;
    this.bad = is;
  }
}
