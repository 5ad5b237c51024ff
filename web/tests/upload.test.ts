import assert from "node:assert/strict";
import { test } from "node:test";

import { Offline } from "../src/api";
import type { Answer } from "../src/api";
import { Upload } from "../src/upload";
import type { Kept, Said, Server, Store } from "../src/upload";

/** A server in memory that keeps what it was sent, and fails as it is told to. */
class FakeServer implements Server {
  bytes: number[] = [];
  size = 0;
  begun = 0;
  readonly asked: string[] = [];
  /** One for each call to come: what happens instead of an answer, or after the part was kept. */
  faults: ("lost" | "kept, then lost" | "busy" | "gone" | "over" | null)[] = [];

  begin = async (_name: string, size: number): Promise<Answer> => this.answered("begin", () => {
    this.begun += 1;
    this.size = size;
    this.bytes = [];
  });
  look = async (): Promise<Answer> => this.answered("look", () => undefined);
  async send(_id: string, offset: number, part: Blob): Promise<Answer> {
    const bytes = [...new Uint8Array(await part.arrayBuffer())];
    return this.answered(`send ${offset}`, () => {
      assert.equal(offset, this.bytes.length, "a part that does not begin where the file ends");
      this.bytes.push(...bytes);
    });
  }

  private answered(what: string, act: () => void): Answer {
    this.asked.push(what);
    const fault = this.faults.shift() ?? null;
    if (fault === "lost") throw new Offline("no line");
    if (fault === "busy") return { status: 409, body: { error: { code: "busy" } } };
    if (fault === "gone") return { status: 404, body: { error: { code: "no_upload" } } };
    if (fault === "over") return { status: 409, body: { error: { code: "over", message: "This phase is over.", remedy: "" } } };
    act();
    if (fault === "kept, then lost") throw new Offline("no answer");
    return { status: 200, body: { id: "one", size: this.size, received: this.bytes.length, part: 4 } };
  }
}

class Memory implements Store {
  kept: Kept | null = null;
  get = () => this.kept;
  set = (kept: Kept | null) => { this.kept = kept; };
}

const BYTES = Array.from({ length: 10 }, (_, number) => number);

function sending(server: FakeServer, store = new Memory(), name = "a.csv"): { upload: Upload; said: Said[]; waits: number[]; store: Memory } {
  const said: Said[] = [];
  const waits: number[] = [];
  const clock = { now: () => 0, later: (ms: number, act: () => void) => { waits.push(ms); setImmediate(act); }, stop: () => undefined };
  const file = new File([new Uint8Array(BYTES)], name, { lastModified: 7 });
  return { upload: new Upload(file, { server, store, clock, say: (one) => said.push(one) }), said, waits, store };
}

test("a file goes in parts, each where the one before ended", async () => {
  const server = new FakeServer();
  const { upload, said } = sending(server);
  assert.equal(await upload.run(), "one");
  assert.deepEqual(server.bytes, BYTES);
  assert.deepEqual(server.asked, ["begin", "send 0", "send 4", "send 8"]);
  assert.deepEqual(said.map((one) => one.what === "sending" ? one.received : one.what), [0, 4, 8, 10]);
});

test("a lost line is tried again after longer and longer waits, and nothing is sent twice that was kept", async () => {
  const server = new FakeServer();
  server.faults = [null, "kept, then lost", "lost", "lost", null, "busy"];
  const { upload, waits } = sending(server);
  assert.equal(await upload.run(), "one");
  assert.deepEqual(server.bytes, BYTES);
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 1_000]);
  assert.equal(server.begun, 1);
});

test("after a reload the same file goes on, another one begins anew", async () => {
  const server = new FakeServer();
  server.size = 10;
  server.bytes = BYTES.slice(0, 4);
  const store = new Memory();
  store.kept = { id: "one", name: "a.csv", size: 10, changed: 7 };
  assert.equal(await sending(server, store).upload.run(), "one");
  assert.deepEqual(server.asked, ["look", "send 4", "send 8"]);
  const other = new FakeServer();
  await sending(other, store, "b.csv").upload.run();
  assert.deepEqual(other.asked[0], "begin");
});

test("an upload that the server has forgotten is begun anew", async () => {
  const server = new FakeServer();
  server.faults = [null, null, "gone"];
  const { upload } = sending(server);
  assert.equal(await upload.run(), "one");
  assert.deepEqual(server.bytes, BYTES);
  assert.equal(server.begun, 2);
});

test("what is refused is said, and ends it", async () => {
  const server = new FakeServer();
  server.faults = ["over"];
  const { upload, said } = sending(server);
  assert.equal(await upload.run(), null);
  assert.deepEqual(said, [{ what: "refused", message: "This phase is over." }]);
});

test("while it is paused nothing is sent; then it goes on", async () => {
  const server = new FakeServer();
  const { upload } = sending(server);
  upload.pause();
  const done = upload.run();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(server.asked, []);
  upload.goOn();
  assert.equal(await done, "one");
});
