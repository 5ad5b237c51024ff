// What is done on the server, and where it leads.

import { bodyOf } from "./adjudicate_choice";
import type { Adjudication, Choice } from "./adjudicate_choice";
import { leave } from "./adjudicate_panel";
import type { Panel } from "./adjudicate_panel";
import { decided, refusal, sent } from "./adjudicate_send";
import type { Done } from "./adjudicate_send";
import { byId } from "./dialogs";
import { say } from "./words";

export class Acts {
  private readonly at = byId("adjudicate").dataset as Readonly<Record<string, string | undefined>>;
  private warned: Choice | null = null;

  constructor(private task: Adjudication, private readonly panel: Panel) {}

  async confirm(choice: Choice): Promise<void> {
    const { panel } = this;
    if (choice.is === "none") return panel.refuse(say("choose_answer"));
    const body = bodyOf(choice, this.task, byId<HTMLTextAreaElement>("note").value);
    if (body === null) return panel.refuse(say("not_whole"));
    panel.tell(say("deciding"));
    const done = await decided(`${this.at["api"]!}${this.at["wish"]!}`, body, (how) => say(`how_${how}`));
    if (done === "theirs") return leave(location.href, "");
    if (typeof done === "string") return panel.refuse(done);
    this.goOn(done);
  }

  async gold(): Promise<void> {
    const { panel, task } = this;
    if (task.standing === null) return panel.refuse(say("gold_needs_decision"));
    const answer = await sent(`${this.at["api"]!}/gold`, { gold: !task.gold });
    if (typeof answer === "string") return panel.refuse(answer);
    if (answer.status !== 200) return panel.refuse(refusal(answer));
    const { gold } = answer.body as { gold: boolean };
    this.task = { ...task, gold };
    panel.gold(gold);
  }

  /** Of this task, else the last one of whoever looks, to which it then leads. */
  async undo(): Promise<void> {
    const { panel, at } = this;
    const own = this.task.standing !== null;
    if (!own && at["latest"] === undefined) return panel.refuse(say("nothing_to_take_back"));
    const [task, base] = own ? [this.task.id, this.task.base] : [Number(at["latestTask"]), Number(at["latest"])];
    const answer = await sent(`${at["tasks"]!}${task}/adjudication/undo`, { base });
    if (typeof answer === "string") return panel.refuse(answer);
    if (answer.status !== 201) return panel.refuse(refusal(answer));
    leave(this.page(task), say("taken_back"));
  }

  /** To the task before or after; what was drawn and not confirmed is asked about once. */
  go(way: "ahead" | "back", choice: Choice): void {
    const address = this.at[way]!;
    if (address === "") return this.panel.refuse(say("no_more"));
    if (choice.is === "drawn" && this.warned !== choice) {
      this.warned = choice;
      return this.panel.refuse(say("unsaved"));
    }
    location.assign(address);
  }

  private goOn(done: Done): void {
    const sentence = say("decided", { key: this.task.task.key });
    leave(done.next === null ? this.at["queue"]! : this.page(done.next), sentence);
  }

  private page(task: number): string {
    return `${this.at["page"]!}${task}/${this.at["wish"]!}`;
  }
}
