/** `returning`: what the rows of inserts, updates and removals hold, in every call that gives rows. */
import {
  type AnyTable,
  add,
  c,
  caseWhen,
  coalesce,
  column,
  count,
  type Database,
  decimal,
  type Insert,
  inserted,
  json,
  length,
  lower,
  neg,
  param,
  raw,
  rowNumber,
  substring,
  sum,
  table,
  upper,
  value,
  when,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { describeCases } from "../../kit/run-cases.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";
import { returningCases } from "./returning.cases.js";

describeCases("what changes return", returningCases);

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    code: column(z.string(), { unique: true }),
    name: column(z.string(), { name: "a_name" }),
    size: z.int().nullable(),
    shop: column(z.int(), { default: "1" }),
  }),
);

/** Rows that cannot be told by a key. */
const Loose = table("loose", z.object({ name: z.string(), size: z.int().nullable() }));

const Kind = table(
  "kinds",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    price: decimal(10, 2),
    rate: z.number(),
    at: z.date().nullable(),
    long: column(z.string(), { type: { oracle: "CLOB" } }),
    big: z.bigint(),
    ok: z.boolean().nullable(),
    data: json(z.object({ a: z.array(z.int()) })),
  }),
);

const one = { id: 1, code: "a", name: "Ann", size: 3 };
const two = { id: 2, code: "b", name: "Bob", size: null };
const six = { id: 6, code: "f", name: "Fay", size: 1 };
const seven = { id: 7, code: "g", name: "Gus", size: 2 };

