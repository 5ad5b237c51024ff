// Reviewing quickly: keys answer, the next sample comes without a new page. Without this all of it works as forms.

import { Announcer } from "./announce";
import { commandOf } from "./review_keys";
import type { Command } from "./review_keys";

const KEPT = "foveate.review.keys";

const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}") as Record<string, string>;
const live = document.getElementById("live");
const announcer = new Announcer((sentence) => { if (live !== null) live.textContent = sentence; });
let busy = false;

function area(): HTMLElement | null {
  return document.getElementById("review");
}

/** Puts the answered page's content in the place of this one's. */
function show(html: string, url: string): boolean {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.getElementById("review");
  const old = area();
  if (fresh === null || old === null) return false;
  old.replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  history.pushState(null, "", url);
  document.getElementById("asked")?.focus({ preventScroll: true });
  announcer.now(fresh.dataset["said"] ?? "");
  ready();
  return true;
}

async function go(url: string, body?: FormData): Promise<void> {
  if (busy) return;
  busy = true;
  area()?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(url, body === undefined ? {} : { method: "POST", body });
    // What was refused has a page of its own, which says why.
    if (!answer.ok || !show(await answer.text(), answer.url)) location.assign(answer.ok ? answer.url : url);
  } catch {
    failed();
  } finally {
    busy = false;
    area()?.removeAttribute("aria-busy");
  }
}

function failed(): void {
  const line = document.getElementById("not-stored");
  if (line === null) return;
  line.textContent = words["failed"] ?? "";
  line.hidden = false;
}

function answer(form: HTMLFormElement, submitter: HTMLElement | null): void {
  void go(form.action || location.href, new FormData(form, submitter));
}

/** What is new on the page: its form, its links, the photo after it. */
function ready(): void {
  const form = document.getElementById("marking");
  if (form instanceof HTMLFormElement) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(form, event.submitter);
    });
  }
  for (const id of ["before", "after"]) {
    document.getElementById(id)?.addEventListener("click", (event) => {
      if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void go((event.currentTarget as HTMLAnchorElement).href);
    });
  }
  const ahead = area()?.dataset["ahead"];
  if (ahead !== undefined) new Image().src = ahead;
}

function perform(command: Command): void {
  if (command === "before" || command === "after") document.getElementById(command)?.click();
  else document.querySelector<HTMLButtonElement>(`#marking button[value=${command}]`)?.click();
}

function begin(): void {
  const keys = document.getElementById("keys");
  if (!(keys instanceof HTMLInputElement)) return;
  (keys.closest(".keys") as HTMLElement).hidden = false;
  try { keys.checked = localStorage.getItem(KEPT) !== "off"; } catch { /* a browser that keeps nothing */ }
  keys.addEventListener("change", () => {
    try { localStorage.setItem(KEPT, keys.checked ? "on" : "off"); } catch { /* the same */ }
    announcer.now(words[keys.checked ? "keys_on" : "keys_off"] ?? "");
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (!keys.checked || (target instanceof Element && target.matches("input:not([type=checkbox]), textarea, select"))) return;
    const command = commandOf(event);
    if (command === null) return;
    event.preventDefault();
    perform(command);
  });
  // Back in the browser is a page as it was: it is loaded anew, so that it tells what is stored.
  globalThis.addEventListener("popstate", () => location.reload());
  ready();
  document.body.dataset["ready"] = "yes";
}

begin();
