/**
 * Random programs of transactions: savepoints that are released and rolled back, statements that fail, calls
 * that are aborted, streams that are left early, handles used too late. Each is compared with a model of its
 * result; at the end no connection is inside a transaction, and the pool is unchanged.
 */
import { setImmediate } from "node:timers/promises";
import { column, type Database, SqlError, type Transaction, table } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { running } from "../kit/behind-wire.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const PROGRAMS = rounds({ small: 600, full: 10_000 });
const WORKERS = 6;
const DEEPEST = 3;
const KEYS = 6;
const RANGE = 1_000;

const Slot = table("slots", z.object({ id: column(z.int(), { primaryKey: true }), amount: z.int() }));

type State = Map<number, number>;

type Step =
  | { readonly kind: "insert" | "update" | "delete"; readonly key: number; readonly amount: number }
  | { readonly kind: "batch"; readonly keys: readonly number[] }
  | { readonly kind: "read" | "stream" | "pause" | "aborted" | "outside" | "throw" }
  | {
      readonly kind: "inner";
      readonly steps: readonly Step[];
      readonly isCaught: boolean;
      readonly isUsedLate: boolean;
    };

const upTo = (most: number) => Math.floor(Math.random() * most);
const kinds = [
  "insert",
  "insert",
  "update",
  "update",
  "delete",
  "batch",
  "read",
  "stream",
  "pause",
  "inner",
  "inner",
] as const;
const rare = ["throw", "aborted", "outside"] as const;

function programOf(depth: number): readonly Step[] {
  return Array.from({ length: 1 + upTo(5) }, (): Step => {
    const kind = (Math.random() < 0.08 ? rare[upTo(rare.length)] : kinds[upTo(kinds.length)]) ?? "pause";
    if (kind === "insert" || kind === "update" || kind === "delete")
      return { kind, key: upTo(KEYS), amount: upTo(100) };
    if (kind === "batch") return { kind, keys: Array.from({ length: 1 + upTo(3) }, () => upTo(KEYS)) };
    if (kind !== "inner") return { kind };
    if (depth === DEEPEST) return { kind: "pause" };
    return {
      kind,
      steps: programOf(depth + 1),
      isCaught: Math.random() < 0.8,
      isUsedLate: Math.random() < 0.2,
    };
  });
}

/** What a program throws of itself. */
class Thrown extends Error {}

const failure = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call should have failed");
};

/** Runs a step and does the same to the model; a step that fails throws what a user's callback would pass on. */
async function take(
  step: Step,
  tx: Transaction<"sqlite">,
  outer: Transaction<"sqlite"> | undefined,
  base: number,
  state: State,
): Promise<void> {
  const slots = tx.repository(Slot);
  switch (step.kind) {
    case "insert": {
      const { key, amount } = step;
      const storing = slots.insert().exec({ id: base + key, amount });
      if (!state.has(key)) {
        await storing;
        state.set(key, amount);
        return;
      }
      const error = await failure(storing);
      expect(error).toMatchObject({ code: "UNIQUE_VIOLATION" });
      throw error;
    }
    case "batch": {
      const records = step.keys.map((key) => ({ id: base + key, amount: key }));
      const storing = slots.insert().execBatch(records);
      const isFree = new Set(step.keys).size === step.keys.length && !step.keys.some((key) => state.has(key));
      if (isFree) {
        expect(await storing).toBe(records.length);
        for (const key of step.keys) state.set(key, key);
        return;
      }
      // A batch is undone alone: the transaction goes on.
      expect(await failure(storing)).toMatchObject({ code: "UNIQUE_VIOLATION" });
      return;
    }
    case "update": {
      const { key, amount } = step;
      const rows = await slots
        .modify()
        .set("amount", "amount")
        .where("id", "=", "id")
        .execMany({ id: base + key, amount });
      expect(rows).toEqual(state.has(key) ? [{ id: base + key, amount }] : []);
      if (state.has(key)) state.set(key, amount);
      return;
    }
    case "delete":
      expect(
        await slots
          .remove()
          .where("id", "=", "id")
          .exec({ id: base + step.key }),
      ).toBe(Number(state.delete(step.key)));
      return;
    case "read":
      expect(await stored(slots, base)).toEqual(sorted(state));
      return;
    case "stream":
      for await (const { id, amount } of inRange(slots).orderBy("id", "asc").stream(bounds(base))) {
        expect(state.get(id - base)).toBe(amount);
        if (Math.random() < 0.5) break;
      }
      return;
    case "pause":
      await setImmediate();
      return;
    case "aborted": {
      const error = await failure(slots.count().exec(undefined, { signal: AbortSignal.abort() }));
      expect(error).toMatchObject({ code: "ABORTED" });
      return;
    }
    case "outside":
      if (outer === undefined) return;
      expect(await failure(outer.repository(Slot).count().exec())).toMatchObject({
        code: "TRANSACTION_REQUIRED",
      });
      return;
    case "throw":
      throw new Thrown("thrown");
    case "inner": {
      const copy = new Map(state);
      let late: Transaction<"sqlite"> | undefined;
      try {
        await tx.transaction(async (inner) => {
          late = inner;
          await takeAll(step.steps, inner, tx, base, copy);
        });
        state.clear();
        for (const [key, amount] of copy) state.set(key, amount);
      } catch (error) {
        if (!isOwn(error) || !step.isCaught) throw error;
      }
      if (step.isUsedLate && late !== undefined)
        expect(await failure(late.repository(Slot).count().exec())).toMatchObject({
          code: "TRANSACTION_CLOSED",
        });
    }
  }
}

