import assert from "node:assert/strict";
import { test } from "node:test";

import { EACH_MS, STAYS_MS, Speaker } from "../src/speaker";

class FakeClock {
  private time = 0;
  private timers: { at: number; act: () => void }[] = [];

  now = () => this.time;
  later = (ms: number, act: () => void) => {
    const timer = { at: this.time + ms, act };
    this.timers.push(timer);
    return timer;
  };
  stop = (timer: unknown) => { this.timers = this.timers.filter((each) => each !== timer); };

  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.time = next.at;
      this.stop(next);
      next.act();
    }
    this.time = end;
  }
}

function speaking(): { clock: FakeClock; said: [number, string][]; speaker: Speaker } {
  const clock = new FakeClock();
  const said: [number, string][] = [];
  return { clock, said, speaker: new Speaker((sentence) => said.push([clock.now(), sentence]), clock) };
}

test("sentences come one after another, each with time of its own", () => {
  const { clock, said, speaker } = speaking();
  for (const each of ["Sending the photo.", "You are next.", "Looking at the photo."]) speaker.say(each);
  assert.deepEqual(said, [[0, "Sending the photo."]]);
  clock.pass(10 * EACH_MS);
  assert.deepEqual(said, [[0, "Sending the photo."], [EACH_MS, "You are next."], [2 * EACH_MS, "Looking at the photo."]]);
});

test("a sentence that is heard already is not said again, until something else was", () => {
  const { clock, said, speaker } = speaking();
  for (const each of ["You are next.", "You are next.", "Looking.", "Looking.", "You are next."]) speaker.say(each);
  clock.pass(10 * EACH_MS);
  assert.deepEqual(said.map(([, each]) => each), ["You are next.", "Looking.", "You are next."]);
});

test("the answer does not wait for what is out of date", () => {
  const { clock, said, speaker } = speaking();
  for (const each of ["Sending the photo.", "You are next.", "Looking at the photo."]) speaker.say(each);
  clock.pass(100);
  speaker.end("Middle of the photo.");
  // The heading has the focus by now, and is heard first.
  const rest = 100 + EACH_MS;
  clock.pass(10 * EACH_MS);
  assert.deepEqual(said, [[0, "Sending the photo."], [100, ""], [rest, "Middle of the photo."]]);
  speaker.say("The answer is copied.");
  assert.deepEqual(said.at(-1), [100 + 10 * EACH_MS, "The answer is copied."]);
});

test("where the heading is all that there is to hear, nothing is left in the region", () => {
  const { clock, said, speaker } = speaking();
  speaker.say("Looking at the photo.");
  clock.pass(100);
  speaker.end("");
  clock.pass(10 * STAYS_MS);
  assert.deepEqual(said.filter(([, each]) => each !== ""), [[0, "Looking at the photo."]]);
  assert.deepEqual(said[1], [100, ""]);
});

test("the same answer to another question is said again", () => {
  const { clock, said, speaker } = speaking();
  speaker.end("Fairly sure.");
  clock.pass(2 * EACH_MS);
  speaker.end("Fairly sure.");
  clock.pass(2 * EACH_MS);
  assert.deepEqual(said.map(([, each]) => each), ["", "Fairly sure.", "", "Fairly sure."]);
});

test("what was said goes after a while, so that it is not met at the end of the page as well", () => {
  const { clock, said, speaker } = speaking();
  speaker.say("A cup.");
  clock.pass(EACH_MS + STAYS_MS - 1);
  assert.deepEqual(said, [[0, "A cup."]]);
  clock.pass(1);
  assert.deepEqual(said.at(-1), [EACH_MS + STAYS_MS, ""]);
  speaker.say("The answer is copied.");
  clock.pass(EACH_MS + STAYS_MS - 1);
  speaker.say("200 per cent.");
  clock.pass(EACH_MS);
  assert.deepEqual(said.map(([, each]) => each), ["A cup.", "", "The answer is copied.", "200 per cent."]);
});
