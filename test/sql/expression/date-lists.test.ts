/**
 * Lists of dates beside columns that keep more than milliseconds, or another form of dates: they find the rows that the
 * same dates find one by one, and an index of the column serves them.
 */
import {
  and,
  c,
  caseWhen,
  coalesce,
  column,
  count,
  type Database,
  type Dialect,
  max,
  or,
  table,
  value,
} from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { rangesAround } from "../../../src/sql/exec/date-ranges.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "../../oracle/judge.js";
import { type Lent, reportServers, servers } from "../../servers.js";

reportServers();

/** The declared types whose columns are not compared with a list as they are, by server. */
const types: Readonly<Record<string, readonly string[]>> = {
  postgres: ["timestamptz", "timestamp", "timestamp(6)", "moment", "date"],
  mariadb: ["datetime(6)", "timestamp(6)"],
};

const ROWS = 4_000;
const START = Date.parse("2020-01-01T00:00:00Z");
const DAY = 86_400_000;

/** A row: the dates of neighbours differ by days, some by less than a millisecond, and some are absent. */
function stored(id: number): { readonly text: string; readonly date: Date } | undefined {
  if (id % 50 === 7) return undefined;
  const day = Math.floor(id / 2) * DAY;
  const us = id % 2 === 0 ? 123_000 : 123_999;
  const text = `${new Date(START + day).toISOString().slice(0, 10)} 00:00:00.${us}`;
  return { text, date: new Date(START + day + 123) };
}

/** Every `step`th date of the rows, and dates that no row has. */
function dates(number: number, step: number, isDay: boolean): Date[] {
  return Array.from({ length: number }, (_, i) => {
    const day = START + ((i * step) % (ROWS / 2)) * DAY;
    return new Date(i % 3 === 2 ? day + 77 : day + (isDay ? 0 : 123));
  });
}

