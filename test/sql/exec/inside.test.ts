/** The database used inside its own transaction: refused everywhere, and run outside of it only on request. */
import Sqlite from "better-sqlite3";
import type { Database } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { servers } from "../../servers.js";

const REQUIRED = { code: "TRANSACTION_REQUIRED" };
const gate = () => {
  let open: (value?: unknown) => void = () => undefined;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

onEachServer("the database inside its own transaction", (world) => {
  // One type for all of them; what SQLite refuses it refuses at run time here.
  const OUTSIDE = { tx: null } as never;
  const connections = () => (world().db.dialect === "sqlite" ? 1 : 2);

  test("is refused for every call, and nothing is stored", async () => {
    const { db, teams } = world();
    const asked = async () => {
      const codes: unknown[] = [];
      const rows = teams.query();
      for (const ask of [
        () => teams.insert().exec({ id: 70, title: "a" }),
        () => teams.insert().execMany([{ id: 70, title: "a" }]),
        () => teams.insert().execBatch([{ id: 70, title: "a" }]),
        () => teams.modify().set("title", "t").where("id", "=", "id").exec({ t: "x", id: 1 }),
        () => teams.modify().set("title", "t").where("id", ">", "id").execMany({ t: "x", id: 0 }),
        () => teams.modify().where("id", "=", "id").execPatch({ title: "x" }, { id: 1 }),
        () => teams.remove().where("id", "=", "id").exec({ id: 2 }),
        () => rows.exec(),
        () => teams.select().execOrNull(),
        () => teams.count().exec(),
        () => rows.stream()[Symbol.asyncIterator]().next(),
        () => db.sql("DELETE FROM teams").exec(),
        () => db.sql("SELECT id FROM teams", z.object({ id: z.int() })).exec(),
        () => db.transaction(async (other) => other.repository(Team).insert().exec({ id: 70, title: "a" })),
        () => db.createTables(Team),
        () => db.dropTables(Team),
      ])
        codes.push((await sqlErrorOf(ask())).code);
      expect(new Set(codes)).toEqual(new Set(["TRANSACTION_REQUIRED"]));
    };
    await db.transaction(asked);
    await db.transaction(async (tx) => tx.transaction(asked));
    // Also behind an await, and in what began later.
    await db.transaction(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await asked();
      await Promise.all([asked(), asked()]);
    });
    expect(await teams.query().orderBy("id", "asc").exec()).toEqual([
      { id: 1, title: "One" },
      { id: 2, title: "Two" },
    ]);
  });

  test("in a helper that is not awaited it stores nothing", async () => {
    const { db, teams } = world();
    let floating: Promise<unknown> | undefined;
    const failed = db.transaction(async () => {
      floating = sqlErrorOf(teams.insert().exec({ id: 71, title: "floating" }));
      throw new RangeError("rolled back");
    });
    await expect(failed).rejects.toThrow(RangeError);
    expect(await floating).toMatchObject(REQUIRED);
    expect(await teams.count().exec()).toBe(2);
  });

  test("{ tx: null } runs outside of it, if there is another connection", async () => {
    const { db, teams } = world();
    const failed = db.transaction(async (tx) => {
      const inside = tx.repository(Team);
      await inside.insert().exec({ id: 72, title: "inside" });
      if (connections() === 1) {
        expect(await sqlErrorOf(teams.count().exec({}, OUTSIDE))).toMatchObject(REQUIRED);
        expect(await sqlErrorOf(inside.count().exec({}, OUTSIDE))).toMatchObject(REQUIRED);
        expect(await sqlErrorOf(db.transaction(async () => 1, OUTSIDE))).toMatchObject(REQUIRED);
      } else {
        expect(await teams.count().exec({}, OUTSIDE)).toBe(2);
        expect(await inside.count().exec({}, OUTSIDE)).toBe(2);
        await db.transaction(async (other) => {
          await other.repository(Team).insert().exec({ id: 73, title: "outside" });
          // Inside this one it is refused again, and its own handle is the way.
          expect(await sqlErrorOf(teams.count().exec())).toMatchObject(REQUIRED);
        }, OUTSIDE);
      }
      throw new RangeError("rolled back");
    });
    await expect(failed).rejects.toThrow(RangeError);
    expect(await teams.count().exec()).toBe(connections() === 1 ? 2 : 3);
  });

  test("outside of all transactions { tx: null } has no effect", async () => {
    expect(await world().teams.count().exec({}, OUTSIDE)).toBe(2);
    expect(await world().db.transaction(async (tx) => tx.repository(Team).count().exec(), OUTSIDE)).toBe(2);
  });

  test("work beside the transaction is not refused, before, during and after it", async () => {
    const { db, teams } = world();
    const [begun, ended] = [gate(), gate()];
    const inside = db.transaction(async (tx) => {
      await tx.repository(Team).query().exec();
      begun.open();
      await ended.opened;
    });
    await begun.opened;
    const beside = Promise.all([
      teams.count().exec(),
      teams.query().exec(),
      db.transaction(async (tx) => tx.repository(Team).count().exec()),
    ]);
    // On SQLite they wait for the handle.
    if (connections() === 1) setTimeout(ended.open, 5);
    expect((await beside)[0]).toBe(2);
    ended.open();
    await inside;
    expect(await teams.count().exec()).toBe(2);
  });

  test("work that began inside and continues after the end runs normally", async () => {
    const { db, teams } = world();
    const ended = gate();
    const later = await db.transaction(async () => {
      const detached = ended.opened.then(() => teams.count().exec());
      return { detached };
    });
    ended.open();
    expect(await later.detached).toBe(2);
  });

  test("callbacks inside a call's own transaction count as inside", async () => {
    const { teams } = world();
    teams.onScan(async () => {
      await teams.count().exec();
    });
    const failure = await sqlErrorOf(teams.insert().exec({ id: 74, title: "x" }));
    expect(failure).toMatchObject({ code: "CALLBACK_FAILED", cause: REQUIRED });
    teams.onScan(null);
    expect(await teams.count().exec()).toBe(2);
  });
});

describe("another database", () => {
  const handles = [new Sqlite(":memory:"), new Sqlite(":memory:")];
  const [one, two] = handles.map((handle) => sqlite(handle)) as [Database<"sqlite">, Database<"sqlite">];
  const ask = (db: Database<"sqlite">) => db.sql("SELECT 1 AS n", z.object({ n: z.int() })).exec();

  test("is not refused in the transaction of one, and each uses its own, however they nest", async () => {
    await one.transaction(async () => {
      expect(await ask(two)).toEqual([{ n: 1 }]);
      await two.transaction(async (tx) => {
        expect(await sqlErrorOf(ask(one))).toMatchObject(REQUIRED);
        expect(await sqlErrorOf(ask(two))).toMatchObject(REQUIRED);
        expect(await tx.sql("SELECT 1 AS n", z.object({ n: z.int() })).exec()).toEqual([{ n: 1 }]);
      });
      expect(await ask(two)).toEqual([{ n: 1 }]);
      expect(await sqlErrorOf(ask(one))).toMatchObject(REQUIRED);
    });
    expect(await ask(one)).toEqual([{ n: 1 }]);
  });

  test("over the same handle is the same database", async () => {
    const same = sqlite(handles[0]);
    await one.transaction(async () => {
      expect(await sqlErrorOf(ask(same))).toMatchObject(REQUIRED);
    });
  });
});

test("the servers are available", () => expect(servers.length).toBeGreaterThan(0));
