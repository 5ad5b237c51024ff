// Zooming into a picture without loading its page anew; the picture's frame scrolls by itself.

import type { Speaker } from "./speaker";
import { say } from "./words";

const KEYS: Readonly<Record<string, number>> = { "+": 1, "=": 1, "-": -1, "0": 0 };

export function prepareLook(speaker: Speaker): void {
  const form = document.getElementById("look");
  const pane = document.getElementById("pane");
  const image = pane?.querySelector("img");
  if (!(form instanceof HTMLFormElement) || pane === null || !image) return;
  const zooms = (form.dataset["zooms"] ?? "").split(" ").map(Number);

  /** One step in or out; 0 for all of it. What is in the middle stays there. */
  function zoom(by: number): void {
    const now = zooms.indexOf(Number(image!.dataset["zoom"]));
    const next = zooms[by === 0 ? 0 : Math.min(Math.max(now + by, 0), zooms.length - 1)] ?? 100;
    const middle = [(pane!.scrollLeft + pane!.clientWidth / 2) / pane!.scrollWidth,
      (pane!.scrollTop + pane!.clientHeight / 2) / pane!.scrollHeight] as const;
    image!.dataset["zoom"] = String(next);
    for (const field of form!.querySelectorAll<HTMLInputElement>("input[name=zoom]")) field.value = String(next);
    pane!.scrollTo({
      left: middle[0] * pane!.scrollWidth - pane!.clientWidth / 2, top: middle[1] * pane!.scrollHeight - pane!.clientHeight / 2,
    });
    speaker.say(say("zoomed", { percent: next }));
  }

  // A page that came with a zoom begins in the middle too.
  pane.scrollTo({ left: (pane.scrollWidth - pane.clientWidth) / 2, top: (pane.scrollHeight - pane.clientHeight) / 2 });
  form.addEventListener("submit", (event) => {
    const by = (event.submitter as HTMLElement | null)?.dataset["by"];
    if (by === undefined) return;
    event.preventDefault();
    zoom(Number(by));
  });
  pane.addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    zoom(by);
  });
}
