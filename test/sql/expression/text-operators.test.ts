/**
 * Operators that search for plain text: wildcards in the text have no meaning, on every dialect. Checks the
 * texts of the dialects, and the rows of every server against JavaScript.
 */
import { c, caseWhen, column, type Database, max, or, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { COURT_MS, courts, type Judge } from "../../kit/judges.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Note = table(
  "notes_sought",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string().nullable(),
    kind: z.enum(["a_b", "a%b", "axb"]),
  }),
);
const repositoryOf = (db: Database<"sqlite">) => db.repository(Note);
type Notes = ReturnType<typeof repositoryOf>;

const operators = [
  "CONTAINS",
  "STARTS WITH",
  "ENDS WITH",
  "ICONTAINS",
  "ISTARTS WITH",
  "IENDS WITH",
] as const;
type TextOperator = (typeof operators)[number];

const FOLDED =
  "COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin";
const exact = {
  sqlite: '"text" GLOB ?',
  postgres: '"text" LIKE $1',
  mariadb: "`text` LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C",
  oracle: `"text" LIKE :p0 ESCAPE '\\'`,
};
const folded = {
  sqlite: `"text" LIKE ? ESCAPE '\\'`,
  postgres: '"text" ILIKE $1 COLLATE "und-x-icu"',
  mariadb: `LOWER(CONVERT(\`text\` USING utf8mb4) ${FOLDED} LIKE LOWER(CONVERT(? USING utf8mb4) ${FOLDED} ESCAPE 0x5C`,
  oracle: `LOWER("text") LIKE LOWER(:p0) ESCAPE '\\'`,
};
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;
const repositories: { readonly [D in (typeof dialects)[number]]: Notes } = {
  sqlite: sqlite().repository(Note),
  postgres: postgres().repository(Note) as unknown as Notes,
  mariadb: mariadb().repository(Note) as unknown as Notes,
  oracle: oracle().repository(Note) as unknown as Notes,
};
const textOf = (operator: TextOperator, dialect: (typeof dialects)[number]) => {
  const form = (operator.startsWith("I") ? folded : exact)[dialect];
  const [id, name] = dialect === "mariadb" ? ["`id`", "`notes_sought`"] : ['"id"', '"notes_sought"'];
  return `SELECT ${id} FROM ${name} WHERE ${form}`;
};

describe.each(operators)("the text of %s", (operator) => {
  test.each(dialects)("on %s", (dialect) => {
    const found = repositories[dialect].query().fields("id").where("text", operator, "sought");
    expect(found.render().native.sql).toBe(textOf(operator, dialect));
    expect(repositories[dialect].queryFromSpec(found.toSpec()).render()).toEqual(found.render());
  });
});

for (const { dialect, available, open } of courts)
  describe.skipIf(!available)(`the texts before the judge of ${dialect}`, () => {
    let judge: Judge;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ judge, close } = await open(Note));
    }, COURT_MS);
    afterAll(() => close());
    test.each(operators)("%s", async (operator) => {
      expect(await judge(textOf(operator, dialect))).toBeUndefined();
    });
  });

// What some pattern language reads, and what folds in ASCII alone.
const letters = [..."%_\\*?[]^-{}()|.+$#'\"aAbB 😀\n", "ß", "é"];
const texts = [
  null,
  ...letters,
  "100%",
  "1000",
  "a_b",
  "axb",
  "a\\b",
  "a\\%b",
  "a\\\\b",
  "[ab]",
  "a[b]a",
  "[",
  "[!a]",
  "a*b?",
  "Abba ",
  " abba",
  "%_%",
  "\\",
  "\\\\",
  "ABBA",
];
const soughtOnes = [
  ...letters,
  "",
  "%_",
  "\\%",
  "\\\\",
  "[a]",
  "[]",
  "[!",
  "a*",
  "*b",
  "bA",
  "a ",
  " a",
  "[[]",
  "_b",
  "😀",
];

