/**
 * Text of columns whose type is declared compares by code point on every server, whatever the collation of the
 * database, unless the type itself says COLLATE.
 */
import { c, cast, column, type Dialect, ddl, param, table, when } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

/** Declared types of text by dialect, with what `ddl` makes of them. */
const declared: Readonly<Record<"postgres" | "mariadb", Readonly<Record<string, string>>>> = {
  postgres: {
    text: 'text COLLATE "C"',
    "varchar(20)": 'varchar(20) COLLATE "C"',
    "VARCHAR ( 20 )": 'VARCHAR ( 20 ) COLLATE "C"',
    "character varying(20)": 'character varying(20) COLLATE "C"',
    "pg_catalog.varchar(20)": 'pg_catalog.varchar(20) COLLATE "C"',
    '"varchar" (20)': '"varchar" (20) COLLATE "C"',
    'pg_catalog."text"': 'pg_catalog."text" COLLATE "C"',
    "varchar(20) /* collate */": 'varchar(20) COLLATE "C" /* collate */',
  },
  mariadb: {
    "varchar(20)": "varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
    "character varying (20)": "character varying (20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
    "VARCHAR(20) CHARACTER SET utf8": "VARCHAR(20) CHARACTER SET utf8 COLLATE utf8mb3_nopad_bin",
    "varchar(20) charset latin1": "varchar(20) charset latin1 COLLATE latin1_nopad_bin",
    "national varchar(20)": "national varchar(20) COLLATE utf8mb3_nopad_bin",
    "nvarchar(20)": "nvarchar(20) COLLATE utf8mb3_nopad_bin",
    "enum('a', 'A', 'b', 'B', 'Z', 'a''(')":
      "enum('a', 'A', 'b', 'B', 'Z', 'a''(') CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
    "varchar(20) COMMENT 'text'":
      "varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin COMMENT 'text'",
    "varchar(20) ascii": "varchar(20) ascii COLLATE latin1_nopad_bin",
    "varchar(20) unicode": "varchar(20) unicode COLLATE ucs2_nopad_bin",
    "varchar(20) COMMENT 'its ''COLLATE'' is ours'":
      "varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin COMMENT 'its ''COLLATE'' is ours'",
    "varchar(20) charset latin1 /* collate */":
      "varchar(20) charset latin1 COLLATE latin1_nopad_bin /* collate */",
  },
};
/** Types that stay as they are: they say it themselves, or are not text that has a collation. */
const kept: Readonly<Record<Dialect, readonly string[]>> = {
  postgres: [
    'text COLLATE "en-US-x-icu"',
    'varchar(9)[] collate "POSIX"',
    "uuid",
    "citext",
    '"char"',
    "textual",
    "mood",
  ],
  mariadb: [
    "varchar(20) COLLATE utf8mb4_general_ci",
    "varchar(20) CHARACTER SET latin1 COLLATE latin1_general_cs",
    "varchar(20) BINARY",
    "char(3) byte",
    "uuid",
    "inet6",
    "textual",
  ],
  sqlite: ["varchar(20)", "TEXT COLLATE NOCASE", "text"],
  oracle: ["VARCHAR2(20)", "CLOB"],
};

