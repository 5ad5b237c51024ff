// The page's dialogs. Each is a `<dialog>` of the template with a form whose buttons close it with their value.

import { KEYS } from "./keys";
import { say } from "./words";

export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element ${id}.`);
  return element as T;
}

/** Shows a dialog; resolves to the value of the button that closed it, "" for Escape. */
export function ask(id: string, filled: Readonly<Record<string, string>> = {}): Promise<string> {
  const dialog = byId<HTMLDialogElement>(id);
  for (const [name, text] of Object.entries(filled)) {
    const place = dialog.querySelector(`[data-fill=${name}]`);
    if (place !== null) place.textContent = text;
  }
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

/** Asks until one of the answers is chosen: what is asked must not be passed over. */
export async function mustAsk(id: string, filled: Readonly<Record<string, string>> = {}): Promise<string> {
  for (;;) {
    const answer = await ask(id, filled);
    if (answer !== "") return answer;
  }
}

/** Writes the table of keys into its dialog. */
export function fillKeys(): void {
  const body = byId("keys-rows");
  for (const { command, shown } of KEYS) {
    const row = document.createElement("tr");
    const keys = document.createElement("td");
    shown.forEach((combination, i) => {
      if (i > 0) keys.append(` ${say("or")} `);
      combination.split(/\+(?=.)/).forEach((key, j) => {
        if (j > 0) keys.append("+");
        const kbd = document.createElement("kbd");
        kbd.textContent = key.length > 2 ? say(`key_${key.toLowerCase()}`) : key;
        keys.append(kbd);
      });
    });
    const meaning = document.createElement("td");
    meaning.textContent = say(`does_${command}`);
    row.append(keys, meaning);
    body.append(row);
  }
}

/** Copies a text; where the browser does not allow it, shows it chosen in a field. */
export async function copy(text: string, field: HTMLTextAreaElement): Promise<boolean> {
  field.value = text;
  field.hidden = false;
  field.select();
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
