// Sends a form without leaving its page, tells what it waits for, and puts what is wrong beside its field.

import { alertIn, follow, show } from "./ask_follow";
import type { Speaker } from "./speaker";
import { say } from "./words";

interface Asked {
  readonly answer: string;
  readonly state: string;
  readonly advice: readonly string[];
}

type Errors = Readonly<Record<string, readonly string[]>>;

export function prepareForms(speaker: Speaker, prepare: () => void): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form.ask-form")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (form.dataset["busy"] !== "yes") void send(form, speaker, prepare);
    });
    takeOnePhoto(form, speaker);
  }
}

/** Of camera and file the one that was used last is the photo. */
function takeOnePhoto(form: HTMLFormElement, speaker: Speaker): void {
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[type=file]")];
  for (const field of fields) {
    field.addEventListener("change", () => {
      const file = field.files?.[0];
      if (file === undefined) return;
      for (const other of fields) if (other !== field) other.value = "";
      clear(form, field.name);
      speaker.say(say("chosen", { name: file.name }));
    });
  }
}

async function send(form: HTMLFormElement, speaker: Speaker, prepare: () => void): Promise<void> {
  const wrong = (errors: Errors) => { busy(form, false); place(form, errors); };
  const brings = form.querySelector("input[type=file]") !== null;
  for (const name of [...form.elements].map((field) => (field as HTMLInputElement).name)) clear(form, name);
  const large = tooLarge(form);
  if (large !== null) { place(form, { [large]: [say("too_large", { most: Math.floor(Number(form.dataset["most"]) / 2 ** 20) })] }); return; }
  // Made before anything is switched off, or it would not be sent.
  const body = new FormData(form);
  busy(form, true);
  const sending = say(brings && hasPhoto(form) ? "sending" : "asking");
  show(form, { said: sending, about: "" });
  speaker.say(sending);
  try {
    const response = await fetch(form.action, {
      method: "POST", body, credentials: "same-origin", redirect: "manual", headers: { Accept: "application/json" },
    });
    if (response.type === "opaqueredirect") { location.reload(); return; }
    if (!(response.headers.get("Content-Type") ?? "").startsWith("application/json")) { whole(await response.text()); return; }
    const answer = await response.json() as Asked & { errors?: Errors; error?: { message: string; remedy: string } };
    if (answer.errors !== undefined) { wrong(answer.errors); return; }
    // What the server refuses before it is read: it arrived too slowly.
    if (answer.error !== undefined) { wrong({ "": [`${answer.error.message} ${answer.error.remedy}`] }); return; }
    for (const sentence of answer.advice) speaker.say(sentence);
    await follow({ state: answer.state, next: answer.answer }, form, speaker, prepare);
    busy(form, false);
  } catch {
    wrong({ "": [say("offline")] });
  }
}

/** The field with a file that the server would refuse, after all of it was sent. */
function tooLarge(form: HTMLFormElement): string | null {
  const most = Number(form.dataset["most"] ?? Infinity);
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[type=file]")];
  return fields.find((field) => (field.files?.[0]?.size ?? 0) > most)?.name ?? null;
}

function hasPhoto(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement>("input[type=file]")].some((field) => (field.files?.length ?? 0) > 0);
}

function busy(form: HTMLFormElement, on: boolean): void {
  form.dataset["busy"] = on ? "yes" : "no";
  form.setAttribute("aria-busy", String(on));
  const progress = form.querySelector<HTMLElement>(".ask-progress");
  if (progress === null) return;
  progress.hidden = !on;
  if (on) progress.scrollIntoView({ block: "nearest" });
}

/** What the server answers with a page of its own (a refusal that is about no field) is shown as it is. */
function whole(text: string): void {
  const page = new DOMParser().parseFromString(text, "text/html");
  const main = document.querySelector("main");
  document.title = page.title;
  main?.replaceChildren(...[...(page.querySelector("main")?.childNodes ?? [])].map((node) => document.adoptNode(node)));
  const heading = main?.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}

/** Puts each error before its field, to be said at once; the first field has the focus then. */
function place(form: HTMLFormElement, errors: Errors): void {
  let first: HTMLElement | null = null;
  // As they stand on the page, so that the first one has the focus.
  const names = [...form.elements].map((field) => (field as HTMLInputElement).name);
  const ordered = Object.entries(errors).sort(([one], [other]) => names.indexOf(one) - names.indexOf(other));
  for (const [name, sentences] of ordered) {
    const found = form.elements.namedItem(name);
    const field = found instanceof RadioNodeList ? found[0] : found;
    if (!(field instanceof HTMLElement) || (field as HTMLInputElement).type === "hidden") {
      alertIn(form, sentences.join(" "));
      continue;
    }
    const list = document.createElement("ul");
    list.className = "errorlist";
    list.append(...sentences.map((sentence) => {
      const line = document.createElement("li");
      line.textContent = sentence;
      return line;
    }));
    // One in a closed list of choices could be neither seen nor focused.
    field.closest("details")?.setAttribute("open", "");
    const alert = document.createElement("div");
    alert.id = `${field.id}_error`;
    alert.setAttribute("role", "alert");
    alert.append(list);
    field.before(alert);
    field.setAttribute("aria-invalid", "true");
    describe(field, alert.id, true);
    first ??= field;
  }
  first?.focus();
}

/** Takes away what was wrong with a field, also where the server wrote it. */
function clear(form: HTMLFormElement, name: string): void {
  form.querySelector(":scope > [role=alert].notice")?.remove();
  const found = name === "" ? null : form.elements.namedItem(name);
  if (!(found instanceof HTMLElement)) return;
  const list = document.getElementById(`${found.id}_error`);
  list?.remove();
  found.removeAttribute("aria-invalid");
  describe(found, `${found.id}_error`, false);
}

function describe(field: HTMLElement, id: string, on: boolean): void {
  const ids = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each !== "" && each !== id);
  if (on) ids.push(id);
  if (ids.length > 0) field.setAttribute("aria-describedby", ids.join(" "));
  else field.removeAttribute("aria-describedby");
}
