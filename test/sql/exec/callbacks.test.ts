/** Lifecycle callbacks: when each is called, what it may change, and what its error undoes. */
import { CallbackError } from "rowtype";
import { describe, expect, test } from "vitest";
import { onEachServer } from "../../kit/each-server.js";
import { Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";

onEachServer("callbacks", (world) => {
  const open = () => {
    const teams = world().db.repository(Team);
    const scanned: unknown[] = [];
    const recorded: unknown[] = [];
    teams.onScan((row, { operation }) => void scanned.push([operation, row.id]));
    teams.onRecord((record, { operation }) => void recorded.push([operation, record.id]));
    return { teams, scanned, recorded };
  };

  test("onScan is called for each row that is read or returned, onRecord for each record", async () => {
    const { teams, scanned, recorded } = open();
    const byId = { id: 1 };
    await teams.select().where("id", "=", "id").exec(byId);
    await teams.select().where("id", "=", "id").execOrNull({ id: 99 });
    await teams.query().orderBy("id", "asc").exec();
    await teams.insert().exec({ id: 3, title: "Three" });
    await teams.insert().onConflict("id").doUpdate().exec({ id: 3, title: "Drei" });
    await teams.insert().onConflict("id").doNothing().exec({ id: 3, title: "none" });
    await teams.modify().set("title", "t").where("id", "=", "id").exec({ t: "x", id: 3 });
    await teams.insert().execBatch([
      { id: 4, title: "a" },
      { id: 5, title: "b" },
    ]);
    await teams.remove().where("id", ">", "id").exec({ id: 3 });
    await teams.count().exec();
    expect(scanned).toEqual([
      ["SELECT", 1],
      ["QUERY", 1],
      ["QUERY", 2],
      ["INSERT", 3],
      ["INSERT", 3],
      ["UPDATE", 3],
    ]);
    expect(recorded).toEqual([
      ["INSERT", 3],
      ["INSERT", 3],
      ["INSERT", 3],
      ["INSERT_BATCH", 4],
      ["INSERT_BATCH", 5],
    ]);
  });

  test("they belong to the table on the database, existing builders included; null removes them", async () => {
    const { db } = world();
    const teams = db.repository(Team);
    const all = teams.query();
    let calls = 0;
    teams.onScan(() => void calls++);
    await all.exec();
    await db.repository(Team).query().exec();
    await db.transaction(async (tx) => {
      const inside = tx.repository(Team);
      await inside.query().exec();
      await tx.transaction(async (inner) => inner.repository(Team).query().exec());
      await inside.queryFromSpec({}).exec();
    });
    expect(calls).toBe(10);
    await db.transaction(async (tx) => tx.repository(Team).onScan(null));
    await all.exec();
    await world().teams.query().exec();
    expect(calls).toBe(10);
  });

  test("an onRecord callback also checks the records of a transaction", async () => {
    const { db, teams } = world();
    teams.onRecord((record) => {
      if (record.title === "bad") throw new Error("guarded");
    });
    const failed = db.transaction(async (tx) => {
      await tx.repository(Team).insert().exec({ id: 50, title: "good" });
      await tx
        .repository(Team)
        .insert()
        .execBatch([{ id: 51, title: "bad" }]);
    });
    expect(await sqlErrorOf(failed)).toMatchObject({ code: "CALLBACK_FAILED", index: 0 });
    expect(await teams.count().exec()).toBe(2);
  });

  test("the tx of a callback is a full Transaction, also if the call began it", async () => {
    const { db } = world();
    const { teams } = open();
    const seen: unknown[] = [];
    teams.onScan(async (row, { tx }) => {
      if (tx === undefined || row.id === 61) return;
      seen.push(tx.dialect);
      await tx.transaction(async (inner) => {
        await inner.repository(Team).insert().exec({ id: 61, title: "beside" });
      });
      const one = tx.repository(Team).count().where("id", ">=", "id");
      seen.push(await one.exec({ id: 60 }));
    });
    const { dialect } = db;
    await teams.insert().exec({ id: 60, title: "sixty" });
    expect(seen.splice(0)).toEqual([dialect, 2]);
    await teams.remove().where("id", ">=", "id").exec({ id: 60 });
    await db.transaction(async (tx) => {
      await teams.insert().exec({ id: 60, title: "in the caller's" }, undefined, { tx });
    });
    expect(seen.splice(0)).toEqual([dialect, 2]);
    await teams.remove().where("id", ">=", "id").exec({ id: 60 });
    // The caller's own, where the call needs none of its own.
    let given: unknown;
    teams.onScan((_, { tx }) => {
      given = tx;
    });
    await db.transaction(async (tx) => {
      await tx.repository(Team).query().exec();
      expect(given).toBe(tx);
      await teams.query().exec({}, { tx });
      expect(given).toBe(tx);
    });
    await teams.query().exec();
    expect(given).toBeUndefined();
  });

  test("onRecord may change the stored record, which is validated again; the caller's record is unchanged", async () => {
    const { teams } = open();
    teams.onRecord(async (record) => {
      record.title = record.title.toUpperCase();
    });
    const given = Object.freeze({ id: 3, title: "three" });
    expect(await teams.insert().exec(given)).toEqual({ id: 3, title: "THREE" });
    expect(await teams.insert().execBatch([{ id: 4, title: "four" }])).toBe(1);
    expect(await teams.select().where("id", "=", "id").exec({ id: 4 })).toMatchObject({ title: "FOUR" });
    teams.onRecord((record) => {
      (record as { title: unknown }).title = 5;
    });
    expect(await sqlErrorOf(teams.insert().exec({ id: 6, title: "six" }))).toMatchObject({
      code: "PARAM_TYPE",
      param: "title",
    });
    expect(await sqlErrorOf(teams.insert().execBatch([{ id: 6, title: "six" }]))).toMatchObject({
      code: "PARAM_TYPE",
      index: 0,
    });
  });

  describe("an error", () => {
    const failure = new Error("no");
    const fail = () => {
      throw failure;
    };

    test("of onScan becomes a CallbackError with its cause, and rolls back an insert or an update", async () => {
      const { teams } = open();
      teams.onScan(async () => fail());
      for (const call of [
        () => teams.query().exec(),
        () => teams.select().where("id", "=", "id").exec({ id: 1 }),
        () => teams.insert().exec({ id: 7, title: "seven" }),
        () => teams.insert().execMany([{ id: 8, title: "eight" }]),
        () => teams.modify().set("title", "t").where("id", "=", "id").exec({ t: "changed", id: 1 }),
        () => teams.modify().set("title", "t").where("id", ">", "id").execMany({ t: "changed", id: 0 }),
      ]) {
        const error = await sqlErrorOf(call());
        expect(error).toBeInstanceOf(CallbackError);
        expect(error).toMatchObject({ code: "CALLBACK_FAILED", table: "teams", cause: failure });
      }
      teams.onScan(null);
      const rows = await world().teams.query().orderBy("id", "asc").exec();
      expect(rows).toEqual([
        { id: 1, title: "One" },
        { id: 2, title: "Two" },
      ]);
    });

    test("inside a transaction rolls back only that call", async () => {
      const { teams } = open();
      teams.onScan((row) => (row.id === 11 ? fail() : undefined));
      await world().db.transaction(async (tx) => {
        await tx.repository(Team).insert().exec({ id: 10, title: "kept" });
        expect(
          await sqlErrorOf(teams.insert().exec({ id: 11, title: "undone" }, undefined, { tx })),
        ).toMatchObject({ code: "CALLBACK_FAILED" });
      });
      const rows = await world().teams.query().fields("id").where("id", ">", "id").exec({ id: 2 });
      expect(rows).toEqual([{ id: 10 }]);
    });

    test("of onRecord stores nothing, and in a batch names the record", async () => {
      const { teams } = open();
      teams.onRecord((record) => (record.id === 21 ? Promise.reject(failure) : undefined));
      const batch = [
        { id: 20, title: "a" },
        { id: 21, title: "b" },
        { id: 22, title: "c" },
      ];
      expect(await sqlErrorOf(teams.insert().execBatch(batch))).toMatchObject({
        code: "CALLBACK_FAILED",
        index: 1,
        cause: failure,
      });
      expect(await sqlErrorOf(teams.insert().exec({ id: 21, title: "b" }))).toMatchObject({
        code: "CALLBACK_FAILED",
        index: undefined,
      });
      expect(await world().teams.count().exec()).toBe(2);
    });
  });

  test("a callback may send its own statements in the transaction that it receives", async () => {
    const { teams } = open();
    const plain = world().teams;
    teams.onScan(async (row, { tx }) => {
      if (row.id === 30) await plain.insert().exec({ id: 31, title: "beside" }, undefined, { tx });
    });
    await teams.insert().exec({ id: 30, title: "thirty" });
    expect(await plain.count().where("id", ">=", "id").exec({ id: 30 })).toBe(2);
  });
});