for (const server of servers)
  describe.skipIf(!server.available)(`returning on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await db.dropTables(Item, Loose);
      await db.createTables(Item, Loose);
      await items().insert().execBatch([one, two]);
    });
    const items = () => db.repository(Item);
    const loud = upper("name").as("loud");
    const stored = () => items().query().fields("id", "name").orderBy("id", "asc").exec();

    test("an insert returns exactly what is named, and its parameters are those of exec", async () => {
      const insert = items()
        .insert()
        .returning("code", loud, substring("name", "from", value(2)).as("part"));
      expect(await insert.exec(six, { from: 2 })).toEqual({ code: "f", loud: "FAY", part: "ay" });
      for (const params of [{}, { from: "2" }, { from: 2, more: 1 }]) {
        const error = await sqlErrorOf(insert.exec(seven, params as never));
        expect(error).toMatchObject({ code: expect.stringMatching(/PARAM/) });
      }
    });

    test("the rows of execMany come in the order of the records, without what tells them apart", async () => {
      const rows = await items().insert().returning(loud).execMany([seven, six]);
      expect(rows).toEqual([{ loud: "GUS" }, { loud: "FAY" }]);
      // Records with different keys are two statements.
      const mixed = await items()
        .insert()
        .returning("name", add("size", param("by")).as("more"))
        .execMany(
          [
            { id: 11, code: "x", name: "X", size: 1 },
            { id: 12, code: "y", name: "Y" },
            { id: 13, code: "z", name: "Z", size: 2 },
          ],
          { by: 10 },
        );
      expect(mixed).toEqual([
        { name: "X", more: 11 },
        { name: "Y", more: null },
        { name: "Z", more: 12 },
      ]);
      expect(
        await db
          .repository(Loose)
          .insert()
          .returning("size")
          .execMany([{ name: "b", size: 2 }, { name: "a" }]),
      ).toEqual([{ size: 2 }, { size: null }]);
    });

    test("execBatch counts, and takes the same parameters", async () => {
      const insert = items()
        .insert()
        .returning(add("id", param("by")).as("next"));
      expect(await insert.execBatch([six, seven], { by: 1 })).toBe(2);
      expect(await sqlErrorOf(insert.execBatch([one], {} as never))).toMatchObject({ code: "MISSING_PARAM" });
      expect(await sqlErrorOf(insert.execBatch([one], { by: "1" } as never))).toMatchObject({
        code: "PARAM_TYPE",
      });
      const update = items()
        .modify()
        .set("size", "size")
        .where("id", "=", "id")
        .returning(add("id", param("by")).as("n"));
      expect(
        await update.execBatch([
          { size: 1, id: 1, by: 1 },
          { size: 2, id: 2, by: 1 },
        ]),
      ).toBe(2);
      expect(await sqlErrorOf(update.execBatch([{ size: 1, id: 1 }] as never))).toMatchObject({
        code: "MISSING_PARAM",
        param: "by",
        index: 0,
      });
    });

    test("an upsert returns the stored row, and null where a row is kept or does not meet the conditions", async () => {
      const upsert = items().insert().returning("id", loud).onConflict("code").doUpdate();
      expect(await upsert.exec({ ...seven, id: 1, code: "a" })).toEqual({ id: 1, loud: "GUS" });
      expect(await upsert.execMany([seven, { ...six, id: 2, code: "b" }])).toEqual([
        { id: 7, loud: "GUS" },
        { id: 2, loud: "FAY" },
      ]);
      const bounded = items()
        .insert()
        .onConflict("code")
        .doUpdate()
        .set("name", inserted("name"))
        .where("size", "<", "most")
        .returning(lower("name").as("quiet"), add("id", param("by")).as("next"));
      expect(await bounded.exec({ ...seven, id: 20 }, { most: 1, by: 1 })).toBeNull();
      expect(
        await bounded.execMany(
          [
            { ...six, code: "g", name: "New" },
            { ...six, id: 30, code: "n" },
          ],
          { most: 5, by: 1 },
        ),
      ).toEqual([
        { quiet: "new", next: 8 },
        { quiet: "fay", next: 31 },
      ]);
    });

    test("doNothing gives what is named, or null", async () => {
      const keep = items().insert().returning(loud).onConflict("code").doNothing();
      expect(await keep.exec(one)).toBeNull();
      expect(await keep.execMany([six, one, seven])).toEqual([{ loud: "FAY" }, null, { loud: "GUS" }]);
      expect(
        await items()
          .insert()
          .onConflict()
          .doNothing()
          .returning("name")
          .exec({ ...two, id: 40 }),
      ).toBeNull();
    });

    test("an update of one row, of many, and a patch", async () => {
      const update = items().modify().set("name", "name").where("id", "=", "id").returning("id", loud);
      expect(await update.exec({ name: "eve", id: 1 })).toEqual({ id: 1, loud: "EVE" });
      const all = items()
        .modify()
        .set("size", add("id", value(10)))
        .where("size", "<", "most")
        .returning("id", add("size", param("by")).as("more"));
      expect(await all.execMany({ most: 5, by: 1 })).toEqual([{ id: 1, more: 12 }]);
      const patch = items()
        .modify()
        .where("id", "=", "id")
        .returning(loud, add("id", param("by")).as("next"));
      expect(await patch.execPatch({ name: "pat" }, { id: 2, by: 1 })).toEqual({ loud: "PAT", next: 3 });
      expect(await patch.execPatch({}, { id: 2, by: 1 })).toEqual({ loud: "PAT", next: 3 });
      expect(await sqlErrorOf(update.exec({ name: "x", id: 99 }))).toMatchObject({ code: "NO_ROWS" });
      const both = items().modify().set("name", "name").where("id", ">", "id").returning("id");
      expect(await sqlErrorOf(both.exec({ name: "x", id: 0 }))).toMatchObject({ code: "MULTIPLE_ROWS" });
      expect(await stored()).toMatchObject([{ name: "eve" }, { name: "pat" }]);
    });

    test("an update whose key changes", async () => {
      const moved = items().modify().set("id", "to").where("id", "=", "id").returning("id", "code");
      expect(await moved.exec({ to: 9, id: 2 })).toEqual({ id: 9, code: "b" });
    });

    test("a removal returns what it removed; exec counts", async () => {
      const removal = items()
        .remove()
        .where("id", "=", "id")
        .returning("name", add("id", param("by")).as("next"));
      expect(await removal.execMany({ id: 1, by: 1 })).toEqual([{ name: "Ann", next: 2 }]);
      expect(await sqlErrorOf(removal.exec({ id: 2 } as never))).toMatchObject({
        code: "MISSING_PARAM",
        param: "by",
      });
      expect(await sqlErrorOf(removal.exec({ id: 2, by: "x" } as never))).toMatchObject({
        code: "PARAM_TYPE",
      });
      expect(await removal.exec({ id: 2, by: 1 })).toBe(1);
      expect(await removal.execBatch([{ id: 2, by: 1 }])).toBe(0);
    });

    test("in a scope, in a transaction, and before callbacks", async () => {
      const seen: unknown[] = [];
      items().onScan((row) => void seen.push({ ...row }));
      const scope = items().scope({ shop: 4 });
      expect(await scope.insert().returning("shop", loud).exec(six)).toEqual({ shop: 4, loud: "FAY" });
      const sized = scope.modify().set("size", "size").where("code", "=", "code").returning("shop");
      expect(await sized.execMany({ size: 5, code: "a" })).toEqual([]);
      await db.transaction(async (tx) => {
        const insert = tx.repository(Item).insert().returning("code");
        expect(await insert.execMany([seven])).toEqual([{ code: "g" }]);
        expect(await insert.exec({ id: 8, code: "t", name: "T" }, { tx })).toEqual({ code: "t" });
      });
      items().onScan(null);
      expect(seen).toEqual([{ shop: 4, loud: "FAY" }, { code: "g" }, { code: "t" }]);
    });

    test("a row that cannot be read undoes what changed it", async () => {
      const broken = raw(z.enum(["x"]))`${upper("name")}`.as("broken");
      const calls = [
        () => items().insert().returning("id", broken).exec(six),
        () => items().insert().returning(broken).execMany([six, seven]),
        () =>
          items()
            .insert()
            .onConflict("id")
            .doUpdate()
            .returning(broken)
            .exec({ ...six, id: 1 }),
        () =>
          items()
            .modify()
            .set("name", "name")
            .where("id", "=", "id")
            .returning(broken)
            .exec({ name: "n", id: 1 }),
        () => items().remove().where("id", "=", "id").returning(broken).execMany({ id: 1 }),
      ];
      for (const call of [...calls, ...calls]) {
        expect(await sqlErrorOf(call())).toMatchObject({ code: "DECODE_FAILED", field: "broken" });
        expect(await stored()).toMatchObject([{ name: "Ann" }, { name: "Bob" }]);
      }
    });

    test("builders whose parameters or tables are known at run time", async () => {
      let update = items().modify().returning("id", loud).dynamic().set("name", "name");
      for (const field of ["id", "code"] as const) update = update.where(field, "=", field);
      const row: { id: number; loud: string } = await update.exec({ name: "eve", id: 1, code: "a" });
      expect(row).toEqual({ id: 1, loud: "EVE" });
      const later = items().remove().dynamic().where("id", "=", "id").returning("code");
      expect(await later.execMany({ id: 2 })).toEqual([{ code: "b" }]);
      const any = db.repository(Item as AnyTable);
      expect(await any.insert().returning("code", loud).exec(six)).toEqual({ code: "f", loud: "FAY" });
      const unknown = any.modify().where("id", "=", "id").set("size", "size").returning("size");
      expect(await unknown.execMany({ id: 1, size: 8 })).toEqual([{ size: 8 }]);
    });

    test("a condition as a value, and lists as its parameters", async () => {
      const sized = items()
        .modify()
        .set("name", "name")
        .where("id", ">", "id")
        .returning(
          "id",
          when(c("size", ">", "least")).as("big"),
          when(c("code", "IN", "codes")).as("listed"),
        );
      const rows = await sized.execMany({ name: "n", id: 0, least: 2, codes: ["b", "c"] });
      expect(rows.sort((a, b) => a.id - b.id)).toEqual([
        { id: 1, big: true, listed: false },
        { id: 2, big: null, listed: true },
      ]);
      const error = await sqlErrorOf(sized.execMany({ name: "n", id: 0, least: 2, codes: "b" } as never));
      expect(error).toMatchObject({ code: "PARAM_TYPE", param: "codes" });
    });

    test("a table without a key", async () => {
      const loose = db.repository(Loose);
      await loose.insert().execBatch([{ name: "a" }]);
      const update = loose.modify().set("size", "size").where("name", "=", "name").returning(loud);
      expect(await update.execBatch([{ size: 1, name: "a" }])).toBe(1);
      if (server.dialect === "mariadb")
        expect(await sqlErrorOf(update.exec({ size: 2, name: "a" }))).toMatchObject({ code: "UNSUPPORTED" });
      else expect(await update.exec({ size: 2, name: "a" })).toEqual({ loud: "A" });
    });

    test("values of every kind, long ones too", async () => {
      const long = "é".repeat(6_000);
      const at = new Date("2026-01-02T03:04:05.678Z");
      const record = {
        id: 1,
        price: "12.5",
        rate: -0.5,
        at,
        long,
        big: 2n ** 62n,
        ok: true,
        data: { a: [1] },
      };
      await db.dropTables(Kind);
      await db.createTables(Kind);
      const insert = db.repository(Kind).insert();
      const row = await insert
        .returning(
          "price",
          "data",
          add("price", value("1.00")).as("more"),
          length("long").as("chars"),
          upper("long").as("loud"),
          neg("rate").as("other"),
          neg("big").as("less"),
          coalesce("at", param("none")).as("since"),
          coalesce("ok", param("no")).as("yes"),
        )
        .exec(record, { none: at, no: false });
      expect(row).toEqual({
        price: "12.50",
        data: { a: [1] },
        more: "13.50",
        chars: 6_000,
        // SQLite folds the letters of ASCII.
        loud: server.dialect === "sqlite" ? long : "É".repeat(6_000),
        other: 0.5,
        less: -(2n ** 62n),
        since: at,
        yes: true,
      });
    });

    test("a batch of more values than a statement takes, with parameters behind them", async () => {
      const records = Array.from({ length: 14_000 }, (_, i) => ({
        id: i + 100,
        code: `c${i}`,
        name: "n",
        size: i,
        shop: 2,
      }));
      const rows = await items()
        .insert()
        .returning(
          caseWhen(z.int())
            .when(c("size", ">", "least"), value(1))
            .else("no")
            .as("k"),
        )
        .execMany(records, { least: 13_997, no: 0 });
      expect(rows).toHaveLength(14_000);
      expect(rows.filter(({ k }) => k === 1)).toHaveLength(2);
      expect(rows.slice(-2)).toEqual([{ k: 1 }, { k: 1 }]);
    }, 60_000);
  });

const dialects = { sqlite, postgres, mariadb, oracle } as const;
const itemsOn = (dialect: keyof typeof dialects) =>
  (dialects[dialect]() as unknown as Database<"sqlite">).repository(Item);
type Items = ReturnType<typeof itemsOn>;

describe.each(Object.keys(dialects) as (keyof typeof dialects)[])("returning is refused on %s", (dialect) => {
  const update = (of: Items) => of.modify().set("name", "name").where("id", "=", "id");
  const returning = (of: Items, ...names: unknown[]) => update(of).returning(...(names as never[]));
  const proxy = new Proxy(upper("name").as("n"), {});
  const wrong: readonly [string, string, RegExp, (of: Items) => { render(): unknown }][] = [
    ["nothing", "INVALID_FIELD", /returning needs at least one name/, (of) => returning(of)],
    ["an unknown field", "INVALID_FIELD", /unknown field "nme"/, (of) => returning(of, "nme")],
    ["a column's own name", "INVALID_FIELD", /unknown field "a_name"/, (of) => returning(of, "a_name")],
    [
      "an expression without a name",
      "INVALID_FIELD",
      /needs a name: \.as\(…\)/,
      (of) => returning(of, upper("name")),
    ],
    [
      "a name twice",
      "INVALID_FIELD",
      /two expressions are named "n"/,
      (of) => returning(of, upper("name").as("n"), lower("name").as("n")),
    ],
    [
      "the name of a field",
      "INVALID_FIELD",
      /a field has that name/,
      (of) => returning(of, upper("name").as("name")),
    ],
    [
      "an aggregate",
      "INVALID_CONDITION",
      /an aggregate needs groups/,
      (of) => returning(of, count().as("n")),
    ],
    [
      "an aggregate of an expression",
      "INVALID_CONDITION",
      /an aggregate needs groups/,
      (of) => returning(of, sum(length("name")).as("n")),
    ],
    [
      "a window",
      "INVALID_CONDITION",
      /a window needs the rows of a query/,
      (of) =>
        returning(
          of,
          rowNumber()
            .over({ orderBy: [["id", "asc"]] })
            .as("n"),
        ),
    ],
    [
      "a proposed value",
      "INVALID_CONDITION",
      /proposes/,
      (of) => of.insert().onConflict("id").doUpdate().returning(inserted("name").as("n")),
    ],
    [
      "a parameter with the name of a field",
      "INVALID_PARAM",
      /"size" of returning has the name of a field/,
      (of) => of.insert().returning(add("id", param("size")).as("n")),
    ],
    ...[null, undefined, 7, {}, [], Symbol("s"), proxy, "x".repeat(100_000)].map(
      (name, i): (typeof wrong)[number] => [
        `a value of an untyped caller, ${i}`,
        "INVALID_FIELD",
        /unknown field/,
        (of) => returning(of, name),
      ],
    ),
  ];
  test.each(wrong)("%s", (_, code, message, built) => {
    const error = sqlErrorIn(() => built(itemsOn(dialect)).render());
    expect(error).toMatchObject({ code });
    expect(error?.message).toMatch(message);
    expect(error?.message.length).toBeLessThan(400);
  });

  test("a patch without keys, as one with keys", async () => {
    const patch = itemsOn(dialect)
      .modify()
      .where("id", "=", "id")
      .returning(count().as("n") as never);
    for (const changes of [{}, { name: "x" }])
      expect(await sqlErrorOf(patch.execPatch(changes, { id: 1 }))).toMatchObject({
        code: "INVALID_CONDITION",
      });
  });

  test("specs do not have it", () => {
    const of = itemsOn(dialect);
    for (const built of [
      of.insert().returning("id"),
      update(of).returning("id"),
      of.remove().where("id", "=", "id").returning("id"),
    ])
      expect(sqlErrorIn(() => built.toSpec())).toMatchObject({ code: "INVALID_SPEC" });
    const foreign = {
      set: { name: "n" },
      where: [{ field: "id", operator: "=", param: "id" }],
      returning: ["id"],
    };
    expect(sqlErrorIn(() => of.modifyFromSpec(foreign as never).render())).toMatchObject({
      code: "INVALID_SPEC",
    });
    expect(sqlErrorIn(() => of.insertFromSpec({ returning: ["id"] } as never).render())).toMatchObject({
      code: "INVALID_SPEC",
    });
  });
});

test("equal chains share what they lead to, and others do not", () => {
  const items = itemsOn("sqlite");
  const chain = (...names: readonly ("id" | "name")[]) =>
    items
      .insert()
      .returning(...names)
      .build();
  chain("id", "name");
  expect(chain("id", "name")).toBe(chain("id", "name"));
  expect(chain("id").render().sql).not.toBe(chain("name").render().sql);
});

test("a removal shows what it returns only where that was said", () => {
  const removal = itemsOn("postgres").remove().where("id", "=", "id");
  expect(removal.render().sql).toBe('DELETE FROM "items" WHERE "id" = :id');
  expect(removal.returning("id").render().sql).toBe('DELETE FROM "items" WHERE "id" = :id RETURNING "id"');
});

test("what tells rows apart need not be in the answers of a recording", async () => {
  const answers = [[{ loud: "F" }, { loud: "G" }]];
  const db = recording("postgres", answers);
  const record = ({ id: _, ...rest }: Insert<typeof Item>) => rest;
  const insert = db.repository(Item).insert().returning(upper("name").as("loud"));
  expect(await insert.execMany([record(six), record(seven)])).toEqual(answers[0]);
  expect(db.statements[0]?.sql).toMatch(/ AS "loud", "code"$/);
});

test("rows that come in another order than the records are put into theirs", async () => {
  const [first, second] = [
    { loud: "FAY", code: "f" },
    { loud: "GUS", code: "g" },
  ];
  const named = ({ id: _, ...record }: typeof six) => record;
  for (const answers of [
    [first, second],
    [second, first],
  ]) {
    const db = recording("postgres", [answers]);
    const insert = db.repository(Item).insert().returning(upper("name").as("loud"));
    const rows = await insert.execMany([named(six), named(seven)]);
    expect(rows).toEqual([{ loud: "FAY" }, { loud: "GUS" }]);
  }
});