const isOwn = (error: unknown) =>
  error instanceof Thrown || (error instanceof SqlError && error.code === "UNIQUE_VIOLATION");

async function takeAll(
  steps: readonly Step[],
  tx: Transaction<"sqlite">,
  outer: Transaction<"sqlite"> | undefined,
  base: number,
  state: State,
): Promise<void> {
  for (const step of steps) await take(step, tx, outer, base, state);
}

type Slots = ReturnType<typeof slotsOf>;
const slotsOf = (db: Pick<Database<"sqlite">, "repository">) => db.repository(Slot);
const inRange = (slots: Slots) => slots.query().where("id", ">=", "from").where("id", "<", "to");
const bounds = (base: number) => ({ from: base, to: base + KEYS });
const stored = async (slots: Slots, base: number) =>
  (await inRange(slots).orderBy("id", "asc").exec(bounds(base))).map(
    ({ id, amount }) => [id - base, amount] as const,
  );
const sorted = (state: State) => [...state].sort(([a], [b]) => a - b);

/** Whether a connection is inside a transaction, and whether one is missing. */
async function leftOpen(name: string, lent: Lent): Promise<unknown> {
  if (lent.pool !== undefined) expect(lent.pool.idleCount).toBe(lent.pool.totalCount);
  if (lent.mysqlPool !== undefined) {
    // biome-ignore lint/suspicious/noExplicitAny: the pool of mysql2 keeps its lists to itself.
    const { _allConnections: all, _freeConnections: free } = (lent.mysqlPool as any).pool;
    expect(free.length).toBe(all.length);
  }
  // A handle inside a transaction cannot begin another.
  if (name === "sqlite") return lent.run("BEGIN").then(() => lent.run("ROLLBACK"));
  return lent.run(running[name] ?? "");
}

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`on ${server.name}`, () => {
    test(
      `${PROGRAMS} random transaction programs leave the expected rows, and no open transaction`,
      async () => {
        const lent = await server.lend();
        // The programs use what all have.
        const db = lent.db as unknown as Database<"sqlite">;
        await db.createTables(Slot);
        const programs = PROGRAMS;
        const ended = new Map<string, number>();
        let next = 0;
        const worker = async (_: unknown, index: number) => {
          const base = (index + 1) * RANGE;
          // MariaDB locks the gaps between rows: unused rows between the workers keep their locks apart.
          await slotsOf(db)
            .insert()
            .execBatch([
              { id: base - 1, amount: 0 },
              { id: base + KEYS, amount: 0 },
            ]);
          let state: State = new Map();
          while (next++ < programs) {
            const steps = programOf(0);
            const copy = new Map(state);
            const ending = await db
              .transaction((tx) => takeAll(steps, tx, undefined, base, copy))
              .then(
                () => "stored",
                (error: unknown) => {
                  if (!isOwn(error)) throw error;
                  return "undone";
                },
              );
            if (ending === "stored") state = copy;
            ended.set(ending, (ended.get(ending) ?? 0) + 1);
            expect(await stored(slotsOf(db), base)).toEqual(sorted(state));
          }
        };
        await Promise.all(Array.from({ length: WORKERS }, worker));
        expect(ended.get("stored")).toBeGreaterThan(programs / 10);
        expect(ended.get("undone")).toBeGreaterThan(programs / 10);
        expect(await leftOpen(server.name, lent)).toEqual([]);
        await lent.close();
      },
      patience(120_000, 60, PROGRAMS),
    );
  });
