// The page on which people draw.

import { Announcer } from "./announce";
import { Api, failureOf, Offline } from "./api";
import { ask, byId, fillKeys } from "./dialogs";
import { Editor } from "./editor";
import { Keeper, ownStore } from "./kept";
import { Keyboard } from "./keyboard";
import { Mending } from "./mending";
import { Pointer } from "./pointer";
import { giveBack, send } from "./send";
import { Session } from "./session";
import { begin } from "./start";
import { Steps } from "./steps";
import { uuid } from "./tabs";
import { bindLight, bindToolbar, showFacts, showTools } from "./tools";
import type { Assignment, Said, Work } from "./types";
import { View } from "./view";
import { setWords, told, say } from "./words";
import { ended, mayDraw, answersOf, shapeOf, shapeOutcome, workOf } from "./work";

/** Other open tabs answer well within this. */
const ROLL_CALL_MS = 150;

class Page {
  private readonly root = byId("draw");
  private readonly announcer = new Announcer((sentence) => (byId("said").textContent = sentence));
  private readonly api = new Api(this.root.dataset["api"]!);
  private readonly keeper: Keeper;
  private readonly steps: Steps;
  private readonly session: Session;
  private readonly view: View;
  private readonly editor: Editor;
  private readonly mending: Mending;
  private locked = true;

  constructor(private readonly assignment: Assignment) {
    const { id, task } = assignment;
    const size = { width: task.size_hw[1], height: task.size_hw[0] };
    this.keeper = new Keeper(ownStore(), id);
    this.steps = new Steps(task.stage, () => this.answered());
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.view = new View(byId("photo"), task.photo, size, calm, {
      look: () => this.editor.draw(), open: () => this.opened(), failed: () => this.photoFailed(),
    });
    this.editor = new Editor(this.view, task.stage === "box" ? "box" : "polygon", size, {
      changed: () => this.drew(), told: (said, refused) => this.told(said, refused),
      drew: () => this.showDrawn(), locked: () => this.whyLocked(),
    });
    this.session = new Session({
      api: this.api, keeper: this.keeper, assignment: id, tab: uuid(), announce: (text) => this.announcer.now(text),
      work: () => this.work(), show: (work) => this.show(work), lock: (on) => this.lock(on),
    });
    this.mending = new Mending({
      work: () => this.work(), withText: () => this.steps.withText, show: (problems, lead) => this.steps.wrong(problems, lead),
    });
    this.bind();
  }

  async start(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ROLL_CALL_MS));
    const { queue, attention, tabs } = this.session;
    const begun = await begin(this.assignment.draft, this.keeper, tabs.others);
    queue.base = begun.base;
    if (begun.work !== null) {
      this.steps.fill(answersOf(begun.work));
      this.editor.begin(shapeOf(begun.work));
      attention.goOnFrom(begun.work.seconds);
    }
    if (begun.unsent) {
      queue.changed(this.work());
      this.tell(say("taken_from_computer"));
    }
    for (const tab of begun.through) this.keeper.drop(tab);
    this.lock(false);
  }

  private bind(): void {
    const open = (which: "keys" | "instructions") => void ask(`dialog-${which}`);
    const keyboard = new Keyboard(this.editor, { open, say: (said) => this.told(said, false) });
    new Pointer(this.editor);
    bindToolbar(keyboard);
    bindLight(this.view);
    fillKeys();
    const { element } = this.view;
    element.id = "canvas";
    element.setAttribute("role", "application");
    element.setAttribute("aria-label", say("photo_label"));
    element.setAttribute("aria-describedby", "photo-help");
    const parts = {
      api: this.api, queue: this.session.queue, keeper: this.keeper, key: this.keeper.key(uuid),
      work: () => this.work(), wrong: this.mending.wrong.bind(this.mending), withText: this.steps.withText, lock: (on: boolean) => this.lock(on),
      tell: (sentence: string) => this.tell(sentence),
    };
    this.steps.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(parts);
    });
    byId("give-back").addEventListener("click", () => void giveBack(parts, this.root.dataset["home"]!));
  }

  private work(): Work {
    return workOf(this.assignment.task.stage, this.steps.answers, this.editor.state.shape, this.session.attention.seconds);
  }

  private changed(): void {
    this.mending.changed();
    if (!this.locked) this.session.changed();
  }

  private answered(): void {
    this.changed();
    this.editor.draw();
  }

  private drew(): void {
    if (!this.editor.empty) this.steps.drew();
    this.changed();
  }

  private show(work: Work): void {
    this.steps.fill(answersOf(work));
    this.editor.act({ do: "replace", shape: shapeOf(work) });
  }

  private lock(on: boolean): void {
    this.locked = on;
    this.steps.lock(on);
    this.root.setAttribute("aria-busy", String(on));
  }

  private whyLocked(): Said | null {
    const { stage } = this.assignment.task;
    const { answers } = this.steps;
    if (this.locked) return { word: "locked" };
    if (stage === "grounding" && ended(answers)) return { word: "ended_no_drawing" };
    if (!mayDraw(stage, answers)) return { word: "steps_first" };
    return answers.outcome === null || answers.outcome === shapeOutcome(stage) ? null : { word: "choose_draw" };
  }

  private told(said: Said, refused: boolean): void {
    const sentence = told(said);
    const notice = byId("notice");
    notice.textContent = sentence;
    notice.dataset["kind"] = refused ? "refused" : "done";
    if (refused && said.word !== "at_the_edge") this.announcer.now(sentence);
    else this.announcer.say(sentence);
  }

  private tell(sentence: string): void {
    byId("notice").textContent = sentence;
    byId("notice").dataset["kind"] = "done";
    this.announcer.now(sentence);
  }

  private showDrawn(): void {
    showFacts(this.editor);
    showTools(this.editor);
  }

  private opened(): void {
    this.root.dataset["ready"] = "yes";
    this.editor.draw();
  }

  private photoFailed(): void {
    byId("photo-failed").hidden = false;
    this.announcer.now(byId("photo-failed").textContent ?? "");
  }
}

async function main(): Promise<void> {
  setWords(JSON.parse(byId("words").textContent ?? "{}") as Record<string, string>);
  byId("no-script").hidden = true;
  const failed = byId("load-failed");
  try {
    const answer = await new Api(byId("draw").dataset["api"]!).get();
    if (answer.status !== 200) {
      const { message, remedy } = failureOf(answer);
      failed.textContent = `${say("not_loaded")} ${message} ${remedy}`.trim();
      failed.hidden = false;
      return;
    }
    await new Page(answer.body as Assignment).start();
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    failed.textContent = say("not_loaded_offline");
    failed.hidden = false;
  }
}

void main();
