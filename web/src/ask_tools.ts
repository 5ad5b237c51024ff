// Copying an answer, saying it aloud, and speaking a question; each is shown only where the browser can do it.

import type { Speaker } from "./speaker";
import { say } from "./words";

interface Recognition extends EventTarget {
  lang: string;
  start(): void;
  abort(): void;
}

interface Heard extends Event {
  readonly results?: ArrayLike<ArrayLike<{ readonly transcript: string }>>;
}

type Recognitions = new () => Recognition;

export function prepareTools(speaker: Speaker): void {
  const said = document.getElementById("answer")?.dataset["said"] ?? "";
  const [copies, speaks] = [document.querySelector("[data-copy]"), document.querySelector("[data-aloud]")];
  if (copies instanceof HTMLButtonElement) prepareCopy(copies, speaker);
  if (speaks instanceof HTMLButtonElement && "speechSynthesis" in window) prepareAloud(speaks, said);
  for (const place of document.querySelectorAll<HTMLElement>("[data-speech]")) prepareSpeech(place, speaker);
}

/** Shows a button that the page without a script does not have. */
function reveal(button: HTMLElement): void {
  (button.closest<HTMLElement>("li[hidden]") ?? button).hidden = false;
}

function prepareCopy(button: HTMLButtonElement, speaker: Speaker): void {
  const field = document.getElementById("copied");
  if (!(field instanceof HTMLTextAreaElement)) return;
  reveal(button);
  button.addEventListener("click", () => {
    const copied = "clipboard" in navigator ? navigator.clipboard.writeText(field.value.trim()) : Promise.reject(new Error());
    copied.then(() => speaker.say(say("copied")), () => {
      field.hidden = false;
      field.select();
      speaker.say(say("not_copied"));
    });
  });
}

function prepareAloud(button: HTMLButtonElement, said: string): void {
  reveal(button);
  const show = (on: boolean) => {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = say(on ? "stop" : "say");
  };
  button.addEventListener("click", () => {
    const going = button.getAttribute("aria-pressed") === "true";
    speechSynthesis.cancel();
    show(false);
    if (going) return;
    const words = new SpeechSynthesisUtterance(said);
    words.lang = document.documentElement.lang;
    words.addEventListener("end", () => show(false));
    words.addEventListener("error", () => show(false));
    show(true);
    speechSynthesis.speak(words);
  });
}

function recognitions(): Recognitions | undefined {
  const all = window as unknown as { SpeechRecognition?: Recognitions; webkitSpeechRecognition?: Recognitions };
  return all.SpeechRecognition ?? all.webkitSpeechRecognition;
}

function prepareSpeech(place: HTMLElement, speaker: Speaker): void {
  const Known = recognitions();
  const field = document.getElementById(place.dataset["speech"] ?? "");
  const button = place.querySelector("button");
  if (Known === undefined || !(field instanceof HTMLInputElement) || button === null) return;
  place.hidden = false;
  let going: Recognition | null = null;

  const over = () => {
    going = null;
    button.setAttribute("aria-pressed", "false");
    button.textContent = say("speak");
  };
  const heard = (event: Heard) => {
    const text = event.results?.[0]?.[0]?.transcript.trim() ?? "";
    if (text === "") { speaker.say(say("nothing_heard")); return; }
    field.value = text;
    speaker.say(say("heard", { text }));
    field.focus();
  };
  button.addEventListener("click", () => {
    if (going !== null) { going.abort(); over(); return; }
    going = new Known();
    going.lang = document.documentElement.lang;
    going.addEventListener("result", heard);
    going.addEventListener("error", () => speaker.say(say("nothing_heard")));
    going.addEventListener("end", over);
    button.setAttribute("aria-pressed", "true");
    button.textContent = say("stop");
    speaker.say(say("listening"));
    going.start();
  });
}
