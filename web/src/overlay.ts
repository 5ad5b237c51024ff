// What is drawn over the photo: an SVG whose lines keep their width at every zoom. Each line is there twice, a wide dark
// one under a narrow light one, so that it is seen on any photo.

import { handlePoints } from "./boxes";
import { toScreen } from "./camera";
import type { Camera } from "./camera";
import type { State } from "./state";
import type { Point } from "./types";

export interface Hints {
  /** Where the pointer is, or the crosshair; a line goes there from the last point. */
  readonly aim: Point | null;
  readonly crosshair: Point | null;
  /** Where a click would split a side, or close the outline. */
  readonly target: { readonly kind: "split" | "close"; readonly at: Point } | null;
  /** The shape as it is crosses itself. */
  readonly warning: boolean;
}

const LAYERS = ["fill", "line", "aim", "dots", "selected", "target", "crosshair"] as const;
type Layer = (typeof LAYERS)[number];

export class Overlay {
  readonly svg: SVGSVGElement;
  private readonly paths = new Map<Layer, SVGPathElement[]>();
  private readonly written = new Map<Layer, string>();
  /** Of what the shape on the screen was drawn. */
  private seen: readonly unknown[] = [];

  constructor(host: HTMLElement) {
    this.svg = host.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.classList.add("drawn");
    this.svg.setAttribute("aria-hidden", "true");
    for (const layer of LAYERS) {
      const names = layer === "fill" ? [layer] : [`${layer} under`, `${layer} over`];
      this.paths.set(layer, names.map((name) => this.path(name)));
    }
    host.append(this.svg);
  }

  draw(state: State, camera: Camera, hints: Hints): void {
    const place = (p: Point) => toScreen(camera, p);
    const chosen = state.selected === null ? undefined : spots(state)[state.selected];
    this.svg.classList.toggle("warned", hints.warning);
    this.svg.classList.toggle("grabbed", state.grabbed);
    this.drawShape(state, camera);
    this.put("aim", aim(state, hints, place));
    this.put("selected", chosen ? disc(place(chosen), 7) : "");
    this.put("target", hints.target ? target(hints.target.kind, place(hints.target.at)) : "");
    this.put("crosshair", hints.crosshair ? cross(place(hints.crosshair)) : "");
  }

  /** What takes long with many points, so only where it has changed: a pointer that hovers changes none of it. */
  private drawShape(state: State, camera: Camera): void {
    const seen = [state.shape, camera.scale, ...camera.origin];
    if (seen.every((value, i) => value === this.seen[i])) return;
    this.seen = seen;
    const place = (p: Point) => toScreen(camera, p);
    const closed = state.shape.closed || state.shape.box !== null;
    const outline = line(ring(state).map(place), closed);
    this.put("fill", closed ? outline : "");
    this.put("line", outline);
    this.put("dots", spots(state).map((p) => `M${at(place(p))}h0`).join(""));
  }

  private path(name: string): SVGPathElement {
    const path = this.svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", name);
    this.svg.append(path);
    return path;
  }

  private put(layer: Layer, d: string): void {
    if (this.written.get(layer) === d) return;
    this.written.set(layer, d);
    for (const path of this.paths.get(layer)!) path.setAttribute("d", d);
  }
}

/** The corners in their order. */
function ring(state: State): readonly Point[] {
  const { box, points } = state.shape;
  if (box === null) return points;
  return [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]];
}

/** What can be taken hold of: points, or the handles of a box. */
export function spots(state: State): readonly Point[] {
  const { box, corner, points } = state.shape;
  if (box !== null) return handlePoints(box);
  return corner !== null ? [corner] : points;
}

const at = ([x, y]: Point) => `${x.toFixed(2)} ${y.toFixed(2)}`;

function line(points: readonly Point[], closed: boolean): string {
  if (points.length === 0) return "";
  return `M${points.map(at).join("L")}${closed ? "Z" : ""}`;
}

function disc([x, y]: Point, r: number): string {
  return `M${at([x - r, y])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

function aim(state: State, hints: Hints, place: (p: Point) => Point): string {
  if (hints.aim === null || state.shape.closed || state.shape.box !== null) return "";
  const to = place(hints.aim);
  if (state.shape.corner !== null) {
    const from = place(state.shape.corner);
    return line([from, [to[0], from[1]], to, [from[0], to[1]]], true);
  }
  const last = state.shape.points.at(-1);
  return last === undefined ? "" : line([place(last), to], false);
}

function target(kind: "split" | "close", p: Point): string {
  if (kind === "close") return disc(p, 11);
  return `${disc(p, 7)}M${at([p[0] - 4, p[1]])}h8M${at([p[0], p[1] - 4])}v8`;
}

/** With a gap in its middle, so that the pixel under it is seen. */
function cross([x, y]: Point): string {
  return `M${at([x - 28, y])}h24m8 0h24M${at([x, y - 28])}v24m0 8v24`;
}
