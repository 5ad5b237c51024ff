// The page on which one answer is chosen of all that people drew.

import { Announcer } from "./announce";
import { call, failureOf, Offline } from "./api";
import { bodyOf, isWhole, sameShape, shapeToMend } from "./adjudicate_choice";
import type { Act, Adjudication, Candidate, Choice } from "./adjudicate_choice";
import { bindKeys } from "./adjudicate_keys";
import { Outlines } from "./adjudicate_outlines";
import { decided, refusal, sent } from "./adjudicate_send";
import type { Done } from "./adjudicate_send";
import { ask, byId } from "./dialogs";
import { Editor } from "./editor";
import { Keyboard } from "./keyboard";
import type { Command } from "./keys";
import { Pointer } from "./pointer";
import { EMPTY, isEmpty, started } from "./state";
import type { Shape } from "./state";
import { showFacts, showTools } from "./tools";
import type { Point, Said } from "./types";
import { View } from "./view";
import { setWords, say, told } from "./words";

/** What is said on the next page of what was done on this one. */
const KEPT = "foveate-decided";

const ringOf = ({ points, box }: Shape): readonly Point[] =>
  box === null ? points : [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]];

class Page {
  private readonly root = byId("adjudicate");
  private readonly announcer = new Announcer((sentence) => (byId("said").textContent = sentence));
  private readonly view: View;
  private readonly editor: Editor;
  private readonly outlines: Outlines;
  private readonly keyboard: Keyboard;
  private choice: Choice = { is: "none" };
  private mending = false;
  private busy = false;
  private warned = false;

  constructor(private task: Adjudication) {
    const [height, width] = task.task.size_hw;
    const size = { width, height };
    byId("photo").hidden = false;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.view = new View(byId("photo"), task.task.photo, size, calm, {
      look: () => this.draw(), open: () => this.opened(), failed: () => (byId("photo-failed").hidden = false),
    });
    this.outlines = new Outlines(this.view.element, task.candidates);
    // While nothing is mended its tool is the one that lets a drag move the view.
    this.editor = new Editor(this.view, "polygon", size, {
      changed: () => this.drew(), told: (said, refused) => this.told(said, refused),
      drew: () => this.showDrawn(), locked: () => (this.mending ? null : { word: "mend_first" }),
    });
    this.keyboard = new Keyboard(this.editor, { open: () => void ask("dialog-keys"), say: (said) => this.told(said, false) });
    new Pointer(this.editor);
    this.bind();
  }

  private bind(): void {
    const { element } = this.view;
    element.id = "canvas";
    element.setAttribute("role", "application");
    element.setAttribute("aria-label", say("photo_of_task"));
    element.setAttribute("aria-describedby", "photo-help");
    for (const one of document.querySelectorAll<HTMLElement>(".script-only")) one.hidden = false;
    byId("look-tools").hidden = byId("facts-line").hidden = false;
    const letters = this.task.candidates.map(({ letter }) => letter);
    bindKeys({ letters, mending: () => this.mending, act: (act) => this.act(act) });
    const each = (name: string, act: (value: string) => void) => {
      for (const button of document.querySelectorAll<HTMLButtonElement>(`button[data-${name}]`)) {
        button.addEventListener("click", () => act(button.dataset[name]!));
      }
    };
    each("command", (command) => this.keyboard.run(command as Command));
    each("pick", (letter) => this.pick(letter));
    each("show", (letter) => this.showOne(letter));
    each("act", (act) => (act === "names" ? this.names() : this.act({ do: act } as Act)));
  }

  private opened(): void {
    this.root.dataset["ready"] = "yes";
    this.draw();
    this.editor.draw();
    const before = kept();
    if (before !== "") this.tell(before);
  }

  private act(act: Act): void {
    if (this.busy) return;
    switch (act.do) {
      case "pick": return this.pick(act.letter);
      case "show": return this.showOne(act.letter);
      case "confirm": return void this.during(() => this.confirm());
      case "mend": return this.mending ? this.endMending() : this.mend();
      case "reject": return void this.reject();
      case "gold": return void this.during(() => this.gold());
      case "undo": return void this.during(() => this.undo());
      case "next": return this.go(this.root.dataset["ahead"]!);
      case "previous": return this.go(this.root.dataset["back"]!);
      case "hide": return this.hideAll();
      case "keys": return void ask("dialog-keys");
    }
  }

