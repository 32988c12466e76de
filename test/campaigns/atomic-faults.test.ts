/**
 * `atomic` while its connection breaks, its session is killed or its signal fires, at any message: what was reported as
 * stored is stored, what was reported as failed is not, a part never is, and only a commit that was cut has an unknown
 * outcome.
 */
import { setTimeout as after } from "node:timers/promises";
import { column, type Database, SqlError, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Behind, behind, poolIsWhole, serverIsIdle, targets } from "../kit/behind-wire.js";
import { Wire } from "../kit/wire.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const ROUNDS = rounds({ small: 60, full: 1_000 });

const Item = table(
  "atomic_items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    round: column(z.int(), { index: true }),
    place: z.int(),
  }),
);

const upTo = (most: number) => Math.floor(Math.random() * most);

/** What may be stored, by how a call ended. */
const kept: ReadonlyMap<string, readonly ("none" | "all")[]> = new Map([
  ["stored", ["all"]],
  ["CONNECTION_LOST", ["none"]],
  ["ABORTED", ["none"]],
  ["UNKNOWN_OUTCOME", ["none", "all"]],
]);

for (const server of servers.filter(({ name }) => name in targets))
  describe.skipIf(!server.available)(`faults of atomic on ${server.name}`, () => {
    let lent: Lent;
    let wire: Wire;
    let there: Behind;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Item);
      wire = await Wire.before(targets[server.name] as URL);
      there = behind[server.name]?.(wire.port, lent) as Behind;
    });
    afterAll(async () => {
      await there?.end();
      await wire?.close();
      await lent?.close();
    });

    /** Ends the sessions of the database as an operator does. */
    const kill = async () => {
      const ids = await lent.run(
        server.name === "postgres"
          ? "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
          : "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
      );
      if (server.name === "postgres") return;
      for (const row of ids) {
        const [id] = Object.values(row as object);
        await lent.run(`KILL ${Number(id)}`).catch(() => undefined);
      }
    };

    const faults: readonly ((controller: AbortController) => Promise<void>)[] = [
      async () =>
        wire.breakAt({ after: upTo(2_500), from: "client", how: Math.random() < 0.5 ? "end" : "reset" }),
      async () =>
        wire.breakAt({ after: upTo(1_200), from: "server", how: Math.random() < 0.5 ? "end" : "reset" }),
      async () => {
        await after(upTo(6));
        await kill();
      },
      async (controller) => {
        await after(upTo(6));
        controller.abort();
      },
    ];

    test(
      `all or nothing, ${ROUNDS} times`,
      async () => {
        const seen = new Map<string, number>();
        const db = there.db as unknown as Database<"postgres">;
        const items = db.repository(Item);
        const told: { readonly round: number; readonly size: number; readonly code: string }[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const size = 1 + upTo(5);
          const place = db.sql("INSERT INTO atomic_items (round, place) VALUES (:round, :place)");
          // Texts without rows go with their commit; records are looked at before it.
          const calls = Array.from({ length: size }, (_, i) =>
            round % 2 === 0 ? place.bind({ round, place: i }) : items.insert().bind({ round, place: i }),
          );
          const controller = new AbortController();
          const isAborted = round % faults.length === 3;
          const fault = faults[round % faults.length]?.(controller);
          const options = isAborted || Math.random() < 0.3 ? { signal: controller.signal } : {};
          const code = await db.atomic(calls, options).then(
            () => "stored",
            (error: unknown) => (error instanceof SqlError ? error.code : String(error)),
          );
          await fault?.catch(() => undefined);
          wire.hasBroken();
          told.push({ round, size, code });
          seen.set(code, (seen.get(code) ?? 0) + 1);
        }
        await poolIsWhole(there);
        await serverIsIdle(server.name, lent);
        for (const { round, size, code } of told) {
          const count = await lent.db.repository(Item).count().where("round", "=", "round").exec({ round });
          const found = count === 0 ? "none" : count === size ? "all" : `${count} of ${size}`;
          expect(kept.get(code) ?? `no outcome ${code}`, `round ${round}`).toContain(found);
        }
        expect(seen.get("stored")).toBeGreaterThan(0);
        expect(told.length - (seen.get("stored") ?? 0)).toBeGreaterThan(ROUNDS / 10);
      },
      patience(60_000, 400, ROUNDS),
    );
  });
