// Which key does what while reviewing, and when none does.

export type Command = "yes" | "no" | "before" | "after";

const KEYS: Readonly<Record<string, Command>> = { y: "yes", n: "no", ArrowLeft: "before", ArrowRight: "after" };

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
}

/** What a key means; null where it means nothing, is held, or belongs to the browser. */
export function commandOf(event: Pressed): Command | null {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return null;
  return KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}
