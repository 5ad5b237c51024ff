// The form at the side: the steps, the reason, the comment; which of them may be filled in, and what is wrong in them.

import { byId } from "./dialogs";
import type { Outcome, Problem, Stage } from "./types";
import { ended, mayDraw, NO_ANSWERS, shapeOutcome } from "./work";
import type { Answers } from "./work";
import { say } from "./words";

/** Where a problem of a field is shown; what is drawn belongs to the choice above it. */
const PLACE: Readonly<Record<string, string>> = { polygon: "outcome", closed: "outcome", box: "outcome" };

export class Steps {
  readonly form = byId<HTMLFormElement>("steps");
  answers: Answers = NO_ANSWERS;

  constructor(private readonly stage: Stage, private readonly changed: () => void) {
    this.form.addEventListener("input", () => this.read());
    this.form.addEventListener("change", () => this.read());
    this.show();
  }

  /** Puts answers into the form. */
  fill(answers: Answers): void {
    this.answers = answers;
    this.choose("several_questions", answers.several_questions === null ? null : answers.several_questions ? "yes" : "no");
    this.choose("several_regions", answers.several_regions === null ? null : answers.several_regions ? "yes" : "no");
    this.choose("outcome", answers.outcome);
    byId<HTMLSelectElement>("reason").value = answers.reason ?? "";
    byId<HTMLTextAreaElement>("reason_text").value = answers.reason_text;
    byId<HTMLTextAreaElement>("comment").value = answers.comment;
    this.show();
  }

  /** Who begins to draw has chosen to draw. */
  drew(): void {
    if (this.answers.outcome === null) this.fill({ ...this.answers, outcome: shapeOutcome(this.stage) });
  }

  /** The reasons that need a text. */
  get withText(): ReadonlySet<string> {
    const options = this.form.querySelectorAll<HTMLOptionElement>("#reason option[data-text]");
    return new Set([...options].map((option) => option.value));
  }

  lock(on: boolean): void {
    byId<HTMLFieldSetElement>("all").disabled = on;
  }

  /** Shows what is wrong at its fields and above them, and leads there when it is new. */
  wrong(problems: readonly Problem[], lead: boolean): void {
    const summary = byId("problems");
    const list = summary.querySelector("ul")!;
    list.replaceChildren();
    for (const place of this.form.querySelectorAll<HTMLElement>("[data-error]")) {
      place.textContent = "";
      place.hidden = true;
    }
    for (const field of this.form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    summary.hidden = problems.length === 0;
    for (const problem of problems) list.append(this.shown(problem));
    if (lead && problems.length > 0) summary.focus();
  }

  private shown({ field, problem, remedy }: Problem): HTMLLIElement {
    const sentence = `${problem}. ${remedy}`;
    const name = PLACE[field] ?? field;
    const place = this.form.querySelector<HTMLElement>(`[data-error=${CSS.escape(name)}]`);
    const input = this.form.querySelector<HTMLElement>(`[name=${CSS.escape(name)}]:not(:disabled)`);
    const item = document.createElement("li");
    if (place !== null) {
      place.textContent = place.hidden ? sentence : `${place.textContent} ${sentence}`;
      place.hidden = false;
    }
    if (input === null) {
      item.textContent = sentence;
      return item;
    }
    (input.closest("fieldset[role=radiogroup]") ?? input).setAttribute("aria-invalid", "true");
    const link = document.createElement("a");
    link.href = `#${input.id}`;
    link.textContent = sentence;
    item.append(link);
    return item;
  }

  private choose(name: string, value: string | null): void {
    for (const radio of this.radios(name)) radio.checked = radio.value === value;
  }

  private radios(name: string): HTMLInputElement[] {
    return [...this.form.querySelectorAll<HTMLInputElement>(`input[name=${name}]`)];
  }

  private chosen(name: string): string | null {
    return this.radios(name).find((radio) => radio.checked)?.value ?? null;
  }

  private read(): void {
    const yes = (name: string) => (this.chosen(name) === null ? null : this.chosen(name) === "yes");
    const before = JSON.stringify(this.answers);
    this.answers = {
      several_questions: yes("several_questions"), several_regions: yes("several_regions"),
      outcome: this.chosen("outcome") as Outcome | null,
      reason: byId<HTMLSelectElement>("reason").value || null,
      reason_text: byId<HTMLTextAreaElement>("reason_text").value,
      comment: byId<HTMLTextAreaElement>("comment").value,
    };
    if (JSON.stringify(this.answers) === before) return;
    this.show();
    this.changed();
  }

  /** A step can be answered once the one before it says no. */
  private show(): void {
    const { answers } = this;
    const second = document.getElementById("step-2") as HTMLFieldSetElement | null;
    if (second !== null) second.disabled = answers.several_questions !== false;
    byId<HTMLFieldSetElement>("step-3").disabled = !mayDraw(this.stage, answers);
    byId("why").hidden = answers.outcome !== "cannot_draw";
    const over = this.stage === "grounding" && ended(answers);
    byId("ended").textContent = over ? say("ended") : "";
  }
}
