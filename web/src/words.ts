// The sentences of the page. The server writes them, translated, into the page (`annotate/draw_words.py`); none stands here.

import type { Said } from "./types";

let words: Readonly<Record<string, string>> = {};

export function setWords(given: Readonly<Record<string, string>>): void {
  words = given;
}

/** The sentence of a name, with {values} put in; numbers in the reader's own form. */
export function say(word: string, values: Readonly<Record<string, string | number>> = {}): string {
  const sentence = words[word];
  if (sentence === undefined) throw new Error(`No sentence is named ${word}.`);
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(document.documentElement.lang || undefined) : value;
  });
}

export function told(said: Said): string {
  return say(said.word, said.values);
}
