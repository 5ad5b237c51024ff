// The page on which one answer is chosen of all that people drew.

import { call, failureOf, Offline } from "./api";
import { Acts } from "./adjudicate_acts";
import { isWhole, sameShape, shapeToMend } from "./adjudicate_choice";
import type { Act, Adjudication, Candidate, Choice } from "./adjudicate_choice";
import { bindKeys } from "./adjudicate_keys";
import { Outlines } from "./adjudicate_outlines";
import { left, Panel } from "./adjudicate_panel";
import { ask, byId } from "./dialogs";
import { Editor } from "./editor";
import { Keyboard } from "./keyboard";
import type { Command } from "./keys";
import { Pointer } from "./pointer";
import { EMPTY, isEmpty, started } from "./state";
import type { Shape } from "./state";
import { showFacts, showTools } from "./tools";
import type { Point } from "./types";
import { View } from "./view";
import { setWords, say } from "./words";

const ringOf = ({ points, box }: Shape): readonly Point[] =>
  box === null ? points : [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]];

class Page {
  private readonly root = byId("adjudicate");
  private readonly panel: Panel;
  private readonly acts: Acts;
  private readonly view: View;
  private readonly editor: Editor;
  private readonly outlines: Outlines;
  private readonly keyboard: Keyboard;
  private choice: Choice = { is: "none" };
  private mending = false;
  private busy = false;

  constructor(private readonly task: Adjudication) {
    this.panel = new Panel(task.candidates);
    this.acts = new Acts(task, this.panel);
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
      changed: () => this.drew(), told: (said, refused) => this.panel.told(said, refused),
      drew: () => this.showDrawn(), locked: () => (this.mending ? null : { word: "mend_first" }),
    });
    this.keyboard = new Keyboard(this.editor, { open: () => void ask("dialog-keys"), say: (said) => this.panel.told(said, false) });
    new Pointer(this.editor);
    this.bind();
  }

  private bind(): void {
    const { element } = this.view;
    element.id = "canvas";
    element.setAttribute("role", "application");
    element.setAttribute("aria-label", say("photo_of_task"));
    element.setAttribute("aria-describedby", "photo-help");
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
    each("act", (act) => (act === "names" ? this.panel.names() : this.act({ do: act } as Act)));
  }

  private opened(): void {
    this.root.dataset["ready"] = "yes";
    this.draw();
    this.editor.draw();
    const before = left();
    if (before !== "") this.panel.tell(before);
  }

  private act(act: Act): void {
    if (this.busy) return;
    switch (act.do) {
      case "pick": return this.pick(act.letter);
      case "show": return this.showOne(act.letter);
      case "confirm": return void this.during(() => this.confirm());
      case "mend": return this.mending ? this.endMending() : this.mend();
      case "reject": return void this.reject();
      case "gold": return void this.during(() => this.acts.gold());
      case "undo": return void this.during(() => this.acts.undo());
      case "next": return this.acts.go("ahead", this.choice);
      case "previous": return this.acts.go("back", this.choice);
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
    if (found === undefined) return this.panel.refuse(say("no_such", { letter }));
    if (found.work === null) return this.panel.refuse(say("cannot_be_chosen", { letter, why: found.note }));
    this.leaveEditor();
    this.choose({ is: "candidate", letter });
  }

  private choose(choice: Choice): void {
    this.choice = choice;
    const letter = choice.is === "candidate" ? choice.letter : null;
    this.outlines.mended(choice.is === "drawn" && !this.mending ? ringOf(choice.shape) : null);
    this.outlines.mark(choice.is === "drawn" ? "*" : letter);
    this.panel.chosen(choice, true);
    this.draw();
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
    this.panel.mending(this.mending);
    const sentence = begun === null ? say("mending_new") : say("mending", { letter: begun });
    this.panel.tell(sentence);
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
    if (!isWhole(choice.shape)) this.panel.refuse(say("not_whole"));
  }

  private leaveEditor(): void {
    this.mending = false;
    this.editor.state = started("polygon", this.editor.size);
    this.editor.hints = { aim: null, crosshair: null, target: null, warning: false };
    this.editor.draw();
    this.panel.mending(this.mending);
  }

  /** The editor changed the outline. */
  private drew(): void {
    if (!this.mending || this.choice.is !== "drawn") return;
    this.choice = { ...this.choice, shape: this.editor.state.shape };
    this.panel.chosen(this.choice, false);
  }

  private async reject(): Promise<void> {
    const text = byId<HTMLTextAreaElement>("reject-text");
    if ((await ask("dialog-reject")) !== "reject") return;
    this.leaveEditor();
    this.choose({ is: "rejected", why: byId<HTMLSelectElement>("reject-why").value, text: text.value.trim() });
  }

  private hideAll(): void {
    const on = !this.outlines.allHidden;
    this.outlines.hideAll(on);
    this.showHidden();
    this.panel.tell(say(on ? "hidden_all" : "shown_all"));
  }

  private showOne(letter: string): void {
    const { hidden } = this.outlines;
    if (this.called(letter) === undefined) return this.panel.refuse(say("no_such", { letter }));
    if (!hidden.delete(letter)) hidden.add(letter);
    this.showHidden();
    this.panel.tell(say(hidden.has(letter) ? "hidden_one" : "shown_one", { letter }));
  }

  private async confirm(): Promise<void> {
    if (this.mending) this.endMending();
    await this.acts.confirm(this.choice);
  }

  private showHidden(): void {
    this.panel.hidden(this.outlines.hidden, this.outlines.allHidden);
    this.draw();
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
