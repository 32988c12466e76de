/** Values come back as they were sent. */
import type { DriverDialect, Value } from "../driver/interface.js";
import { holds, same } from "./checks.js";
import { type Sample, words } from "./words.js";
import { statement, type TestGroup, type World } from "./world.js";

/** The tests of values of a dialect. */
export function valueTests(dialect: DriverDialect): TestGroup {
  const { samples } = words[dialect];
  return {
    tests: [
      ...samples.map(
        (sample) =>
          [`value: ${sample.name} comes back exactly`, (world: World) => roundTrip(world, sample)] as const,
      ),
      ["value: null comes back from a column of every type", nulls],
      ["value: twelve values in one row keep their places", places],
      ["value: the same text takes other values", otherValues],
      ["value: a parameter is never a part of the text", injected],
    ],
  };
}

async function roundTrip(world: World, { type, value, read = value, bigints }: Sample): Promise<void> {
  if (bigints === true && world.lacks("bigints")) return;
  const { place } = world.words;
  await world.send(`CREATE TABLE v (id INTEGER PRIMARY KEY, v ${type})`);
  const affected = await world.send(`INSERT INTO v (id, v) VALUES (1, ${place(1)})`, [value]);
  same(affected, 1, "affected of an insert of one row");
  const rows = await world.rows("SELECT v FROM v", [], world.driver, bigints === true);
  // MariaDB may give an integer of 64 bits as its text.
  const found = typeof read === "bigint" ? rows.map((row) => row.map(asBigint)) : rows;
  same(found, [[read]], "the value that was stored");
}

async function nulls(world: World): Promise<void> {
  const { samples, place } = world.words;
  const types = [...new Set(samples.map(({ type }) => type))];
  await world.send(`CREATE TABLE v (id INTEGER, ${types.map((type, i) => `c${i} ${type} NULL`).join(", ")})`);
  const places = types.map((_, i) => place(i + 1)).join(", ");
  await world.send(
    `INSERT INTO v VALUES (1, ${places})`,
    types.map(() => null),
  );
  const columns = types.map((_, i) => `c${i}`).join(", ");
  same(await world.rows(`SELECT ${columns} FROM v`), [types.map(() => null)], "nulls that were stored");
}

async function places(world: World): Promise<void> {
  const { text, place } = world.words;
  const columns = Array.from({ length: 12 }, (_, i) => `c${i}`);
  await world.send(`CREATE TABLE v (${columns.map((name) => `${name} ${text}`).join(", ")})`);
  const values = columns.map((name, i) => (i % 4 === 3 ? null : `value of ${name}`));
  await world.send(`INSERT INTO v VALUES (${columns.map((_, i) => place(i + 1)).join(", ")})`, values);
  same(await world.rows(`SELECT ${columns.join(", ")} FROM v`), [values], "twelve values of one row");
}

async function otherValues(world: World): Promise<void> {
  const { place, whole } = world.words;
  await world.table([1, 2, 3]);
  const text = {};
  const sql = `SELECT id FROM t WHERE id = ${place(1)}`;
  for (const id of [1, 3, 2, 1]) {
    const params: readonly Value[] = [whole(id)];
    const { rows } = await world.driver.run(statement(sql, params, { text }));
    same(
      rows.map(([found]) => Number(found)),
      [id],
      `the rows of a kept text with the value ${id}`,
    );
  }
}

async function injected(world: World): Promise<void> {
  const { place } = world.words;
  await world.table([1]);
  const hostile = "x'; DROP TABLE t; --";
  const rows = await world.rows(`SELECT id FROM t WHERE name = ${place(1)}`, [hostile]);
  same(rows, [], "a search for a text that looks like SQL");
  holds((await world.ids()).length === 1, "a value was executed as SQL");
}

function asBigint(value: Value): Value {
  return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : value;
}
