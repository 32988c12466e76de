/**
 * Where case does not count, the same letters fold on PostgreSQL and MariaDB, whatever the collations of the column
 * and of the database; on SQLite those of ASCII. Text that was folded is ordered by code point again.
 */
import { and, c, caseWhen, column, count, lower, max, table, upper } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const Word = table(
  "words",
  z.object({ id: column(z.int(), { primaryKey: true }), text: column(z.string(), { index: true }) }),
);
// Created by others, with a collation of its own.
const Old = table("old_words", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));

const pairs = [
  ["Änn", "äNN"],
  ["ÉCLAIR", "éclair"],
  ["Жук", "жУК"],
  ["ΑΒΓ", "αβγ"],
  ["ØRE", "øre"],
  ["ԱՐԱ", "արա"],
  ["ȺB", "ⱥb"],
  ["𐐀x", "𐐨X"],
  ["Ꭰ", "ꭰ"],
  ["ascii", "ASCII"],
] as const;
const letters = Array.from({ length: 0x110000 - 0x80 }, (_, i) => i + 0x80)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((char) => char.toLowerCase() !== char || char.toUpperCase() !== char);

for (const server of serversAndLocales.filter(({ name }) => name === "postgres" || name === "mariadb"))
  describe.skipIf(!server.available)(`letters of ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Word);
      await lent.run(
        server.dialect === "postgres"
          ? 'CREATE TABLE old_words (id int PRIMARY KEY, text varchar(20) COLLATE "C")'
          : "CREATE TABLE old_words (id int PRIMARY KEY, text varchar(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci)",
      );
    });
    afterAll(() => lent.close());

    test("ILIKE finds them in either case, in conditions, HAVING, CASE, filters and specs", async () => {
      const words = lent.db.repository(Word);
      await words.insert().execBatch(pairs.map(([text], id) => ({ id, text })));
      const find = words.query().fields("id").where("text", "ILIKE", "like");
      for (const [id, [text, other]] of pairs.entries()) {
        for (const like of [text, other, `${other}%`])
          expect(await find.exec({ like }), like).toEqual([{ id }]);
        expect(await words.count().where("text", "NOT ILIKE", "like").exec({ like: other })).toBe(
          pairs.length - 1,
        );
        const spec = { where: [{ field: "text", operator: "ILIKE", param: "like" }], fields: ["id"] };
        expect(await words.queryFromSpec(spec as never).exec({ like: other })).toEqual([{ id }]);
        const labelled = words
          .query()
          .fields(
            "id",
            caseWhen(z.string())
              .when(c("text", "ILIKE", "like"), "yes")
              .else("no")
              .as("is"),
          )
          .where("id", "=", "id");
        expect(await labelled.exec({ like: other, id, yes: "y", no: "n" })).toEqual([{ id, is: "y" }]);
        const grouped = words
          .query()
          .fields(
            max("text").as("last"),
            count()
              .filter(and(c("text", "ILIKE", "like")))
              .as("n"),
          )
          .where("id", "=", "id")
          .having("last", "ILIKE", "like");
        expect(await grouped.exec({ like: other, id })).toEqual([{ last: text, n: 1 }]);
      }
    });

    test("~* and !~* find them too", async () => {
      if (server.dialect !== "postgres") return;
      const words = lent.db.repository(Word) as unknown as Regexes;
      for (const [id, [, other]] of pairs.entries()) {
        expect(
          await words
            .query()
            .fields("id")
            .where("text", "~*", "like")
            .exec({ like: `^${other}$` }),
        ).toEqual([{ id }]);
        expect(
          await words
            .count()
            .where("text", "!~*", "like")
            .exec({ like: `^${other}$` }),
        ).toBe(pairs.length - 1);
      }
    });

    test("columns that rowtype did not create fold all letters too", async () => {
      const old = lent.db.repository(Old);
      await old.insert().exec({ id: 1, text: "ÄNN" });
      expect(await old.count().where("text", "ILIKE", "like").exec({ like: "änn" })).toBe(1);
      expect(await old.query().fields(upper("text").as("big"), lower("text").as("small")).exec()).toEqual([
        { big: "ÄNN", small: "änn" },
      ]);
    });

    test("upper and lower change every letter with another case", async () => {
      const words = lent.db.repository(Word);
      await words.remove().where("id", ">=", "id").exec({ id: 0 });
      await words.insert().execBatch(letters.map((text, id) => ({ id, text })));
      const rows = await words
        .query()
        .fields("text", upper("text").as("big"), lower("text").as("small"))
        .exec();
      const unchanged: string[] = [];
      for (const { text, big, small } of rows) {
        // Those of newer editions of Unicode than the server's it does not know; it never makes up others.
        if (small === text && text.toLowerCase() !== text) unchanged.push(text);
        else if (small !== text.toLowerCase() && text !== "İ") expect.fail(`${text} became ${small}`);
        // Some have no single capital: they become several on one server and stay as they are on the other.
        if ([...text.toUpperCase()].length === 1 && big !== text.toUpperCase() && big !== text)
          expect.fail(text);
      }
      expect(unchanged.length).toBeLessThan(60);
    });

    test("folded text is ordered and compared by code point", async () => {
      const words = lent.db.repository(Word);
      await words.remove().where("id", ">=", "id").exec({ id: 0 });
      const texts = ["b", "B", "a", "Ä", "ä", "z", "é", "e", "a "];
      await words.insert().execBatch(texts.map((text, id) => ({ id, text })));
      const folded = words.query().fields(lower("text").as("small")).distinct().orderBy("small", "asc");
      const expected = [...new Set(texts.map((text) => text.toLowerCase()))].sort();
      expect((await folded.exec()).map(({ small }) => small)).toEqual(expected);
    });

    test.skipIf(server.name !== "postgres")(
      "an index made for the folding collation serves lower and upper",
      async () => {
        await lent.run('CREATE INDEX words_lower ON words ((lower(text COLLATE "und-x-icu") COLLATE "C"))');
        await lent.run("INSERT INTO words SELECT 100 + i, 'word' || i FROM generate_series(1, 5000) i");
        await lent.run("ANALYZE words");
        const plan = await lent.db
          .repository(Word)
          .query()
          .fields("id", lower("text").as("small"))
          .orderBy("small", "asc")
          .limit(1)
          .explain();
        expect(plan).toContain("words_lower");
      },
    );
  });

/** What PostgreSQL has more of. */
interface Regexes {
  query(): { fields(name: string): { where(field: string, op: string, p: string): Executed<unknown[]> } };
  count(): { where(field: string, op: string, p: string): Executed<number> };
}
interface Executed<T> {
  exec(params: object): Promise<T>;
}