const tests: { readonly [O in TextOperator]: (text: string, sought: string) => boolean } = {
  CONTAINS: (text, sought) => text.includes(sought),
  "STARTS WITH": (text, sought) => text.startsWith(sought),
  "ENDS WITH": (text, sought) => text.endsWith(sought),
  ICONTAINS: (text, sought) => text.toLowerCase().includes(sought.toLowerCase()),
  "ISTARTS WITH": (text, sought) => text.toLowerCase().startsWith(sought.toLowerCase()),
  "IENDS WITH": (text, sought) => text.toLowerCase().endsWith(sought.toLowerCase()),
};

for (const server of servers)
  describe.skipIf(!server.available)(`texts that are looked for on ${server.name}`, () => {
    let lent: Lent;
    let notes: Notes;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Note);
      notes = lent.db.repository(Note) as unknown as Notes;
      const kinds = ["a_b", "a%b", "axb"] as const;
      await notes
        .insert()
        .execBatch(texts.map((text, id) => ({ id, text, kind: kinds[id % kinds.length] ?? "axb" })));
    });
    afterAll(() => lent.close());

    test.each(operators)("%s finds what JavaScript finds", async (operator) => {
      const find = notes.query().fields("id").where("text", operator, "sought").orderBy("id", "asc");
      const count = notes.count().whereAnd(or(c("text", operator, "sought")));
      for (const sought of soughtOnes) {
        const expected = texts.flatMap((text, id) =>
          text !== null && tests[operator](text, sought) ? [{ id }] : [],
        );
        expect(await find.exec({ sought }), JSON.stringify(sought)).toEqual(expected);
        expect(await count.exec({ sought })).toBe(expected.length);
      }
    });

    test("one parameter may be looked for in several ways, and be a pattern beside", async () => {
      const found = notes
        .query()
        .fields("id")
        .whereOr(c("text", "STARTS WITH", "q"), c("text", "ENDS WITH", "q"), c("text", "=", "q"))
        .orderBy("id", "asc");
      const expected = texts.flatMap((text, id) =>
        text !== null && (text.startsWith("\\") || text.endsWith("\\")) ? [{ id }] : [],
      );
      expect(await found.exec({ q: "\\" })).toEqual(expected);
      const like = notes.count().where("text", "LIKE", "q").where("text", "CONTAINS", "q");
      expect(await like.exec({ q: "%_" })).toBe(1);
    });

    test("an empty text is in every text that is not NULL", async () => {
      for (const operator of operators)
        expect(await notes.count().where("text", operator, "q").exec({ q: "" })).toBe(texts.length - 1);
    });

    test("in enums, HAVING, CASE, optional conditions and changes", async () => {
      const kinds = (operator: TextOperator, q: string) =>
        notes.count().whereOptional("kind", operator, "q").exec({ q });
      expect(await kinds("CONTAINS", "%")).toBe(texts.filter((_, i) => i % 3 === 1).length);
      expect(await kinds("IENDS WITH", "_B")).toBe(texts.filter((_, i) => i % 3 === 0).length);
      const last = notes.query().fields("kind", max("text").as("last")).groupBy("kind");
      expect(await last.having("last", "STARTS WITH", "q").exec({ q: "%" })).toEqual([]);
      const labels = notes
        .query()
        .fields(
          caseWhen(z.string())
            .when(c("text", "CONTAINS", "q"), "yes")
            .else("no")
            .as("is"),
        )
        .where("text", "=", "text");
      expect(await labels.exec({ q: "%", yes: "y", no: "n", text: "100%" })).toEqual([{ is: "y" }]);
      const marked = notes.modify().set("kind", "kind").where("text", "ENDS WITH", "q");
      expect(await marked.execBatch([{ q: "0%", kind: "axb" }])).toBe(1);
    });

    test("what is not text is refused before anything is sent", async () => {
      const find = notes.query().where("text", "CONTAINS", "q");
      for (const q of [null, 1, ["a"], {}, "a\0", "\ud800"])
        expect((await sqlErrorOf(find.exec({ q: q as string }))).code).toBe("PARAM_TYPE");
    });
  });
