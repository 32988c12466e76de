/** Inserts, updates, removals and batches, by what is in the database afterwards. */
import { ConstraintError, c, column, MultipleRowsError, NoRowsError, ParameterError, table } from "rowtype";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const person = { email: "new@example.org", name: "New", score: 1, active: true, balance: 1n, tags: [] };

onEachServer("changes", (world) => {
  test("an insert gives the stored row, with the values that the database set", async () => {
    const { people } = world();
    const row = await people.insert().exec({ ...person, id: 10, age: undefined });
    expect(row).toMatchObject({ id: 10, email: "new@example.org", role: "member", age: null, balance: 1n });
    expect(Math.abs(Date.now() - row.createdAt.getTime())).toBeLessThan(60_000);
  });

  test("an insert without any column takes the defaults", async () => {
    const { teams } = world();
    expect(await sqlErrorOf(teams.insert().exec({} as never))).toMatchObject({
      code: "MISSING_PARAM",
      param: "id",
    });
  });

  test("a key that exists already is a UNIQUE_VIOLATION that names the property", async () => {
    const { people } = world();
    const error = await sqlErrorOf(people.insert().exec({ ...person, id: 11, email: "ann@example.org" }));
    expect(error).toBeInstanceOf(ConstraintError);
    expect(error).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["email"] });
    expect(error.message).not.toContain("ann@");
  });

  test("checks and references have their own constraint errors", async () => {
    const { people } = world();
    expect(await sqlErrorOf(people.insert().exec({ ...person, id: 12, age: -1 }))).toMatchObject({
      code: "CHECK_VIOLATION",
    });
  });

  test("a batch is stored completely, with different keys in its records", async () => {
    const { people } = world();
    const records = Array.from({ length: 100 }, (_, i) => ({
      ...person,
      id: 100 + i,
      email: `p${i}@example.org`,
      ...(i % 3 === 0 ? { age: i } : {}),
    }));
    expect(await people.insert().execBatch(records)).toBe(100);
    expect(await people.count().where("id", ">=", "from").exec({ from: 100 })).toBe(100);
    expect(await people.insert().execBatch([])).toBe(0);
  });

  test("rows without any column are stored, one or many", async () => {
    const { db } = world();
    const Stamp = table(
      "stamps",
      z.object({ id: column(z.int(), { primaryKey: true, generated: true }), note: z.string().nullable() }),
    );
    await db.dropTables(Stamp);
    await db.createTables(Stamp);
    const stamps = db.repository(Stamp);
    expect(await stamps.insert().exec({})).toEqual({ id: 1, note: null });
    expect(await stamps.insert().execBatch([{}, {}, { note: "x" }])).toBe(3);
    expect(await stamps.count().exec()).toBe(4);
  });

  test("a batch longer than the parameters of one statement", async () => {
    const { teams } = world();
    const records = Array.from({ length: 40_000 }, (_, i) => ({ id: 1000 + i, title: `t${i}` }));
    expect(await teams.insert().execBatch(records)).toBe(40_000);
    expect(await teams.count().exec()).toBe(40_002);
  });

  test("an invalid record of a batch stores nothing, and the error has its index", async () => {
    const { people } = world();
    const records = [0, 1, 2].map((i) => ({
      ...person,
      id: 200 + i,
      email: i === 2 ? "no address" : `p${i}@example.org`,
    }));
    const error = await sqlErrorOf(people.insert().execBatch(records));
    expect(error).toBeInstanceOf(ParameterError);
    expect(error).toMatchObject({ code: "PARAM_TYPE", param: "email", index: 2 });
    expect(await people.count().exec()).toBe(5);
  });

  test("a batch that the server refuses stores nothing", async () => {
    const { people } = world();
    const records = [
      { ...person, id: 201 },
      { ...person, id: 202, email: "b@example.org", age: -1 },
    ];
    expect(await sqlErrorOf(people.insert().execBatch(records))).toMatchObject({ code: "CHECK_VIOLATION" });
    expect(await people.count().exec()).toBe(5);
  });

  test("execMany gives the rows in the order of the records", async () => {
    const { teams } = world();
    const rows = await teams.insert().execMany([
      { id: 9, title: "Nine" },
      { id: 7, title: "Seven" },
    ]);
    expect(rows.map(({ id }) => id)).toEqual([9, 7]);
  });

  test("an update gives the updated row", async () => {
    const { people } = world();
    const rename = people.modify().set("name", "name").set("age", "age").where("id", "=", "id");
    expect(await rename.exec({ name: "Anna", age: null, id: 1 })).toMatchObject({
      id: 1,
      name: "Anna",
      age: null,
    });
  });

  test("an update without a match is NoRowsError, one with several matches MultipleRowsError, and nothing is changed", async () => {
    const { people } = world();
    const byName = people.modify().set("score", "score").where("name", "=", "name");
    expect(await sqlErrorOf(byName.exec({ score: 9, name: "nobody" }))).toBeInstanceOf(NoRowsError);
    const byRole = people.modify().set("score", "score").where("role", "=", "role");
    expect(await sqlErrorOf(byRole.exec({ score: 9, role: "admin" }))).toBeInstanceOf(MultipleRowsError);
    expect(await people.count().where("score", "=", "score").exec({ score: 9 })).toBe(0);
    expect(await byRole.execMany({ score: 9, role: "admin" })).toHaveLength(2);
    expect(await people.count().where("score", "=", "score").exec({ score: 9 })).toBe(2);
  });

  test("an update fixes a declared key only by AND, not inside an OR or an optional condition", async () => {
    const { people } = world();
    const either = people
      .modify()
      .set("score", "score")
      .whereOr(c("id", "=", "a"), c("id", "=", "b"));
    expect(await sqlErrorOf(either.exec({ score: 9, a: 1, b: 2 }))).toBeInstanceOf(MultipleRowsError);
    expect(await people.count().where("score", "=", "score").exec({ score: 9 })).toBe(0);
  });

  test("a batch of updates counts rows and is all or nothing", async () => {
    const { people } = world();
    const age = people.modify().set("age", "age").where("id", "=", "id");
    expect(
      await age.execBatch([
        { age: 1, id: 1 },
        { age: 2, id: 2 },
        { age: 3, id: 99 },
      ]),
    ).toBe(2);
    expect(
      await sqlErrorOf(
        age.execBatch([
          { age: 50, id: 1 },
          { age: -5, id: 2 },
        ]),
      ),
    ).toMatchObject({ code: "CHECK_VIOLATION" });
    expect(await people.select().where("id", "=", "id").exec({ id: 1 })).toMatchObject({ age: 1 });
  });

  test("a patch sets exactly the given keys, and an empty patch changes nothing", async () => {
    const { people } = world();
    const byId = people.modify().where("id", "=", "id");
    expect(await byId.execPatch({ name: "Bo", age: null }, { id: 2 })).toMatchObject({
      id: 2,
      name: "Bo",
      age: null,
      score: 1.5,
    });
    expect(await byId.execPatch({}, { id: 2 })).toMatchObject({ id: 2, name: "Bo" });
    expect(await sqlErrorOf(byId.execPatch({}, { id: 99 }))).toBeInstanceOf(NoRowsError);
    // A changed field and a condition on the same one do not mix up their values.
    const byEmail = people.modify().where("email", "=", "email");
    expect(await byEmail.execPatch({ email: "bo@example.org" }, { email: "bob@example.org" })).toMatchObject({
      id: 2,
      email: "bo@example.org",
    });
    expect(await sqlErrorOf(byId.execPatch({ nam: "x" } as never, { id: 2 }))).toMatchObject({
      code: "EXTRA_PARAM",
      param: "nam",
    });
  });

  test("set values are checked against the column's schema", async () => {
    const { people } = world();
    const email = people.modify().set("email", "email").where("id", "=", "id");
    expect(await sqlErrorOf(email.exec({ email: "no address", id: 1 }))).toMatchObject({
      code: "PARAM_TYPE",
      param: "email",
    });
    expect(await sqlErrorOf(email.exec({ email: null as never, id: 1 }))).toMatchObject({
      code: "PARAM_TYPE",
    });
  });

  test("a removal gives the number of rows, or the rows", async () => {
    const { people } = world();
    expect(
      await people
        .remove()
        .where("id", "IN", "ids")
        .exec({ ids: [1, 2, 99] }),
    ).toBe(2);
    const rows = await people.remove().where("role", "=", "role").execMany({ role: "guest" });
    expect(rows.map(({ id }) => id)).toEqual([3]);
    expect(
      await people
        .remove()
        .where("id", "=", "id")
        .execBatch([{ id: 4 }, { id: 5 }]),
    ).toBe(2);
    expect(await people.count().exec()).toBe(0);
  });

  test("select gives one row, NoRowsError or null", async () => {
    const { people } = world();
    const byId = people.select().fields("name").where("id", "=", "id");
    expect(await byId.exec({ id: 2 })).toEqual({ name: "bob" });
    expect(await byId.execOrNull({ id: 99 })).toBeNull();
    expect(await sqlErrorOf(byId.exec({ id: 99 }))).toMatchObject({ code: "NO_ROWS", table: "people" });
  });
});
