// The keys of the page on which a task is decided about, and whether single letters count everywhere.

import { actOf } from "./adjudicate_choice";
import type { Act } from "./adjudicate_choice";
import { byId } from "./dialogs";

const KEPT = "foveate-single-keys";

export interface Parts {
  readonly letters: readonly string[];
  readonly mending: () => boolean;
  readonly act: (act: Act) => void;
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}

function pressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a[href], summary, input") !== null;
}

/** Who dictates says letters that are no keys: these can be switched off, but on the photo. */
function singleKeys(): HTMLInputElement {
  const box = byId<HTMLInputElement>("single-keys");
  try {
    box.checked = localStorage.getItem(KEPT) !== "off";
  } catch {
    /* A browser that keeps nothing begins anew. */
  }
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(KEPT, box.checked ? "on" : "off");
    } catch {
      /* As above. */
    }
  });
  return box;
}

export function bindKeys({ letters, mending, act }: Parts): void {
  const everywhere = singleKeys();
  const onKey = (event: KeyboardEvent) => {
    if (document.querySelector("dialog[open]") !== null) return;
    const found = actOf(event, letters, mending());
    if (found === null) return;
    const { target } = event;
    const held = event.ctrlKey || event.metaKey;
    if (!held && (typing(target) || (event.key === "Enter" && pressable(target)))) return;
    const onPhoto = target instanceof Element && target.closest("#photo") !== null;
    if (!held && !onPhoto && !everywhere.checked) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act(found);
  };
  // Before the photo's own keys, which are those of drawing.
  document.addEventListener("keydown", onKey, { capture: true });
}
