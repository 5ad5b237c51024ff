import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { Announcer } from "../src/announce";
import { csrfToken, failureOf } from "../src/api";
import { Attention } from "../src/attention";
import { problemsOf } from "../src/checks";
import { Mending, stillWrong } from "../src/mending";
import { ownAddress } from "../src/send";
import { EMPTY } from "../src/state";
import { uuid } from "../src/tabs";
import type { Problem, Work } from "../src/types";
import { setWords } from "../src/words";
import { answersOf, leavesOut, mayDraw, NO_ANSWERS, sameWork, sendable, shapeOf, workOf } from "../src/work";

const SHAPE = { ...EMPTY, points: [[1, 1], [5, 1], [5, 5]] as const, closed: true };
const DRAWN = { ...NO_ANSWERS, several_questions: false, several_regions: false, outcome: "polygon" } as const;
const WITH_TEXT = new Set(["other"]);
setWords(new Proxy({}, { get: (_, name) => String(name) }));
Object.assign(globalThis, { document: { documentElement: { lang: "en" } } });

test("a work goes into the form and out of it as it was", () => {
  const work = workOf("grounding", DRAWN, SHAPE, 12);
  assert.deepEqual(workOf("grounding", answersOf(work), shapeOf(work), 12), work);
  const box = workOf("box", { ...NO_ANSWERS, outcome: "box" }, { ...EMPTY, box: [1, 2, 3, 4] }, 0);
  assert.deepEqual(workOf("box", answersOf(box), shapeOf(box), 0), box);
});

test("each stage has its own fields and no other", () => {
  const common = ["comment", "outcome", "reason", "reason_text", "seconds", "stage"];
  const fields = (work: Work) => Object.keys(work).sort();
  assert.deepEqual(fields(workOf("box", NO_ANSWERS, EMPTY, 0)), ["box", ...common].sort());
  assert.deepEqual(fields(workOf("polygon", NO_ANSWERS, EMPTY, 0)), ["closed", "polygon", ...common].sort());
  const steps = ["closed", "polygon", "several_questions", "several_regions", ...common];
  assert.deepEqual(fields(workOf("grounding", NO_ANSWERS, EMPTY, 0)), steps.sort());
});

test("yes ends the sample: the draft keeps what was drawn, the submission does not", () => {
  const work = workOf("grounding", { ...DRAWN, several_regions: true }, SHAPE, 1);
  assert.equal(work.polygon?.length, 3);
  assert.equal(leavesOut(work), true);
  const sent = sendable(work);
  assert.deepEqual([sent.outcome, sent.polygon, sent.closed, sent.several_regions], [null, [], false, true]);
  assert.equal(sendable(workOf("grounding", { ...DRAWN, several_questions: true }, SHAPE, 1)).several_regions, null);
  assert.equal(leavesOut(workOf("grounding", DRAWN, SHAPE, 1)), false);
});

test("a reason is sent only with cannot draw, a shape only with draw", () => {
  const whole = sendable(workOf("polygon", { ...NO_ANSWERS, outcome: "whole_image", reason: "other", reason_text: "x" }, SHAPE, 1));
  assert.deepEqual([whole.polygon, whole.closed, whole.reason, whole.reason_text], [[], false, null, ""]);
  const cannot = sendable(workOf("box", { ...NO_ANSWERS, outcome: "cannot_draw", reason: "other", reason_text: "x" }, { ...EMPTY, box: [0, 0, 2, 2] }, 1));
  assert.deepEqual([cannot.box, cannot.reason, cannot.reason_text], [null, "other", "x"]);
});

test("drawing begins when both steps are answered no", () => {
  assert.equal(mayDraw("grounding", NO_ANSWERS), false);
  assert.equal(mayDraw("grounding", { ...NO_ANSWERS, several_questions: false }), false);
  assert.equal(mayDraw("grounding", DRAWN), true);
  assert.equal(mayDraw("box", NO_ANSWERS), true);
});

const fieldsOf = (work: Work) => problemsOf(sendable(work), WITH_TEXT).map((problem) => problem.field);

test("what the page can say against sending", () => {
  const of = (answers: object, shape = SHAPE) => fieldsOf(workOf("grounding", { ...DRAWN, ...answers }, shape, 1));
  assert.deepEqual(of({}), []);
  assert.deepEqual(of({ several_questions: null }), ["several_questions"]);
  assert.deepEqual(of({ several_regions: null }), ["several_regions"]);
  assert.deepEqual(of({ several_questions: true, several_regions: null, outcome: null }), []);
  assert.deepEqual(of({ outcome: null }), ["outcome"]);
  assert.deepEqual(of({}, { ...SHAPE, closed: false }), ["polygon"]);
  assert.deepEqual(of({}, EMPTY as typeof SHAPE), ["polygon"]);
  assert.deepEqual(of({ outcome: "whole_image" }), []);
  assert.deepEqual(of({ outcome: "cannot_draw" }), ["reason"]);
  assert.deepEqual(of({ outcome: "cannot_draw", reason: "other", reason_text: "  " }), ["reason_text"]);
  assert.deepEqual(of({ outcome: "cannot_draw", reason: "blurred" }), []);
  assert.deepEqual(fieldsOf(workOf("box", { ...NO_ANSWERS, outcome: "box" }, EMPTY, 1)), ["box"]);
});

