/**
 * Joins, subqueries and nested rows by lists of one, two and three fields, in every method that connects rows: the same
 * rows as a comparison in memory gives, on every server. Rows with NULL in a field of a list are equal to none.
 */
import { and, column, type Database, existsOn, not, notExistsOn, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const nullable = z.int().nullable();
const ours = table(
  "jl_ours",
  z.object({ id: column(z.int(), { primaryKey: true }), a: nullable, b: nullable, c: nullable }),
);
const theirs = table(
  "jl_theirs",
  z.object({ id: column(z.int(), { primaryKey: true }), x: nullable, y: nullable, z: nullable }),
);
interface Ours {
  id: number;
  a: number | null;
  b: number | null;
  c: number | null;
}
interface Theirs {
  id: number;
  x: number | null;
  y: number | null;
  z: number | null;
}
const values = [null, 1, 2];
const places = values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c] as const)));
const mineRows: Ours[] = places.map(([a, b, c], i) => ({ id: i + 1, a, b, c }));
// Not all of them, and one of them twice.
const theirRows: Theirs[] = [...places.filter((_, i) => i % 3 !== 1), [1, 2, 1] as const].map(
  ([x, y, last], i) => ({ id: i + 1, x, y, z: last }),
);

type Pairs = readonly (readonly [keyof Ours & string, keyof Theirs & string])[];
const meets = (pairs: Pairs, mine: Ours, their: Theirs) =>
  pairs.every(([f, g]) => mine[f] !== null && mine[f] === their[g]);
const pairsOf = (mine: readonly string[], other: readonly string[]) =>
  mine.map((f, i) => [f, other[i]]) as unknown as Pairs;

/** What each kind of join gives: pairs of identities. */
function joined(kind: "inner" | "left" | "right" | "full", pairs: Pairs): (number | null)[][] {
  const both = mineRows.flatMap((mine) =>
    theirRows.filter((their) => meets(pairs, mine, their)).map((their) => [mine.id, their.id]),
  );
  const alone = mineRows.filter((mine) => !theirRows.some((their) => meets(pairs, mine, their)));
  const other = theirRows.filter((their) => !mineRows.some((mine) => meets(pairs, mine, their)));
  return [
    ...both,
    ...(kind === "left" || kind === "full" ? alone.map(({ id }) => [id, null]) : []),
    ...(kind === "right" || kind === "full" ? other.map(({ id }) => [null, id]) : []),
  ];
}

const sorted = (rows: readonly (readonly (number | null)[])[]) => rows.map(String).sort();

const lists = [
  { mine: ["a"], other: ["y"] },
  { mine: ["a", "b"], other: ["x", "y"] },
  { mine: ["b", "a"], other: ["z", "x"] },
  { mine: ["a", "b", "c"], other: ["x", "y", "z"] },
  { mine: ["c", "a", "b"], other: ["x", "y", "z"] },
] as const;

