/**
 * Values at and beyond the range of their kind, in both directions and in every way of reading: exactly what the server
 * holds, or refused by a code, and never another value.
 */
import { coalesce, column, type Database, decimal, field, json, many, max, neg, one, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { walk } from "../../kit/walk.js";
import { type Lent, servers } from "../../servers.js";

const owners = table("range_owners", z.object({ id: column(z.int(), { primaryKey: true }) }), {
  relations: { things: many("things", "ownerId") },
});
const things = table(
  "range_things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    ownerId: z.int(),
    note: z.string(),
    at: z.date().nullable(),
    fine: column(z.date().nullable(), { type: { postgres: "timestamptz", mariadb: "datetime(6)" } }),
    local: column(z.date().nullable(), { type: { postgres: "timestamp", sqlite: "INTEGER" } }),
    day: column(z.date().nullable(), { type: { postgres: "date", mariadb: "date" } }),
    n: z.int().nullable(),
    big: z.bigint().nullable(),
    wide: column(z.bigint().nullable(), { type: { postgres: "numeric(30,0)", mariadb: "decimal(30,0)" } }),
    num: z.number().nullable(),
    price: decimal(10, 2).nullable(),
    dates: z.array(z.date()).nullable(),
    ints: z.array(z.int()).nullable(),
    bigs: z.array(z.bigint()).nullable(),
    nums: z.array(z.number()).nullable(),
    doc: json(
      z.object({ at: z.date().optional(), n: z.int().optional(), big: z.bigint().optional() }),
    ).nullable(),
  }),
  { relations: { owner: one("owners", "ownerId") } },
);
type Name = Exclude<keyof z.infer<typeof things.schema>, "id" | "ownerId" | "note">;

const typed = (db: Database) => {
  const sqlite = db as unknown as Database<"sqlite">;
  return { db: sqlite, ...sqlite.repositories({ owners, things }) };
};
type World = ReturnType<typeof typed>;

// biome-ignore lint/suspicious/noExplicitAny: fields are given by name.
type Any = any;

const REFUSED = "DECODE_FAILED";
const date = (text: string) => new Date(text);
const LAST = date("9999-12-31T23:59:59.999Z");
const FIRST = date("0001-01-01T00:00:00.000Z");

/** What a server may hold in a field, as SQL, and what is read of it. */
type Held = readonly [field: Name, sql: string, read: unknown];

const digits: readonly Held[] = [
  ["n", "9007199254740991", 2 ** 53 - 1],
  ["n", "-9007199254740991", 1 - 2 ** 53],
  ["n", "1234567890123456", 1_234_567_890_123_456],
  ["n", "9007199254740992", REFUSED],
  ["n", "-9007199254740992", REFUSED],
  ["n", "9007199254740993", REFUSED],
  ["n", "-9223372036854775808", REFUSED],
  ["big", "9007199254740993", 9_007_199_254_740_993n],
  ["big", "9223372036854775807", 2n ** 63n - 1n],
  ["big", "-9223372036854775808", -(2n ** 63n)],
  ["price", "99999999.99", "99999999.99"],
  ["num", "9007199254740993", 2 ** 53],
  ["num", "-0e0", 0],
];

