/**
 * Dates of columns that keep them in different ways, with a zone, without one, as days, as numbers, beside each other
 * and beside parameters and constants: the same rows whatever the zone of the session is.
 */
import {
  type AnyTable,
  c,
  caseWhen,
  coalesce,
  column,
  dateAdd,
  dateDiff,
  field,
  greatest,
  least,
  nullIf,
  param,
  table,
  value,
} from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { zonedDatabase, zones } from "../../kit/zoned.js";
import { live, type Named } from "../expression/raw-columns.kinds.js";

// biome-ignore lint/suspicious/noExplicitAny: the columns have types that the test chooses.
type Untyped = any;

const forms: { readonly [N in Named]: readonly (string | undefined)[] } = {
  postgres: [undefined, "timestamp", "timestamp(3)", "timestamptz"],
  mariadb: [undefined, "datetime(6)", "timestamp(3) NULL"],
  sqlite: [undefined, "INTEGER"],
};

const day = new Date("2026-03-08T00:00:00.000Z");
const later = new Date("2026-03-09T12:30:00.250Z");

const id = column(z.int(), { primaryKey: true });
const of = (type: string | undefined) =>
  type === undefined ? z.date().nullable() : column(z.date().nullable(), { type });

/** Each expression, what it is for the row with two dates, and for the one whose first is null. */
const expressions: readonly (readonly [string, Untyped, Date | number | null, Date | number | null])[] = [
  ["coalesce of a constant", coalesce("a", value(later)), day, later],
  ["coalesce of a name", coalesce("a", "p"), day, later],
  ["coalesce of a parameter", coalesce("a", param("p")), day, later],
  ["coalesce of a parameter with a schema", coalesce("a", param("p", z.date())), day, later],
  ["coalesce of a column", coalesce("a", field("b")), day, later],
  ["greatest of a constant", greatest("a", value(later)), later, later],
  ["greatest of a parameter with a schema", greatest("a", param("p", z.date())), later, later],
  ["least of columns", least("a", "b"), day, later],
  ["nullIf of a parameter", nullIf("a", "p"), day, null],
  ["nullIf of a constant", nullIf("a", value(later)), day, null],
  ["nullIf of a column", nullIf("b", field("a")), later, later],
  [
    "a CASE of columns",
    caseWhen(z.date())
      .when(c("id", "=", "one"), field("a"))
      .else(field("b")) as Untyped,
    day,
    later,
  ],
  [
    "a CASE of a constant",
    caseWhen(z.date())
      .when(c("id", "=", "one"), value(day))
      .else(field("b")) as Untyped,
    day,
    later,
  ],
  ["days from a column", dateDiff("day", "b", param("p", z.date())), 0, 0],
  [
    "a date that is moved",
    dateAdd("b", value(1), "day"),
    new Date(later.getTime() + 86_400_000),
    new Date(later.getTime() + 86_400_000),
  ],
];

describe.each(live)("dates kept in different ways on $name", (server) => {
  const name = server.name as Named;
  test.skipIf(!server.available)(
    "beside each other and beside values are the same in every zone",
    async () => {
      const lent = await server.lend();
      const wrong: string[] = [];
      let made = 0;
      try {
        for (const zone of zones[name]) {
          const { db, end } = zonedDatabase(server, lent, zone);
          for (const first of forms[name])
            for (const second of forms[name]) {
              const T = table(`forms_${++made}`, z.object({ id, a: of(first), b: of(second) }));
              await db.createTables(T);
              const rows: Untyped = db.repository(T as AnyTable);
              await rows.insert().execBatch([
                { id: 1, a: day, b: later },
                { id: 2, a: null, b: later },
              ]);
              for (const [what, expression, one, two] of expressions) {
                const query = rows.query().fields("id", expression.as("x")).orderBy("id", "asc");
                const { params } = query.render();
                const given = Object.fromEntries(
                  Object.entries({ p: later, one: 1 }).filter(([key]) => params.includes(key)),
                );
                const got = await query.exec(given).catch((error: Error) => error.message);
                const due = [
                  { id: 1, x: one },
                  { id: 2, x: two },
                ];
                if (JSON.stringify(got) !== JSON.stringify(due))
                  wrong.push(`${first} and ${second} in ${zone}, ${what}: ${JSON.stringify(got)}`);
                if (one === null || two === null) continue;
                const asked = await rows
                  .query()
                  .fields("id")
                  .where(expression, "=", "x")
                  .orderBy("id", "asc")
                  .exec({ ...given, x: one })
                  .catch((error: Error) => error.message);
                const ids = [1, ...(Number(one) === Number(two) ? [2] : [])].map((found) => ({ id: found }));
                if (JSON.stringify(asked) !== JSON.stringify(ids))
                  wrong.push(`${first} and ${second} in ${zone}, where ${what}: ${JSON.stringify(asked)}`);
              }
              await db.dropTables(T);
            }
          await end();
        }
      } finally {
        await lent.close();
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});
