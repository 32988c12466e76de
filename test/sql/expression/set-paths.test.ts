/** `setPath`: values inside JSON columns that updates and upserts set. */
import { column, type Database, json, table, upper } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { judgeOracle } from "../../oracle/judge.js";
import { type Lent, servers } from "../../servers.js";

const Setting = table(
  "settings",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    meta: json(
      z.object({
        theme: z.enum(["dark", "light"]).nullable(),
        size: z.number().optional(),
        at: z.date().optional(),
        tags: z.array(z.string()),
        box: z.object({ w: z.number(), 'it\'s \\ "it"': z.string().optional() }).optional(),
      }),
    ).nullable(),
  }),
);
const Range = table(
  "ranges",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    span: json(
      z
        .object({
          low: z.number(),
          high: z.number(),
          shape: z.discriminatedUnion("kind", [
            z.object({ kind: z.literal("circle"), r: z.number() }),
            z.object({ kind: z.literal("square"), side: z.number() }),
          ]),
        })
        .refine(({ low, high }) => low <= high),
    ),
  }),
);
const plain = { theme: "dark" as const, tags: ["a", "b"] };

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`setPath on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());
    const settings = () => (lent.db as unknown as Database<"sqlite">).repository(Setting);
    beforeEach(async () => {
      await lent.db.dropTables(Setting);
      await lent.db.createTables(Setting);
      await settings()
        .insert()
        .execBatch([
          { id: 1, name: "Ann", meta: plain },
          { id: 2, name: "Bob", meta: { ...plain, box: { w: 1 } } },
          { id: 3, name: "Cy", meta: null },
        ]);
    });
    const metaOf = async (id: number) =>
      (await settings().select().where("id", "=", "id").exec({ id }))?.meta;

    test("a member is set, and created where it is absent; the others stay", async () => {
      const at = new Date("2026-01-02T03:04:05.678Z");
      const row = await settings()
        .modify()
        .setPath("meta", ["theme"], "theme")
        .setPath("meta", ["size"], "size")
        .setPath("meta", ["at"], "at")
        .set("name", upper("name"))
        .where("id", "=", "id")
        .exec({ id: 1, theme: "light", size: 1e-7, at });
      expect(row).toEqual({ id: 1, name: "ANN", meta: { theme: "light", tags: ["a", "b"], size: 1e-7, at } });
      expect(await metaOf(1)).toEqual(row.meta);
      const none = settings().modify().setPath("meta", ["theme"], "theme").where("id", "=", "id");
      expect((await none.exec({ id: 1, theme: null })).meta).toMatchObject({ theme: null, size: 1e-7 });
    });

    test("objects, lists, places and names of any characters", async () => {
      const row = await settings()
        .modify()
        .setPath("meta", ["tags", 1], "tag")
        .setPath("meta", ["box", 'it\'s \\ "it"'], "it")
        .setPath("meta", ["box", "w"], "w")
        .where("id", "=", "id")
        .exec({ id: 2, tag: 'é " \\ \u{1F600}', it: "", w: 5e-324 });
      expect(row.meta).toEqual({
        ...plain,
        tags: ["a", 'é " \\ \u{1F600}'],
        box: { w: 5e-324, 'it\'s \\ "it"': "" },
      });
      const whole = settings().modify().setPath("meta", ["box"], "box").setPath("meta", ["tags"], "tags");
      const box = { w: 2 };
      expect((await whole.where("id", "=", "id").exec({ id: 1, box, tags: [] })).meta).toEqual({
        ...plain,
        box,
        tags: [],
      });
    });

    test("nothing changes where the parent is absent, the place is, or the column is NULL", async () => {
      const inside = settings().modify().setPath("meta", ["box", "w"], "w").where("id", "=", "id");
      expect((await inside.exec({ id: 1, w: 5 })).meta).toEqual(plain);
      expect((await inside.exec({ id: 3, w: 5 })).meta).toBeNull();
      const place = settings().modify().setPath("meta", ["tags", 2], "tag").where("id", "=", "id");
      expect((await place.exec({ id: 1, tag: "c" })).meta).toEqual(plain);
    });

    test("an upsert sets it in the stored row", async () => {
      const upsert = settings()
        .insert()
        .onConflict("id")
        .doUpdate()
        .setPath("meta", ["theme"], "theme_")
        .setPath("meta", ["tags", 0], "tag")
        .set("name", "name");
      const params = { theme_: "light", tag: "z" } as const;
      const row = await upsert.exec({ id: 2, name: "New", meta: plain }, params);
      expect(row).toEqual({
        id: 2,
        name: "New",
        meta: { theme: "light", tags: ["z", "b"], box: { w: 1 } },
      });
      expect(await upsert.exec({ id: 9, name: "Nine", meta: plain }, params)).toEqual({
        id: 9,
        name: "Nine",
        meta: plain,
      });
    });

    test("what the schema checks besides is checked in the rows that come back, and undone", async () => {
      const ranges = (lent.db as unknown as Database<"sqlite">).repository(Range);
      await lent.db.dropTables(Range);
      await lent.db.createTables(Range);
      const good = { low: 1, high: 2, shape: { kind: "circle", r: 1 } } as const;
      await ranges.insert().execBatch([
        { id: 1, name: "a", span: good },
        { id: 2, name: "b", span: good },
      ]);
      const low = ranges.modify().setPath("span", ["low"], "low");
      const kind = ranges.modify().setPath("span", ["shape", "kind"], "kind").where("id", "=", "id");
      const one = low.where("id", "=", "id");
      const set = { id: 1, low: 3 };
      const upsert = ranges.insert().onConflict("id").doUpdate().setPath("span", ["low"], "low");
      const refused = [
        () => one.exec(set),
        () => one.returning("id", "span").exec(set),
        () => one.execMany(set),
        () => low.where("id", ">", "id").execMany({ id: 0, low: 3 }),
        () => kind.exec({ id: 1, kind: "square" }),
        () => upsert.exec({ id: 1, name: "c", span: good }, { low: 3 }),
        () => upsert.execMany([{ id: 1, name: "c", span: good }], { low: 3 }),
      ];
      for (const call of refused)
        expect(await sqlErrorOf(call())).toMatchObject({ code: "DECODE_FAILED", field: "span" });
      const all = ranges.query().orderBy("id", "asc");
      expect(await all.exec()).toEqual([1, 2].map((id) => ({ id, name: id === 1 ? "a" : "b", span: good })));
      // As docs/expressions.md says: here nobody reads what is stored.
      expect(await one.execBatch([set])).toBe(1);
      expect(await one.returning("name").exec({ id: 2, low: 3 })).toEqual({ name: "b" });
      expect(await sqlErrorOf(all.exec())).toMatchObject({ code: "DECODE_FAILED", field: "span" });
    });

    test("a value that the member's schema refuses is PARAM_TYPE, and nothing is sent", async () => {
      const theme = settings().modify().setPath("meta", ["theme"], "to").where("id", "=", "id");
      const size = settings().modify().setPath("meta", ["size"], "to").where("id", "=", "id");
      for (const to of ["blue", 7, {}, undefined])
        expect(await sqlErrorOf(theme.exec({ id: 1, to: to as never }))).toMatchObject({ param: "to" });
      for (const to of ["1", Number.NaN, Number.POSITIVE_INFINITY, null])
        expect(await sqlErrorOf(size.exec({ id: 1, to: to as never }))).toMatchObject({
          code: "PARAM_TYPE",
          param: "to",
        });
      expect(await metaOf(1)).toEqual(plain);
    });
  });

describe.each(["json", "text"])("setPath in a column of type %s on PostgreSQL", (type) => {
  const server = servers.find(({ name }) => name === "postgres");
  test.skipIf(server?.available !== true)("keeps its type", async () => {
    const lent = await server?.lend();
    if (lent === undefined) throw new Error("no server");
    const Typed = table(
      "typed_json",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        meta: column(json(z.object({ a: z.number() })), { type }),
      }),
    );
    await lent.db.createTables(Typed);
    const rows = (lent.db as unknown as Database<"sqlite">).repository(Typed);
    await rows.insert().exec({ id: 1, meta: { a: 1 } });
    const set = rows.modify().setPath("meta", ["a"], "a").where("id", "=", "id");
    expect(await set.exec({ id: 1, a: 0.1 })).toEqual({ id: 1, meta: { a: 0.1 } });
    await lent.close();
  });
});

describe("what setPath refuses", () => {
  const settings = sqlite().repository(Setting);
  interface Open {
    setPath(...args: readonly unknown[]): Open;
    set(...args: readonly unknown[]): Open;
    where(...args: readonly unknown[]): Open;
    render(): { readonly native: { readonly sql: string; readonly params: readonly string[] } };
    toSpec(): unknown;
  }
  const modify = () => settings.modify() as unknown as Open;
  const where = (builder: Open) => builder.where("id", "=", "id");

  test.each<[string, () => Open, string, string]>([
    [
      "a misspelt name",
      () => modify().setPath("meta", ["theem"], "x"),
      "INVALID_FIELD",
      "names: theme, size",
    ],
    ["no list", () => modify().setPath("meta", "theme", "x"), "INVALID_FIELD", "takes a list of steps"],
    ["no step", () => modify().setPath("meta", [], "x"), "INVALID_FIELD", "a path needs a step"],
    [
      "a field of text",
      () => modify().setPath("name", ["x"], "x"),
      "INVALID_OPERATOR",
      "takes a field of JSON",
    ],
    ["no field", () => modify().setPath("mete", ["x"], "x"), "INVALID_FIELD", "unknown field"],
    [
      "no name of a parameter",
      () => modify().setPath("meta", ["theme"], null),
      "INVALID_PARAM",
      "name a parameter",
    ],
    [
      "set before",
      () => modify().set("meta", "m").setPath("meta", ["theme"], "x"),
      "INVALID_FIELD",
      "set twice",
    ],
    [
      "set behind",
      () => modify().setPath("meta", ["theme"], "x").set("meta", "m"),
      "INVALID_FIELD",
      "set twice",
    ],
    [
      "one value twice",
      () => modify().setPath("meta", ["theme"], "x").setPath("meta", ["theme"], "y"),
      "INVALID_FIELD",
      "set twice",
    ],
    [
      "one inside another",
      () => modify().setPath("meta", ["box"], "x").setPath("meta", ["box", "w"], "y"),
      "INVALID_FIELD",
      "set twice",
    ],
    [
      "a place below 0",
      () => modify().setPath("meta", ["tags", -1], "x"),
      "INVALID_FIELD",
      "is not a step of a path",
    ],
  ])("%s", (_, make, code, message) => {
    const error = sqlErrorIn(() => where(make()).render());
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(message);
  });

  test("a spec does not hold it", () => {
    const error = sqlErrorIn(() => where(modify().setPath("meta", ["theme"], "x")).toSpec());
    expect(error).toMatchObject({ code: "INVALID_SPEC" });
  });

  test("Oracle's text is one, up to four values in a field", async () => {
    const of = (count: number) => {
      let builder = oracle().repository(Setting).modify() as unknown as Open;
      for (const name of ["theme", "size", "at", "tags", "box"].slice(0, count))
        builder = builder.setPath("meta", [name], name);
      return where(builder);
    };
    const { native } = of(1).render();
    expect(native.sql).toContain(
      `SET "meta" = CASE JSON_VALUE("meta", '$.type()') WHEN 'object' THEN JSON_TRANSFORM("meta", SET '$.theme' = :p0 FORMAT JSON) ELSE "meta" END WHERE`,
    );
    await judgeOracle(native.sql.replace(/ RETURNING .*$/, ""), native.params);
    expect(sqlErrorIn(() => of(5).render())).toMatchObject({ code: "UNSUPPORTED" });
  }, 240_000);
});
