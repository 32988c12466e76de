/**
 * Values inside of nested rows are those that a query of their own gives, bit by bit: random rows with every kind of
 * column. `ROWTYPE_ROUNDS=full` reads 100,000 of them.
 */
import { column, type Database, decimal, json, one, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const parents = table("parents", z.object({ id: column(z.int(), { primaryKey: true }), valueId: z.int() }), {
  relations: { value: one("values", "valueId") },
});
const values = table(
  "nested_values",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string().nullable(),
    double: z.number().nullable(),
    whole: z.int().nullable(),
    big: z.bigint().nullable(),
    flag: z.boolean().nullable(),
    at: z.date().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
    money: decimal(18, 4).nullable(),
    any: json(z.unknown()),
    tags: z.array(z.string()).nullable(),
  }),
);

// The same rows in every run.
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const CHARACTERS = ["a", '"', "\\", "\n", "\t", "\u0001", "\u2028", "é", "😀", "'", "%", "{", "[", ",", " "];

function makeRow(id: number, next: () => number) {
  const bits = new DataView(new ArrayBuffer(8));
  const int = (below: number) => Math.floor(next() * below);
  const text = () => Array.from({ length: int(12) }, () => CHARACTERS[int(CHARACTERS.length)] ?? "").join("");
  const orNull = <T>(make: () => T) => (next() < 0.1 ? null : make());
  const double = () => {
    bits.setUint32(0, int(2 ** 32));
    bits.setUint32(4, int(2 ** 32));
    const value = bits.getFloat64(0);
    // SQLite and MariaDB keep no subnormal digits beyond what they write.
    return Number.isFinite(value) ? value + 0 : next();
  };
  return {
    id,
    text: orNull(text),
    double: orNull(double),
    whole: orNull(() => int(2 ** 31) - 2 ** 30),
    big: orNull(() => BigInt.asIntN(64, (BigInt(int(2 ** 32)) << 32n) | BigInt(int(2 ** 32)))),
    flag: orNull(() => next() < 0.5),
    at: orNull(
      () =>
        new Date(Date.UTC(1000 + int(8_000), int(12), 1 + int(28), int(24), int(60), int(60), int(1_000))),
    ),
    bytes: orNull(() => Uint8Array.from({ length: int(20) }, () => int(256))),
    money: orNull(() => `${next() < 0.5 ? "-" : ""}${int(10 ** 9)}.${String(int(10_000)).padStart(4, "0")}`),
    any: { [text()]: [text(), double(), null, next() < 0.5] },
    tags: orNull(() => Array.from({ length: int(3) }, text)),
  };
}

const total = rounds({ small: 300, full: 100_000 });

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`nested values on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(values, parents);
    });
    afterAll(() => lent.close());

    test("are those of a query of their own", async () => {
      const repositories = (db: Database<"sqlite">) => db.repositories({ parents, values });
      // One type for all of them: what is used here, every server has.
      const { parents: around, values: own } = repositories(lent.db as unknown as Database<"sqlite">);
      const next = random(20261122);
      for (let from = 0; from < total; from += 100) {
        const rows = Array.from({ length: Math.min(100, total - from) }, (_, i) =>
          makeRow(from + i + 1, next),
        );
        await own.insert().execBatch(rows);
        await around.insert().execBatch(rows.map(({ id }) => ({ id, valueId: id })));
        const page = { least: from + 1, most: from + 100 };
        const alone = await own.query().whereBetween("id", "least", "most").orderBy("id", "asc").exec(page);
        const inOne = await around
          .query()
          .with("value")
          .whereBetween("id", "least", "most")
          .orderBy("id", "asc")
          .exec(page);
        const inList = await around
          .query()
          .withOn("found", own.query().orderBy("id", "asc").limit(1), "valueId", "id")
          .whereBetween("id", "least", "most")
          .orderBy("id", "asc")
          .exec(page);
        expect(alone).toHaveLength(rows.length);
        expect(inOne.map(({ value }) => value)).toEqual(alone);
        expect(inList.flatMap(({ found }) => found)).toEqual(alone);
      }
    });
  });
