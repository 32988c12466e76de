/**
 * Values inside of nested rows are those that a query of their own gives, bit by bit: random rows with every kind of
 * column. `ROWTYPE_ROUNDS=full` reads 100,000 of them on each server; `ROWTYPE_SEED` repeats a run.
 */
import type { Database } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRow, parents, random, values } from "../../kit/nested-columns.js";
import { patience, rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const ROWS = rounds({ small: 300, full: 100_000 });
const SEED = Number(process.env["ROWTYPE_SEED"] ?? 20261122);
const BATCH = 100;

// One type for all of them: what is used here, every server has.
const typed = (db: Database) => (db as unknown as Database<"sqlite">).repositories({ parents, values });

// Digits behind the millisecond, which a Date does not hold.
const MICROSECONDS: Readonly<Record<string, string>> = {
  postgres: "UPDATE nested_values SET micro = micro + interval '1 microsecond' * (id % 1000) WHERE batch =",
  mariadb: "UPDATE nested_values SET micro = micro + INTERVAL (id % 1000) MICROSECOND WHERE batch =",
};

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`nested values on ${server.name}`, () => {
    let lent: Lent;
    let of: ReturnType<typeof typed>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(values, parents);
      of = typed(lent.db);
    });
    afterAll(() => lent.close());

    test(`of ${ROWS} rows are those of a query of their own`, {
      timeout: patience(60_000, 20, ROWS),
    }, async () => {
      const next = random(SEED);
      const firstYear = server.name === "mariadb" ? 1000 : 1;
      const whole = of.values.query().orderBy("id", "asc");
      const alone = whole.where("batch", "=", "batch");
      const inOne = of.parents.query().with("value").whereBetween("id", "least", "most").orderBy("id", "asc");
      const inList = of.parents.query().with("beside", whole).where("id", "=", "batch");
      for (let batch = 1; (batch - 1) * BATCH < ROWS; batch++) {
        const least = (batch - 1) * BATCH + 1;
        const rows = Array.from({ length: BATCH }, (_, i) => makeRow(least + i, batch, next, firstYear));
        await of.values.insert().execBatch(rows);
        await of.parents.insert().execBatch(rows.map(({ id }) => ({ id, valueId: id })));
        const later = MICROSECONDS[server.name];
        if (later !== undefined) await lent.run(`${later} ${batch}`);
        const own = await alone.exec({ batch });
        expect(own).toHaveLength(BATCH);
        const parts = await inOne.exec({ least, most: least + BATCH - 1 });
        expect(parts.map(({ value }) => value)).toEqual(own);
        expect(await inList.exec({ batch })).toEqual([{ id: batch, valueId: batch, beside: own }]);
        expect(own.map(({ text, big, bytes }) => ({ text, big, bytes }))).toEqual(
          rows.map(({ text, big, bytes }) => ({ text, big, bytes })),
        );
      }
    });

    test("that a Date, a number or a text cannot hold are refused in nested rows as without", async () => {
      const stored = makeRow(ROWS + BATCH + 1, 0, random(SEED), 1000);
      const text = "\ud800";
      const inserted = (row: Partial<typeof stored>) => of.values.insert().exec({ ...stored, ...row });
      await expect(inserted({ text })).rejects.toMatchObject({ code: "PARAM_TYPE" });
      await expect(inserted({ any: { [text]: 1 } })).rejects.toMatchObject({ code: "PARAM_TYPE" });
      if (server.name !== "postgres") return;
      await inserted({});
      await of.parents.insert().exec({ id: stored.id, valueId: stored.id });
      for (const change of [
        "double = 'NaN'",
        "double = '-Infinity'",
        "at = 'infinity'",
        "at = '0044-01-01 BC'",
      ]) {
        await lent.run(`UPDATE nested_values SET ${change} WHERE id = ${stored.id}`);
        const alone = await of.values.query().where("id", "=", "id").exec({ id: stored.id }).catch(wrongIn);
        const around = of.parents.query().with("value").where("id", "=", "id");
        expect(alone).toMatchObject({ code: "DECODE_FAILED" });
        expect(await around.exec({ id: stored.id }).catch(wrongIn)).toMatchObject({ code: "DECODE_FAILED" });
        await lent.run(`UPDATE nested_values SET double = 1, at = now() WHERE id = ${stored.id}`);
      }
    });
  });

const wrongIn = (error: unknown): unknown => error;
