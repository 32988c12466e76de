/** The example of several machines: as a user runs it, and its feed under what happens to connections. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Database } from "rowtype";
import { HostLoopback } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeApi } from "../../examples/board/api.js";
import { type Feed, openFeed } from "../../examples/board/feed.js";
import { Message, prepare } from "../../examples/board/tables.js";
import { on } from "../../src/http/index.js";
import { type Lent, servers } from "../servers.js";
import { gate } from "./gate.js";

const postgres = servers.find(({ name }) => name === "postgres");

describe.skipIf(postgres?.available !== true)("the board", () => {
  let lent: Lent;
  let pool: pg.Pool;
  let db: Database<"postgres">;
  let connectionString: string;
  const feeds: Feed[] = [];
  beforeEach(async () => {
    if (postgres === undefined) throw new Error("there is a server");
    lent = await postgres.lend();
    if (lent.pool === undefined) throw new Error("PostgreSQL comes with its pool");
    pool = lent.pool;
    // It is the one that was asked for by name.
    db = lent.db as Database<"postgres">;
    connectionString = String(pool.options.connectionString);
  });
  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.close()));
    await lent.close();
  });

  async function feedOf(): Promise<Feed> {
    const feed = await openFeed(db, () => new pg.Client({ connectionString }));
    feeds.push(feed);
    return feed;
  }

  test("demonstrates that nothing is lost while copies are replaced, and when one crashes", async () => {
    const demo = fileURLToPath(new URL("../../examples/board/demo.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", demo], {
      env: { ...process.env, DATABASE_URL: connectionString, MESSAGES: "150" },
    });
    let printed = "";
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    }
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(printed).toContain("both were replaced; 0 messages had to be sent again");
    expect(printed).toContain("5 of 5 followers saw all 150 messages once, in order");
    expect(code).toBe(0);
  }, 60_000);

  test("keeps the order of messages whose transactions run at the same time", async () => {
    await prepare(db, pool);
    const feed = await feedOf();
    const stop = new AbortController();
    const seen: bigint[] = [];
    const following = (async () => {
      for await (const { id } of feed.after(0n, stop.signal)) if (seen.push(id) === 300) return;
    })();
    const messages = db.repository(Message);
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        messages.insert().execBatch(
          Array.from({ length: 3 }, (_, m) => ({
            key: crypto.randomUUID(),
            author: "a",
            text: `${n}.${m}`,
          })),
        ),
      ),
    );
    await following;
    expect(seen).toEqual(seen.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(seen).size).toBe(300);
    stop.abort();
  });

  test("reads a long way back from the table, and goes on with what is new", async () => {
    await prepare(db, pool);
    const messages = db.repository(Message);
    const batch = (count: number) =>
      messages
        .insert()
        .execBatch(
          Array.from({ length: count }, () => ({ key: crypto.randomUUID(), author: "a", text: "x" })),
        );
    await batch(1_700);
    const feed = await feedOf();
    const stop = new AbortController();
    let seen = 0;
    const following = (async () => {
      for await (const _ of feed.after(0n, stop.signal)) if (++seen === 3_500) return;
    })();
    await batch(1_800);
    await following;
    expect(feed.last).toBe(3_500n);
  });

  test("is not ready while its connection is lost, and then goes on with all that was published meanwhile", async () => {
    await prepare(db, pool);
    const feed = await feedOf();
    const api = makeApi(db, feed);
    const { url } = await api.start(HostLoopback, 0);
    const client = createClient<typeof api>(url);
    const publish = (text: string) =>
      client.PUT("/messages/{key}", { path: { key: crypto.randomUUID() }, body: { author: "a", text } });
    const ready = async () => (await fetch(`${url}/ready`)).status;
    const seen: string[] = [];
    const follows = gate();
    const off = on("http.stream.started", follows.open);
    const following = (async () => {
      for await (const { data } of client.stream("GET", "/messages/live"))
        if (seen.push(data.text) === 3) return;
    })();
    // Whoever follows has what is published from now on.
    await follows.opened;
    await publish("one");
    await expect.poll(() => seen.length).toBe(1);
    expect(await ready()).toBe(200);

    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
    );
    await expect.poll(() => feed.isListening).toBe(false);
    expect(await ready()).toBe(503);
    await publish("two");
    expect(seen).toEqual(["one"]);
    await expect.poll(() => feed.isListening).toBe(true);
    expect(await ready()).toBe(200);
    await publish("three");
    await following;
    off();
    expect(seen).toEqual(["one", "two", "three"]);
    expect(await api.shutdown()).toEqual({ graceful: true });
  });

  test("publishes a message once, however often it is sent", async () => {
    await prepare(db, pool);
    const api = makeApi(db, await feedOf());
    const { url } = await api.start(HostLoopback, 0);
    const client = createClient<typeof api>(url);
    const key = crypto.randomUUID();
    const sent = () => client.PUT("/messages/{key}", { path: { key }, body: { author: "a", text: "once" } });
    const [first, second] = [await sent(), await sent()];
    expect(second.data).toEqual(first.data);
    expect((await client.GET("/messages")).data).toEqual([first.data]);
    const bad = client.stream("GET", "/messages/live", { lastEventId: "x" })[Symbol.asyncIterator]().next();
    await expect(bad).rejects.toMatchObject({ code: "BAD_REQUEST", status: 400 });
    await api.shutdown();
  });
});
