/**
 * A million different texts, each asked for by what a caller or a client chooses: none of the memories of rowtype
 * grows beyond its bound, whatever the choice is of.
 */
import Sqlite from "better-sqlite3";
import { avg, column, type SqlError, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { test } from "vitest";
import { z } from "zod";
import { heldMegabytes } from "../kit/heap.js";
import { patience, rounds } from "../rounds.js";
import { expectBelow } from "../stopwatch.js";

const SUBSETS = rounds({ small: 20_000, full: 1_000_000 });
const FIELDS = 20;
const MOST_MEGABYTES = 50;

const names = Array.from({ length: FIELDS }, (_, i) => `field${i}`);
const Wide = table(
  "wide",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    ...Object.fromEntries(names.map((name) => [name, z.string().nullable()])),
  }),
);
// biome-ignore lint/suspicious/noExplicitAny: the names come from a loop.
type Untyped = any;

/** The subset of a number: its bits, spread so that neighbours are unlike each other. */
const subset = (i: number) => {
  const bits = Math.imul(i, 0x9e3779b1) >>> (32 - FIELDS);
  return names.filter((_, place) => (bits >> place) & 1);
};
const given = (i: number) => Object.fromEntries(subset(i).map((name) => [name, "x"]));
const refused = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as SqlError).code;
  }
  return undefined;
};

type Work = (users: Untyped) => (i: number) => unknown;
const choices: readonly [string, Work][] = [
  [
    "optional filters that are left out",
    (wide) => {
      const search = names.reduce((query, name) => query.whereOptional(name, "=", name), wide.query());
      return (i) => search.exec(given(i));
    },
  ],
  [
    "optional filters of a chain that is written anew",
    (wide) => (i) =>
      names.reduce((query, name) => query.whereOptional(name, "=", name), wide.query()).exec(given(i)),
  ],
  ["columns of a record", (wide) => (i) => wide.insert().exec(given(i))],
  ["columns of records in a batch", (wide) => (i) => wide.insert().execBatch([given(i), given(i + 1)])],
  ["keys of a patch", (wide) => (i) => wide.modify().where("id", "=", "key").execPatch(given(i), { key: 1 })],
  [
    "fields",
    (wide) => (i) =>
      wide
        .query()
        .fields("id", ...subset(i))
        .limit(1)
        .exec(),
  ],
  ["numbers in a limit", (wide) => (i) => wide.query().limit(1).offset(i).exec()],
  [
    "aliases",
    (wide) => (i) =>
      wide
        .query()
        .fields(avg("id").as(`average${i}`))
        .exec(),
  ],
  [
    "names of parameters",
    (wide) => (i) =>
      wide
        .count()
        .where("id", ">", `p${i}`)
        .exec({ [`p${i}`]: 1 }),
  ],
  [
    "specs",
    (wide) => (i) =>
      wide
        .queryFromSpec({
          where: subset(i).map((field) => ({ field, operator: "=", param: field })),
          limit: 1,
        })
        .exec(given(i)),
  ],
  ["refused names", (wide) => (i) => refused(() => wide.query().orderBy(`field${i}x`, "asc").build())],
  [
    "refused names of great length",
    (wide) => (i) =>
      refused(() =>
        wide
          .query()
          .orderBy("x".repeat(5_000) + i, "asc")
          .build(),
      ),
  ],
];

for (const [what, work] of choices)
  test(
    `${SUBSETS} different ${what} stay under ${MOST_MEGABYTES} MB`,
    async () => {
      const handle = new Sqlite(":memory:");
      const db = sqlite(handle);
      await db.createTables(Wide);
      const wide: Untyped = db.repository(Wide);
      await wide.insert().exec({ field0: "first" });
      const one = work(wide);
      await one(0);
      const before = await heldMegabytes();
      for (let i = 1; i <= SUBSETS; i++) {
        await one(i);
        // The handle keeps its rows in memory: they are not what is measured.
        if (i % 1_000 === 0) handle.exec("DELETE FROM wide WHERE id > 1");
      }
      await expectBelow(MOST_MEGABYTES, async () => (await heldMegabytes()) - before);
      // Still in use, and so not gone with what it holds.
      await one(0);
      handle.close();
    },
    patience(60_000, 5, SUBSETS),
  );
