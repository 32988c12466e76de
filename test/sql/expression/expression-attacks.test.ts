/** What attacks on expressions found, each as the least query that shows it: the same rows on every server. */
import {
  c,
  caseWhen,
  cast,
  coalesce,
  column,
  count,
  countDistinct,
  type Database,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  field,
  json,
  length,
  listAgg,
  neg,
  nullIf,
  param,
  path,
  raw,
  sum,
  table,
  textAgg,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const Note = table(
  "attacked_notes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    title: z.string(),
    weight: z.number(),
    at: z.date(),
    until: z.date().nullable(),
    days: z.int().nullable(),
    meta: json(z.object({ theme: z.string(), size: z.number().nullable(), on: z.boolean() })).nullable(),
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

    test("sets fields by what dates were before the update, and before the upsert", async () => {
      const of = db.repository(Note);
      const update = of
        .modify()
        .set("until", "until")
        .set("days", dateDiff("day", "at", "until"))
        .where("id", "=", "id");
      const until = new Date("2024-02-03T00:00:00.000Z");
      expect(await update.returning("until", "days").exec({ id: 1, until })).toEqual({ until, days: null });
      const later = new Date("2025-01-01T00:00:00.000Z");
      expect(await update.returning("until", "days").exec({ id: 1, until: later })).toEqual({
        until: later,
        days: 3,
      });
      if (server.dialect === "oracle") return;
      const upsert = of
        .insert()
        .onConflict("id")
        .doUpdate()
        .set("until", dateAdd("at", value(1), "year"))
        .set("days", datePart("year", "until"))
        .returning("until", "days");
      expect(await upsert.exec({ id: 1, title: "", weight: 0, at })).toEqual({
        until: new Date("2025-01-31T00:00:00.000Z"),
        days: 2025,
      });
      await of
        .modify()
        .set("until", "none")
        .set("days", "none")
        .where("id", "=", "id")
        .execBatch([{ id: 1, none: null }]);
    });

    test("compares values inside JSON of a query as a table as those that they are", async ({ skip }) => {
      const of = db.repository(Note);
      const inside = query()
        .fields(
          "id",
          path("meta", "theme").as("theme"),
          path("meta", "size").as("size"),
          path("meta", "on").as("on_"),
        )
        .as("inside");
      const found = db
        .from(inside)
        .where("theme", "<", "theme")
        .where("size", ">", "size")
        .where("on_", "=", "on")
        .orderBy("size", "asc");
      skip(lacking(found) !== undefined, lacking(found));
      const sizes = [10, 9.5, 1e21, null];
      for (const [i, size] of sizes.entries())
        await of
          .modify()
          .set("meta", "meta")
          .where("id", "=", "id")
          .exec({ id: i + 1, meta: { theme: i === 2 ? " z" : "!a", size, on: i < 3 } });
      expect(await found.exec({ theme: "#", size: 9, on: true })).toEqual([
        { id: 2, theme: "!a", size: 9.5, on_: true },
        { id: 1, theme: "!a", size: 10, on_: true },
        { id: 3, theme: " z", size: 1e21, on_: true },
      ]);
      expect(
        await db.from(inside).fields(sum("size").as("all")).where("id", "<", "id").exec({ id: 3 }),
      ).toEqual([{ all: 19.5 }]);
      const themes = query().fields(path("meta", "theme").as("theme")).where("id", "=", "id");
      expect(await of.query().fields("id").whereQuery("title", "IN", themes).exec({ id: 1 })).toEqual([]);
      await of.modify().set("title", "title").where("id", "=", "id").exec({ id: 1, title: "!a" });
      expect(await of.query().fields("id").whereQuery("title", "IN", themes).exec({ id: 1 })).toEqual([
        { id: 1 },
      ]);
      await of.modify().set("title", "title").where("id", "=", "id").exec({ id: 1, title: "a" });
    });

    test("takes one of several dates, of which one is a parameter, for a date", async ({ skip }) => {
      const day = coalesce(nullIf("until", field("at")), param("none"), dateAdd("at", value(0), "day"));
      const moved = caseWhen(z.date())
        .when(c("id", "<", "id"), dateAdd("at", value(0), "second"))
        .when(c("id", "=", "id"), "none")
        .else(field("at"));
      const groups = query().fields(moved.as("moved"), count().as("n")).groupBy("moved");
      skip(lacking(groups) !== undefined, lacking(groups));
      expect(await groups.exec({ id: 2, none: at })).toEqual([{ moved: at, n: 4 }]);
      expect(await query().fields("id").where(moved, "=", "at").exec({ id: 2, none: at, at })).toHaveLength(
        4,
      );
      expect(
        await query()
          .fields("id")
          .where(day, "IN", "days")
          .exec({ none: at, days: [at] }),
      ).toHaveLength(4);
      const same = query()
        .fields(moved.as("day"))
        .intersect(query().fields(dateTrunc("day", "at").as("day")));
      expect(await same.exec({ id: 2, none: at })).toEqual([{ day: at }]);
      expect(await query().distinct().fields(moved.as("day")).exec({ id: 2, none: at })).toEqual([
        { day: at },
      ]);
    });

    test("takes functions inside each other up to 64 levels", async () => {
      const nested = (levels: number) => {
        let one = neg("id");
        // Each is of the same type as the first.
        for (let i = 1; i < levels; i++) one = neg(one) as never;
        return query().fields("id", one.as("more")).where("id", "=", "id");
      };
      expect(await nested(64).exec({ id: 3 })).toEqual([{ id: 3, more: 3 }]);
      const beyond = () => nested(65).render();
      expect(beyond).toThrow(expect.objectContaining({ code: "INVALID_CONDITION" }));
      expect(beyond).toThrow("expressions nest more than 64 levels");
    });
  });
