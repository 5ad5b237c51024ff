// The toolbar, the light, and the line of facts under the photo.

import { byId } from "./dialogs";
import type { Editor } from "./editor";
import type { Command } from "./keys";
import type { Keyboard } from "./keyboard";
import type { View } from "./view";
import { say } from "./words";

export function bindToolbar(keyboard: Keyboard): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-command]")) {
    button.addEventListener("click", () => keyboard.run(button.dataset["command"] as Command));
  }
  // Where there is little room, what is rarely needed is shown when asked for.
  const more = byId("more-tools");
  more.addEventListener("click", () => {
    more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") !== "true"));
  });
}

/** Greys out what would do nothing (it stays reachable), and tells what is pressed. */
export function showTools(editor: Editor): void {
  const { state } = editor;
  const off: Partial<Record<Command, boolean>> = {
    undo: state.past.length === 0, redo: state.future.length === 0, clear: editor.empty, grab: editor.empty,
    close: state.shape.closed || state.shape.points.length < 3,
    insert: state.selected === null, remove: state.selected === null && (state.shape.closed || editor.empty),
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-command]")) {
    const command = button.dataset["command"] as Command;
    if (command in off) button.setAttribute("aria-disabled", String(off[command]));
    if (command === "grab") button.setAttribute("aria-pressed", String(state.grabbed));
  }
}

export function showFacts(editor: Editor): void {
  const { shape } = editor.state;
  const { width, height } = editor.size;
  const { area } = editor;
  const share = (100 * area) / (width * height);
  const values = {
    count: shape.points.length, area: Math.round(area),
    share: share.toLocaleString(document.documentElement.lang || undefined, { maximumFractionDigits: share < 1 ? 3 : 1 }),
  };
  let word = shape.box === null ? "facts_none" : "facts_box";
  if (shape.points.length > 0) word = shape.closed ? "facts_closed" : "facts_open";
  byId("facts").textContent = shape.points.length === 1 ? say("facts_point") : say(word, values);
  byId("zoom-now").textContent = say("zoom_now", { percent: Math.round(editor.view.scale(true) * 100) });
}

export function bindLight(view: View): void {
  const [brightness, contrast] = [byId<HTMLInputElement>("brightness"), byId<HTMLInputElement>("contrast")];
  const apply = () => {
    view.light(Number(brightness.value), Number(contrast.value));
    for (const slider of [brightness, contrast]) slider.setAttribute("aria-valuetext", `${slider.value} %`);
  };
  brightness.addEventListener("input", apply);
  contrast.addEventListener("input", apply);
  byId("light-reset").addEventListener("click", () => {
    brightness.value = contrast.value = "100";
    apply();
  });
}
