/** Paths into JSON: their texts, before the judges, and what comes back from every server. */
import { column, count, type Database, json, path, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Profile, profileWorld } from "../../kit/paths.world.js";
import { describeCasesOf } from "../../kit/run-cases.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { judgeOracle } from "../../oracle/judge.js";
import { type Lent, servers } from "../../servers.js";
import { pathCases } from "./paths.cases.js";

describeCasesOf(profileWorld, "paths into JSON", pathCases);

// Each must reach its own member, beside all others.
const hostile: readonly string[] = [
  ..."a|A|a b|a.b|'|''|\"|\\|\\\\|\\\"|\\n|\\u0041|$|$.x|*|**|@|#|#-1|?|:a|::b|%s|-|--|-a|0|[0]|[*]|]|[|{f}|{0}|{}".split(
    "|",
  ),
  "",
  " ",
  "\n",
  "\t",
  "\u0001",
  "\u001f",
  "\u007f",
  "\u00e9",
  "e\u0301",
  "\u0130",
  "\u{1F600}",
  "\u2028",
  "`",
  "``",
  "/* */",
  "-- x",
  "constructor",
  "toString",
  "hasOwnProperty",
  "last",
  "to",
  "x".repeat(1_000),
];
// Those that MariaDB does not find.
const unreached: ReadonlySet<string> = new Set(["-", "--", "-a", "-- x", "\n", "\t", "\u0001", "\u001f"]);
const Named = table(
  "hostile_names",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    byName: json(z.record(z.string(), z.string())),
    inside: json(z.object({ list: z.array(z.record(z.string(), z.number())) })),
  }),
);

/** An object with these members, also where one is named as a part of every object. */
function objectOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}

