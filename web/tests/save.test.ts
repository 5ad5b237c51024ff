import assert from "node:assert/strict";
import { test } from "node:test";

import { Offline } from "../src/api";
import type { Answer, DraftBody } from "../src/api";
import { beginning, Keeper } from "../src/kept";
import type { Kept, Store } from "../src/kept";
import { SaveQueue, wait } from "../src/save";
import type { Status } from "../src/save";
import type { Draft, Work } from "../src/types";

/** A clock that goes on when it is told to. */
class HandClock {
  time = 1_000_000;
  private timers: { at: number; act: () => void }[] = [];
  now = () => this.time;
  later = (ms: number, act: () => void) => {
    const timer = { at: this.time + ms, act };
    this.timers.push(timer);
    return timer;
  };
  stop = (timer: unknown) => {
    this.timers = this.timers.filter((other) => other !== timer);
  };

  async goOn(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.stop(next);
      this.time = next.at;
      next.act();
      await settled();
    }
    this.time = end;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

class Memory implements Store {
  private readonly map = new Map<string, string>();
  full = false;
  writes = 0;
  get length() { return this.map.size; }
  key = (i: number) => [...this.map.keys()][i] ?? null;
  getItem = (name: string) => this.map.get(name) ?? null;
  removeItem = (name: string) => void this.map.delete(name);
  setItem = (name: string, value: string) => {
    this.writes += 1;
    if (this.full) throw new Error("QuotaExceededError");
    this.map.set(name, value);
  };
}

function work(comment: string): Work {
  return { stage: "polygon", outcome: null, polygon: [], closed: false, reason: null, reason_text: "", comment, seconds: 0 };
}

const draft = (version: number, comment: string, tab = "other"): Draft =>
  ({ version, work: work(comment), tab, saved_at: "2026-01-01T00:00:00Z" });

/** A server with the rule of versions, and a queue that saves to it. */
class Bench {
  clock = new HandClock();
  store = new Memory();
  keeper = new Keeper(this.store, 7);
  versions: Draft[] = [];
  puts: DraftBody[] = [];
  statuses: Status[] = [];
  next: (Answer | Error)[] = [];
  queue = new SaveQueue({
    tab: "mine", put: (body) => this.put(body), keeper: this.keeper, clock: this.clock, random: () => 1,
    onStatus: (status) => this.statuses.push(status), onSaved: () => undefined,
  }, 0);

  get last() { return this.statuses.at(-1); }
  get newest() { return this.versions.at(-1); }

  take(body: DraftBody): Answer {
    const newest = this.newest?.version ?? 0;
    if (body.base !== newest && !body.overwrite) return { status: 409, body: { error: { code: "draft_conflict", details: this.newest } } };
    this.versions.push({ version: newest + 1, work: body.work, tab: body.tab, saved_at: "2026-01-01T00:00:00Z" });
    return { status: 200, body: { version: newest + 1, saved_at: "2026-01-01T00:00:00Z" } };
  }