describe.each(servers.filter(({ name }) => name !== "h2"))("on $name", (server) => {
  describe.skipIf(!server.available)("lists of fields", () => {
    let lent: Lent;
    const on = () => lent.db.repositories({ ours, theirs });
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(ours, theirs);
      await on().ours.insert().execBatch(mineRows);
      await on().theirs.insert().execBatch(theirRows);
    });
    afterAll(() => lent.close());

    // The lists have several lengths: what the compiler says of each stands in the type tests.
    test.each(lists)("join by $mine and $other", async (given) => {
      const pairs = pairsOf(given.mine, given.other);
      const mine = given.mine as unknown as readonly ["a", "b"];
      const other = given.other as unknown as readonly ["x", "y"];
      const all = on().ours.query();
      const source = on().theirs.query().as("t");
      const rows = async (query: {
        exec(): Promise<readonly { id: number | null; t: { id: number } | null }[]>;
      }) => sorted((await query.exec()).map(({ id, t }) => [id, t?.id ?? null]));

      const inner = sorted(joined("inner", pairs));
      expect(inner.length).toBeGreaterThan(0);
      expect(await rows(all.joinOn("t", theirs, mine, other).fields("id", "t.id"))).toEqual(inner);
      expect(await rows(all.joinOn("t", on().theirs, mine, other).fields("id", "t.id"))).toEqual(inner);
      expect(await rows(all.joinQuery(source, mine, other).fields("id", "t.id"))).toEqual(inner);
      const left = sorted(joined("left", pairs));
      expect(left.length).toBeGreaterThan(inner.length);
      expect(await rows(all.leftJoinOn("t", theirs, mine, other).fields("id", "t.id"))).toEqual(left);
      expect(await rows(all.leftJoinQuery(source, mine, other).fields("id", "t.id"))).toEqual(left);
      const right = sorted(joined("right", pairs));
      expect(right.length).toBeGreaterThan(inner.length);
      expect(await rows(all.rightJoinOn("t", theirs, mine, other).fields("id", "t.id"))).toEqual(right);
      expect(await rows(all.rightJoinQuery(source, mine, other).fields("id", "t.id"))).toEqual(right);
      if (lent.db.dialect !== "mariadb") {
        const full = sorted(joined("full", pairs));
        const all = (lent.db as Database<"postgres">).repositories({ ours, theirs }).ours.query();
        const source = (lent.db as Database<"postgres">).repositories({ theirs }).theirs.query().as("t");
        expect(await rows(all.fullJoinOn("t", theirs, mine, other).fields("id", "t.id"))).toEqual(full);
        expect(await rows(all.fullJoinQuery(source, mine, other).fields("id", "t.id"))).toEqual(full);
      }
    });

    test.each(lists)("conditions and nested rows by $mine and $other", async (given) => {
      const pairs = pairsOf(given.mine, given.other);
      const mine = given.mine as unknown as readonly ["a", "b"];
      const other = given.other as unknown as readonly ["x", "y"];
      const q = on().ours.query().fields("id").orderBy("id", "asc");
      const few = on().theirs.query().where("id", ">", "least");
      const least = 3;
      const found = (row: Ours) => theirRows.filter((their) => their.id > least && meets(pairs, row, their));
      const have = mineRows.filter((row) => found(row).length > 0).map(({ id }) => ({ id }));
      const lack = mineRows.filter((row) => found(row).length === 0).map(({ id }) => ({ id }));
      expect(have.length).toBeGreaterThan(0);

      expect(await q.whereExistsOn(few, mine, other).exec({ least })).toEqual(have);
      expect(await q.whereNotExistsOn(few, mine, other).exec({ least })).toEqual(lack);
      expect(await q.whereAnd(existsOn(few, mine, other)).exec({ least })).toEqual(have);
      expect(await q.whereAnd(notExistsOn(few, mine, other)).exec({ least })).toEqual(lack);
      expect(await q.whereAnd(and(not(existsOn(few, mine, other)))).exec({ least })).toEqual(lack);
      const nested = q.withOn("t", few.fields("id").orderBy("id", "asc"), mine, other);
      expect(await nested.exec({ least })).toEqual(
        mineRows.map((row) => ({ id: row.id, t: found(row).map(({ id }) => ({ id })) })),
      );
      const counted = await on().ours.query().whereExistsOn(few, mine, other).count().exec({ least });
      expect(counted).toBe(have.length);
    });

    test("changes only the rows that a list finds", async () => {
      const few = on().theirs.query().where("id", "=", "id");
      const found = mineRows.filter((row) => row.a === 1 && row.b === 2).map(({ id }) => id);
      expect(theirRows.at(-1)).toMatchObject({ x: 1, y: 2 });
      await lent.db
        .transaction(async (tx) => {
          const changed = await tx
            .repository(ours)
            .modify()
            .set("c", "c")
            .whereExistsOn(few, ["a", "b"], ["x", "y"])
            .execMany({ c: 7, id: theirRows.length });
          expect(changed.map(({ id }) => id).sort((a, b) => a - b)).toEqual(found);
          const gone = await tx
            .repository(ours)
            .remove()
            .whereNotExistsOn(few, ["a", "b"], ["x", "y"])
            .execMany({ id: theirRows.length });
          expect(gone).toHaveLength(mineRows.length - found.length);
          throw new Error("undone");
        })
        .catch((error: unknown) => expect(error).toMatchObject({ message: "undone" }));
      expect(await on().ours.query().count().exec()).toBe(mineRows.length);
    });

    test("lists that do not fit are refused by name", async () => {
      const all = on().ours.query() as unknown as Record<
        string,
        (...given: unknown[]) => { exec(): Promise<unknown> }
      >;
      const source = on().theirs.query().as("t");
      const query = on().theirs.query();
      const calls: [string, unknown[]][] = [
        ["joinOn", ["t", theirs]],
        ["leftJoinOn", ["t", theirs]],
        ["rightJoinOn", ["t", theirs]],
        ["joinQuery", [source]],
        ["leftJoinQuery", [source]],
        ["rightJoinQuery", [source]],
        ["withOn", ["t", query]],
        ["whereExistsOn", [query]],
        ["whereNotExistsOn", [query]],
      ];
      const wrong: [unknown, unknown][] = [
        [["a", "b"], ["x"]],
        [["a"], ["x", "y"]],
        [[], []],
        [["a", "b"], "x"],
        ["a", ["x", "y"]],
        [
          ["a", 7],
          ["x", "y"],
        ],
        [
          ["a", null],
          ["x", "y"],
        ],
        [
          ["a", "nobody"],
          ["x", "y"],
        ],
        [
          ["a", "b"],
          ["x", "nobody"],
        ],
        [
          ["a", "__proto__"],
          ["x", "y"],
        ],
      ];
      for (const [method, first] of calls)
        for (const [mine, other] of wrong) {
          const call = async () => all[method]?.(...first, mine, other).exec();
          const error = await call().then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          expect(error, `${method} ${JSON.stringify([mine, other])}`).toMatchObject({
            code: expect.stringMatching(/^(?:INVALID_RELATION|UNKNOWN_FIELD|INVALID_\w+)$/),
          });
        }
    });
  });
});
