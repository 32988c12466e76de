/**
 * Connections that break, a thousand times in full, during batches, transactions and commits: work that was
 * reported as stored is stored, work that was reported as failed is not, and only a commit that was cut has an
 * unknown outcome. The numbers are those of the list of threats.
 */
import { column, SqlError, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Behind, behind, poolIsWhole, serverIsIdle, targets } from "../kit/behind-wire.js";
import { type Fault, Wire } from "../kit/wire.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const FAULTS = rounds({ small: 300, full: 1_000 });
const WORKERS = 8;
const BATCH = 120;
const PAIR = 2;
/**
 * The time that a call waits on a connection that may go silent, and for locks of connections that were cut
 * before.
 */
const PATIENCE_MS = 60;
const PATIENCE_FOR_LOCKS_MS = 10_000;

const Account = table("accounts", z.object({ id: column(z.int(), { primaryKey: true }), amount: z.int() }));
const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    round: column(z.int(), { index: true }),
    place: z.int(),
  }),
);

const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(Math.random() * list.length)] ?? list[0];
const upTo = (most: number) => Math.floor(Math.random() * most);

/** What one round came to: how many rows it stores, and how it ended. */
interface Told {
  readonly round: number;
  readonly size: number;
  readonly code: string;
}

/** How a round may end. */
const endings = ["stored", "CONNECTION_LOST", "UNKNOWN_OUTCOME", "ABORTED"];

const places = (count: number, round: number) =>
  Array.from({ length: count }, (_, place) => ({ round, place }));

/** A transaction that stores a pair and moves one from an account to the next, with a savepoint that is undone. */
function move(db: Behind["db"], from: number, round: number, signal: AbortSignal): Promise<unknown> {
  return db.transaction(
    async (tx) => {
      const pair = tx.repository(Item).insert();
      const add = tx.repository(Account).modify().setExpr("amount", "+", "by").where("id", "=", "id");
      await pair.exec({ round, place: 0 });
      await add.exec({ by: -1, id: from });
      const undone = tx.transaction(async (inner) => {
        await inner.repository(Account).remove().where("id", "=", "id").exec({ id: from });
        throw new RangeError("inner");
      });
      await undone.catch((error: unknown) => {
        if (!(error instanceof RangeError)) throw error;
      });
      await add.exec({ by: 1, id: from + 1 });
      await pair.exec({ round, place: 1 });
    },
    { retries: 2, signal },
  );
}

for (const server of servers.filter(({ name }) => name in targets))
  describe.skipIf(!server.available)(`faults of connections to ${server.name}`, () => {
    let lent: Lent;
    const lines: { readonly wire: Wire; readonly there: Behind; readonly account: number }[] = [];
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Account, Item);
      for (let i = 0; i < WORKERS; i++) {
        const wire = await Wire.before(targets[server.name] as URL);
        const account = 2 * i;
        await lent.run(`INSERT INTO accounts VALUES (${account}, 500), (${account + 1}, 500)`);
        lines.push({ wire, account, there: behind[server.name]?.(wire.port, lent, 2) as Behind });
      }
    });
    afterAll(async () => {
      for (const { wire, there } of lines) {
        await there.end();
        await wire.close();
      }
      await lent.close();
    });

    test(
      `${FAULTS} faults in batches and commits: no row is lost or stored twice`,
      async () => {
        let faults = 0;
        let next = 0;
        const told: Told[] = [];
        // Half of them somewhere, the other half in what is said about a commit.
        const armed = (wire: Wire): Fault => {
          const fault: Fault = {
            after: upTo(2_500),
            from: pick(["client", "server"]),
            how: Math.random() < 0.1 ? "stall" : pick(["end", "reset"]),
          };
          if (Math.random() < 0.5) wire.breakAt(fault);
          else wire.breakWith("COMMIT", { ...fault, after: fault.from === "client" ? upTo(12) : upTo(8) });
          return fault;
        };
        const worker = async ({ wire, there, account }: (typeof lines)[number]) => {
          while (faults < FAULTS) {
            const round = next++;
            const isBatch = Math.random() < 0.5;
            const { how } = armed(wire);
            const signal = AbortSignal.timeout(how === "stall" ? PATIENCE_MS : PATIENCE_FOR_LOCKS_MS);
            const outcome: Promise<unknown> = isBatch
              ? there.db.repository(Item).insert().execBatch(places(BATCH, round), undefined, { signal })
              : move(there.db, account, round, signal);
            const code = await outcome.then(
              () => "stored",
              (error: unknown) => {
                if (!(error instanceof SqlError)) return String(error);
                return error.code === "QUERY_FAILED" ? `${error.code}: ${String(error.cause)}` : error.code;
              },
            );
            told.push({ round, size: isBatch ? BATCH : PAIR, code });
            if (wire.hasBroken()) faults++;
            if (wire.isSilent) {
              wire.speak();
              wire.cut();
            }
          }
        };
        await Promise.all(lines.map(worker));
        for (const { there } of lines) await poolIsWhole(there);
        await serverIsIdle(server.name, lent);

        const counts = new Map<string, number>();
        for (const { code } of told) counts.set(code, (counts.get(code) ?? 0) + 1);
        expect([...counts.keys()].filter((code) => !endings.includes(code))).toEqual([]);
        for (const code of endings)
          expect([code, (counts.get(code) ?? 0) > FAULTS / 50]).toEqual([code, true]);

        const rows = await lent.run(
          "SELECT round, COUNT(*) AS n, COUNT(DISTINCT place) AS p FROM items GROUP BY round",
        );
        const stored = new Map(
          (rows as { readonly round: unknown; readonly n: unknown; readonly p: unknown }[]).map(
            ({ round, n, p }) => [Number(round), { n: Number(n), p: Number(p) }] as const,
          ),
        );
        const wrong = told.filter(({ round, size, code }) => {
          const { n, p } = stored.get(round) ?? { n: 0, p: 0 };
          if (n !== p || (n !== 0 && n !== size)) return true;
          if (code === "stored") return n === 0;
          // A batch of one statement commits by itself: what was lost or given up behind it may be stored.
          if (size === BATCH && (code === "CONNECTION_LOST" || code === "ABORTED")) return false;
          return code !== "UNKNOWN_OUTCOME" && n !== 0;
        });
        expect(wrong).toEqual([]);
        // What one account lost the other has.
        const amounts = await lent.run("SELECT SUM(amount) AS total FROM accounts");
        expect(Number((amounts[0] as { total: unknown }).total)).toBe(WORKERS * 1_000);
      },
      patience(120_000, 300, FAULTS),
    );
  });