const typeOf = (type: string, dialect: Dialect, schema: z.ZodType = z.string(), constraints?: string) => {
  const One = table(
    "one",
    z.object({
      value: column(schema as z.ZodString, { type, ...(constraints === undefined ? {} : { constraints }) }),
    }),
  );
  return /value["`] ([\s\S]*?) NOT NULL/.exec(ddl(One, dialect)[0] ?? "")?.[1];
};

test("a text type gets its collation", () => {
  for (const [dialect, types] of Object.entries(declared))
    for (const [type, made] of Object.entries(types)) expect(typeOf(type, dialect as Dialect)).toBe(made);
  for (const type of ["tinytext", "mediumtext", "long varchar", "text(9)", "set('a')", "long"])
    expect(typeOf(type, "mariadb")).toBe(`${type} CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin`);
  for (const type of [
    "bpchar",
    "character(3)",
    "national character varying(3)",
    "nchar(3)",
    "char varying(9)",
  ])
    expect(typeOf(type, "postgres")).toBe(`${type} COLLATE "C"`);
});

test("text arrays on PostgreSQL get it too, declared or not", () => {
  const texts = z.array(z.string());
  for (const type of ["text[]", "varchar(20)[]", "text ARRAY", "text[3]", "character varying (9) [ ] [ ]"])
    expect(typeOf(type, "postgres", texts)).toBe(`${type} COLLATE "C"`);
  const One = table("one", z.object({ value: texts, numbers: z.array(z.int()) }));
  expect(ddl(One, "postgres")[0]).toContain('"value" text[] COLLATE "C" NOT NULL');
  expect(ddl(One, "postgres")[0]).toContain('"numbers" bigint[] NOT NULL');
});

test("a type with its own collation is unchanged, as is a type that is not text", () => {
  for (const [dialect, types] of Object.entries(kept))
    for (const type of types) expect(typeOf(type, dialect as Dialect)).toBe(type);
  expect(typeOf("integer", "postgres", z.int())).toBe("integer");
  expect(typeOf("varchar(9)", "postgres", z.string(), 'COLLATE "POSIX"')).toBe("varchar(9)");
  expect(typeOf("varchar(9)", "mariadb", z.string(), "COLLATE utf8mb4_general_ci")).toBe("varchar(9)");
  expect(typeOf("varchar(9)", "postgres", z.string(), "CHECK (value <> 'collate')")).toBe(
    'varchar(9) COLLATE "C"',
  );
});

const texts = [
  "b",
  "B",
  "a",
  "A",
  "Z",
  "ä",
  "Ä",
  "a ",
  "-a",
  "aa",
  "_",
  "é",
  "z",
  "ß",
  "ss",
  "Ǆ",
  "🦀",
  "\uffee",
];
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`declared text on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());
    const types = {
      postgres: Object.keys(declared.postgres),
      mariadb: [
        "varchar(20)",
        "character varying (20)",
        "VARCHAR(20) CHARACTER SET utf8mb4",
        "char(20)",
        "varchar(20) COMMENT 'text'",
      ],
      sqlite: ["varchar(20)"],
      oracle: ["varchar(20)"],
    }[server.dialect];

    for (const [i, type] of types.entries())
      test(`${type}: unique, =, IN, ranges, groups and order are by code point`, async () => {
        const Word = table(
          `words_${i}`,
          z.object({
            id: column(z.int(), { primaryKey: true }),
            text: column(z.string(), { type, unique: true }),
          }),
        );
        await lent.db.createTables(Word);
        const words = lent.db.repository(Word);
        // What is filled up with blanks cannot hold those at the end.
        const held = texts.filter(
          (text) =>
            (!type.startsWith("char(") || text === text.trim()) &&
            // H2 compares by halves of surrogate pairs.
            (server.name !== "h2" || text !== "\uffee"),
        );
        await words.insert().execBatch(held.map((text, id) => ({ id, text })));
        const sorted = [...held].sort(byCodePoint);
        const read = (rows: readonly { text: string }[]) => rows.map(({ text }) => text);
        expect(read(await words.query().orderBy("text", "asc").exec())).toEqual(sorted);
        expect(read(await words.query().orderBy("text", "desc").exec())).toEqual([...sorted].reverse());
        for (const text of held) {
          expect(read(await words.query().where("text", "=", "p").exec({ p: text }))).toEqual([text]);
          expect(
            read(
              await words
                .query()
                .where("text", "IN", "p")
                .exec({ p: [text] }),
            ),
          ).toEqual([text]);
          expect(await words.count().where("text", "<", "p").exec({ p: text })).toBe(sorted.indexOf(text));
          expect(
            await words
              .count()
              .where("text", "LIKE", "p")
              .exec({ p: `${text.replace("_", "\\_")}` }),
          ).toBe(1);
        }
        expect(await words.query().fields("text").groupBy("text").exec()).toHaveLength(held.length);
        expect(await words.query().fields("text").distinct().exec()).toHaveLength(held.length);
      });
  });

describe.each(serversAndLocales.map((server) => ({ title: titleOf(server), server })))(
  "texts of no column on $title",
  ({ server }) => {
    test.skipIf(!server.available)("compare by code point", async () => {
      const lent = await server.lend();
      try {
        const words = table("code_points", z.object({ id: column(z.int(), { primaryKey: true }) }));
        await lent.db.createTables(words);
        await lent.db
          .repository(words)
          .insert()
          .execMany([{ id: -2 }, { id: 1 }]);
        const isBefore = when(c(param("low", z.string()), "<", "high"));
        const asked = lent.db
          .repository(words)
          .query()
          .fields("id", isBefore.as("before"), cast("id", "text").as("text"));
        const rows = await asked.orderBy("text", "asc").exec({ low: "100%", high: "～" });
        expect(rows).toEqual([
          { id: -2, before: true, text: "-2" },
          { id: 1, before: true, text: "1" },
        ]);
      } finally {
        await lent.close();
      }
    });
  },
);
