// Follows what becomes of an entry: the page is asked for again, and what is new on it takes the old one's place.

import { Announcer } from "./announce";

const FIRST_MS = 2_000;
const LONGEST_MS = 15_000;

const live = document.getElementById("live");
const announcer = new Announcer((sentence) => { if (live !== null) live.textContent = sentence; });

function shown(page: Document): HTMLElement | null {
  return page.getElementById("entry");
}

/** Returns whether the entry is still under way. */
async function look(): Promise<boolean> {
  const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
  if (!answer.ok || answer.redirected) return true;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = shown(page);
  const old = shown(document);
  if (fresh === null || old === null) return true;
  if (fresh.dataset["follow"] !== "yes") {
    // Its buttons have changed too.
    location.reload();
    return false;
  }
  const said = fresh.dataset["said"] ?? "";
  if (said !== old.dataset["said"]) announcer.now(said);
  // What somebody reads just now stays where it is.
  if (fresh.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(fresh));
  for (const link of document.querySelectorAll<HTMLElement>(".again")) link.hidden = true;
  return true;
}

async function follow(wait: number): Promise<void> {
  let next = Math.min(1.3 * wait, LONGEST_MS);
  try {
    // A page that nobody sees asks nothing.
    if (!document.hidden && !await look()) return;
  } catch {
    next = LONGEST_MS;
  }
  setTimeout(() => void follow(next), next);
}

if (shown(document)?.dataset["follow"] === "yes") setTimeout(() => void follow(FIRST_MS), FIRST_MS);
