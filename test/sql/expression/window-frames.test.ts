/**
 * Frames of windows: every pair of bounds, as rows and as a range of values, gives what JavaScript gathers on every
 * server, or is refused before it is sent.
 */
import { column, count, type Database, decimal, sum, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const points = table(
  "frame_points",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    n: z.int(),
    big: z.bigint(),
    price: decimal(8, 2),
    weight: z.number(),
    maybe: z.int().nullable(),
    name: z.string(),
    at: z.date(),
    isOn: z.boolean(),
  }),
);

type Bound =
  | "unbounded preceding"
  | "current row"
  | "unbounded following"
  | { preceding: number }
  | { following: number };
const bounds: readonly Bound[] = [
  "unbounded preceding",
  { preceding: 3 },
  { preceding: 1 },
  { preceding: 0 },
  "current row",
  { following: 0 },
  { following: 2 },
  "unbounded following",
];

/** Where a bound is, in rows or values after the current one. */
function placeOf(bound: Bound): number {
  if (typeof bound !== "string") return "preceding" in bound ? 0 - bound.preceding : bound.following;
  return bound === "current row" ? 0 : bound === "unbounded preceding" ? -Infinity : Infinity;
}

const pairs = bounds.flatMap((start) => bounds.map((end) => [start, end] as const));
const isFrame = ([start, end]: readonly [Bound, Bound]) =>
  start !== "unbounded following" && end !== "unbounded preceding" && placeOf(start) <= placeOf(end);
const isAmount = (bound: Bound) => typeof bound === "object" && placeOf(bound) !== 0;

// Some values twice, some far from the next.
const VALUES = [1, 1, 2, 4, 5, 9];
const rows = VALUES.map((n, i) => ({
  id: i + 1,
  n,
  big: BigInt(n),
  price: `${n}.00`,
  weight: n,
  maybe: n === 9 ? null : n,
  name: String(n),
  at: new Date(n),
  isOn: n > 3,
}));
const numbers = ["n", "big", "price", "weight", "maybe"] as const;
const ordered = ["n", "big", "price", "weight", "maybe", "name", "at"] as const;

const dialects = { sqlite, postgres, mariadb, oracle };
const on = (db: Database) => (db as unknown as Database<"sqlite">).repository(points);

type Framed = { rows: readonly [Bound, Bound] } | { range: readonly [Bound, Bound] };
/** How many rows a frame has, and the sum of their keys. */
function framed(
  db: Database,
  by: readonly (readonly [(typeof ordered)[number], "asc" | "desc"])[],
  frame: Framed,
) {
  const window = { orderBy: by, frame } as never;
  return on(db)
    .query()
    .fields("id", count().over(window).as("rows"), sum("id").over(window).as("ids"))
    .orderBy("id", "asc");
}

const textOf = (frame: object) => JSON.stringify(frame).replaceAll(/["{}]/g, "");

describe.each(Object.entries(dialects))("frames on %s", (_, open) => {
  const db = open() as unknown as Database;

  test("that end before they begin are refused, and no others", () => {
    for (const pair of pairs)
      for (const frame of [{ rows: pair }, { range: pair }]) {
        const render = () => framed(db, [["n", "asc"]], frame as unknown as Framed).render();
        if (isFrame(pair)) expect(render, textOf(frame)).not.toThrow();
        else expect(sqlErrorIn(render), textOf(frame)).toMatchObject({ code: "INVALID_SPEC" });
      }
  });

  test("have amounts that are whole numbers from 0", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const wrong = [-1, -most, 0.5, most + 1, Number.NaN, Infinity, -Infinity, "1", 1n, null, undefined, [1]];
    for (const [amounts, isRight] of [
      [[0, -0, 1, most], true],
      [wrong, false],
    ] as const)
      for (const amount of amounts)
        for (const pair of [
          [{ preceding: amount }, "unbounded following"],
          ["unbounded preceding", { following: amount }],
        ])
          for (const frame of [{ rows: pair }, { range: pair }]) {
            const render = () => framed(db, [["n", "asc"]], frame as unknown as Framed).render();
            if (isRight) expect(render).not.toThrow();
            else expect(sqlErrorIn(render)).toMatchObject({ code: "INVALID_SPEC" });
          }
  });

  test("of values need one number to order by, unless their bounds are words", () => {
    for (const range of pairs.filter(isFrame)) {
      const needs = range.some(isAmount);
      const text = textOf(range);
      for (const by of ["name", "at"] as const) {
        const render = () => framed(db, [[by, "asc"]], { range }).render();
        if (needs) expect(sqlErrorIn(render), text).toMatchObject({ code: "INVALID_OPERATOR" });
        else expect(render, text).not.toThrow();
      }
      for (const by of [
        [],
        [
          ["n", "asc"],
          ["id", "asc"],
        ],
      ]) {
        const render = () => framed(db, by as never, { range }).render();
        if (needs) expect(sqlErrorIn(render), text).toMatchObject({ code: "INVALID_SPEC" });
        else expect(render, text).not.toThrow();
      }
    }
  });
});

for (const server of servers)
  describe.skipIf(!server.available)(`frames on the server ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(points);
      await on(lent.db).insert().execBatch(rows);
    });
    afterAll(() => lent.close());

    /** The rows of a frame. NULL is the greatest value, and no amount leads from it to another one. */
    function expected(by: (typeof ordered)[number], direction: "asc" | "desc", frame: Framed) {
      const sign = direction === "asc" ? 1 : -1;
      const keyOf = (row: (typeof rows)[number]) =>
        sign * (by === "maybe" && row.maybe === null ? Infinity : row.n);
      return rows.map((row) => {
        const inRows = "rows" in frame;
        const [from = 0, to = 0] = (inRows ? frame.rows : frame.range).map((bound) => {
          const place = placeOf(bound);
          return Number.isFinite(place) && !inRows && !Number.isFinite(keyOf(row)) ? 0 : place;
        });
        const ids = rows
          .filter((other) => {
            const [one, key] = [keyOf(other), keyOf(row)];
            const away = inRows ? sign * (other.id - row.id) : one === key ? 0 : one - key;
            return away >= from && away <= to;
          })
          .map(({ id }) => id);
        return {
          id: row.id,
          rows: ids.length,
          ids: ids.length === 0 ? null : ids.reduce((sum, id) => sum + id),
        };
      });
    }

    test.each(pairs.filter(isFrame).map((pair) => [textOf(pair), pair] as const))("%s", async (_, pair) => {
      for (const direction of ["asc", "desc"] as const) {
        const inRows = { rows: pair };
        expect(await framed(lent.db, [["id" as never, direction]], inRows).exec(), direction).toEqual(
          expected("n", direction, inRows),
        );
        for (const by of ordered) {
          const frame = { range: pair };
          const asked = framed(lent.db, [[by, direction]], frame);
          const isOfNumbers = (numbers as readonly string[]).includes(by);
          if (pair.some(isAmount) && !isOfNumbers) continue;
          if (pair.some(isAmount) && by === "maybe" && server.name === "mariadb") {
            expect(sqlErrorIn(() => asked.render())).toMatchObject({ code: "UNSUPPORTED" });
            continue;
          }
          expect(await asked.exec(), `${by} ${direction}`).toEqual(expected(by, direction, frame));
        }
      }
    });
  });