for (const server of servers) {
  const declared = types[server.name];
  if (declared === undefined) continue;
  describe.skipIf(!server.available)(`lists of dates on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "postgres") await lent.run("CREATE DOMAIN moment AS timestamptz");
    });
    afterAll(() => lent.close());

    describe.each(declared)("of a column %s", (type) => {
      const isDay = type === "date";
      const name = `lists_of_${type.replace(/\W/g, "")}`;
      const Moment = table(
        name,
        z.object({
          id: column(z.int(), { primaryKey: true }),
          at: column(z.date().nullable(), { type }),
          n: z.int(),
        }),
        { indexes: [{ columns: ["at"], name: `${name}_at` }] },
      );
      const rows = Array.from({ length: ROWS }, (_, id) => {
        const one = stored(id);
        const date = isDay && one !== undefined ? new Date(one.date.getTime() - 123) : one?.date;
        return { id, text: one?.text, time: date?.getTime() };
      });
      const repository = (db: Database) => db.repository(Moment);
      let moments: ReturnType<typeof repository>;

      beforeAll(async () => {
        moments = repository(lent.db);
        await lent.db.createTables(Moment);
        const zone = server.name === "postgres" ? "+00" : "";
        for (let from = 0; from < ROWS; from += 1_000) {
          const values = rows.slice(from, from + 1_000).map(({ id, text }) => {
            const at = text === undefined ? "NULL" : `'${text}${zone}'`;
            return `(${id}, ${at}, 0)`;
          });
          await lent.run(`INSERT INTO ${name} (id, at, n) VALUES ${values.join(", ")}`);
        }
        if (server.name === "postgres") await lent.run(`ANALYZE ${name}`);
        if (server.name === "mariadb") await lent.run(`ANALYZE TABLE ${name}`);
      });

      const among = (list: readonly Date[]) => {
        const times = new Set<number | undefined>(list.map((one) => one.getTime()));
        return rows.filter(({ time }) => times.has(time)).map(({ id }) => id);
      };
      const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id).sort((a, b) => a - b);

      test.each([
        [0, 1],
        [1, 1],
        [2, 700],
        [3, 11],
        [63, 31],
        [64, 7],
        [65, 29],
        [200, 1],
        [1_100, 1],
      ])("%i dates, each %i days behind the one before, find their rows", async (number, step) => {
        const list = dates(number, step, isDay);
        const expected = among(list);
        const known = rows.filter(({ time }) => time !== undefined).map(({ id }) => id);
        const others = known.filter((id) => !expected.includes(id));
        const isIn = moments.query().fields("id").where("at", "IN", "list");
        expect(idsOf(await isIn.exec({ list }))).toEqual(expected);
        expect(idsOf(await isIn.exec({ list: [...list, ...list].reverse() }))).toEqual(expected);
        const isNot = moments.query().fields("id").where("at", "NOT IN", "list");
        const unless = number === 0 ? rows.map(({ id }) => id) : others;
        expect(idsOf(await isNot.exec({ list }))).toEqual(unless);
        const beside = moments
          .query()
          .fields("id")
          .whereOr(
            c("id", "=", "id"),
            and(c("at", "IN", "list"), or(c("at", "IN", "list"), c("id", "<", "id"))),
          );
        expect(idsOf(await beside.exec({ id: 7, list }))).toEqual([...expected, 7].sort((a, b) => a - b));
        const optional = moments.query().fields("id").where("id", "<", "n").whereOptional("at", "IN", "list");
        expect(idsOf(await optional.exec({ n: 10, list }))).toEqual(expected.filter((id) => id < 10));
        expect(await optional.exec({ n: 10 })).toHaveLength(10);
      });

      test("a list tells groups apart, in conditions of groups and of queries as tables", async () => {
        const list = dates(5, 3, isDay);
        const expected = among(list);
        const label = caseWhen(z.string())
          .when(c("at", "IN", "list"), "yes")
          .else("no")
          .as("is");
        const labelled = moments
          .query()
          .fields(label, count().as("number"))
          .groupBy("is")
          .orderBy("is", "asc");
        expect(await labelled.exec({ list, yes: "y", no: "n" })).toEqual([
          { is: "n", number: ROWS - expected.length },
          { is: "y", number: expected.length },
        ]);
        const latest = moments.query().fields("id", max("at").as("latest")).groupBy("id");
        expect(idsOf(await latest.having("latest", "IN", "list").exec({ list }))).toEqual(expected);
        const inside = moments.query().fields("id", "at", coalesce("at", value(new Date(0))).as("same"));
        const outside = lent.db.from(inside.as("inside")).fields("id");
        expect(idsOf(await outside.where("at", "IN", "list").exec({ list }))).toEqual(expected);
        expect(idsOf(await outside.where("same", "IN", "list").exec({ list }))).toEqual(expected);
        expect(await outside.where("at", "IN", "list").explain({ list })).toContain(`${name}_at`);
      });

      test.each([
        ["of the years of the rows", []],
        ["and those at the ends of all years", ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]],
      ])("a list of dates %s says which rows a change changes", async (_, ends) => {
        const list = [...dates(7, 13, isDay), ...ends.map((text) => new Date(text))];
        const expected = among(list);
        await moments.modify().set("n", "n").where("at", "IN", "list").execMany({ n: 1, list });
        expect(idsOf(await moments.query().fields("id").where("n", "=", "n").exec({ n: 1 }))).toEqual(
          expected,
        );
        await moments.modify().set("n", "n").where("n", "=", "old").execMany({ n: 0, old: 1 });
      });

      test("a list says which rows an upsert updates, one by one and together", async () => {
        const list = dates(7, 13, isDay);
        const expected = among(list);
        const some = rows.filter(({ id }) => id < 100);
        const upsert = moments.insert().onConflict("id").doUpdate().set("n", "to").where("at", "IN", "list");
        const records = some.map(({ id, time }) => ({
          id,
          at: time === undefined ? null : new Date(time),
          n: 0,
        }));
        const changed = () => moments.query().fields("id").where("n", "=", "n").exec({ n: 2 });
        const inSome = expected.filter((id) => id < 100);
        expect(inSome.length).toBeGreaterThan(3);
        await upsert.execBatch(records, { to: 2, list });
        expect(idsOf(await changed())).toEqual(inSome);
        await moments.modify().set("n", "n").where("n", "=", "old").execMany({ n: 0, old: 2 });
        for (const record of records.slice(0, 40)) await upsert.exec(record, { to: 2, list });
        expect(idsOf(await changed())).toEqual(inSome.filter((id) => id < 40));
        await moments.modify().set("n", "n").where("n", "=", "old").execMany({ n: 0, old: 2 });
      });

      test.each([
        [1, 1],
        [3, 400],
        [20, 97],
        [70, 1],
      ])("an index serves %i dates, each %i days behind the one before", async (number, step) => {
        const plan = await moments
          .query()
          .where("at", "IN", "list")
          .explain({ list: dates(number, step, isDay) });
        expect(plan).toContain(`${name}_at`);
        expect(plan).not.toMatch(/Seq Scan|"access_type": "(ALL|index)"/);
      });
    });
  });
}

describe("the text that is sent with a list of dates", () => {
  const Moment = table(
    "moments",
    z.object({ id: column(z.int(), { primaryKey: true }), at: column(z.date(), { type: "timestamp(6)" }) }),
  );
  const list = [3, 1, 2].map((ms) => new Date(ms));
  const asked = async (dialect: Dialect, run: (db: Database) => Promise<unknown>) => {
    const db = recording(dialect);
    await run(db as Database);
    return db.statements.map(({ sql }) => sql);
  };
  const isIn = (db: Database, number = 3) =>
    db
      .repository(Moment)
      .query()
      .fields("id")
      .where("at", "IN", "list")
      .exec({ list: Array.from({ length: number }, (_, i) => list[i] ?? new Date(i)) });

  test("has the condition, and the ranges that it implies, padded to one of a few lengths", async () => {
    const postgres = (low: number) =>
      `"at" BETWEEN CAST($${low} AS timestamp) AND CAST($${low + 1} AS timestamp) + INTERVAL '999 microseconds'`;
    expect(await asked("postgres", isIn)).toEqual([
      `SELECT "id" FROM "moments" WHERE (date_trunc('milliseconds', "at" AT TIME ZONE 'UTC') = ANY($1) AND (${[2, 4, 6, 8].map(postgres).join(" OR ")}))`,
    ]);
    const lengths = Array.from({ length: 200 }, (_, i) => i);
    const texts = await asked("postgres", async (db) => {
      for (const number of lengths) await isIn(db, number);
    });
    expect(new Set(texts).size).toBe(8);
  });

  test(
    "has them on Oracle too",
    async () => {
      await warmUpOracle();
      const [sql = ""] = await asked("oracle", isIn);
      const range = (low: number) =>
        `"at" BETWEEN :p${low} AND :p${low + 1} + NUMTODSINTERVAL(0.000999999, 'SECOND')`;
      expect(sql).toBe(
        `SELECT "id" FROM "moments" WHERE (("at" - NUMTODSINTERVAL(MOD(EXTRACT(SECOND FROM "at"), 0.001), 'SECOND')) IN (:p0, :p1, :p2, :p3) AND (${[4, 6, 8, 10].map(range).join(" OR ")}))`,
      );
      await judgeOracle(
        sql,
        Array.from({ length: 12 }, (_, i) => `p${i}`),
      );
    },
    ORACLE_WARM_UP_MS,
  );

  test("has only the condition where the statement would have too many parameters", async () => {
    const [sql = ""] = await asked("mariadb", (db) => isIn(db, 65_535));
    expect(sql).toContain("JSON_TABLE");
    expect(sql).not.toContain("BETWEEN");
  });
});

describe("the ranges around dates", () => {
  const at = (...times: number[]) => times.map((time) => new Date(time));

  test("are one for each date, without those that are there twice", () => {
    const [a, b, c] = at(5, 1, 3);
    expect(rangesAround([a, b, c, b], 64)).toEqual([
      [b, b],
      [c, c],
      [a, a],
    ]);
  });

  test("join the dates that are nearest to each other where these are more", () => {
    const list = at(100, 1, 50, 3, 101, 52);
    const times = rangesAround(list, 3).map((range) => range.map((one) => (one as Date).getTime()));
    expect(times).toEqual([
      [1, 3],
      [50, 52],
      [100, 101],
    ]);
  });

  test("order texts of all years as dates", () => {
    const texts = ["9999-12-31 23:59:59.999", "0001-01-01 00:00:00.000", "1969-12-31 23:59:59.999"];
    expect(rangesAround(texts, 2)).toEqual(
      [
        [texts[1], texts[2]],
        [texts[0], texts[0]],
      ].toSorted(),
    );
  });
});