const held: Readonly<Record<string, readonly Held[]>> = {
  postgres: [
    ...digits,
    ...(["at", "fine", "local"] as const).flatMap((name): Held[] => [
      [name, "'0001-01-01 00:00:00+00'", FIRST],
      [name, "'9999-12-31 23:59:59.999+00'", LAST],
      [name, "'0001-01-01 00:00:00+00 BC'", REFUSED],
      [name, "'0044-03-15 12:00:00+00 BC'", REFUSED],
      [name, "'10000-01-01 00:00:00+00'", REFUSED],
      [name, "'29000-01-01 00:00:00+00'", REFUSED],
      [name, "'infinity'", REFUSED],
      [name, "'-infinity'", REFUSED],
    ]),
    ["day", "'9999-12-31'", date("9999-12-31T00:00:00Z")],
    ["day", "'0001-12-31 BC'", REFUSED],
    ["day", "'10000-01-01'", REFUSED],
    ["day", "'infinity'", REFUSED],
    ["wide", "9223372036854775808", 2n ** 63n],
    ["wide", "-9223372036854775809", -(2n ** 63n) - 1n],
    ["wide", "'NaN'", REFUSED],
    ["num", "'NaN'", REFUSED],
    ["num", "'Infinity'", REFUSED],
    ["num", "'-0'", 0],
    ["price", "'NaN'", REFUSED],
    ["price", "-0.00", "0.00"],
    ["dates", "ARRAY['infinity'::timestamptz]", REFUSED],
    ["dates", "ARRAY['0044-03-15 00:00:00+00 BC'::timestamptz]", REFUSED],
    ["ints", "ARRAY[9007199254740992]", REFUSED],
    ["nums", "ARRAY['-0'::float8]", [0]],
    ["nums", "ARRAY['NaN'::float8]", REFUSED],
  ],
  mariadb: [
    ...digits,
    ...(["at", "fine", "local"] as const).flatMap((name): Held[] => [
      [name, "'0001-01-01 00:00:00'", FIRST],
      [name, "'9999-12-31 23:59:59.999'", LAST],
      [name, "'0000-00-00 00:00:00'", REFUSED],
      [name, "'2024-00-10 00:00:00'", REFUSED],
      [name, "'2024-02-00 00:00:00'", REFUSED],
      [name, "'0000-01-01 00:00:00'", REFUSED],
    ]),
    ["day", "'0000-00-00'", REFUSED],
    ["day", "'2024-02-00'", REFUSED],
    ["day", "'0000-12-31'", REFUSED],
    ["day", "'9999-12-31'", date("9999-12-31T00:00:00Z")],
    ["wide", "9223372036854775808", 2n ** 63n],
    ["wide", "-9223372036854775809", -(2n ** 63n) - 1n],
    ["price", "-0.00", "0.00"],
  ],
  sqlite: [
    ...digits.filter(([name]) => name !== "price"),
    ["price", "9999999999", "99999999.99"],
    ["at", "'0001-01-01 00:00:00.000'", FIRST],
    ["at", "'9999-12-31 23:59:59.999'", LAST],
    ["at", "'0000-12-31 23:59:59.999'", REFUSED],
    ["at", "'-0044-03-15 00:00:00.000'", REFUSED],
    ["at", "'10000-01-01 00:00:00.000'", REFUSED],
    ["at", "'+010000-01-01 00:00:00.000'", REFUSED],
    ["local", "-62135596800000", FIRST],
    ["local", "253402300799999", LAST],
    ["local", "-62135596800001", REFUSED],
    ["local", "253402300800000", REFUSED],
    ["local", "8640000000000001", REFUSED],
    ["num", "9e999", REFUSED],
    ["dates", `'["10000-01-01 00:00:00.000"]'`, REFUSED],
    ["ints", "'[9007199254740992]'", REFUSED],
    ["bigs", "'[\"9223372036854775807\"]'", [2n ** 63n - 1n]],
  ],
  h2: [
    ...digits.filter(([name, sql]) => name !== "num" && !sql.startsWith("-9223")),
    ["at", "TIMESTAMP WITH TIME ZONE '9999-12-31 23:59:59.999+00:00'", LAST],
    ["at", "TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00:00'", REFUSED],
    ["at", "TIMESTAMP WITH TIME ZONE '-0044-03-15 00:00:00+00:00'", REFUSED],
  ],
};

/** The ways in which a value is read; each gives it under some name, or fails. */
const ways: Readonly<Record<string, (world: World, name: Name) => Promise<unknown>>> = {
  "a query": async ({ things }, name) => (await (things.query() as Any).fields(name).exec())[0][name],
  "a row": async ({ things }, name) => ((await things.select().exec()) as Any)[name],
  "a stream": async ({ things }, name) => {
    for await (const row of things.query().stream()) return row[name];
    return "no row";
  },
  "a joined row": async ({ owners }, name) =>
    (await (owners.query() as Any).join("things").fields("id", `things.${name}`).exec())[0].things[name],
  "a nested row": async ({ owners }, name) =>
    (await (owners.query() as Any).with("things").exec())[0].things[0][name],
  "an updated row": async ({ things }, name) => {
    const update = things.modify().set("note", "note").where("id", "=", "id") as Any;
    return (await update.returning("id", name).exec({ note: "x", id: 1 }))[name];
  },
  "an expression": async ({ things }, name) =>
    (await (things.query() as Any).fields(coalesce(name as Any, field(name as Any)).as("x")).exec())[0].x,
  "an extreme": async ({ things }, name) =>
    (await (things.query() as Any).fields(max(name as Any).as("x")).exec())[0].x,
  "SQL of one's own": async ({ db }, name) => {
    const quote = (db.dialect as string) === "mariadb" ? "`" : '"';
    const text = `SELECT ${quote}${name}${quote} FROM ${quote}range_things${quote}`;
    return ((await db.sql(text, things.schema.pick({ [name]: true } as Any)).exec())[0] as Any)[name];
  },
  "the order of a page": async ({ things }, name) => {
    const pages = (things.query() as Any).fields(name).orderBy(name, "asc").orderBy("id", "asc").page(1);
    return ((await walk(pages, { most: 2 }))[0] as Any)[0][name];
  },
};
const ordered: ReadonlySet<string> = new Set(["an extreme", "the order of a page"]);
const lists: ReadonlySet<string> = new Set(["dates", "ints", "bigs", "nums"]);

