/**
 * Three nodes of MariaDB that hold the same rows: writers on all of them meet on a few rows, nodes are killed and come
 * back, and two of three are gone. What was said to be stored is on every node, once.
 */
import mysql from "mysql2/promise";
import { column, type Database, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../rounds.js";
import { type Cluster, galeraLacks, startGalera } from "./galera.js";
import { Counter, expectExact, type Heard, outcomeOf, prepareLedger, tally, write } from "./ledger.js";
import { START_MS, until } from "./own-servers.js";

const WRITINGS = rounds({ small: 60, full: 2_000 });
const WRITERS = 3;
const Single = table("singles", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() }));
const PATIENCE_MS = patience(120_000, 500, 3 * WRITINGS);

test("Galera is installed", ({ skip }) => {
  if (galeraLacks !== undefined) skip(`no ${galeraLacks}: campaigns on a Galera cluster are skipped`);
});

describe.skipIf(galeraLacks !== undefined)("on three nodes of Galera", () => {
  let cluster: Cluster;
  const pools: mysql.Pool[] = [];
  const heard: Heard[] = [];
  let entry = 0;

  const databaseOf = (at: number, retries = 0): Database =>
    mariadb(pools[at] as mysql.Pool, { retries }) as unknown as Database;
  const signal = () => AbortSignal.timeout(60_000);

  beforeAll(async () => {
    cluster = await startGalera();
    const [first] = cluster.nodes;
    const admin = await mysql.createConnection(first?.url ?? "");
    await admin.query("CREATE DATABASE ledger");
    await admin.end();
    for (const { url } of cluster.nodes)
      pools.push(mysql.createPool({ uri: `${url}/ledger`, connectionLimit: WRITERS }));
    await prepareLedger(databaseOf(0));
    await databaseOf(0).createTables(Single);
    await databaseOf(0)
      .repository(Single)
      .insert()
      .execBatch([
        { id: 1, n: 0 },
        { id: 2, n: 0 },
      ]);
    await inStep();
  }, 4 * START_MS);
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end().catch(() => undefined)));
    await cluster?.end();
  }, START_MS);

  /** Waits until the nodes have what the others stored. */
  async function inStep(nodes: readonly number[] = [0, 1, 2]): Promise<void> {
    const sums = async (at: number) =>
      JSON.stringify(await databaseOf(at).repository(Counter).query().orderBy("id", "asc").exec());
    await until("the nodes are in step", async () => {
      const all = await Promise.all(nodes.map(sums));
      return new Set(all).size === 1;
    });
  }

  /** Writers on these nodes, until each has written so often. */
  async function writers(nodes: readonly number[], each: number): Promise<Heard[]> {
    const said: Heard[] = [];
    await Promise.all(
      nodes.flatMap((at) =>
        Array.from({ length: WRITERS }, async () => {
          for (let i = 0; i < each; i++) said.push(await write(databaseOf(at), ++entry, signal()));
        }),
      ),
    );
    heard.push(...said);
    return said;
  }

  test("every node answers a ping", async () => {
    for (const at of [0, 1, 2]) await databaseOf(at).ping({ signal: signal() });
  });

  test("if two transactions on two nodes change one row, one commits and one fails with DEADLOCK", async () => {
    const change = (at: number, begun: () => void, go: Promise<void>) =>
      outcomeOf(
        databaseOf(at).transaction(async (tx) => {
          const add = tx.repository(Single).modify().setExpr("n", "+", "by").where("id", "=", "id");
          await add.exec({ by: 1, id: 2 });
          begun();
          await go;
        }),
      );
    let started = 0;
    let release: () => void = () => undefined;
    const go = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun = () => {
      if (++started === 2) release();
    };
    const outcomes = await Promise.all([change(0, begun, go), change(1, begun, go)]);
    expect(outcomes.sort()).toEqual(["DEADLOCK", "stored"]);
  });

  test(
    `${6 * WRITINGS} calls on one row: some fail with DEADLOCK without retries, none with retries, and the sums are exact`,
    async () => {
      const calls = async (retries: number) => {
        const outcomes = await Promise.all(
          [0, 1, 2].flatMap((at) => {
            const add = databaseOf(at, retries)
              .repository(Single)
              .modify()
              .setExpr("n", "+", "by")
              .where("id", "=", "id");
            return Array.from({ length: WRITINGS }, () => outcomeOf(add.exec({ by: 1, id: 1 })));
          }),
        );
        return tally(outcomes.map((code) => ({ code })));
      };
      const alone = await calls(0);
      expect(Object.keys(alone).sort()).toEqual(["DEADLOCK", "stored"]);
      expect(await calls(100)).toEqual({ stored: 3 * WRITINGS });
      const sum = (alone["stored"] ?? 0) + 3 * WRITINGS;
      for (const at of [0, 1, 2]) {
        const one = databaseOf(at).repository(Single).select().where("id", "=", "id");
        await until(`node ${at} has the sum`, async () => (await one.exec({ id: 1 })).n === sum);
      }
    },
    PATIENCE_MS,
  );

  test(
    "writers on the same rows of all nodes: every reported outcome is true on every node",
    async () => {
      expect(tally(await writers([0, 1, 2], WRITINGS))).toEqual({ stored: 3 * WRITERS * WRITINGS });
      await inStep();
      for (const at of [0, 1, 2]) await expectExact(databaseOf(at), heard);
    },
    PATIENCE_MS,
  );

  test(
    "a node that is killed under load loses nothing, and has all rows after its restart",
    async () => {
      const working = writers([0, 1, 2], WRITINGS);
      const half = entry + 1.5 * WRITERS * WRITINGS;
      await until("half of it is written", async () => entry > half, PATIENCE_MS);
      await cluster.nodes[2]?.kill();
      const said = tally(await working);
      const words = ["stored", "CONNECTION_LOST", "UNKNOWN_OUTCOME"];
      expect(Object.keys(said).filter((code) => !words.includes(code))).toEqual([]);
      expect(said["stored"]).toBeGreaterThanOrEqual(2 * WRITERS * WRITINGS);
      await inStep([0, 1]);
      for (const at of [0, 1]) await expectExact(databaseOf(at), heard);
      await cluster.nodes[2]?.restart();
      await databaseOf(2).ping({ signal: signal() });
      await writers([0, 1, 2], 5);
      await inStep();
      for (const at of [0, 1, 2]) await expectExact(databaseOf(at), heard);
    },
    PATIENCE_MS + 2 * START_MS,
  );

  test(
    "a node without a majority refuses statements, by code and by ping, and its connections are destroyed",
    async () => {
      await cluster.nodes[1]?.kill();
      await cluster.nodes[2]?.kill();
      const db = databaseOf(0);
      const first = await write(db, ++entry, signal());
      heard.push(first);
      expect(["UNKNOWN_OUTCOME", "CONNECTION_LOST"]).toContain(first.code);
      await until(
        "the node knows that it is alone",
        async () => (await outcomeOf(db.ping())) === "CONNECTION_LOST",
      );
      const ids = async () => (await (pools[0] as mysql.Pool).query("SELECT CONNECTION_ID() AS id"))[0];
      const before = JSON.stringify(await ids());
      const counters = db.repository(Counter);
      for (const call of [
        () => counters.count().exec(),
        () => counters.modify().set("n", "n").where("id", "=", "id").exec({ n: 1, id: 0 }),
        () => db.transaction((tx) => tx.repository(Counter).count().exec()),
      ])
        expect(await outcomeOf(call())).toBe("CONNECTION_LOST");
      expect(JSON.stringify(await ids())).not.toBe(before);
      expect(await outcomeOf(db.ping({ signal: signal() }))).toBe("CONNECTION_LOST");
    },
    PATIENCE_MS,
  );
});