test("works are the same whatever the order of their fields and the seconds", () => {
  const work = workOf("polygon", NO_ANSWERS, SHAPE, 3);
  assert.equal(sameWork(work, { ...Object.fromEntries(Object.entries(work).reverse()), seconds: 9 } as unknown as Work), true);
  assert.equal(sameWork(work, { ...work, comment: "x" }), false);
});

test("attention goes on only while the page is in front", () => {
  let now = 0;
  const attention = new Attention(() => now);
  attention.visible(true);
  now = 5000;
  attention.visible(false);
  now = 60_000;
  assert.equal(attention.seconds, 5);
  attention.goOnFrom(20);
  attention.visible(true);
  attention.visible(true);
  now = 61_500;
  assert.equal(attention.seconds, 21.5);
});

test("what is announced is the newest, after a rest; a refusal at once", () => {
  const said: string[] = [];
  let act = null as (() => void) | null;
  const clock = { now: () => 0, later: (_: number, run: () => void) => (act = run), stop: () => (act = null) };
  const announcer = new Announcer((sentence) => said.push(sentence), clock);
  announcer.say("1");
  announcer.say("2");
  assert.deepEqual(said, []);
  act!();
  assert.deepEqual(said, ["2"]);
  announcer.say("3");
  announcer.now("no");
  assert.equal(act, null);
  announcer.now("no");
  assert.equal(new Set(said.slice(1)).size, 2);
  assert.deepEqual(said.slice(1).map((sentence: string) => sentence.trim()), ["no", "no"]);
});

test("only pages of this server are gone to", () => {
  const here = "https://example.org/annotate/work/1/";
  assert.equal(ownAddress("/annotate/work/2/", here), "https://example.org/annotate/work/2/");
  assert.equal(ownAddress("https://elsewhere.org/x", here), "https://example.org/");
  assert.equal(ownAddress("javascript:alert(1)", here), "https://example.org/");
  assert.equal(ownAddress(undefined, here), "https://example.org/");
});

test("the token is read from the cookies, the error from its one shape", () => {
  assert.equal(csrfToken("a=b; csrftoken=x%3Dy; c=d"), "x=y");
  assert.equal(csrfToken(""), "");
  assert.equal(failureOf({ status: 500, body: null }).code, "http_500");
  assert.equal(failureOf({ status: 409, body: { error: { code: "lease_over" } } }).code, "lease_over");
});

test("names are random UUIDs of version 4", () => {
  const names = Array.from({ length: 50 }, uuid);
  for (const name of names) assert.match(name, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(names).size, 50);
});

test("each file is small", () => {
  for (const name of readdirSync("src")) {
    assert.ok(readFileSync(`src/${name}`, "utf8").split("\n").length <= 250, name);
  }
});

test("a problem that was told goes when it is mended, and no other comes in its place", () => {
  const none = workOf("polygon", { ...NO_ANSWERS, outcome: "polygon" }, EMPTY, 1);
  const told = problemsOf(sendable(none), WITH_TEXT);
  assert.deepEqual(told.map((one) => one.problem), ["polygon_missing_problem"]);
  const after = (work: Work) => stillWrong(told, none, work, WITH_TEXT).map((one) => one.problem);
  assert.deepEqual(after({ ...none, comment: "x" }), ["polygon_missing_problem"]);
  assert.deepEqual(after(workOf("polygon", DRAWN, { ...SHAPE, closed: false }, 1)), ["polygon_open_problem"]);
  assert.deepEqual(after(workOf("polygon", DRAWN, SHAPE, 1)), []);
  assert.deepEqual(after({ ...none, outcome: "cannot_draw" }), []);
});

test("what only the server sees is told until its field is changed, and the focus is led there once", () => {
  let work: Work = { ...workOf("polygon", DRAWN, SHAPE, 1), comment: "bad" };
  const shown: [number, boolean][] = [];
  const mending = new Mending({
    work: () => work, withText: () => WITH_TEXT, show: (problems: readonly Problem[], lead) => shown.push([problems.length, lead]),
  });
  mending.changed();
  mending.wrong([{ field: "comment", problem: "p", remedy: "r" }]);
  work = { ...work, closed: false };
  mending.changed();
  assert.deepEqual(shown, [[1, true]]);
  work = { ...work, comment: "good" };
  mending.changed();
  mending.changed();
  assert.deepEqual(shown, [[1, true], [0, false]]);
});
