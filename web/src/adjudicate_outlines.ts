// All outlines of a task over its photo. Each has a colour and a pattern of dashes, a dark line under it, and its letter.

import { toScreen } from "./camera";
import type { Camera } from "./camera";
import type { Candidate } from "./adjudicate_choice";
import type { Point } from "./types";

/** As many as `adjudicate.css` has, and `colours.py`. */
const LINES = 6;
const ROOM = 24;
const GAP = 2;

export function lineClasses(candidate: Candidate, at: number): string {
  if (candidate.how === "given") return "target-line";
  return `line-${at % LINES} dash-${(at + Math.floor(at / LINES)) % LINES}`;
}

interface Drawn {
  readonly group: SVGGElement;
  readonly paths: readonly SVGPathElement[];
  readonly label: SVGGElement;
  readonly rings: readonly (readonly Point[])[];
}

export class Outlines {
  readonly hidden = new Set<string>();
  private readonly svg: SVGSVGElement;
  /** Over all lines. */
  private readonly letters: SVGGElement;
  private readonly drawn = new Map<string, Drawn>();

  constructor(private readonly host: HTMLElement, private readonly candidates: readonly Candidate[]) {
    this.svg = this.make("svg", "drawn outlines");
    this.svg.setAttribute("aria-hidden", "true");
    this.letters = this.make("g", "letters");
    this.svg.append(this.letters);
    candidates.forEach((candidate, at) => {
      if (candidate.rings.length > 0) this.add(candidate.letter, candidate.rings, lineClasses(candidate, at));
    });
    host.append(this.svg);
  }

  /** What the reviewer drew; null where it is in the editor, or is not there. */
  mended(ring: readonly Point[] | null): void {
    this.drawn.get("*")?.group.remove();
    this.drawn.get("*")?.label.remove();
    this.drawn.delete("*");
    if (ring !== null && ring.length > 0) this.add("*", [ring], "mended-line");
  }

  mark(letter: string | null): void {
    for (const [name, { group }] of this.drawn) group.classList.toggle("chosen", name === letter);
  }

  get allHidden(): boolean {
    return this.candidates.every(({ letter, rings }) => rings.length === 0 || this.hidden.has(letter));
  }

  hideAll(on: boolean): void {
    for (const { letter } of this.candidates) {
      if (on) this.hidden.add(letter);
      else this.hidden.delete(letter);
    }
  }

  draw(camera: Camera): void {
    const taken: Point[] = [];
    for (const [letter, { group, paths, label, rings }] of this.drawn) {
      const hidden = this.hidden.has(letter);
      for (const part of [group, label]) part.toggleAttribute("hidden", hidden);
      if (hidden) continue;
      const shown = rings.map((ring) => ring.map((p) => toScreen(camera, p)));
      const d = shown.map((ring) => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`).join("");
      for (const path of paths) path.setAttribute("d", d);
      const [x, y] = this.spot(shown.flat(), camera, taken);
      taken.push([x, y]);
      label.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
  }

  /** Above the outline's top, in the window, and beside the letters that are there already. */
  private spot(points: readonly Point[], camera: Camera, taken: readonly Point[]): Point {
    const top = points.reduce((best, p) => (p[1] < best[1] ? p : best), points[0]!);
    const held = (v: number, end: number) => Math.min(Math.max(v, 0), Math.max(end - ROOM, 0));
    const y = held(top[1] - ROOM, camera.extent[1]);
    let x = held(top[0], camera.extent[0]);
    const near = () => taken.find((p) => Math.abs(p[0] - x) < ROOM && Math.abs(p[1] - y) < ROOM);
    for (let other = near(); other !== undefined; other = near()) x = other[0] + ROOM + GAP;
    return [x, y];
  }

  private add(letter: string, rings: readonly (readonly Point[])[], classes: string): void {
    const group = this.make("g", `one ${classes}`);
    const paths = ["under", "over"].map((name) => this.make("path", name));
    const label = this.make("g", "letter");
    const [ground, text] = [this.make("rect", "ground"), this.make("text", "name")];
    ground.setAttribute("width", String(12 + 10 * letter.length));
    ground.setAttribute("height", "20");
    text.setAttribute("x", "6");
    text.setAttribute("y", "15");
    text.textContent = letter === "*" ? "✎" : letter;
    label.append(ground, text);
    group.append(...paths);
    this.svg.insertBefore(group, this.letters);
    this.letters.append(label);
    this.drawn.set(letter, { group, paths, label, rings });
  }

  private make<K extends keyof SVGElementTagNameMap>(tag: K, classes: string): SVGElementTagNameMap[K] {
    const made = this.host.ownerDocument.createElementNS("http://www.w3.org/2000/svg", tag);
    made.setAttribute("class", classes);
    return made;
  }
}
