/** What random expressions found, each as the least query that shows it: the same rows on every server. */

import type { Database } from "rowtype";
import {
  add,
  c,
  caseWhen,
  cast,
  ceil,
  coalesce,
  count,
  firstValue,
  length,
  mod,
  mul,
  neg,
  nullIf,
  param,
  replace,
  round,
  sqrt,
  sum,
  upper,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createPeople, Person } from "../../kit/people.js";
import { type Lent, servers } from "../../servers.js";
import { Line, lines } from "./decimal-arithmetic.cases.js";
import type { Case } from "./expressions.cases.js";

type Find = Pick<Case, "name" | "params" | "rows"> & {
  readonly run: (of: ReturnType<typeof repositories>) => { exec(params: never): Promise<unknown> };
};

const repositories = (db: Database<"sqlite">) => ({
  people: db.repository(Person),
  lines: db.repository(Line),
});

const finds: readonly Find[] = [
  {
    name: "a rounded negative number beside a window keeps the digits that it is rounded to",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          round("score", 2).as("r"),
          firstValue("id")
            .over({ orderBy: [["id", "asc"]] })
            .as("f"),
        )
        .where("score", "<", "zero")
        .orderBy("id", "asc"),
    params: { zero: 0 },
    rows: [{ id: 4, r: -0.1, f: 4 }],
  },
  {
    name: "a replacement that is NULL gives NULL, where nothing is found too",
    run: ({ people }) =>
      people
        .query()
        .fields(
          "id",
          replace("name", value("~"), caseWhen(z.string()).when(c("age", ">", "age"), "x")).as("r"),
        )
        .orderBy("id", "asc")
        .limit(2),
    params: { age: 25, x: "y" },
    rows: [
      { id: 1, r: "Ann" },
      { id: 2, r: null },
    ],
  },
  {
    name: "groups of a CASE whose condition compares an expression, and whose labels are parameters",
    run: ({ people }) =>
      people
        .query()
        .fields(
          caseWhen(z.string())
            .when(c(length("name"), "<=", "most"), "short")
            .else("long")
            .as("how"),
          count().as("n"),
        )
        .groupBy("how")
        .orderBy("how", "asc"),
    params: { most: 4, short: "a", long: "A" },
    rows: [
      { how: "A", n: 1 },
      { how: "a", n: 4 },
    ],
  },
  {
    name: "a length beside a number that has more than 32 bits",
    run: ({ people }) => people.query().fields("id").where(length("name"), "=", "far"),
    params: { far: 4294967296 },
    rows: [],
  },
  {
    name: "bigints beside parameters are compared and summed exactly",
    run: ({ people }) =>
      people
        .query()
        .fields("id", nullIf("balance", "near").as("n"), sum(coalesce("balance", "none")).over({}).as("s"))
        .where(add("balance", value(0n)), ">", "near"),
    params: { near: 9007199254740992n, none: 1n },
    rows: [{ id: 2, n: 9007199254740993n, s: 9007199254740993n }],
  },
  {
    name: "a truth that is compared, and a remainder of nothing",
    run: ({ lines }) =>
      lines
        .query()
        .fields("id", mod(neg("weight"), "weight").as("m"))
        .where(cast(mod(neg("weight"), "weight"), "boolean"), "=", "truth")
        .orderBy("id", "asc"),
    params: { truth: false },
    rows: [
      { id: 1, m: "0.000000" },
      { id: 3, m: "0.000000" },
      { id: 5, m: "0.000000" },
    ],
  },
  {
    name: "whole decimals, and texts of decimals of two scales",
    run: ({ lines }) =>
      lines
        .query()
        .fields(
          "id",
          ceil(neg(round("price", 0))).as("c"),
          mul(ceil("price"), ceil(mul("price", value("1000000000")))).as("p"),
          cast(coalesce("rate", "weight", "price"), "text").as("t"),
        )
        .where("id", "<=", "id")
        .orderBy("id", "asc"),
    params: { weight: "0.5", price: "1", id: 3 },
    rows: [
      { id: 1, c: "0", p: "100000000", t: "0.1900" },
      { id: 2, c: "-20", p: "399800000000", t: "0.0700" },
      { id: 3, c: "12345679", p: "152415776390794200000000", t: "0.5000" },
    ],
  },
  {
    name: "letters whose case does not count in an expression that says how it compares",
    run: ({ people }) =>
      people.query().fields("id").where(upper("name"), "ICONTAINS", "part").orderBy("id", "asc"),
    params: { part: "aN" },
    rows: [{ id: 1 }, { id: 5 }],
  },
  {
    name: "the order of texts that are not a field, by code point",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .orderBy(
          caseWhen(z.string())
            .when(c("id", "<", "id"), "small")
            .else("great"),
          "asc",
        )
        .orderBy("id", "asc")
        .limit(3),
    params: { id: 3, small: "b", great: "C" },
    rows: [{ id: 3 }, { id: 4 }, { id: 5 }],
  },
  {
    name: "the text of a whole number that a parameter gives, and the root of one that was rounded",
    run: ({ people }) =>
      people
        .query()
        .fields(
          cast(coalesce("age", param("none")), "text").as("t"),
          sqrt(round(mul("id", value(1000003)), 0)).as("r"),
        )
        .where("id", "=", "id"),
    params: { none: 7, id: 3 },
    rows: [{ t: "7", r: Math.sqrt(3000009) }],
  },
  {
    name: "a list beside what holds a list",
    run: ({ people }) =>
      people
        .query()
        .fields("id")
        .where(
          caseWhen(z.int())
            .when(c("age", "IN", "ages"), "id")
            .else(param("other")),
          "IN",
          "ids",
        )
        .where("id", "NOT IN", "not")
        .orderBy("id", "asc"),
    params: { ages: [20, 30], id: 9, other: 5, ids: [9, 8, 7], not: [4] },
    rows: [{ id: 1 }, { id: 2 }],
  },
];

// SQLite's decimals have 64 bits. Oracle takes NULL for the empty text, and H2 knows no parameter twice.
const lacks: Readonly<Record<string, readonly string[]>> = {
  sqlite: ["whole decimals"],
  oracle: ["a replacement that is NULL"],
  h2: ["a replacement that is NULL", "groups of a CASE", "whole decimals"],
};

for (const server of servers)
  describe.skipIf(!server.available)(`what random expressions found, on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await createPeople(lent.db);
      await lines.create(lent.db);
    });
    afterAll(() => lent.close());

    test.for(finds)("$name", async ({ run, params, rows, name }, { skip }) => {
      const missing = lacks[server.name]?.find((beginning) => name.startsWith(beginning));
      if (missing !== undefined) skip(`not on ${server.name}`);
      const of = repositories(lent.db as unknown as Database<"sqlite">);
      expect(await run(of).exec((params ?? {}) as never)).toEqual(rows);
    });
  });
