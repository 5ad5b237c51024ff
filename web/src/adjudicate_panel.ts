// What the page on which a task is decided about shows and says beside the photo.

import { Announcer } from "./announce";
import type { Candidate, Choice } from "./adjudicate_choice";
import { byId } from "./dialogs";
import type { Said } from "./types";
import { say, told } from "./words";

/** What is said on the next page of what was done on this one. */
const KEPT = "foveate-decided";

function button(act: string): HTMLElement {
  return document.querySelector<HTMLElement>(`button[data-act=${act}]`)!;
}

function pressed(element: HTMLElement, on: boolean): void {
  element.setAttribute("aria-pressed", String(on));
}

function whyText(why: string): string {
  return document.querySelector<HTMLOptionElement>(`#reject-why option[value="${why}"]`)?.textContent ?? why;
}

export class Panel {
  private readonly announcer = new Announcer((sentence) => (byId("said").textContent = sentence));

  constructor(private readonly candidates: readonly Candidate[]) {
    for (const one of document.querySelectorAll<HTMLElement>(".script-only")) one.hidden = false;
    byId("look-tools").hidden = byId("facts-line").hidden = false;
  }

  chosen(choice: Choice, aloud: boolean): void {
    const letter = choice.is === "candidate" ? choice.letter : null;
    for (const one of document.querySelectorAll<HTMLElement>("[data-pick]")) pressed(one, one.dataset["pick"] === letter);
    const sentence = this.sentence(choice);
    byId("choice").textContent = sentence;
    if (aloud) this.announcer.now(sentence);
  }

  mending(on: boolean): void {
    byId("mend-tools").hidden = !on;
    byId("adjudicate").classList.toggle("mending", on);
    pressed(button("mend"), on);
  }

  hidden(letters: ReadonlySet<string>, all: boolean): void {
    for (const one of document.querySelectorAll<HTMLElement>("[data-show]")) pressed(one, !letters.has(one.dataset["show"]!));
    pressed(button("hide"), all);
  }

  gold(on: boolean): void {
    byId("is-gold").hidden = !on;
    pressed(button("gold"), on);
    this.tell(say(on ? "gold_now" : "gold_no_more"));
  }

  names(): void {
    const on = button("names").getAttribute("aria-pressed") !== "true";
    pressed(button("names"), on);
    for (const who of document.querySelectorAll<HTMLElement>(".who")) who.hidden = !on;
    this.tell(say(on ? "names_shown" : "names_hidden"));
  }

  /** By the editor, which says much while keys are held. */
  told(said: Said, refused: boolean): void {
    if (refused) return this.refuse(told(said));
    this.notice(told(said), false);
    this.announcer.say(told(said));
  }

  tell(sentence: string): void {
    this.notice(sentence, false);
    this.announcer.now(sentence);
  }

  refuse(sentence: string): void {
    this.notice(sentence, true);
    this.announcer.now(sentence);
  }

  private sentence(choice: Choice): string {
    if (choice.is === "candidate") {
      const said = this.candidates.find(({ letter }) => letter === choice.letter)?.said ?? "";
      return say("choice", { letter: choice.letter, said });
    }
    if (choice.is === "rejected") return say("choice_rejected", { why: whyText(choice.why) });
    if (choice.is === "none") return say("choice_none");
    return choice.from === null ? say("choice_drawn") : say("choice_mended", { letter: choice.from });
  }

  private notice(sentence: string, refused: boolean): void {
    byId("notice").textContent = sentence;
    byId("notice").dataset["kind"] = refused ? "refused" : "done";
  }
}

/** Goes to another page, which says a sentence first. */
export function leave(address: string, sentence: string): void {
  try {
    sessionStorage.setItem(KEPT, sentence);
  } catch {
    /* Then it is not said. */
  }
  if (address === location.href) location.reload();
  else location.assign(address);
}

/** The sentence that the page before has left. */
export function left(): string {
  try {
    const sentence = sessionStorage.getItem(KEPT) ?? "";
    sessionStorage.removeItem(KEPT);
    return sentence;
  } catch {
    return "";
  }
}
