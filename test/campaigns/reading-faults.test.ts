/**
 * Connections that break, calls that are aborted and sessions that are killed while rows with rows inside are read: as a
 * list, as a stream, page by page. What was read is the beginning of what there is, what ended without an error is all of
 * it, and the pool of two is whole afterwards. In full there are 1,000 faults on each server.
 */
import { setTimeout } from "node:timers/promises";
import { column, type Database, many, SqlError, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Behind, behind, poolIsWhole, running, serverIsIdle, targets } from "../kit/behind-wire.js";
import { Wire } from "../kit/wire.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const FAULTS = rounds({ small: 60, full: 1_000 });
const PARENTS = 400;
const LINES = 1_000;
const PAGE = 60;
const PATIENCE_MS = 2_000;

const orders = table(
  "read_orders",
  z.object({ id: column(z.int(), { primaryKey: true }), note: z.string().nullable() }),
  { relations: { lines: many("lines", "orderId") } },
);
const lines = table(
  "read_lines",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    orderId: column(z.int(), { index: true }),
    big: z.bigint(),
  }),
);

type Db = Database<"sqlite">;
// One type for all of them: what is used here, every server has.
const typed = (db: unknown) => (db as Db).repositories({ orders, lines });

const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(Math.random() * list.length)] ?? list[0];
const upTo = (most: number) => Math.floor(Math.random() * most);

/** The query of all of them. */
function queryOf(of: ReturnType<typeof typed>) {
  const inside = of.lines.query().fields("id", "big").orderBy("id", "desc");
  return of.orders.query().with("lines", inside).orderBy("id", "asc");
}

/** What a reader came to: the rows, in order, and how it ended. */
interface Read {
  readonly way: string;
  readonly rows: readonly unknown[];
  readonly code: "read" | "left" | (string & {});
}

/** Reads in one of three ways; the reader of a stream leaves, or aborts, where it has enough. */
async function readBy(query: ReturnType<typeof queryOf>, patience: AbortSignal): Promise<Read> {
  const own = new AbortController();
  const signal = AbortSignal.any([patience, own.signal]);
  const way = pick(["list", "stream", "pages"]);
  const enough = Math.random() < 0.3 ? upTo(PARENTS) : Number.POSITIVE_INFINITY;
  const rows: unknown[] = [];
  let code: Read["code"] = "read";
  try {
    if (way === "list") rows.push(...(await query.exec({}, { signal })));
    else if (way === "stream") {
      for await (const row of query.stream({}, { signal })) {
        rows.push(row);
        if (rows.length < enough) continue;
        if (Math.random() < 0.5) {
          own.abort();
          continue;
        }
        code = "left";
        break;
      }
    } else {
      const pages = query.page(PAGE);
      for (let after: string | null | undefined; after !== null; ) {
        const page: Awaited<ReturnType<typeof pages.exec>> = await pages.exec(
          {},
          after === undefined ? { signal } : { after, signal },
        );
        rows.push(...page.rows);
        after = page.next;
      }
    }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    code = error.code === "QUERY_FAILED" ? `QUERY_FAILED: ${String(error.cause)}` : error.code;
  }
  return { way, rows, code };
}

for (const server of servers.filter(({ name }) => name === "sqlite" || name in targets))
  describe.skipIf(!server.available)(`rows with rows inside, read from ${server.name}`, () => {
    let lent: Lent;
    let wire: Wire | undefined;
    let there: Behind;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(orders, lines);
      const of = typed(lent.db);
      const note = "x".repeat(50);
      await of.orders
        .insert()
        .execBatch(Array.from({ length: PARENTS }, (_, id) => ({ id, note: id % 3 === 0 ? null : note })));
      const big = 2n ** 63n - 1n;
      await of.lines
        .insert()
        .execBatch(
          Array.from({ length: LINES }, (_, id) => ({ id, orderId: upTo(PARENTS), big: big - BigInt(id) })),
        );
      const target = targets[server.name];
      if (target === undefined) {
        there = { db: lent.db as unknown as Behind["db"], lentOut: () => 0, end: async () => undefined };
        return;
      }
      wire = await Wire.before(target);
      there = behind[server.name]?.(wire.port, lent, 2) as Behind;
    });
    afterAll(async () => {
      if (wire !== undefined) await there.end();
      await wire?.close();
      await lent.close();
    });

    /** Ends the sessions that have something to do, as somebody does who looks after the server. */
    async function kill(): Promise<void> {
      for (const row of await lent.run(running[server.name] ?? "")) {
        const { id } = row as { readonly id: number };
        const end = server.name === "postgres" ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`;
        // It may have ended by itself.
        await lent.run(end).catch(() => undefined);
      }
    }

    test(`${FAULTS} faults: what was read is the beginning of what there is`, {
      timeout: patience(120_000, 400, FAULTS),
    }, async () => {
      const whole = await queryOf(typed(lent.db)).exec();
      const query = queryOf(typed(there.db));
      const told: Read[] = [];
      let broken = 0;
      for (let i = 0; i < FAULTS; i++) {
        const fault = wire === undefined ? "abort" : pick(["wire", "wire", "abort", "kill"]);
        if (fault === "wire")
          wire?.breakAt({ after: upTo(60_000), from: "server", how: pick(["end", "reset"]) });
        const signal = AbortSignal.timeout(fault === "abort" ? 1 + upTo(25) : PATIENCE_MS);
        const reading = Promise.all([readBy(query, signal), readBy(query, signal)]);
        // One at a time: two would end each other's sessions.
        const killing = fault === "kill" ? setTimeout(upTo(15)).then(kill) : undefined;
        told.push(...(await reading));
        await killing;
        if (wire?.hasBroken() === true && fault === "wire") broken++;
        await poolIsWhole(there);
      }
      if (wire !== undefined) await serverIsIdle(server.name, lent);
      const counts = new Map<string, number>();
      for (const { code } of told) counts.set(code, (counts.get(code) ?? 0) + 1);
      const known = ["read", "left", "ABORTED", "CONNECTION_LOST"];
      expect([...counts.keys()].filter((code) => !known.includes(code))).toEqual([]);
      for (const { way, rows, code } of told) {
        expect(rows, `${way} that ended with ${code}`).toEqual(whole.slice(0, rows.length));
        if (code === "read") expect(rows).toHaveLength(PARENTS);
      }
      expect(counts.get("read") ?? 0).toBeGreaterThan(FAULTS / 20);
      expect(counts.get("ABORTED") ?? 0).toBeGreaterThan(wire === undefined ? 0 : FAULTS / 50);
      if (wire !== undefined) {
        expect(broken).toBeGreaterThan(FAULTS / 10);
        expect(counts.get("CONNECTION_LOST") ?? 0).toBeGreaterThan(FAULTS / 20);
      }
      // The pool gives two connections at once, and all of their rows.
      expect(await Promise.all([query.exec(), query.exec()])).toEqual([whole, whole]);
    });
  });
