// Saves the forms of asking and verifying while they are filled in; without it their button "Save for now" does.

import { Announcer, CLOCK } from "./announce";
import { Api } from "./api";
import { Keeper, ownStore } from "./kept";
import { SaveQueue } from "./save";
import { StatusLine } from "./status";
import type { Work } from "./types";
import { setWords } from "./words";

// A page that lay open over night is not a night of attention; the server's forms count alike.
const LONGEST_SITTING_S = 30 * 60;
const TEXTS = ["question", "answer", "comment"];

function begin(form: HTMLFormElement): void {
  setWords(JSON.parse(document.getElementById("words")?.textContent ?? "{}") as Record<string, string>);
  const begun = Date.now();
  const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
  const live = document.getElementById("live");
  const announcer = new Announcer((sentence) => { if (live !== null) live.textContent = sentence; });
  const line = new StatusLine((sentence) => announcer.now(sentence));
  const keeper = new Keeper(ownStore(), Number(form.dataset["assignment"]));
  const queue = new SaveQueue({
    tab: field("tab").value, put: new Api(form.dataset["api"] ?? "").saveDraft, keeper, clock: CLOCK, random: Math.random,
    onStatus: (status) => line.show(status),
    // The form's own buttons go on from the newest version too.
    onSaved: (version) => { field("base").value = String(version); },
  }, Number(field("base").value));

  function work(): Work {
    const data = new FormData(form);
    const texts = TEXTS.filter((name) => data.has(name)).map((name) => [name, String(data.get(name))]);
    const sitting = Math.min((Date.now() - begun) / 1_000, LONGEST_SITTING_S);
    return {
      ...Object.fromEntries(texts), stage: form.dataset["stage"], outcome: data.get("outcome") || null,
      seconds: Math.round((Number(field("before").value) + sitting) * 10) / 10,
    } as unknown as Work;
  }

  /** What this computer kept of a page that could not save it, where nothing newer is on the server. */
  function goOn(): void {
    if (form.dataset["filled"] === "yes") return;
    const kept = keeper.all().find((one) => one.unsent && one.base === queue.base);
    if (kept === undefined) return;
    const values = kept.work as unknown as Record<string, string | null>;
    for (const name of TEXTS) if (field(name) !== null) field(name).value = values[name] ?? "";
    for (const radio of form.querySelectorAll<HTMLInputElement>("[name=outcome]")) radio.checked = radio.value === values["outcome"];
    keeper.drop(kept.tab);
    queue.changed(work());
  }

  form.addEventListener("input", () => queue.changed(work()));
  document.addEventListener("visibilitychange", () => { if (document.hidden) void queue.flush(); });
  globalThis.addEventListener("online", () => void queue.flush());
  let stopped = false;
  form.addEventListener("submit", (event) => {
    if (stopped) return;
    // The save that is on its way first, or it would meet what the button sends.
    event.preventDefault();
    stopped = true;
    // In a turn of its own: while this event is heard, a form is not sent a second time.
    void queue.stop().then(() => setTimeout(() => form.requestSubmit(event.submitter)));
  });
  goOn();
  form.dataset["ready"] = "yes";
}

const form = document.getElementById("small");
if (form instanceof HTMLFormElement) begin(form);