const Loose = table(
  "loose",
  z.object({ id: column(z.int(), { primaryKey: true }), meta: json(z.unknown()) }),
);
const member = z.object({
  text: z.string().nullable(),
  n: z.number().nullable(),
  i: z.int().nullable(),
  ok: z.boolean().nullable(),
  mode: z.enum(["a", "b"]).nullable(),
  list: z.array(z.string()).nullable(),
});
const Strict = table("loose", z.object({ id: column(z.int(), { primaryKey: true }), meta: json(member) }));

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`paths into JSON on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Named, Loose);
    });
    afterAll(() => lent.close());
    const typed = () => lent.db as unknown as Database<"sqlite">;

    test("a name of any characters reaches its own member, and no other", async () => {
      const names = typed().repository(Named);
      const entries = hostile.map((name, i) => [name, `v${i}`] as const);
      const numbers = objectOf(hostile.map((name, i) => [name, i] as const));
      await names.insert().exec({ id: 1, byName: objectOf(entries), inside: { list: [{}, numbers] } });
      const wrong: string[] = [];
      for (const [i, name] of hostile.entries()) {
        if (server.dialect === "mariadb" && unreached.has(name)) {
          const select = names.query().fields(path("byName", name).as("own"));
          expect(sqlErrorIn(() => select.render())).toMatchObject({ code: "UNSUPPORTED" });
          continue;
        }
        const [row] = await names
          .query()
          .fields(path("byName", name).as("own"), path("inside", "list", 1, name).as("n"))
          .where(path("byName", name), "=", "v")
          .where(path("inside", "list", 1, name), "=", "i")
          .exec({ v: `v${i}`, i });
        if (row?.own !== `v${i}` || row.n !== i) wrong.push(JSON.stringify(name));
      }
      expect(wrong).toEqual([]);
      for (const absent of ["absent", "__proto__"])
        expect(await names.query().fields(path("byName", absent).as("own")).exec()).toEqual([{ own: null }]);
    });

    test("a member of another type is an error where it is selected, and NULL in a condition", async () => {
      const loose = typed().repository(Loose);
      const strict = typed().repository(Strict);
      const [text, n, i, ok, mode] = ["text", "n", "i", "ok", "mode"] as const;
      const right = { text: "t", n: 1.5, i: 3, ok: true, mode: "a", list: ["x"] };
      await loose.insert().exec({ id: 1, meta: right });
      const others = {
        [text]: [7, true, ["t"], { t: "t" }],
        [n]: ["1.5", true, [1.5]],
        [i]: ["3", 3.5, 1e300, 9007199254740993e3],
        [ok]: ["true", 1, 0],
        [mode]: ["c", 1],
      };
      for (const name of [text, n, i, ok, mode])
        for (const other of others[name]) {
          await loose
            .modify()
            .set("meta", "meta")
            .where("id", "=", "id")
            .exec({ id: 1, meta: { ...right, [name]: other } });
          const selected = strict.query().fields(path("meta", name).as("it"));
          expect(await sqlErrorOf(selected.exec()), JSON.stringify({ [name]: other })).toMatchObject({
            code: "DECODE_FAILED",
          });
          if (name === mode) continue;
          expect(await strict.query().fields("id").whereNull(path("meta", name)).exec()).toEqual([{ id: 1 }]);
        }
      await loose
        .modify()
        .set("meta", "meta")
        .where("id", "=", "id")
        .exec({ id: 1, meta: { ...right, list: "x" } });
      // A place in what is not a list.
      expect(
        await strict
          .query()
          .fields(path("meta", "list", 0).as("it"))
          .exec(),
      ).toEqual([{ it: null }]);
      await loose.modify().set("meta", "meta").where("id", "=", "id").exec({ id: 1, meta: 7 });
      expect(await strict.query().fields(path("meta", "text").as("it")).exec()).toEqual([{ it: null }]);
      await loose.remove().where("id", "=", "id").exec({ id: 1 });
    });

    test("whole numbers in any notation of JSON are whole numbers", async () => {
      const quotedTable = server.dialect === "mariadb" ? "`loose`" : '"loose"';
      for (const text of ["3", "3.0", "30e-1", "0.3E1"]) {
        await lent.run(`DELETE FROM ${quotedTable}`);
        await lent.run(`INSERT INTO ${quotedTable} VALUES (1, '{"i": ${text}, "n": ${text}}')`);
        const strict = typed().repository(Strict);
        const query = strict.query().fields(path("meta", "i").as("i"), path("meta", "n").as("n"));
        expect(
          await query.where(path("meta", "i"), "=", "i").where(path("meta", "n"), "=", "i").exec({ i: 3 }),
        ).toEqual([{ i: 3, n: 3 }]);
      }
      await lent.run(`DELETE FROM ${quotedTable}`);
    });

    test("a null of JSON, an absent member and an absent list are NULL", async () => {
      const loose = typed().repository(Loose);
      const strict = typed().repository(Strict);
      await loose.insert().execBatch([
        { id: 1, meta: { text: null } },
        { id: 2, meta: {} },
        { id: 3, meta: null },
      ]);
      for (const one of [path("meta", "text"), path("meta", "list", 3)]) {
        const rows = await strict
          .query()
          .fields("id", one.as("it"))
          .whereNull(one)
          .orderBy("id", "asc")
          .exec();
        expect(rows).toEqual([1, 2, 3].map((id) => ({ id, it: null })));
      }
      await loose.remove().where("id", ">", "id").exec({ id: 0 });
    });

    test("numbers are found by their exact value", async () => {
      const loose = typed().repository(Loose);
      const strict = typed().repository(Strict);
      const numbers = [
        1e21,
        123456789012345680000,
        2 ** 53,
        2 ** 63,
        2 ** 64,
        0.1 + 0.2,
        1.7976931348623157e308,
        5e-324,
        -1e-7,
        4.35,
        1 / 3,
      ];
      await loose.insert().execBatch(numbers.map((n, id) => ({ id, meta: { n } })));
      const query = strict.query().fields("id", path("meta", "n").as("n")).where(path("meta", "n"), "=", "n");
      for (const [id, n] of numbers.entries()) expect(await query.exec({ n })).toEqual([{ id, n }]);
      await loose.remove().where("id", ">=", "id").exec({ id: 0 });
    });
  });

describe("columns that are declared as JSON or as text", () => {
  for (const [name, type] of [
    ["postgres", "json"],
    ["postgres", "text"],
    ["mariadb", "json"],
    ["mariadb", "text"],
  ] as const) {
    const server = servers.find((one) => one.name === name);
    test.skipIf(server?.available !== true)(`${type} on ${name}`, async () => {
      const lent = await server?.lend();
      if (lent === undefined) throw new Error("no server");
      const Typed = table(
        "typed_json",
        z.object({
          id: column(z.int(), { primaryKey: true }),
          meta: column(json(z.object({ title: z.string(), list: z.array(z.number()) })), { type }),
        }),
      );
      await lent.db.createTables(Typed);
      const rows = (lent.db as unknown as Database<"sqlite">).repository(Typed);
      await rows.insert().exec({ id: 1, meta: { title: 'é"', list: [0.5] } });
      const found = await rows
        .query()
        .fields(
          path("meta", "title").as("title"),
          path("meta", "list").as("list"),
          path("meta", "list", 0).as("first"),
        )
        .where(path("meta", "title"), "=", "title")
        .exec({ title: 'é"' });
      expect(found).toEqual([{ title: 'é"', list: [0.5], first: 0.5 }]);
      await lent.close();
    });
  }
});

describe("what is not a path", () => {
  const typed = sqlite().repository(Profile);
  // What the compiler refuses, an untyped caller may write.
  const open = path as unknown as (...args: readonly unknown[]) => ReturnType<typeof path<"meta", ["title"]>>;
  const select = (...args: readonly unknown[]) =>
    sqlErrorIn(() =>
      typed
        .query()
        .fields(open(...args).as("it"))
        .render(),
    );

  test.each([
    [["meta", "titel"], "INVALID_FIELD", 'no step "titel" in "meta"; names: title, theme, score'],
    [["meta", "size", "h"], "INVALID_FIELD", 'no step "h" in "meta" → "size"; names: w, unit'],
    [["meta", "title", "x"], "INVALID_FIELD", 'no step "x" in "meta" → "title"'],
    [["meta", "tags", "0"], "INVALID_FIELD", 'no step "0" in "meta" → "tags"'],
    [["meta", "__proto__"], "INVALID_FIELD", 'no step "__proto__" in "meta"'],
    [["meta", "constructor"], "INVALID_FIELD", "no step"],
    [["meta"], "INVALID_FIELD", "a path needs a step"],
    [[], "INVALID_FIELD", "an operand is the name of a field"],
    [["name", "length"], "INVALID_OPERATOR", 'path takes a field of JSON, "name" holds text'],
    [["mete", "title"], "INVALID_FIELD", 'unknown field "mete"'],
    [["meta", "tags", -1], "INVALID_FIELD", "is not a step of a path"],
    [["meta", "tags", 0.5], "INVALID_FIELD", "is not a step of a path"],
    [["meta", "tags", 2 ** 31], "INVALID_FIELD", "is not a step of a path"],
    [["meta", "tags", 0n], "INVALID_FIELD", "is not a step of a path"],
    [["meta", "a\0b"], "INVALID_FIELD", "is not a step of a path"],
    [["meta", "\ud800"], "INVALID_FIELD", "is not a step of a path"],
    [["meta", "x".repeat(1_001)], "INVALID_FIELD", "is not a step of a path"],
    [["meta", null], "INVALID_FIELD", "is not a step of a path"],
    [["meta", ["title"]], "INVALID_FIELD", "is not a step of a path"],
    [
      [
        "meta",
        new Proxy(
          {},
          {
            get: () => {
              throw new Error("read");
            },
          },
        ),
      ],
      "INVALID_FIELD",
      "is not a step of a path",
    ],
    [
      ["meta", ...Array.from({ length: 10_000 }, () => "a")],
      "INVALID_FIELD",
      "a path takes at most 30 steps",
    ],
    [[null, "title"], "INVALID_FIELD", "an operand is the name of a field"],
  ])("%#: it is refused in a sentence", (args, code, message) => {
    const error = select(...args);
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(message);
  });

  test.each([
    ["compared", () => typed.query().where(open("meta", "size"), "=", "x")],
    ["ordered", () => typed.query().orderBy(open("meta", "tags"), "asc")],
    ["ordered by its name", () => typed.query().fields(open("meta", "at").as("it")).orderBy("it", "asc")],
    ["grouped", () => typed.query().fields(open("meta", "size").as("it")).groupBy("it")],
    [
      "partitioned by",
      () =>
        typed.query().fields(
          count()
            .over({ partitionBy: [open("meta", "size")] })
            .as("n"),
        ),
    ],
    ["the first of each", () => postgres().repository(Profile).query().distinctOn(open("meta", "size"))],
    ["told apart", () => typed.query().fields(open("meta", "size").as("it")).distinct()],
    ["a date: compared", () => typed.query().where(open("meta", "at"), "=", "x")],
    ["a bigint: compared", () => typed.query().where(open("meta", "total"), "=", "x")],
  ] as const)("an object, a list, or what JSON stores in another form, is not %s", (_, make) => {
    expect(sqlErrorIn(() => make().render())).toMatchObject({ code: "INVALID_OPERATOR" });
  });

  const isoDate = z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  const csv = z.codec(z.string(), z.array(z.string()), {
    decode: (text) => text.split(","),
    encode: (list) => list.join(","),
  });
  const Coded = table(
    "coded",
    z.object({
      id: column(z.int(), { primaryKey: true }),
      meta: json(
        z.object({
          at: isoDate,
          csv,
          both: z.union([z.string(), z.array(z.string())]),
          loose: z.looseObject({ a: z.string() }),
          map: z.map(z.string(), z.string()),
        }),
      ),
    }),
  );

  test("a member that a codec stores is decoded by it, and no path leads into it", async () => {
    const lent = await servers[0]?.lend();
    if (lent === undefined) throw new Error("no SQLite");
    await lent.db.createTables(Coded);
    const coded = (lent.db as unknown as Database<"sqlite">).repository(Coded);
    const at = new Date("2026-01-02T03:04:05.678Z");
    const map = new Map([["a", "b"]]);
    const meta = { at, csv: ["a", "b"], both: ["x"], loose: { a: "a", more: 5 }, map };
    await coded.insert().exec({ id: 1, meta });
    const query = coded
      .query()
      .fields(
        path("meta", "at").as("at"),
        path("meta", "csv").as("csv"),
        path("meta", "both").as("both"),
        path("meta", "both", 0).as("first"),
        path("meta", "loose", "more").as("more"),
        path("meta", "map").as("map"),
      );
    expect(await query.exec()).toEqual([{ at, csv: ["a", "b"], both: ["x"], first: "x", more: 5, map }]);
    const into = sqlErrorIn(() =>
      coded
        .query()
        .fields(path("meta", "csv", 0).as("x"))
        .render(),
    );
    expect(String(into)).toContain('no path leads into "meta" → "csv": a codec stores it in another form');
    await lent.close();
  });

  test("hostile names are Oracle's literals", async () => {
    const names = oracle().repository(Named);
    for (const name of hostile) {
      const { native } = names
        .query()
        .fields(path("byName", name).as("own"))
        .where(path("byName", name), "=", "v")
        .render();
      await judgeOracle(native.sql, native.params as readonly string[]);
    }
  }, 240_000);

  test("a path is rendered the same in every call, and its text is the one that the dialect reads", () => {
    const of = { postgres, mariadb, sqlite };
    const texts = Object.values(of).map(
      (make) =>
        (make() as unknown as Database<"sqlite">)
          .repository(Named)
          .query()
          .fields("id")
          .whereNull(path("byName", 'it\'s \\ "it"'))
          .render().native.sql,
    );
    expect(texts).toEqual([
      `SELECT "id" FROM "hostile_names" WHERE (CASE jsonb_typeof("byName" -> E'it''s \\\\ "it"') WHEN 'string' THEN ("byName" -> E'it''s \\\\ "it"') #>> '{}' END) COLLATE "C" IS NULL`,
      "SELECT `id` FROM `hostile_names` WHERE CONVERT(CASE JSON_TYPE(JSON_EXTRACT(`byName`, CONVERT(0x242e2269742773205c5c205c2269745c2222 USING utf8mb4))) WHEN 'STRING' THEN JSON_VALUE(`byName`, CONVERT(0x242e2269742773205c5c205c2269745c2222 USING utf8mb4)) END USING utf8mb4) COLLATE utf8mb4_nopad_bin IS NULL",
      `SELECT "id" FROM "hostile_names" WHERE CASE json_type("byName", '$."it''s \\\\ \\"it\\""') WHEN 'text' THEN json_extract("byName", '$."it''s \\\\ \\"it\\""') END IS NULL`,
    ]);
  });
});
