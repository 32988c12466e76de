/** What attacks on expressions found, each as the least query that shows it: the same rows on every server. */
import {
  cast,
  coalesce,
  column,
  count,
  countDistinct,
  type Database,
  dateAdd,
  length,
  listAgg,
  raw,
  table,
  textAgg,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, serversAndLocales, titleOf } from "../servers.js";

const Note = table(
  "attacked_notes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    title: z.string(),
    weight: z.number(),
    at: z.date(),
  }),
);

const at = new Date("2024-01-31T00:00:00.000Z");
const notes = [
  { id: 1, title: "a", weight: -0.000002448108842613129, at },
  { id: 2, title: "bb", weight: -2.2250738585072014e-308, at },
  { id: 3, title: "cc", weight: -1.7976931348623157e308, at },
  { id: 4, title: "ddd", weight: -123456789012345.67, at },
];

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`attacked expressions on ${titleOf(server)}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      // What is asked here every dialect has.
      db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(Note);
      await db.repository(Note).insert().execBatch(notes);
    });
    afterAll(() => lent.close());
    const query = () => db.repository(Note).query();

    /** The rows of a query, or nothing to see where the server in Oracle's place lacks what it asks for. */
    interface Asked {
      render(): { readonly native: { readonly sql: string } };
    }
    const lacking = (of: Asked) => server.lacks?.(of.render().native.sql);

    test("groups by a key that moves dates by what a text says", async ({ skip }) => {
      const key = dateAdd("at", length("title"), "month");
      const of = query()
        .fields(coalesce(key, value(at)).as("moved"), count().as("n"), countDistinct("id").as("different"))
        .groupBy("moved")
        .orderBy("moved", "asc");
      skip(lacking(of) !== undefined, lacking(of));
      expect(await of.exec()).toEqual([
        { moved: new Date("2024-02-29T00:00:00.000Z"), n: 1, different: 1 },
        { moved: new Date("2024-03-31T00:00:00.000Z"), n: 2, different: 2 },
        { moved: new Date("2024-04-30T00:00:00.000Z"), n: 1, different: 1 },
      ]);
    });

    test.skipIf(server.dialect === "oracle")(
      "groups by a key that holds a query of the program",
      async () => {
        const key = raw(
          z.int(),
        )`coalesce((SELECT ${length("title")} FROM (SELECT o.id AS one FROM attacked_notes o WHERE o.id = 1) AS p), 0)`;
        const of = query()
          .fields(key.as("letters"), countDistinct("weight").as("n"))
          .groupBy("letters")
          .having("n", ">", "least")
          .orderBy("letters", "asc");
        expect(await of.exec({ least: 0 })).toEqual([
          { letters: 1, n: 1 },
          { letters: 2, n: 2 },
          { letters: 3, n: 1 },
        ]);
      },
    );

    test("lists doubles of the most digits whole", async ({ skip }) => {
      const weights = notes.map(({ weight }) => weight);
      const of = query().fields(
        listAgg("weight", { orderBy: [["id", "asc"]] }).as("weights"),
        textAgg(cast("weight", "text"), value(" "), { orderBy: [["id", "asc"]] }).as("texts"),
      );
      skip(lacking(of) !== undefined, lacking(of));
      expect(await of.exec()).toEqual([{ weights, texts: weights.map(String).join(" ") }]);
      const texts = await query().distinct().fields(cast("weight", "text").as("text")).exec();
      expect(texts.map(({ text }) => text).sort()).toEqual(weights.map(String).sort());
    });
  });
