import assert from "node:assert/strict";
import { test } from "node:test";

import { Overlay } from "../src/overlay";
import { EMPTY, started, step } from "../src/state";
import type { Point } from "../src/types";

/** As much of a page as an overlay asks for; it counts what is written to each path. */
class Element {
  name = "";
  written = 0;
  children: Element[] = [];
  classList = { add: () => undefined, toggle: () => undefined };
  ownerDocument = { createElementNS: () => new Element() };
  append = (child: Element) => void this.children.push(child);
  setAttribute(name: string, value: string): void {
    if (name === "class") this.name = value;
    if (name === "d") this.written += 1;
  }
}

test("a pointer that hovers over many points has only what it points at drawn anew", () => {
  const host = new Element();
  const overlay = new Overlay(host as unknown as HTMLElement);
  const paths = host.children[0]!.children;
  const written = (name: string) => paths.filter((path) => path.name.startsWith(name)).map((path) => path.written);
  const points = Array.from({ length: 500 }, (_, i): Point => [i, (i * i) % 97]);
  const state = started("polygon", { width: 500, height: 100 }, { ...EMPTY, points });
  const hints = { aim: null, crosshair: null, target: null, warning: false };
  const camera = () => ({ scale: 2, origin: [10, 20] as const, extent: [800, 600] as const });
  for (let x = 0; x < 50; x += 1) overlay.draw(state, camera(), { ...hints, aim: [x, 5] });
  assert.deepEqual([written("line"), written("dots"), written("aim")], [[1, 1], [1, 1], [50, 50]]);
  overlay.draw(state, { ...camera(), origin: [11, 20] }, hints);
  const moved = step(state, { do: "move", index: 3, to: [3, 50], gesture: "drag 1", unchecked: true }).state;
  overlay.draw(moved, { ...camera(), origin: [11, 20] }, hints);
  assert.deepEqual([written("line"), written("dots")], [[3, 3], [3, 3]]);
});
