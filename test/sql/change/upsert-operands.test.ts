/** Upserts that set fields to expressions, update only some rows, or keep the rows of any key. */
import {
  and,
  c,
  coalesce,
  column,
  type Database,
  field,
  inserted,
  length,
  nullIf,
  param,
  raw,
  sum,
  table,
  upper,
  value,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";

const Stock = table(
  "stock",
  z.object({
    shop: z.int(),
    item: z.string(),
    code: column(z.string(), { unique: true }),
    count: column(z.int(), { default: "0" }),
    note: column(z.string().nullable(), { name: "a_note" }),
  }),
  { primaryKey: ["shop", "item"] },
);

const dialects = { sqlite, postgres, mariadb, oracle } as const;
type DialectName = keyof typeof dialects;
const stockOn = (dialect: DialectName) =>
  (dialects[dialect]() as unknown as Database<"sqlite">).repository(Stock);

const head = 'INSERT INTO "stock" ("shop", "item", "code", "count", "a_note") VALUES';
const tail = 'RETURNING "shop", "item", "code", "count", "a_note"';
const texts = {
  sqlite: `${head} (?, ?, ?, ?, ?) ON CONFLICT ("code") DO UPDATE SET "a_note" = coalesce(excluded."a_note", upper("stock"."a_note")), "count" = coalesce("stock"."count", ?) WHERE "stock"."count" < ? ${tail}`,
  postgres: `${head} ($1, $2, $3, $4, $5) ON CONFLICT ("code") DO UPDATE SET "a_note" = coalesce(excluded."a_note", upper("stock"."a_note" COLLATE "und-x-icu") COLLATE "C"), "count" = coalesce("stock"."count", $6) WHERE "stock"."count" < $7 ${tail}`,
};

test.each(["sqlite", "postgres"] as const)("an upsert by expressions is one statement on %s", (dialect) => {
  const upsert = stockOn(dialect)
    .insert()
    .onConflict("code")
    .doUpdate()
    .set("note", coalesce(inserted("note"), upper("note")))
    .set("count", coalesce("count", param("least")))
    .where("count", "<", "most");
  expect(upsert.render().native.sql).toBe(texts[dialect]);
});

test("a conflict on any key names no key in the text", () => {
  for (const dialect of ["sqlite", "postgres"] as const)
    expect(stockOn(dialect).insert().onConflict().doNothing().render().native.sql).toContain(
      ") ON CONFLICT DO NOTHING RETURNING",
    );
});

const refused: readonly [string, string, RegExp, (dialect: DialectName) => { render(): unknown }][] = [
  [
    "inserted outside of an upsert",
    "INVALID_CONDITION",
    /proposes/,
    (d) => stockOn(d).query().fields("item").where(inserted("count"), "=", "n"),
  ],
  [
    "inserted of no field",
    "INVALID_FIELD",
    /unknown field/,
    (d) =>
      stockOn(d)
        .insert()
        .onConflict("code")
        .doUpdate()
        .set("note", inserted("nope" as never)),
  ],
  [
    "a parameter with the name of a field",
    "INVALID_PARAM",
    /has the name of a field/,
    (d) =>
      stockOn(d)
        .insert()
        .onConflict("code")
        .doUpdate()
        .where("count", "<", "count" as never),
  ],
  [
    "the same in a condition",
    "INVALID_PARAM",
    /has the name of a field/,
    (d) =>
      stockOn(d)
        .insert()
        .onConflict("code")
        .doUpdate()
        .whereAnd(c("count", "<", "count")),
  ],
  [
    "an aggregate",
    "INVALID_CONDITION",
    /needs groups/,
    (d) =>
      stockOn(d)
        .insert()
        .onConflict("code")
        .doUpdate()
        .set("count", sum("count") as never),
  ],
  [
    "a value that may be null",
    "INVALID_CONDITION",
    /never null/,
    (d) =>
      stockOn(d)
        .insert()
        .onConflict("code")
        .doUpdate()
        .set("count", nullIf("count", "n") as never),
  ],
  [
    "any key and an update",
    "INVALID_FIELD",
    /declared key/,
    (d) => (stockOn(d).insert().onConflict() as never as { doUpdate(): { render(): unknown } }).doUpdate(),
  ],
  [
    "conditions without an update",
    "INVALID_CONDITION",
    /after doUpdate/,
    (d) =>
      (
        stockOn(d).insert().onConflict("code").doNothing() as never as {
          where(...a: string[]): { render(): unknown };
        }
      ).where("count", "<", "n"),
  ],
];

test.each(refused)("%s is refused before anything is sent", (_, code, message, build) => {
  for (const dialect of ["sqlite", "postgres", "mariadb", "oracle"] as const) {
    expect(() => build(dialect).render(), dialect).toThrow(message);
    expect(() => build(dialect).render(), dialect).toThrow(expect.objectContaining({ code }));
  }
});

test("an expression for a field of the key is supported where the row is not read by it", () => {
  const upsert = (d: DialectName) =>
    stockOn(d).insert().onConflict("code").doUpdate().set("code", upper("code")).render();
  expect(() => upsert("mariadb")).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
  expect(() => upsert("oracle")).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
  expect(upsert("sqlite").native.sql).toContain('SET "code" = upper("stock"."code")');
});

test("a specification has neither conditions nor expressions of an upsert", () => {
  const insert = stockOn("sqlite").insert().onConflict("code").doUpdate();
  const invalid = expect.objectContaining({ code: "INVALID_SPEC" });
  expect(() => insert.where("count", "<", "n").toSpec()).toThrow(invalid);
  expect(() => insert.set("note", inserted("note")).toSpec()).toThrow(invalid);
  const spec = { on_conflict: ["code"], conflict_action: "update", conflict_where: [] };
  expect(() =>
    stockOn("sqlite")
      .insertFromSpec(spec as never)
      .render(),
  ).toThrow(invalid);
});

onEachServer("an upsert with operands", (world) => {
  const fresh = async () => {
    const { db } = world();
    await db.dropTables(Stock);
    await db.createTables(Stock);
    const stock = db.repository(Stock);
    await stock.insert().execBatch([
      { shop: 1, item: "a", code: "A", count: 5, note: "old" },
      { shop: 1, item: "b", code: "B", count: 9, note: null },
    ]);
    const all = () => stock.query().fields("item", "count", "note").orderBy("item", "asc").exec();
    return { stock, all };
  };
  const record = { shop: 1, item: "a", code: "A", count: 2, note: "new" };

  test("the stored and the proposed value", async () => {
    const { stock, all } = await fresh();
    const upsert = stock
      .insert()
      .onConflict("shop", "item")
      .doUpdate()
      .set("count", length(coalesce(inserted("note"), field("item"))))
      .set("note", upper("note"));
    expect(await upsert.exec(record)).toMatchObject({ item: "a", count: 3, note: "OLD" });
    expect(await upsert.exec({ ...record, item: "c", code: "C" })).toMatchObject({ count: 2 });
    // What the record omits.
    const { note: _, ...bare } = record;
    expect(await upsert.exec(bare)).toMatchObject({ count: 1 });
    expect(await all()).toHaveLength(3);
  });

  test("assignments see the values before the update", async () => {
    const { stock } = await fresh();
    const upsert = stock
      .insert()
      .onConflict("shop", "item")
      .doUpdate()
      .set("note", field("code"))
      .set("code", coalesce("note", inserted("code")));
    expect(await upsert.exec(record)).toMatchObject({ code: "old", note: "A" });
  });

  test("a row that does not meet the conditions is null, and stays", async () => {
    const { stock, all } = await fresh();
    const upsert = stock
      .insert()
      .onConflict("shop", "item")
      .doUpdate()
      .set("count", "count")
      .where("count", "<", "most");
    expect(await upsert.exec(record, { most: 5 })).toBeNull();
    expect((await all())[0]).toMatchObject({ count: 5 });
    expect(await upsert.exec(record, { most: 6 })).toMatchObject({ count: 2 });
    const records = [
      { ...record, count: 1 },
      { ...record, item: "b", code: "B", count: 1 },
      { ...record, item: "c", code: "C", count: 1 },
    ];
    const rows = await upsert.execMany(records, { most: 6 });
    expect(rows.map((row) => row && [row.item, row.count])).toEqual([["a", 1], null, ["c", 1]]);
    expect(await upsert.execBatch(records, { most: 6 })).toBe(2);
    expect((await all()).map(({ count }) => count)).toEqual([1, 9, 1]);
  });

  test("every kind of condition", async () => {
    const { stock } = await fresh();
    const upsert = stock.insert().onConflict("shop", "item").doUpdate().set("count", "count");
    const null_ = upsert.whereNull("note");
    expect(await null_.exec(record)).toBeNull();
    expect(
      await upsert
        .whereNotNull("note")
        .whereBetween("count", "low", "high")
        .exec(record, { low: 5, high: 5 }),
    ).toMatchObject({ count: 2 });
    expect(await upsert.whereFields("count", "<", inserted("count")).exec(record)).toBeNull();
    expect(
      await upsert
        .whereOr(c("count", "IN", "list"), and(c("note", "=", "text")))
        .exec(record, { list: [1, 2], text: "x" }),
    ).not.toBeNull();
    expect(await upsert.whereNotBetween("count", "low", "high").exec(record, { low: 2, high: 5 })).toBeNull();
    expect(await upsert.where(upper("note"), "=", "loud").exec(record, { loud: "OLD" })).not.toBeNull();
    expect(
      await upsert.whereRaw(raw(z.boolean())`${field("note")} = ${value("none")}`).exec(record),
    ).toBeNull();
  });

  test("a record twice in a batch: the second updates what the first stored", async () => {
    const { stock, all } = await fresh();
    const upsert = stock
      .insert()
      .onConflict("shop", "item")
      .doUpdate()
      .set("count", length("item"))
      .where("count", ">", "least");
    const records = [
      { ...record, item: "c", code: "C", count: 3 },
      { ...record, item: "c", code: "C", count: 3 },
    ];
    expect(await upsert.execBatch(records, { least: 2 })).toBe(2);
    expect((await all()).at(-1)).toMatchObject({ item: "c", count: 1 });
    const rows = await upsert.execMany(records, { least: 2 });
    expect(rows).toEqual([null, null]);
  });

  test("a conflict on another key is refused, and nothing is stored", async () => {
    const { stock, all } = await fresh();
    const before = await all();
    const upsert = stock
      .insert()
      .onConflict("shop", "item")
      .doUpdate()
      .set("note", inserted("note"))
      .where("count", "<", "most");
    await expect(upsert.exec({ ...record, item: "z" }, { most: 9 })).rejects.toMatchObject({
      code: "UNIQUE_VIOLATION",
    });
    expect(await all()).toEqual(before);
  });

  test("a parameter of the update is checked although there is no conflict", async () => {
    const { stock, all } = await fresh();
    const upsert = stock
      .insert()
      .onConflict("code")
      .doUpdate()
      .set("count", "count")
      .where("count", "<", "most");
    const other = { ...record, item: "z", code: "Z" };
    await expect(upsert.exec(other, { most: "9" as never })).rejects.toMatchObject({ code: "PARAM_TYPE" });
    await expect(upsert.execBatch([other], { most: 0.5 })).rejects.toMatchObject({ code: "PARAM_TYPE" });
    await expect(upsert.exec(other, {} as never)).rejects.toMatchObject({ code: "MISSING_PARAM" });
    expect(await all()).toHaveLength(2);
  });

  test("doNothing of any key", async () => {
    const { stock, all } = await fresh();
    const insert = stock.insert().onConflict().doNothing();
    expect(await insert.exec(record)).toBeNull();
    expect(await insert.exec({ ...record, item: "z" })).toBeNull();
    const records = [
      { ...record, item: "y" },
      { ...record, item: "c", code: "C" },
      { ...record, code: "D" },
      { ...record, item: "d", code: "D" },
      { ...record, item: "e", code: "D" },
    ];
    const rows = await insert.execMany(records);
    expect(rows.map((row) => row?.item ?? null)).toEqual([null, "c", null, "d", null]);
    expect(await insert.execBatch([...records, { ...record, item: "f", code: "F" }])).toBe(1);
    expect((await all()).map(({ item }) => item)).toEqual(["a", "b", "c", "d", "f"]);
  });
});