for (const server of servers.filter(({ name }) => held[name] !== undefined))
  describe.skipIf(!server.available)(`what ${server.name} holds`, () => {
    let lent: Lent;
    let world: World;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(owners, things);
      // The column says which values it takes; other programs may have made it without.
      if (server.name === "sqlite") await lent.run("PRAGMA ignore_check_constraints = ON");
      world = typed(lent.db);
      await world.owners.insert().exec({ id: 1 });
      await world.things.insert().exec({ id: 1, ownerId: 1, note: "x" });
    });
    afterAll(() => lent.close());

    test.each(held[server.name] ?? [])("%s of %s", async (name, sql, read) => {
      const quote = server.dialect === "mariadb" ? "`" : '"';
      const q = (text: string) => `${quote}${text}${quote}`;
      const all = Object.keys(things.columns).filter((one) => !["id", "ownerId", "note"].includes(one));
      const others = all.filter((one) => one !== name).map((one) => `${q(one)} = NULL`);
      const text = `UPDATE ${q("range_things")} SET ${[...others, `${q(name)} = ${sql}`].join(", ")}`;
      // As a server without the strict mode would have stored it.
      await lent.run(server.name === "mariadb" ? `SET STATEMENT sql_mode = '' FOR ${text}` : text);
      for (const [way, ask] of Object.entries(ways)) {
        if (lists.has(name) && (ordered.has(way) || way === "an expression")) continue;
        if (server.name === "h2" && way === "a nested row") continue;
        const got = await ask(world, name).catch((error: { code?: unknown }) => error.code ?? error);
        expect(got, way).toEqual(read);
        if (read === 0) expect(Object.is(got, 0), way).toBe(true);
      }
    });
  });

const year10000 = date("+010000-01-01T00:00:00.000Z");
const year0 = date("0000-12-31T23:59:59.999Z");
const beyond: Readonly<Partial<Record<Name, readonly unknown[]>>> = {
  at: [year10000, year0, date("-000044-03-15T00:00:00Z"), new Date(8.64e15), new Date(Number.NaN)],
  fine: [year10000, year0],
  local: [year10000, year0],
  day: [year10000, year0],
  n: [2 ** 53, -(2 ** 53), 1e16, 2 ** 63, 0.5, Number.NaN],
  big: [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n],
  num: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
  price: ["100000000.00", "-100000000", "0.001", "NaN", "Infinity", "1e3"],
  dates: [[year10000], [LAST, year0]],
  ints: [[2 ** 53], [1, -(2 ** 53)]],
  bigs: [[2n ** 63n], [-(2n ** 63n) - 1n]],
  nums: [[Number.NaN], [1, Number.POSITIVE_INFINITY]],
  doc: [
    { at: year10000 },
    { at: date("-000044-03-15T00:00:00Z") },
    { at: new Date(Number.NaN) },
    { n: 2 ** 53 },
  ],
};

