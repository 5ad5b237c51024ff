// Which key does what. The dialog of keys, the documentation and the keyboard itself all follow this table.

export interface Pressed {
  readonly key: string;
  readonly code?: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

export type Command =
  | "cursor" | "cursor_far" | "cursor_pixel" | "pan" | "set" | "close" | "next" | "previous" | "insert" | "remove"
  | "grab" | "release" | "undo" | "redo" | "clear" | "zoom_in" | "zoom_out" | "fit" | "full_size" | "where"
  | "keys" | "instructions";

interface Key {
  readonly command: Command;
  /** As they are shown; alternatives one after another. */
  readonly shown: readonly string[];
  /** Works wherever the focus is, but in text fields. All others need the focus on the photo. */
  readonly everywhere?: boolean;
}

export const KEYS: readonly Key[] = [
  { command: "cursor", shown: ["Arrows"] },
  { command: "cursor_far", shown: ["Shift+Arrows"] },
  { command: "cursor_pixel", shown: ["Ctrl+Arrows"] },
  { command: "set", shown: ["Enter"] },
  { command: "close", shown: ["C"] },
  { command: "next", shown: ["]", "Tab"] },
  { command: "previous", shown: ["[", "Shift+Tab"] },
  { command: "insert", shown: ["I"] },
  { command: "remove", shown: ["Delete", "Backspace"] },
  { command: "grab", shown: ["G"] },
  { command: "release", shown: ["Escape"] },
  { command: "undo", shown: ["Ctrl+Z"], everywhere: true },
  { command: "redo", shown: ["Ctrl+Shift+Z", "Ctrl+Y"], everywhere: true },
  { command: "clear", shown: ["Shift+Delete"] },
  { command: "zoom_in", shown: ["+"] },
  { command: "zoom_out", shown: ["-"] },
  { command: "fit", shown: ["0"] },
  { command: "full_size", shown: ["1"] },
  { command: "pan", shown: ["Alt+Arrows"] },
  { command: "where", shown: ["W"] },
  { command: "keys", shown: ["?"] },
  { command: "instructions", shown: ["F1"], everywhere: true },
];

const PLAIN: Readonly<Record<string, Command>> = {
  enter: "set", c: "close", "]": "next", "[": "previous", tab: "next", i: "insert", delete: "remove",
  backspace: "remove", g: "grab", escape: "release", "+": "zoom_in", "=": "zoom_in", "-": "zoom_out", "0": "fit",
  "1": "full_size", w: "where", "?": "keys", f1: "instructions",
};
const SHIFTED: Readonly<Record<string, Command>> = { tab: "previous", delete: "clear", backspace: "clear" };
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1],
};
/** Keys that other layouts reach by Shift; they mean the same with it. */
const SIGNS = new Set(["+", "=", "-", "?", "[", "]"]);

export function direction(press: Pressed): readonly [number, number] | null {
  return ARROWS[press.key.toLowerCase()] ?? null;
}

function arrowCommand(press: Pressed): Command {
  if (press.altKey) return "pan";
  if (press.ctrlKey || press.metaKey) return "cursor_pixel";
  return press.shiftKey ? "cursor_far" : "cursor";
}

export function commandOf(press: Pressed): Command | null {
  const key = press.key.toLowerCase();
  if (direction(press) !== null) return arrowCommand(press);
  if (press.ctrlKey || press.metaKey) {
    // AltGr is Ctrl+Alt on some systems, and brackets need it on some layouts.
    if (press.altKey) return SIGNS.has(key) ? PLAIN[key]! : null;
    if (key === "z") return press.shiftKey ? "redo" : "undo";
    return key === "y" && !press.shiftKey ? "redo" : null;
  }
  if (press.altKey) return null;
  if (press.shiftKey && !SIGNS.has(key)) return SHIFTED[key] ?? null;
  return PLAIN[key] ?? null;
}

export function everywhere(command: Command): boolean {
  return KEYS.some((key) => key.command === command && key.everywhere === true);
}
