// Waits for an answer, tells how far it is, and puts it in the place of the page.

import type { Speaker } from "./speaker";
import { say } from "./words";

interface Told {
  readonly state: "waiting" | "working" | "done" | "failed";
  readonly said: string;
  readonly about: string;
}

export interface Way {
  /** Where it is told how far it is; the server answers after a moment, or as soon as it is done. */
  readonly state: string;
  /** Where the answer is then. */
  readonly next: string;
}

/** Between two looks, where the server answers at once since too many wait in it. */
const PAUSE_MS = 700;
/** So many looks in a row may be lost. */
const MOST_LOST = 5;

/** Where there is a script, what is over is shown in the place of what waited for it. */
export async function follow(way: Way, within: HTMLElement, speaker: Speaker, prepare: () => void): Promise<boolean> {
  let lost = 0;
  for (;;) {
    const told = await look(way.state);
    if (told === "lost") {
      lost += 1;
      if (lost >= MOST_LOST) { alertIn(within, say("lost")); return false; }
    } else if (told === "gone" || told.state === "done" || told.state === "failed") {
      return await open(way.next, within, speaker, prepare);
    } else {
      lost = 0;
      show(within, told);
      speaker.say(told.said);
    }
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

/** Shows how far it is, for who sees it; who listens hears it from the live region. */
export function show(within: HTMLElement, told: Pick<Told, "said" | "about">): void {
  const set = (name: string, text: string) => {
    const place = within.querySelector(`[data-${name}]`);
    if (place !== null && place.textContent !== text) place.textContent = text;
  };
  set("said", told.said);
  set("about", told.about);
}

/** Says at once, and shows, what went wrong; in the place that is meant for it, else at the end. */
export function alertIn(within: HTMLElement, sentence: string): void {
  within.querySelector(":scope > [role=alert].notice")?.remove();
  const alert = document.createElement("p");
  alert.className = "notice error";
  alert.setAttribute("role", "alert");
  alert.textContent = sentence;
  within.prepend(alert);
}

async function look(state: string): Promise<Told | "gone" | "lost"> {
  try {
    const response = await fetch(state, { headers: { Accept: "application/json" }, cache: "no-store", redirect: "manual" });
    if (response.ok) return await response.json() as Told;
    // What is refused is told in full by the page itself.
    return response.status >= 500 ? "lost" : "gone";
  } catch {
    return "lost";
  }
}

/**
 * Puts another page of this site in the place of this one. Its heading has the focus, and so is heard; the live region
 * says what comes after the heading and nothing of it, so that no answer is heard twice.
 */
async function open(url: string, within: HTMLElement, speaker: Speaker, prepare: () => void): Promise<boolean> {
  let text: string;
  try {
    text = await (await fetch(url, { headers: { Accept: "text/html" }, cache: "no-store" })).text();
  } catch {
    alertIn(within, say("lost"));
    return false;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  const [main, other] = [document.querySelector("main"), page.querySelector("main")];
  if (main === null || other === null) { location.assign(url); return true; }
  if (new URL(url, location.href).href !== location.href) history.pushState(null, "", url);
  document.title = page.title;
  document.body.className = page.body.className;
  main.replaceChildren(...[...other.childNodes].map((node) => document.adoptNode(node)));
  window.scrollTo(0, 0);
  const heading = main.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
  const answer = main.querySelector<HTMLElement>("#answer");
  speaker.end(answer?.dataset["rest"] ?? answer?.dataset["said"] ?? "");
  prepare();
  return true;
}
