/** The driver below the builders: constraints with their fields, values of columns, what it lacks. */
import { z } from "zod";
import { column } from "../declare/column.js";
import { table } from "../declare/table.js";
import { failsWith, holds, same } from "./checks.js";
import type { TestGroup, World } from "./world.js";

const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }) }));
const Person = table(
  "people",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    email: column(z.string().max(100), { unique: true }),
    age: column(z.int().nullable(), { check: "age >= 0" }),
    score: z.number().nullable(),
    active: z.boolean().nullable(),
    photo: z.instanceof(Uint8Array).nullable(),
    at: z.date().nullable(),
    team: column(z.int().nullable(), { references: () => Team }),
  }),
);
const Wide = table("wide", z.object({ id: column(z.int(), { primaryKey: true }), n: z.bigint() }));
const ann = {
  ...{ id: 1, email: "ann@example.org", age: 30, score: 0.5, active: true, team: null },
  ...{ photo: new Uint8Array([0, 255]), at: new Date("2026-01-02T03:04:05.678Z") },
};

async function people(world: World) {
  const { db } = world;
  if (world.dialect === "sqlite") await db.sql("PRAGMA foreign_keys = ON").exec();
  await db.createTables(Team, Person);
  return db.repository(Person);
}

export const throughTests: TestGroup = {
  tests: [
    [
      "builders: a row of every kind comes back",
      async (world) => {
        const repository = await people(world);
        same(await repository.insert().exec(ann), ann, "the row of an insert");
        same(
          await repository.query().where("active", "=", "active").exec({ active: true }),
          [ann],
          "the row of a query",
        );
      },
    ],
    [
      "builders: a batch, an update, a count, a removal",
      async (world) => {
        const repository = await people(world);
        const many = Array.from({ length: 300 }, (_, id) => ({ ...ann, id, email: `${id}@example.org` }));
        same(await repository.insert().execBatch(many), 300, "the number of rows of a batch");
        const update = repository.modify().set("age", "age").where("id", "<", "id").returning("age");
        same((await update.execMany({ age: 7, id: 2 })).length, 2, "the rows of an update");
        same(
          await repository.remove().where("age", "=", "age").exec({ age: 7 }),
          2,
          "the number of removed rows",
        );
        same(await repository.count().exec(), 298, "the count");
      },
    ],
    [
      "builders: an upsert",
      async (world) => {
        const repository = await people(world);
        const upsert = repository.insert().onConflict("id").doUpdate();
        await upsert.exec(ann);
        same((await upsert.exec({ ...ann, age: 31 })).age, 31, "the age after an upsert");
      },
    ],
    [
      "builders: integers beyond 2^53",
      async (world) => {
        if (world.lacks("bigints"))
          return holds(
            throws(() => world.db.repository(Wide)),
            "a table of bigints is taken by a driver that lacks them",
          );
        await world.db.createTables(Wide);
        const row = { id: 1, n: -(2n ** 63n) };
        same(await world.db.repository(Wide).insert().exec(row), row, "a bigint");
      },
    ],
    [
      "constraint: a unique value, with its field",
      async (world) => {
        const repository = await people(world);
        await repository.insert().exec(ann);
        await failsWith(
          () => repository.insert().exec({ ...ann, id: 2 }),
          "UNIQUE_VIOLATION",
          "a value that is there",
          ["email"],
        );
      },
    ],
    [
      "constraint: a primary key, with its field",
      async (world) => {
        const repository = await people(world);
        await repository.insert().exec(ann);
        await failsWith(
          () => repository.insert().exec({ ...ann, email: "b" }),
          "UNIQUE_VIOLATION",
          "a key that is there",
          ["id"],
        );
      },
    ],
    [
      "constraint: a check, with its field",
      async (world) => {
        const repository = await people(world);
        await failsWith(
          () => repository.insert().exec({ ...ann, age: -1 }),
          "CHECK_VIOLATION",
          "a value that a check refuses",
          ["age"],
        );
      },
    ],
    [
      "constraint: a reference",
      async (world) => {
        const repository = await people(world);
        await failsWith(
          () => repository.insert().exec({ ...ann, team: 9 }),
          "FOREIGN_KEY_VIOLATION",
          "a reference to nothing",
        );
      },
    ],
    [
      "constraint: a missing value",
      async (world) => {
        await people(world);
        await failsWith(
          () => world.db.sql("INSERT INTO people (id) VALUES (1)").exec(),
          "NOT_NULL_VIOLATION",
          "a missing value",
          ["email"],
        );
      },
    ],
    [
      "constraint: after an error the next statement works",
      async (world) => {
        const repository = await people(world);
        await repository.insert().exec(ann);
        for (let time = 0; time < 5; time++)
          await failsWith(() => repository.insert().exec(ann), "UNIQUE_VIOLATION", "a key that is there");
        same(await repository.count().exec(), 1, "the count");
      },
    ],
    [
      "lacking: native is UNSUPPORTED, or gives records",
      async (world) => {
        const { db, driver } = world;
        if (driver.native === undefined)
          return failsWith(() => db.native("SELECT 1"), "UNSUPPORTED", "native of a driver without it");
        const { rows } = await db.native("SELECT 'x' AS v");
        same(
          rows.map((row) => ({ ...row })),
          [{ v: "x" }],
          "the rows of native",
        );
      },
    ],
    [
      "lacking: transactions are UNSUPPORTED, or there",
      async (world) => {
        if (world.driver.connect !== undefined)
          return same(await world.db.transaction(async () => 7), 7, "what a transaction gives");
        holds(!("transaction" in world.db), "a database without connections has a transaction");
        const repository = await people(world);
        await failsWith(
          async () => {
            for await (const _ of repository.query().stream());
          },
          "UNSUPPORTED",
          "a stream without connections",
        );
      },
    ],
  ],
};

function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