  private async put(body: DraftBody): Promise<Answer> {
    this.puts.push(body);
    const next = this.next.shift();
    if (next instanceof Error) throw next;
    return next ?? this.take(body);
  }
}

test("a change is kept here at once and on the server within a second", async () => {
  const bench = new Bench();
  bench.queue.changed(work("a"));
  assert.equal(bench.keeper.all()[0]?.work.comment, "a");
  await bench.clock.goOn(1000);
  assert.equal(bench.newest?.work.comment, "a");
  assert.equal(bench.last?.is, "saved");
  assert.deepEqual(bench.keeper.all(), []);
  assert.equal(bench.queue.unsent, false);
});

test("who changes without a pause is saved all the same, one save at a time, on top of each other", async () => {
  const bench = new Bench();
  for (let i = 0; i < 50; i += 1) {
    bench.queue.changed(work(`${i}`));
    await bench.clock.goOn(100);
  }
  await bench.clock.goOn(1000);
  assert.ok(bench.puts.length >= 5 && bench.puts.length <= 14, `${bench.puts.length} saves in 5 seconds`);
  assert.deepEqual(bench.puts.map((put) => put.base), bench.puts.map((_, i) => i));
  assert.equal(bench.newest?.work.comment, "49");
});

test("a drag is written to this computer a few times a second, and in full when the hand is lifted", async () => {
  const bench = new Bench();
  bench.next = [new Offline("x")];
  for (let i = 0; i < 200; i += 1) {
    bench.queue.changed(work(`${i}`));
    await bench.clock.goOn(10);
  }
  assert.ok(bench.store.writes >= 4 && bench.store.writes <= 12, `${bench.store.writes} writes in 2 seconds`);
  bench.queue.changed(work("let go"));
  bench.queue.settle();
  assert.equal(bench.keeper.all()[0]?.work.comment, "let go");
  const { writes } = bench.store;
  bench.queue.settle();
  assert.equal(bench.store.writes, writes);
});

test("what is saved or sent is not written to this computer afterwards", async () => {
  const bench = new Bench();
  bench.queue.changed(work("a"));
  bench.queue.changed(work("b"));
  await bench.queue.flush();
  bench.queue.settle();
  assert.deepEqual(bench.keeper.all(), []);
  bench.queue.changed(work("c"));
  bench.queue.changed(work("d"));
  await bench.queue.stop();
  bench.queue.done();
  bench.keeper.forget();
  bench.queue.settle();
  assert.deepEqual(bench.keeper.all(), []);
});

test("a change while a call is under way is not made to wait twice", async () => {
  const bench = new Bench();
  const SLOW_MS = 300;
  const take = bench.take.bind(bench);
  let seen = 0;
  bench.queue = new SaveQueue({
    tab: "mine", keeper: bench.keeper, clock: bench.clock, random: () => 1,
    onStatus: () => undefined, onSaved: () => undefined,
    put: (body) => new Promise((resolve) => bench.clock.later(SLOW_MS, () => {
      if (body.work.comment === "b") seen = bench.clock.time;
      resolve(take(body));
    })),
  }, 0);
  bench.queue.changed(work("a"));
  await bench.clock.goOn(360);
  const made = bench.clock.time;
  bench.queue.changed(work("b"));
  await bench.clock.goOn(2000);
  assert.ok(seen > made && seen - made <= 700, `${seen - made} ms`);
});

test("without connection it is told, kept, and sent once it is back", async () => {
  const bench = new Bench();
  bench.next = [new Offline("x"), new Offline("x"), { status: 502, body: null }, { status: 429, body: null }];
  bench.queue.changed(work("a"));
  await bench.clock.goOn(1000);
  assert.deepEqual(bench.last, { is: "offline", kept: true });
  assert.equal(bench.keeper.all().length, 1);
  assert.equal(bench.queue.unsent, true);
  bench.queue.changed(work("b"));
  await bench.clock.goOn(60_000);
  assert.equal(bench.newest?.work.comment, "b");
  assert.equal(bench.last?.is, "saved");
});

test("waiting doubles, has an end, and is spread", () => {
  assert.deepEqual([0, 1, 2, 3].map((tries) => wait(tries, 1)), [1000, 2000, 4000, 8000]);
  assert.equal(wait(50, 1), 30_000);
  assert.equal(wait(2, 0), 2000);
});

test("when the network is back nobody waits", async () => {
  const bench = new Bench();
  bench.next = Array.from({ length: 5 }, () => new Offline("x"));
  bench.queue.changed(work("a"));
  await bench.clock.goOn(12_000);
  bench.next = [];
  await bench.queue.flush();
  assert.equal(bench.newest?.work.comment, "a");
});

test("a browser that keeps nothing is told of", async () => {
  const bench = new Bench();
  bench.store.full = true;
  bench.next = [new Offline("x")];
  bench.queue.changed(work("a"));
  await bench.clock.goOn(500);
  assert.deepEqual(bench.last, { is: "offline", kept: false });
});

test("who is signed out keeps the work, and it goes out after signing in", async () => {
  const bench = new Bench();
  bench.next = [{ status: 401, body: null }, { status: 403, body: null }];
  bench.queue.changed(work("a"));
  await bench.clock.goOn(500);
  assert.deepEqual(bench.last, { is: "signed_out", kept: true });
  await bench.clock.goOn(5000);
  assert.equal(bench.newest?.work.comment, "a");
});

test("another tab's version is asked about and nothing is sent meanwhile; keeping mine goes on top of it", async () => {
  const bench = new Bench();
  bench.versions = [draft(1, "theirs")];
  bench.queue.changed(work("mine"));
  await bench.clock.goOn(500);
  assert.equal(bench.last?.is, "conflict");
  bench.queue.changed(work("mine too"));
  await bench.clock.goOn(60_000);
  assert.equal(bench.puts.length, 1);
  assert.equal(bench.keeper.all()[0]?.work.comment, "mine too");
  bench.queue.keepMine(1);
  await bench.clock.goOn(500);
  assert.deepEqual(bench.versions.map((one) => one.work.comment), ["theirs", "mine too"]);
  bench.queue.changed(work("more"));
  await bench.clock.goOn(1000);
  assert.equal(bench.puts.at(-1)?.overwrite, false);
});

test("taking the other version leaves nothing to send", async () => {
  const bench = new Bench();
  bench.versions = [draft(1, "theirs")];
  bench.queue.changed(work("mine"));
  await bench.clock.goOn(500);
  bench.queue.adopt(1, work("theirs"));
  // The page shows it, which counts as a change to the same.
  bench.queue.changed(work("theirs"));
  await bench.clock.goOn(5000);
  assert.equal(bench.puts.length, 1);
  assert.deepEqual(bench.keeper.all(), []);
  assert.equal(bench.queue.unsent, false);
});

test("a save whose acknowledgement was lost is no conflict", async () => {
  const bench = new Bench();
  bench.queue.changed(work("a"));
  const put = bench.take.bind(bench);
  bench.take = (body) => {
    put(body);
    bench.take = put;
    throw new Offline("the answer is lost");
  };
  await bench.clock.goOn(500);
  assert.equal(bench.last?.is, "offline");
  bench.queue.changed(work("b"));
  await bench.clock.goOn(5000);
  assert.deepEqual(bench.versions.map((one) => one.work.comment), ["a", "b"]);
  assert.equal(bench.statuses.some((status) => status.is === "conflict"), false);
});

test("a lease that is over ends saving; the work stays here", async () => {
  const bench = new Bench();
  bench.next = [{ status: 409, body: { error: { code: "lease_over", message: "Gone.", remedy: "" } } }];
  bench.queue.changed(work("a"));
  await bench.clock.goOn(60_000);
  assert.equal(bench.last?.is, "lease_over");
  assert.equal(bench.puts.length, 1);
  assert.equal(bench.keeper.all()[0]?.work.comment, "a");
});

test("what the server refuses is told, and sent again once it has changed", async () => {
  const bench = new Bench();
  bench.next = [{ status: 422, body: { error: { code: "not_valid", message: "No.", remedy: "" } } }];
  bench.queue.changed(work("a"));
  await bench.clock.goOn(10_000);
  assert.equal(bench.last?.is, "refused");
  assert.equal(bench.puts.length, 1);
  bench.queue.changed(work("b"));
  await bench.clock.goOn(1000);
  assert.equal(bench.newest?.work.comment, "b");
});

test("undoing back to what is saved saves nothing", async () => {
  const bench = new Bench();
  bench.queue.changed(work("a"));
  await bench.clock.goOn(1000);
  bench.queue.changed(work("b"));
  bench.queue.changed(work("a"));
  await bench.clock.goOn(1000);
  assert.equal(bench.puts.length, 1);
  assert.deepEqual(bench.keeper.all(), []);
});

const kept = (comment: string, base: number, tab = "before"): Kept =>
  ({ tab, base, work: work(comment), at: "2026-01-01T00:00:01Z", unsent: true });

test("after loading, the newest is gone on with; asked only where both went on", () => {
  assert.equal(beginning(draft(3, "server"), null).from, "server");
  assert.equal(beginning(draft(3, "same"), kept("same", 2)).from, "server");
  assert.deepEqual(beginning(draft(3, "server"), kept("here", 3)), { from: "computer", base: 3, work: work("here"), tab: "before" });
  assert.equal(beginning(null, kept("here", 0)).from, "computer");
  assert.equal(beginning(draft(4, "server"), kept("here", 3)).from, "ask");
  // The acknowledgement of that tab's own save was lost in a crash.
  assert.equal(beginning(draft(4, "server", "before"), kept("here", 3)).from, "computer");
});

test("each tab keeps its own, and the key of a submission stays the same", () => {
  const store = new Memory();
  const [mine, other] = [new Keeper(store, 1), new Keeper(store, 2)];
  mine.put(kept("a", 0, "t1"));
  mine.put(kept("b", 0, "t2"));
  other.put(kept("c", 0, "t1"));
  assert.deepEqual(mine.all().map((one) => one.work.comment).sort(), ["a", "b"]);
  assert.equal(mine.key(() => "k1"), "k1");
  assert.equal(new Keeper(store, 1).key(() => "k2"), "k1");
  mine.forget();
  assert.deepEqual(mine.all(), []);
  assert.equal(other.all().length, 1);
  assert.equal(mine.key(() => "k3"), "k3");
});
