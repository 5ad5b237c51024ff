// The other tabs of this browser that have the same task open.

import type { Work } from "./types";

type Message =
  | { readonly kind: "open" | "here" | "gone"; readonly tab: string }
  | { readonly kind: "saved"; readonly tab: string; readonly version: number; readonly work: Work };

export interface Heard {
  /** How many other tabs there are. */
  readonly onOthers: (count: number) => void;
  readonly onSaved: (version: number, work: Work) => void;
}

export class Tabs {
  readonly others = new Set<string>();
  private readonly channel: BroadcastChannel | null;

  constructor(assignment: number, private readonly tab: string, private readonly heard: Heard) {
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`foveate.draft.${assignment}`) : null;
    this.channel?.addEventListener("message", (event: MessageEvent<Message>) => this.hear(event.data));
    this.post({ kind: "open", tab });
  }

  saved(version: number, work: Work): void {
    this.post({ kind: "saved", tab: this.tab, version, work });
  }

  leave(): void {
    this.post({ kind: "gone", tab: this.tab });
  }

  /** Once more, when the page comes back from the browser's cache. */
  enter(): void {
    this.post({ kind: "open", tab: this.tab });
  }

  private post(message: Message): void {
    this.channel?.postMessage(message);
  }

  private hear(message: Message): void {
    if (message.tab === this.tab) return;
    const before = this.others.size;
    if (message.kind === "gone") this.others.delete(message.tab);
    else this.others.add(message.tab);
    if (message.kind === "open") this.post({ kind: "here", tab: this.tab });
    if (this.others.size !== before) this.heard.onOthers(this.others.size);
    if (message.kind === "saved") this.heard.onSaved(message.version, message.work);
  }
}

/** A random name; `crypto.randomUUID` is there over HTTPS only. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
