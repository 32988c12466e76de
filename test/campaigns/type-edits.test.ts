/**
 * Edits of a column's type on filled tables, every kind to every kind, on SQLite, PostgreSQL and MariaDB. PostgreSQL's
 * own casts, asked by plain SQL, say what a value is to become. Every edit gives that value, or is refused, or fails and
 * leaves the rows as they were. In full there are all pairs of kinds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { introspect } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import { edit, editedKinds, type Outcome, type Read, rowsOf, tableOf } from "../sql/migrate/type-edits.js";

const kinds = Object.keys(editedKinds);
const all = kinds.flatMap((from) => kinds.filter((to) => to !== from).map((to) => [from, to] as const));
const PAIRS = rounds({ small: 10, full: all.length });
// Every so many of them, so that a few are of all kinds; the number has no divisor in common with that of the kinds.
const STRIDE = 67;
const pairs = Array.from({ length: Math.min(PAIRS, all.length) }, (_, i) => all[(i * STRIDE) % all.length]);

const NUMBERS = ["int", "bigint", "number", "decimal2", "decimal4"];
const BOOLEANS = ["boolean", "flag"];
const TEXTS = ["text", "enum", "uuid"];

/** What a value is to become: one that is read, or none. */
type Wanted = Read | "none";

const judge = servers.find(({ name }) => name === "postgres");
const places = servers.filter(({ dialect }) => dialect !== "oracle");

describe.skipIf(judge?.available !== true)("edits of types on filled tables", () => {
  let court: Lent;
  const folder = mkdtempSync(join(tmpdir(), "rowtype-type-edits-"));
  beforeAll(async () => {
    court = await (judge as (typeof servers)[number]).lend();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await court.close();
  });

  for (const server of places)
    describe.skipIf(!server.available)(`on ${server.name}`, () => {
      let lent: Lent;
      beforeAll(async () => {
        lent = await server.lend();
      });
      afterAll(() => lent.close());

      for (const [from, to] of pairs.filter((pair) => pair !== undefined))
        test(
          `${from} to ${to}`,
          async () => {
            const values = [...(editedKinds[from]?.values ?? []), null];
            const wanted = await castBy(court, [from, to], values);
            // A statement that is kept prepared has the types of its table: no table of another name has them.
            const name = `edited_${from}_${to}`;
            const tables = [tableOf(from, name), tableOf(to, name)] as const;
            const there = (isIt: boolean) => values.filter((_, i) => (wanted[i] !== "none") === isIt);
            const together = await edit(lent, folder, tables, there(true));
            // One that fails hides the others.
            const groups = together.is === "failed" ? there(true).map((one) => [one]) : [];
            for (const group of [...groups, ...there(false).map((one) => [one])])
              check(await edit(lent, folder, tables, group), group);
            check(together, there(true));

            function check(outcome: Outcome, given: readonly unknown[]): void {
              if (outcome.is === "refused") return;
              if (outcome.is === "done") expect(outcome.left).toBe(0);
              given.forEach((value, i) => {
                const read = outcome.rows[i];
                const want = wanted[values.indexOf(value)];
                const what = `${server.name}: ${from} to ${to}, ${outcome.is}`;
                if (outcome.is === "failed") expect(same(read, { value }, from, from), what).toBe(true);
                else if (
                  !isTakenAsItIs(server.dialect, from, to) &&
                  (outcome.steps > 0 || !isKeptSo(server.dialect, from, to))
                )
                  expect({ what, value, read, want }).toSatisfy(
                    () => want !== "none" && same(read, want, from, to),
                  );
              });
            }
          },
          patience(60_000, 0, 0),
        );
    });
});

/** What a step that is allowed by its name takes as it is: SQLite does not say that whole numbers are those of dates. */
function isTakenAsItIs(dialect: string, from: string, to: string): boolean {
  return dialect === "sqlite" && ["int", "bigint"].includes(from) && to === "milliseconds";
}

/**
 * Kinds that a database keeps in the same way: an edit between them has no step and changes nothing that is stored. On
 * SQLite and MariaDB lists and JSON are text; on SQLite dates too.
 */
function isKeptSo(dialect: string, from: string, to: string): boolean {
  const groups = {
    postgres: [TEXTS, ["boolean", "flag"]],
    mariadb: [
      [...TEXTS, "json", "list"],
      ["date", "milliseconds"],
      ["int", "bigint"],
      ["boolean", "flag"],
    ],
    sqlite: [
      [...TEXTS, "json", "list", "date"],
      ["int", "bigint"],
    ],
  }[dialect];
  return groups?.some((group) => group.includes(from) && group.includes(to)) === true;
}

/** What the server's own casts give; a boolean becomes a number, and a number a boolean, by way of an integer. */
async function castBy(
  { db, run }: Lent,
  [from, to]: readonly [string, string],
  values: readonly unknown[],
): Promise<Wanted[]> {
  const [before, after] = [tableOf(from, `cast_${from}`), tableOf(to, `to_${to}`)];
  await db.dropTables(before, after);
  await db.createTables(before, after);
  // The values are of the kind of the column.
  await db
    .repository(before)
    .insert()
    .execBatch(values.map((a, id) => ({ id, a })) as never[]);
  const { tables } = await introspect(db);
  const type = tables.find(({ name }) => name === after.name)?.columns.find(({ name }) => name === "a")?.type;
  const isBoolean =
    (BOOLEANS.includes(from) && NUMBERS.includes(to)) || (BOOLEANS.includes(to) && /int$/.test(from));
  const isThere: boolean[] = [];
  for (const id of values.keys()) {
    const cast = `INSERT INTO ${after.name} SELECT id, a${isBoolean ? "::integer" : ""}::${type} FROM ${before.name} WHERE id = ${id}`;
    isThere.push(
      await run(cast).then(
        () => true,
        () => false,
      ),
    );
  }
  const read = await rowsOf(db, after, values.length);
  await db.dropTables(before, after);
  return values.map((value, i) =>
    isThere[i] !== true ? (value === null ? { value } : "none") : (read[i] ?? "none"),
  );
}

/** Whether two values are one: as text, numbers, dates and JSON have more than one form. */
function same(a: Read | undefined, b: Read | undefined, from: string, to: string): boolean {
  if (a === undefined || b === undefined || !("value" in a) || !("value" in b))
    return isDeepStrictEqual(a, b);
  const [left, right] = [a.value, b.value];
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  if (typeof left !== "string" || typeof right !== "string" || !TEXTS.includes(to))
    return isDeepStrictEqual(left, right);
  const meaning = (text: string): unknown => {
    if (from === "number") return Number(text);
    if (from === "date" || from === "milliseconds")
      return Date.parse(`${text.replace(/\+00$/, "").replace(" ", "T")}Z`);
    return from === "json" ? JSON.parse(text) : text;
  };
  return isDeepStrictEqual(meaning(left), meaning(right));
}
