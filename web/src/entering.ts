// Sends the file of an entry in parts, with a bar; then the form goes as it would without this, naming the upload.

import { Announcer, CLOCK } from "./announce";
import { call, csrfToken, Offline } from "./api";
import type { Answer } from "./api";
import { Upload } from "./upload";
import type { Kept, Said, Server, Store } from "./upload";

// A part of 8 MiB on a line of 1 Mbit/s takes over a minute.
const PATIENCE_MS = 300_000;

const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}") as Record<string, string>;
const live = document.getElementById("live");
const announcer = new Announcer((sentence) => { if (live !== null) live.textContent = sentence; });

function say(word: string, values: Readonly<Record<string, string>> = {}): string {
  let sentence = words[word] ?? "";
  for (const [name, value] of Object.entries(values)) sentence = sentence.replaceAll(`{${name}}`, value);
  return sentence;
}

class Http implements Server {
  constructor(private readonly root: string) {}

  begin = (name: string, size: number): Promise<Answer> => call("POST", this.root, { name, size });
  look = (id: string): Promise<Answer> => call("GET", `${this.root}/${id}`);
  drop = (id: string): Promise<Answer> => call("DELETE", `${this.root}/${id}`);

  async send(id: string, offset: number, bytes: Blob): Promise<Answer> {
    try {
      const response = await fetch(`${this.root}/${id}?offset=${offset}`, {
        method: "PUT", body: bytes, credentials: "same-origin", redirect: "manual",
        headers: { Accept: "application/json", "Content-Type": "application/octet-stream", "X-CSRFToken": csrfToken(document.cookie) },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? null : JSON.parse(text) };
    } catch (error) {
      throw new Offline(String(error));
    }
  }
}

/** Where the browser keeps nothing, an upload goes on only as long as its page is open. */
class Remembered implements Store {
  private here: Kept | null = null;

  constructor(private readonly name: string) {}

  get(): Kept | null {
    try {
      return JSON.parse(localStorage.getItem(this.name) ?? "null") as Kept | null;
    } catch {
      return this.here;
    }
  }

  set(kept: Kept | null): void {
    this.here = kept;
    try {
      if (kept === null) localStorage.removeItem(this.name);
      else localStorage.setItem(this.name, JSON.stringify(kept));
    } catch { /* as said above */ }
  }
}

function begin(form: HTMLFormElement): void {
  const root = form.dataset["api"] ?? "";
  const server = new Http(root);
  const store = new Remembered(`foveate.upload.${root}`);
  const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
  const part = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
  const bar = part<HTMLProgressElement>("sent");
  const pause = part<HTMLButtonElement>("pause");
  const send = form.querySelector<HTMLButtonElement>("button.primary") as HTMLButtonElement;
  let upload: Upload | null = null;
  let paused = false;
  let told = -1;

  function problem(sentence: string): void {
    part("sent-problem").textContent = sentence;
    part("sent-problem").hidden = sentence === "";
  }

  function show(said: Said): void {
    if (said.what === "sending") {
      const percent = Math.floor(100 * said.received / said.size);
      bar.value = percent;
      part("sent-said").textContent = say("sent", { percent: String(percent) });
      // Each tenth is worth hearing of.
      if (Math.floor(percent / 10) !== told) announcer.now(say("sent", { percent: String(percent) }));
      told = Math.floor(percent / 10);
      problem("");
    } else if (said.what === "waiting") {
      part("sent-said").textContent = say("waiting", { seconds: String(said.seconds) });
    } else if (said.what === "paused") {
      part("sent-said").textContent = say("paused");
    } else {
      problem(said.message);
    }
  }

  function over(): void {
    upload = null;
    send.disabled = field("file").disabled = false;
    pause.hidden = true;
  }

  async function run(file: File): Promise<void> {
    part("sending").hidden = false;
    pause.hidden = false;
    problem("");
    send.disabled = field("file").disabled = true;
    upload = new Upload(file, { server, store, clock: CLOCK, say: show });
    const mine = upload;
    const id = await upload.run();
    if (upload !== mine) return;
    if (id === null) { over(); return; }
    store.set(null);
    field("upload").value = id;
    // The field of the file stays off: its bytes are there already.
    form.submit();
  }

  pause.addEventListener("click", () => {
    paused = !paused;
    pause.textContent = say(paused ? "go_on" : "pause");
    if (paused) upload?.pause();
    else upload?.goOn();
    announcer.now(say(paused ? "paused" : "goes_on"));
  });
  part("drop").addEventListener("click", () => {
    const kept = store.get();
    store.set(null);
    if (kept !== null) void server.drop(kept.id).catch(() => undefined);
    over();
    paused = false;
    pause.textContent = say("pause");
    part("sending").hidden = true;
    announcer.now(say("dropped"));
    field("file").focus();
  });
  form.addEventListener("submit", (event) => {
    const file = field("file").files?.[0];
    if (file === undefined || field("upload").value !== "") return;
    event.preventDefault();
    if (upload === null) void run(file);
  });
  const kept = store.get();
  if (kept !== null && field("upload").value === "") {
    part("goes-on").textContent = say("kept", { name: kept.name });
    part("goes-on").hidden = false;
  }
  // Back in the browser is a page as it was: its upload is an entry by now.
  globalThis.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  form.dataset["ready"] = "yes";
}

const form = document.getElementById("enter");
if (form instanceof HTMLFormElement) begin(form);
