/** `stream`: rows one by one, a page of them in memory, and nothing left behind however it ends. */
import { CallbackError, column, on, type SqlEvents, table } from "rowtype";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { people as everybody, Person, Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: a caller whom no compiler stops.
type Untyped = any;

const many = Array.from({ length: 1_000 }, (_, i) => ({ id: 100 + i, title: `t${i}` }));

onEachServer("a stream", (world) => {
  const filled = async () => {
    const { teams } = world();
    await teams.insert().execBatch(many);
    return teams.query().where("id", ">=", "from").orderBy("id", "asc");
  };
  const ids = async (rows: AsyncIterable<{ readonly id: number }>) => {
    const found: number[] = [];
    for await (const { id } of rows) found.push(id);
    return found;
  };

  test("gives the rows that exec gives, decoded and in order", async () => {
    const { people } = world();
    const all = people.query().orderBy("id", "asc");
    expectTypeOf(all.stream()[Symbol.asyncIterator]().next).returns.resolves.toExtend<
      IteratorResult<{ id: number; email: string }, unknown>
    >();
    const rows = [];
    for await (const row of all.stream()) rows.push(row);
    expect(rows).toEqual(await all.exec());
    expect(rows).toHaveLength(everybody.length);
    expect(await ids((await filled()).stream({ from: 100 }))).toEqual(many.map(({ id }) => id));
    expect(await ids(people.query().where("id", "IN", "ids").stream({ ids: [] }))).toEqual([]);
  });

  test("works for a compound query, and for optional conditions and lists", async () => {
    await filled();
    const { teams } = world();
    const few = teams.query().fields("id").where("id", "IN", "few");
    const both = few.union(teams.query().fields("id").where("id", ">", "high")).orderBy("id", "desc");
    expect(await ids(both.stream({ few: [1, 2, 100], high: 1_097 }))).toEqual([1_099, 1_098, 100, 2, 1]);
    const optional = teams.query().whereOptional("title", "=", "title").orderBy("id", "asc");
    expect(await ids(optional.limit(2).stream())).toEqual([1, 2]);
    expect(await ids(optional.stream({ title: "t7" }))).toEqual([107]);
  });

  test("may be iterated again, each time anew", async () => {
    const { teams } = world();
    const rows = teams.query().fields("id").stream();
    expect(await ids(rows)).toHaveLength(2);
    await teams.insert().exec({ id: 3, title: "Three" });
    expect(await ids(rows)).toHaveLength(3);
  });

  test("shows a snapshot, and does not block writers", async () => {
    const all = await filled();
    const { teams } = world();
    const seen: number[] = [];
    for await (const { id } of all.stream({ from: 100 })) {
      seen.push(id);
      if (id === 110) expect(await teams.remove().where("id", ">", "id").exec({ id: 600 })).toBe(499);
      if (id === 120) await teams.insert().exec({ id: 5_000, title: "late" });
    }
    expect(seen).toEqual(many.map(({ id }) => id));
  });

  test("stops with the loop, and the next call succeeds", async () => {
    const all = await filled();
    const { teams } = world();
    for (let round = 0; round < 10; round++) {
      for await (const { id } of all.stream({ from: 100 })) if (id >= 100 + round * 60) break;
      const failing = (async () => {
        for await (const { id } of all.stream({ from: 100 })) if (id > 101) throw new RangeError("mine");
      })();
      await expect(failing).rejects.toThrow(RangeError);
      expect(await teams.count().exec()).toBe(1_002);
    }
    const iterator = all.stream({ from: 100 })[Symbol.asyncIterator]();
    await iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    const unread = all.stream({ from: 100 })[Symbol.asyncIterator]();
    expect(await unread.return?.()).toEqual({ done: true, value: undefined });
    const thrown = all.stream({ from: 100 })[Symbol.asyncIterator]();
    await thrown.next();
    await expect(thrown.throw?.(new RangeError("told"))).rejects.toThrow("told");
    expect(await thrown.next()).toMatchObject({ done: true });
  });

  test("answers concurrent next() calls in order", async () => {
    const iterator = (await filled()).stream({ from: 100 })[Symbol.asyncIterator]();
    const steps = await Promise.all(Array.from({ length: 600 }, () => iterator.next()));
    expect(steps.map(({ value }) => value?.id)).toEqual(many.slice(0, 600).map(({ id }) => id));
    await iterator.return?.();
  });

  test("throws the errors of exec with the first row, and sends nothing before", async () => {
    const all = await filled();
    const { db, teams } = world();
    const heard: string[] = [];
    const off = on("db.query.started", ({ operation }) => heard.push(operation));
    expect(await sqlErrorOf(ids(all.stream({} as never)))).toMatchObject({ code: "MISSING_PARAM" });
    expect(await sqlErrorOf(ids(all.stream({ from: "x" as never })))).toMatchObject({ code: "PARAM_TYPE" });
    const wrong = (teams.query() as Untyped).where("nope", "=", "x").stream({ x: 1 });
    expect(await sqlErrorOf(ids(wrong))).toMatchObject({ code: "INVALID_FIELD" });
    const aborted = all.stream({ from: 1 }, { signal: AbortSignal.abort() });
    expect(await sqlErrorOf(ids(aborted))).toMatchObject({ code: "ABORTED" });
    off();
    expect(heard).toEqual([]);
    await db.dropTables(Person, Team);
    expect(await sqlErrorOf(ids(all.stream({ from: 1 })))).toMatchObject({ code: "QUERY_FAILED" });
    expect(await sqlErrorOf(db.transaction((tx) => ids(all.stream({ from: 1 }, { tx }))))).toMatchObject({
      code: "QUERY_FAILED",
    });
  });

  test("a value that the schema refuses ends it", async () => {
    const all = await filled();
    const { db } = world();
    const Strict = table("teams", z.object({ id: z.int(), title: column(z.enum(["t0", "t1"]), {}) }));
    const strict = db.repository(Strict).query().where("id", ">=", "from").orderBy("id", "asc");
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { id } of strict.stream({ from: 100 })) seen.push(id);
    })();
    expect(await sqlErrorOf(reading)).toMatchObject({ code: "DECODE_FAILED", field: "title" });
    expect(seen).toEqual([100, 101]);
    expect(await ids(all.stream({ from: 1_098 }))).toEqual([1_098, 1_099]);
  });

  test("calls onScan for each row before yielding it; an error of it ends the stream", async () => {
    await filled();
    const teams = world().db.repository(Team);
    const all = teams.query().where("id", ">=", "from").orderBy("id", "asc");
    const scanned: unknown[] = [];
    teams.onScan(async (row, { operation }) => {
      scanned.push([operation, row.id]);
      if (row.id === 103) throw new RangeError("enough");
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { id } of all.stream({ from: 100 })) {
        seen.push(id);
        expect(scanned).toHaveLength(seen.length);
      }
    })();
    const error = await sqlErrorOf(reading);
    expect(error).toBeInstanceOf(CallbackError);
    expect(error).toMatchObject({ code: "CALLBACK_FAILED", cause: { message: "enough" } });
    expect(seen).toEqual([100, 101, 102]);
    expect(scanned.at(-1)).toEqual(["QUERY", 103]);
    expect(await world().teams.count().exec()).toBe(1_002);
  });

  test("is one statement in the events, with the number of read rows", async () => {
    const all = await filled();
    const heard: Partial<SqlEvents["db.query.completed"] & SqlEvents["db.query.failed"]>[] = [];
    const offs = [
      on("db.query.completed", (event) => heard.push(event)),
      on("db.query.failed", (event) => heard.push(event)),
    ];
    await ids(all.stream({ from: 600 }));
    for await (const { id } of all.stream({ from: 100 })) if (id === 102) break;
    await sqlErrorOf(ids(all.stream({ from: 0, more: 1 } as never)));
    for (const off of offs) off();
    expect(heard).toMatchObject([
      { table: "teams", operation: "QUERY", sql: all.render().native.sql, rowsReturned: 500 },
      { table: "teams", operation: "QUERY", rowsReturned: 3 },
    ]);
    expect(heard).toHaveLength(2);
  });

  test("in a transaction sees its changes, and ends with it", async () => {
    const all = await filled();
    const { db, teams } = world();
    const outcome = await db.transaction(async (tx) => {
      await teams.insert().exec({ id: 9_000, title: "mine" }, undefined, { tx });
      expect(await ids(all.stream({ from: 1_099 }, { tx }))).toEqual([1_099, 9_000]);
      for await (const { id } of all.stream({ from: 100 }, { tx })) if (id === 400) break;
      await teams.insert().exec({ id: 9_001, title: "after" }, undefined, { tx });
      const left = all.stream({ from: 100 }, { tx })[Symbol.asyncIterator]();
      await left.next();
      return left;
    });
    expect(await teams.count().where("id", ">=", "id").exec({ id: 9_000 })).toBe(2);
    expect(await sqlErrorOf(outcome.next())).toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect(await outcome.next()).toMatchObject({ done: true });
    const failing = db.transaction(async (tx) => {
      for await (const { id } of all.stream({ from: 100 }, { tx }))
        if (id === 105) throw new RangeError("back");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await teams.count().exec()).toBe(1_004);
  });

  test("in a savepoint ends with it, and the transaction goes on", async () => {
    const all = await filled();
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      for (const fails of [true, false]) {
        const inner = tx.transaction(async (nested) => {
          await teams.insert().exec({ id: fails ? 9_000 : 9_001, title: "x" }, undefined, { tx: nested });
          const left = all.stream({ from: 100 }, { tx: nested })[Symbol.asyncIterator]();
          await left.next();
          if (fails) throw new RangeError("inner");
        });
        if (fails) await expect(inner).rejects.toThrow(RangeError);
        else await inner;
      }
      expect(await teams.count().where("id", ">=", "id").exec({ id: 9_000 }, { tx })).toBe(1);
    });
    expect(await teams.count().exec()).toBe(1_003);
  });

  test("allows other statements of its transaction, or refuses them at once", async () => {
    const all = await filled();
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      let changed = 0;
      for await (const { id } of all.stream({ from: 100 }, { tx })) {
        const change = teams.modify().set("title", "t").where("id", "=", "id").exec({ t: "x", id }, { tx });
        if ((db.dialect as string) !== "mariadb") await change;
        else expect(await sqlErrorOf(change)).toMatchObject({ code: "UNSUPPORTED", dialect: "mariadb" });
        if (++changed === 300) break;
      }
      expect(await teams.count().where("id", "<", "id").exec({ id: 100 }, { tx })).toBe(2);
    });
    const written = await teams.count().where("title", "=", "t").exec({ t: "x" });
    expect(written).toBe((db.dialect as string) === "mariadb" ? 0 : 300);
  });

  test("ends with its signal, without a request for the next row", async () => {
    const all = await filled();
    const { teams } = world();
    for (const asks of [true, false]) {
      const controller = new AbortController();
      const heard: string[] = [];
      const off = on("db.query.failed", ({ error }) => heard.push(error.code));
      const iterator = all.stream({ from: 100 }, { signal: controller.signal })[Symbol.asyncIterator]();
      await iterator.next();
      controller.abort();
      if (!asks) await expect.poll(() => heard).toEqual(["ABORTED"]);
      expect(await sqlErrorOf(iterator.next())).toMatchObject({ code: "ABORTED" });
      off();
      expect(await iterator.next()).toMatchObject({ done: true });
      expect(await teams.count().exec()).toBe(1_002);
    }
  });

  test("the signal ends the wait for a callback that hangs", async () => {
    await filled();
    const teams = world().db.repository(Team);
    teams.onScan(() => new Promise(() => undefined));
    const signal = AbortSignal.timeout(50);
    const rows = teams.query().stream(undefined, { signal });
    expect(await sqlErrorOf(ids(rows))).toMatchObject({ code: "ABORTED" });
    expect(await world().teams.count().exec()).toBe(1_002);
  });
});
