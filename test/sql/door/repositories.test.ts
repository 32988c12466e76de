/** One repository for each table of a database: in a transaction its builders run there. */
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Person, Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";

test("a table has one repository on a database, and another on another database", () => {
  const db = sqlite();
  expect(db.repository(Person)).toBe(db.repository(Person));
  expect(db.repository(Person)).not.toBe(db.repository(Team));
  expect(db.repository(Person)).not.toBe(sqlite().repository(Person));
  expect(Object.isFrozen(db.repository(Person))).toBe(true);
});

test("the rendered text of a chain is shared with transactions, in both directions", async () => {
  const db = recording("postgres");
  const people = db.repository(Person);
  const chain = (from: typeof people) =>
    from
      .query()
      .fields("id")
      .where("age", ">", "min")
      .union(from.query().fields("id").whereNull("age"))
      .limit(2);
  chain(people).render();
  const rendered = chain(people).render();
  await db.transaction(async (tx) => {
    expect(chain(tx.repository(Person)).render()).toBe(rendered);
    const chains: readonly ((from: typeof people) => { render(): unknown })[] = [
      (from) => from.modify().set("name", "name").where("id", "=", "id"),
      (from) => from.insert().onConflict("email").doUpdate().set("name", "name"),
      (from) => from.sum("age").where("id", "<", "id"),
    ];
    for (const made of chains) {
      made(people).render();
      const text = made(tx.repository(Person)).render();
      expect(made(people).render()).toBe(text);
    }
  });
});

onEachServer("the repository of a transaction", (world) => {
  test("runs every kind of builder in it, and nothing outside", async () => {
    const { db, teams } = world();
    const failed = db.transaction(async (tx) => {
      const inside = tx.repository(Team);
      await inside.insert().exec({ id: 10, title: "a" });
      await inside.insert().execMany([{ id: 11, title: "b" }]);
      await inside.insert().execBatch([
        { id: 12, title: "c" },
        { id: 13, title: "d" },
      ]);
      await inside.insert().onConflict("id").doUpdate().set("title", "title").exec({ id: 10, title: "e" });
      await inside
        .insertFromSpec({ on_conflict: ["id"], conflict_action: "nothing" })
        .exec({ id: 14, title: "f" });
      await inside.modify().set("title", "t").where("id", "=", "id").exec({ t: "g", id: 11 });
      await inside.modify().set("title", "t").where("id", ">", "id").execMany({ t: "h", id: 12 });
      await inside
        .modify()
        .set("title", "t")
        .where("id", "=", "id")
        .execBatch([{ t: "i", id: 12 }]);
      await inside.modify().where("id", "=", "id").execPatch({ title: "j" }, { id: 12 });
      await inside.modify().where("id", "=", "id").execPatch({}, { id: 12 });
      await inside.remove().where("id", "=", "id").exec({ id: 13 });
      await inside.remove().where("id", "=", "id").execMany({ id: 14 });
      const own = inside.query().fields("id").where("id", ">=", "least").orderBy("id", "asc");
      const seen = await own.exec({ least: 0 });
      expect(seen).toEqual([{ id: 1 }, { id: 2 }, { id: 10 }, { id: 11 }, { id: 12 }]);
      expect(await inside.count().exec()).toBe(5);
      expect(await inside.max("id").exec()).toBe(12);
      expect(await inside.select().where("id", "=", "id").exec({ id: 12 })).toEqual({ id: 12, title: "j" });
      expect(
        await inside
          .query()
          .union(inside.query().where("id", ">", "id"))
          .exec({ id: 1 }),
      ).toHaveLength(5);
      expect(await inside.queryFromSpec({ limit: 3 }).exec()).toHaveLength(3);
      const streamed: unknown[] = [];
      for await (const row of own.limit(2).stream({ least: 11 })) streamed.push(row);
      expect(streamed).toEqual([{ id: 11 }, { id: 12 }]);
      throw new RangeError("all of it is undone");
    });
    await expect(failed).rejects.toThrow(RangeError);
    expect(await teams.query().orderBy("id", "asc").exec()).toEqual([
      { id: 1, title: "One" },
      { id: 2, title: "Two" },
    ]);
  });

  test("is closed with it, while the database's repository stays usable", async () => {
    const { db, teams } = world();
    const chain = await db.transaction(async (tx) => tx.repository(Team).query().where("id", "=", "id"));
    expect(await sqlErrorOf(chain.exec({ id: 1 }))).toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect(await sqlErrorOf(chain.limit(1).exec({ id: 1 }))).toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect(await teams.query().where("id", "=", "id").exec({ id: 1 })).toHaveLength(1);
    expect(await teams.query().where("id", "=", "id").limit(1).exec({ id: 1 })).toHaveLength(1);
  });
});

test("a table that the dialect does not support is refused each time", () => {
  const Odd = table(
    "odd",
    z.object({ a: column(z.int(), { name: "x" }), b: column(z.int(), { name: "X" }) }),
  );
  const db = sqlite();
  for (let i = 0; i < 2; i++)
    expect(() => db.repository(Odd)).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
});
