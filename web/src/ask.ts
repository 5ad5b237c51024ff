// The pages of asking. All of it works without this file; with it the page stays while an answer is on its way, says how
// far it is, and can copy, speak and listen.

import { CLOCK } from "./announce";
import { prepareForms } from "./ask_forms";
import { follow } from "./ask_follow";
import { prepareLook } from "./ask_look";
import { prepareTools } from "./ask_tools";
import { Speaker } from "./speaker";
import { setWords } from "./words";

setWords(JSON.parse(document.getElementById("words")?.textContent ?? "{}") as Record<string, string>);
const live = document.getElementById("live");
const speaker = new Speaker((sentence) => {
  // The same answer to another question is heard only where the text differs.
  if (live !== null) live.textContent = sentence !== "" && live.textContent === sentence ? `${sentence}\u00a0` : sentence;
}, CLOCK);

/** Gives what is on the page its script; done anew for each page that takes this one's place. */
function prepare(): void {
  prepareForms(speaker, prepare);
  prepareTools(speaker);
  prepareLook(speaker);
  const waiting = document.getElementById("waiting");
  if (waiting !== null) {
    for (const said of waiting.querySelectorAll("[data-advice]")) speaker.say(said.textContent ?? "");
    void follow({ state: waiting.dataset["state"] ?? "", next: waiting.dataset["next"] ?? "" }, waiting, speaker, prepare);
  }
  document.documentElement.dataset["ready"] = "yes";
}

// A page that took another's place is made by the server again when one comes back to it.
window.addEventListener("popstate", () => location.reload());
// So is one that the browser has put by as it was: its photo may have been forgotten since.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
prepare();