  private async during(act: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await act();
    } finally {
      this.busy = false;
    }
  }

  private called(letter: string | null): Candidate | undefined {
    return this.task.candidates.find((one) => one.letter === letter);
  }

  private pick(letter: string): void {
    const found = this.called(letter);
    if (found === undefined) return this.refuse(say("no_such", { letter }));
    if (found.work === null) return this.refuse(say("cannot_be_chosen", { letter, why: found.note }));
    this.leaveEditor();
    this.choose({ is: "candidate", letter });
  }

  private choose(choice: Choice): void {
    this.choice = choice;
    this.warned = false;
    const letter = choice.is === "candidate" ? choice.letter : null;
    this.outlines.mended(choice.is === "drawn" && !this.mending ? ringOf(choice.shape) : null);
    this.outlines.mark(choice.is === "drawn" ? "*" : letter);
    for (const button of document.querySelectorAll<HTMLElement>("[data-pick]")) {
      button.setAttribute("aria-pressed", String(button.dataset["pick"] === letter));
    }
    const sentence = this.sentence(choice);
    byId("choice").textContent = sentence;
    this.announcer.now(sentence);
    this.draw();
  }

  private sentence(choice: Choice): string {
    if (choice.is === "candidate") {
      return say("choice", { letter: choice.letter, said: this.called(choice.letter)?.said ?? "" });
    }
    if (choice.is === "rejected") return say("choice_rejected", { why: whyText(choice.why) });
    if (choice.is === "none") return say("choice_none");
    return choice.from === null ? say("choice_drawn") : say("choice_mended", { letter: choice.from });
  }

  private mend(): void {
    const { stage } = this.task.task;
    const tool = stage === "box" ? "box" : "polygon";
    const from = this.choice.is === "drawn" ? this.choice.from : this.choice.is === "candidate" ? this.choice.letter : null;
    const work = this.called(from)?.work ?? null;
    const whole = work === null ? EMPTY : shapeToMend(work, this.editor.size);
    const shape = this.choice.is === "drawn" ? this.choice.shape : whole;
    const begun = from !== null && !isEmpty(shape) ? from : null;
    this.mending = true;
    this.editor.state = started(tool, this.editor.size, shape);
    this.choose({ is: "drawn", from: begun, shape });
    this.showMending();
    const sentence = begun === null ? say("mending_new") : say("mending", { letter: begun });
    this.tell(sentence);
    this.view.element.focus();
    this.editor.draw();
  }

  private endMending(): void {
    this.leaveEditor();
    const { choice } = this;
    if (choice.is !== "drawn") return;
    const work = this.called(choice.from)?.work ?? null;
    const same = work !== null && sameShape(choice.shape, shapeToMend(work, this.editor.size));
    if (same && choice.from !== null) return this.choose({ is: "candidate", letter: choice.from });
    if (isEmpty(choice.shape)) return this.choose({ is: "none" });
    this.choose(choice);
    if (!isWhole(choice.shape)) this.refuse(say("not_whole"));
  }

  private leaveEditor(): void {
    this.mending = false;
    this.editor.state = started("polygon", this.editor.size);
    this.editor.hints = { aim: null, crosshair: null, target: null, warning: false };
    this.editor.draw();
    this.showMending();
  }

  private showMending(): void {
    byId("mend-tools").hidden = !this.mending;
    this.root.classList.toggle("mending", this.mending);
    document.querySelector("button[data-act=mend]")?.setAttribute("aria-pressed", String(this.mending));
  }

  /** The editor changed the outline. */
  private drew(): void {
    if (!this.mending || this.choice.is !== "drawn") return;
    this.choice = { ...this.choice, shape: this.editor.state.shape };
    byId("choice").textContent = this.sentence(this.choice);
  }

  private async reject(): Promise<void> {
    const text = byId<HTMLTextAreaElement>("reject-text");
    if ((await ask("dialog-reject")) !== "reject") return;
    this.leaveEditor();
    this.choose({ is: "rejected", why: byId<HTMLSelectElement>("reject-why").value, text: text.value.trim() });
  }

  private async confirm(): Promise<void> {
    if (this.mending) this.endMending();
    if (this.choice.is === "none") return this.refuse(say("choose_answer"));
    const body = bodyOf(this.choice, this.task, byId<HTMLTextAreaElement>("note").value);
    if (body === null) return this.refuse(say("not_whole"));
    this.tell(say("deciding"));
    const url = `${this.root.dataset["api"]!}${this.root.dataset["wish"]!}`;
    const done = await decided(url, body, (how) => say(`how_${how}`));
    if (done === "theirs") return this.leave(location.href, "");
    if (typeof done === "string") return this.refuse(done);
    this.goOn(done);
  }

  private goOn(done: Done): void {
    const { page, wish, queue } = this.root.dataset as Record<string, string>;
    const sentence = say("decided", { key: this.task.task.key });
    this.leave(done.next === null ? queue! : `${page!}${done.next}/${wish!}`, sentence);
  }

  private async gold(): Promise<void> {
    if (this.task.standing === null) return this.refuse(say("gold_needs_decision"));
    const answer = await sent(`${this.root.dataset["api"]!}/gold`, { gold: !this.task.gold });
    if (typeof answer === "string") return this.refuse(answer);
    if (answer.status !== 200) return this.refuse(refusal(answer));
    const { gold } = answer.body as { gold: boolean };
    this.task = { ...this.task, gold };
    byId("is-gold").hidden = !gold;
    document.querySelector("button[data-act=gold]")?.setAttribute("aria-pressed", String(gold));
    this.tell(say(gold ? "gold_now" : "gold_no_more"));
  }

  /** Of this task, else the last one of whoever looks, to which it then leads. */
  private async undo(): Promise<void> {
    const { latest, latestTask, tasks, page, wish } = this.root.dataset as Record<string, string | undefined>;
    const own = this.task.standing !== null;
    if (!own && latest === undefined) return this.refuse(say("nothing_to_take_back"));
    const [task, base] = own ? [this.task.id, this.task.base] : [Number(latestTask), Number(latest)];
    const answer = await sent(`${tasks!}${task}/adjudication/undo`, { base });
    if (typeof answer === "string") return this.refuse(answer);
    if (answer.status !== 201) return this.refuse(refusal(answer));
    this.leave(`${page!}${task}/${wish!}`, say("taken_back"));
  }

  private go(address: string): void {
    if (address === "") return this.refuse(say("no_more"));
    if (this.choice.is === "drawn" && !this.warned) {
      this.warned = true;
      return this.refuse(say("unsaved"));
    }
    location.assign(address);
  }

  private leave(address: string, sentence: string): void {
    try {
      sessionStorage.setItem(KEPT, sentence);
    } catch {
      /* Then it is not said. */
    }
    if (address === location.href) location.reload();
    else location.assign(address);
  }

  private hideAll(): void {
    const on = !this.outlines.allHidden;
    this.outlines.hideAll(on);
    this.showHidden();
    this.tell(say(on ? "hidden_all" : "shown_all"));
  }

  private showOne(letter: string): void {
    const { hidden } = this.outlines;
    if (this.called(letter) === undefined) return this.refuse(say("no_such", { letter }));
    if (!hidden.delete(letter)) hidden.add(letter);
    this.showHidden();
    this.tell(say(hidden.has(letter) ? "hidden_one" : "shown_one", { letter }));
  }

  private showHidden(): void {
    for (const button of document.querySelectorAll<HTMLElement>("[data-show]")) {
      button.setAttribute("aria-pressed", String(!this.outlines.hidden.has(button.dataset["show"]!)));
    }
    document.querySelector("button[data-act=hide]")?.setAttribute("aria-pressed", String(this.outlines.allHidden));
    this.draw();
  }

  private names(): void {
    const button = document.querySelector("button[data-act=names]")!;
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    for (const who of document.querySelectorAll<HTMLElement>(".who")) who.hidden = !on;
    this.tell(say(on ? "names_shown" : "names_hidden"));
  }

  private draw(): void {
    if (!this.view.ready) return;
    this.outlines.draw(this.view.camera());
    this.editor.draw();
  }

  private showDrawn(): void {
    showFacts(this.editor);
    showTools(this.editor);
    if (!this.mending) byId("facts").textContent = "";
  }

  private told(said: Said, refused: boolean): void {
    this.notice(told(said), refused);
    if (refused) this.announcer.now(told(said));
    else this.announcer.say(told(said));
  }

  private tell(sentence: string): void {
    this.notice(sentence, false);
    this.announcer.now(sentence);
  }

  private refuse(sentence: string): void {
    this.notice(sentence, true);
    this.announcer.now(sentence);
  }

  private notice(sentence: string, refused: boolean): void {
    byId("notice").textContent = sentence;
    byId("notice").dataset["kind"] = refused ? "refused" : "done";
  }
}

function whyText(why: string): string {
  return document.querySelector<HTMLOptionElement>(`#reject-why option[value="${why}"]`)?.textContent ?? why;
}

function kept(): string {
  try {
    const sentence = sessionStorage.getItem(KEPT) ?? "";
    sessionStorage.removeItem(KEPT);
    return sentence;
  } catch {
    return "";
  }
}

async function main(): Promise<void> {
  setWords(JSON.parse(byId("words").textContent ?? "{}") as Record<string, string>);
  const failed = byId("load-failed");
  try {
    const answer = await call("GET", byId("adjudicate").dataset["api"]!);
    if (answer.status === 200) {
      new Page(answer.body as Adjudication);
      return;
    }
    const { message, remedy } = failureOf(answer);
    failed.textContent = `${say("not_loaded")} ${message} ${remedy}`.trim();
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    failed.textContent = say("not_loaded_offline");
  }
  failed.hidden = false;
}

void main();