/** The ways in which a value is given. */
const givenBy: Readonly<Record<string, (world: World, name: Name, value: unknown) => Promise<unknown>>> = {
  "an insert": ({ things }, name, value) => things.insert().exec({ ...row, [name]: value }),
  "a batch": ({ things }, name, value) =>
    things.insert().execBatch([
      { ...row, id: 3 },
      { ...row, [name]: value },
    ]),
  "an upsert": ({ things }, name, value) =>
    things
      .insert()
      .onConflict("id")
      .doUpdate()
      .exec({ ...row, [name]: value }),
  "an upsert with a parameter": ({ things }, name, value) =>
    (things.insert().onConflict("id").doUpdate() as Any).set(name, "given").exec(row, { given: value }),
  "an update": ({ things }, name, value) =>
    (things.modify() as Any).set(name, "given").where("id", "=", "id").exec({ given: value, id: 1 }),
  "updates of a batch": ({ things }, name, value) =>
    (things.modify() as Any)
      .set(name, "given")
      .where("id", "=", "id")
      .execBatch([{ given: value, id: 1 }]),
  "a change of some fields": ({ things }, name, value) =>
    (things.modify() as Any).where("id", "=", "id").execPatch({ [name]: value }, { id: 1 }),
};
const askedBy: typeof givenBy = {
  "a condition": ({ things }, name, value) =>
    (things.count() as Any).where(name, "=", "given").exec({ given: value }),
  "a list": ({ things }, name, value) =>
    (things.count() as Any).where(name, "IN", "given").exec({ given: [value] }),
  "a range": ({ things }, name, value) =>
    (things.count() as Any).whereBetween(name, "low", "high").exec({ low: value, high: value }),
  "an optional condition": ({ things }, name, value) =>
    (things.query() as Any).whereOptional(name, "<", "given").exec({ given: value }),
};
const row = { id: 2, ownerId: 1, note: "x" };
const scalars: ReadonlySet<string> = new Set(["at", "fine", "local", "day", "n", "big", "num", "price"]);

for (const server of servers)
  describe.skipIf(!server.available)(`what ${server.name} is given`, () => {
    let lent: Lent;
    let world: World;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(owners, things);
      world = typed(lent.db);
      await world.things.insert().exec({ ...row, id: 1 });
    });
    afterAll(() => lent.close());

    test.each(Object.entries(beyond) as [Name, readonly unknown[]][])(
      "%s beyond its range is refused",
      async (name, values) => {
        const all = scalars.has(name) ? { ...givenBy, ...askedBy } : givenBy;
        for (const [i, value] of values.entries())
          for (const [way, give] of Object.entries(all)) {
            const code = await give(world, name, value).then(
              () => "stored",
              (error: { code?: unknown }) => error.code ?? error,
            );
            expect(code, `${way}: value ${i}`).toBe("PARAM_TYPE");
          }
        expect(await world.things.count().exec()).toBe(1);
      },
    );

    test("JSON holds dates of the years 0 to 9999, and bigints of any length", async () => {
      const doc = { at: year0, big: 2n ** 64n };
      expect((await world.things.insert().exec({ ...row, doc })).doc).toEqual(doc);
      expect((await world.things.select().where("id", "=", "id").exec({ id: 2 })).doc).toEqual(doc);
      await world.things.remove().where("id", "=", "id").exec({ id: 2 });
    });

    test("minus zero is zero, wherever it is given, and finds zero", async () => {
      const { things } = world;
      const zeros = { num: -0, n: -0, price: "-0.00", nums: [-0], ints: [-0], doc: { n: -0 } };
      const exact = { num: 0, n: 0, price: "0.00", nums: [0], ints: [0], doc: { n: 0 } };
      const same = (found: Any) => {
        const { num, n, price, nums, ints, doc } = found;
        for (const [i, zero] of [num, n, nums[0], ints[0], doc.n].entries())
          expect(Object.is(zero, 0), String(i)).toBe(true);
        expect(price).toBe("0.00");
      };
      same(await things.insert().exec({ ...row, ...zeros }));
      same(await things.select().where("id", "=", "id").exec({ id: 2 }));
      const set = things
        .modify()
        .set("num", "num")
        .set("n", "n")
        .set("price", "price")
        .set("nums", "nums")
        .set("ints", "ints")
        .set("doc", "doc");
      same(await set.where("id", "=", "id").exec({ ...zeros, id: 2 }));
      same({
        ...exact,
        ...(
          await things
            .query()
            .fields(neg("num").as("m"), neg("n").as("o"))
            .where("id", "=", "id")
            .exec({ id: 2 })
        ).map(({ m, o }) => ({ num: m, n: o }))[0],
      });
      for (const name of ["num", "n", "price"] as const) {
        const zero = zeros[name];
        const count = things.count() as Any;
        expect(await count.where(name, "=", "zero").exec({ zero }), name).toBe(1);
        expect(await count.where(name, "IN", "list").exec({ list: [zero] }), name).toBe(1);
        expect(await count.whereBetween(name, "low", "high").exec({ low: zero, high: zero }), name).toBe(1);
      }
      await things.remove().where("id", "=", "id").exec({ id: 2 });
    });
  });
