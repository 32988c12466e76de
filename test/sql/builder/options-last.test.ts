/** Options stand in the place of parameters where a builder has none; and what compiles no more is refused at run time. */
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Team } from "../../kit/people.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

onEachServer("options in the place of parameters", (world) => {
  test("apply to the call, for every builder and executing method", async () => {
    const { db, teams } = world();
    const asked = { id: 80, title: "a" };
    const failed = db.transaction(async (tx) => {
      const signal = new AbortController().signal;
      await teams.insert().exec(asked, { tx });
      await teams.insert().exec({ ...asked, id: 81 }, {}, { tx });
      await teams.insert().exec({ ...asked, id: 82 }, undefined, { tx });
      await teams.insert().execMany([{ ...asked, id: 83 }], { tx, signal });
      await teams.insert().execBatch([{ ...asked, id: 84 }], { tx });
      await teams.insert().onConflict("id").doNothing().exec(asked, { tx });
      await teams
        .insert()
        .onConflict("id")
        .doUpdate()
        .set("title", "other")
        .exec(asked, { other: "b" }, { tx });
      await teams
        .modify()
        .set("title", "t")
        .where("id", "=", "id")
        .execBatch([{ t: "c", id: 81 }], { tx });
      expect(await teams.query().exec({ tx })).toHaveLength(7);
      expect(await teams.select().orderBy("id", "desc").exec({ tx, signal })).toMatchObject({ id: 84 });
      expect(await teams.select().orderBy("id", "desc").execOrNull({ tx })).toMatchObject({ id: 84 });
      expect(await teams.count().exec({ tx })).toBe(7);
      expect(await teams.max("id").exec({ tx })).toBe(84);
      expect(await teams.query().union(teams.query()).exec({ tx })).toHaveLength(7);
      expect(await teams.queryFromSpec({}).exec({ tx })).toHaveLength(7);
      let streamed = 0;
      for await (const _ of teams.query().stream({ tx })) streamed++;
      expect(streamed).toBe(7);
      const titled = teams.modify().whereNull("title");
      expect(await sqlErrorOf(titled.execPatch({ title: "d" }, { tx }))).toMatchObject({ code: "NO_ROWS" });
      expect(await teams.remove().whereNull("title").exec({ tx })).toBe(0);
      expect(await teams.remove().whereNull("title").execMany({ tx })).toEqual([]);
      // Where names fold to capitals, they stand in quotes.
      const name = (db.dialect as string) === "oracle" ? '"teams"' : "teams";
      await db.sql(`DELETE FROM ${name} WHERE 1 = 0`).exec({ tx, signal });
      throw new RangeError("all of it is undone");
    });
    await expect(failed).rejects.toThrow(RangeError);
    expect(await teams.count().exec()).toBe(2);
  });

  test("a signal is accepted there too", async () => {
    const { teams } = world();
    const signal = AbortSignal.abort();
    for (const call of [
      () => teams.query().exec({ signal }),
      () => teams.count().exec({ signal }),
      () => teams.insert().exec({ id: 90, title: "x" }, { signal }),
      () => teams.insert().execBatch([{ id: 90, title: "x" }], { signal }),
    ])
      expect(await sqlErrorOf(call())).toMatchObject({ code: "ABORTED" });
  });

  test("parameters come first if there are any, even with names of options", async () => {
    const { teams } = world();
    const odd = teams.query().where("id", "=", "tx").where("title", "!=", "signal");
    expect(await odd.exec({ tx: 1, signal: "x" })).toEqual([{ id: 1, title: "One" }]);
    // biome-ignore lint/suspicious/noExplicitAny: these callers no compiler stops.
    const untyped: any = world().db.repository(Team);
    for (const [call, code] of [
      [() => untyped.query().where("id", "=", "id").exec({ tx: {} }), "MISSING_PARAM"],
      [() => untyped.query().exec({ tx: {}, limit: 1 }), "EXTRA_PARAM"],
      [() => untyped.query().exec({ limit: 1 }), "EXTRA_PARAM"],
      [() => untyped.query().exec({ tx: {} }, {}), "EXTRA_PARAM"],
      [() => untyped.query().exec({ tx: {} }), "TRANSACTION_REQUIRED"],
      [() => untyped.insert().exec({ id: 91, title: "x" }, { tx: 5 }), "TRANSACTION_REQUIRED"],
      [() => untyped.insert().exec({ id: 91, title: "x" }, { name: 5 }), "EXTRA_PARAM"],
    ] as const)
      expect(await sqlErrorOf(call())).toMatchObject({ code });
    expect(await teams.count().exec()).toBe(2);
  });
});

describe("mistakes that do not compile are coded errors too", () => {
  const User = table(
    "users",
    z.object({ id: column(z.int(), { primaryKey: true }), name: z.string(), age: z.int().nullable() }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: these callers no compiler stops.
  const users: any = sqlite().repository(User);

  test("a proposed value of another kind than the field", () => {
    const upsert = users.insert().onConflict("id").doUpdate();
    expect(sqlErrorIn(() => upsert.set("age", "name").render()).code).toBe("INVALID_PARAM");
    expect(sqlErrorIn(() => upsert.set("name", "age").render()).code).toBe("INVALID_PARAM");
    expect(upsert.set("age", "id").render().sql).toContain("excluded");
  });

  test("a conflict on fields that are not a key", () => {
    for (const key of [["name"], ["id", "name"]])
      expect(
        sqlErrorIn(() =>
          users
            .insert()
            .onConflict(...key)
            .doNothing()
            .render(),
        ).code,
      ).toMatch(/^INVALID_/);
    expect(sqlErrorIn(() => users.insert().onConflict().doUpdate().render()).code).toMatch(/^INVALID_/);
  });

  test("an update that sets nothing, however it is executed", async () => {
    const nothing = users.modify().where("id", "=", "id");
    for (const call of [
      () => nothing.exec({ id: 1 }),
      () => nothing.execMany({ id: 1 }),
      () => nothing.execBatch([{ id: 1 }]),
      async () => nothing.build(),
    ])
      expect(await sqlErrorOf(call())).toMatchObject({ code: "INVALID_SPEC" });
  });
});
