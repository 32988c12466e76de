/**
 * A chain with other values is another query, wherever the values stand: in conditions of joins, in queries that are tables
 * or nested rows, in queries inside those, in filters. Each chain is made and executed with several values in turn, three
 * times, so that kept drafts are met.
 */
import Sqlite from "better-sqlite3";
import { and, c, column, compare, exists, existsOn, many, one, table, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const authors = table("authors", z.object({ id, name: z.string() }), {
  relations: { books: many("books", "authorId") },
});
const books = table("books", z.object({ id, authorId: z.int(), price: z.int() }), {
  relations: { author: one("authors", "authorId") },
});
const cheap = table("books", z.object({ id, authorId: z.int(), price: z.int() }), {
  filters: { cheap: c("price", "<", value(30)) },
});

const handle = new Sqlite(":memory:");
const database = sqlite(handle);
const db = database.repositories({ authors, books });
beforeAll(async () => {
  await database.createTables(authors, books);
  await db.authors.insert().execBatch([1, 2].map((n) => ({ id: n, name: `a${n}` })));
  const list = [1, 2, 3, 4].map((n) => ({ id: n, authorId: n < 3 ? 1 : 2, price: n * 10 }));
  await db.books.insert().execBatch(list);
});
afterAll(() => void handle.close());

const prices = [10, 20, 30, 40, 50];
/** The ids of the books of at least a price. */
const from = (least: number) => [1, 2, 3, 4].filter((n) => n * 10 >= least);
const authorOf = (book: number) => (book < 3 ? 1 : 2);
const authorsFrom = (least: number) => [...new Set(from(least).map(authorOf))];

const dear = (least: number) => db.books.query().where("price", ">=", value(least));
const ids = async (rows: Promise<readonly { readonly id: number }[]>) => (await rows).map((row) => row.id);

const forms: Readonly<Record<string, (least: number) => Promise<unknown>>> = {
  "a condition": (least) => ids(dear(least).fields("id").orderBy("id", "asc").exec()),
  "a condition of a join": (least) =>
    ids(
      db.authors
        .query()
        .joinOn("b", books, and(compare("id", "=", "b.authorId"), c("b.price", ">=", value(least))))
        .fields("b.id")
        .orderBy("b.id", "asc")
        .exec()
        .then((rows) => rows.map(({ b }) => b)),
    ),
  "a query as a table": (least) =>
    ids(
      db.authors
        .query()
        .joinQuery(dear(least).fields("id", "authorId").as("b"), "id", "authorId")
        .fields("b.id")
        .orderBy("b.id", "asc")
        .exec()
        .then((rows) => rows.map(({ b }) => b)),
    ),
  "a query as the only table": (least) =>
    ids(database.from(dear(least).fields("id").as("b")).orderBy("id", "asc").exec()),
  "a query as a table, in a query inside another": (least) => {
    const inner = db.books.query().joinQuery(dear(least).fields("id").as("d"), "id", "id");
    return ids(
      db.books
        .query()
        .where("id", ">", value(0))
        .whereQuery("id", "IN", inner.fields("id"))
        .fields("id")
        .orderBy("id", "asc")
        .exec(),
    );
  },
  "a condition of a join, in a query inside another": (least) => {
    const inner = db.books
      .query()
      .joinOn("d", books, and(compare("id", "=", "d.id"), c("d.price", ">=", value(least))));
    return ids(
      db.books
        .query()
        .where("id", ">", value(0))
        .whereQuery("id", "IN", inner.fields("id"))
        .fields("id")
        .orderBy("id", "asc")
        .exec(),
    );
  },
};
const byAuthor: typeof forms = {
  exists: (least) =>
    ids(db.authors.query().whereExists("books", dear(least)).fields("id").orderBy("id", "asc").exec()),
  "exists in a group": (least) =>
    ids(
      db.authors
        .query()
        .whereOr(exists("books", dear(least)), c("id", "=", value(-1)))
        .fields("id")
        .orderBy("id", "asc")
        .exec(),
    ),
  "rows by a condition": (least) =>
    ids(
      db.authors
        .query()
        .whereExistsOn(
          db.books.query().as("b"),
          and(compare("id", "=", "b.authorId"), c("b.price", ">=", value(least))),
        )
        .fields("id")
        .orderBy("id", "asc")
        .exec(),
    ),
  "rows of a query by a condition": (least) =>
    ids(
      db.authors
        .query()
        .whereAnd(existsOn(dear(least).as("b"), compare("id", "=", "b.authorId")))
        .fields("id")
        .orderBy("id", "asc")
        .exec(),
    ),
  "nested rows": async (least) =>
    (
      await db.authors
        .query()
        .fields("id")
        .with("books", dear(least).fields("id"))
        .orderBy("id", "asc")
        .exec()
    )
      .filter(({ books: found }) => found.length > 0)
      .map((row) => row.id),
  "nested rows by a condition": async (least) =>
    (
      await db.authors
        .query()
        .fields("id")
        .withOn(
          "b",
          db.books.query().fields("id"),
          and(compare("id", "=", "b.authorId"), c("b.price", ">=", value(least))),
        )
        .orderBy("id", "asc")
        .exec()
    )
      .filter(({ b }) => b.length > 0)
      .map((row) => row.id),
};

describe("books of at least a price", () => {
  test.each(Object.entries(forms))("by %s", async (_, rows) => {
    for (const round of [1, 2, 3])
      for (const least of prices)
        expect([round, least, await rows(least)]).toEqual([round, least, from(least)]);
  });

  test.each(Object.entries(byAuthor))("authors of them by %s", async (_, rows) => {
    for (const round of [1, 2, 3])
      for (const least of prices)
        expect([round, least, await rows(least)]).toEqual([round, least, authorsFrom(least)]);
  });

  test("a filter's own value stands beside those of a chain", async () => {
    const few = database.repository(cheap);
    for (const least of [10, 20, 10, 40])
      expect(
        await ids(few.query().where("price", ">=", value(least)).fields("id").orderBy("id", "asc").exec()),
      ).toEqual(from(least).filter((n) => n * 10 < 30));
    const hidden = few.modify().set("price", "price").where("id", "=", "id");
    expect(await hidden.execBatch([{ id: 4, price: 1 }])).toBe(0);
  });
});
