/** What a database holds before and after an edit: its rows, and its structure without the names of constraints. */
import { type Catalog, introspect } from "rowtype/migrate";
import type { Model } from "./model.js";
import type { Place } from "./places.js";

type Row = Readonly<Record<string, unknown>>;
export type Rows = ReadonlyMap<string, readonly Row[]>;

/** The rows of every table of a schema. */
export async function rowsOf(model: Model, place: Place): Promise<Rows> {
  const all = new Map<string, readonly Row[]>();
  for (const name of Object.keys(model.tables))
    all.set(name, await place.run(`select * from ${name}`).catch(() => []));
  return all;
}

/** How many rows are gone, and how many values of columns that stay are not what they were. */
export interface Loss {
  readonly rows: number;
  readonly values: number;
}

/** What is lost of tables and columns that both schemas have, by their old or their new names. */
export async function lossOf(before: Rows, declared: Model, place: Place): Promise<Loss> {
  let [rows, values] = [0, 0];
  for (const [name, table] of Object.entries(declared.tables)) {
    const had = before.get(table.renamedFrom ?? name);
    if (had === undefined) continue;
    let has = await place.run(`select * from ${name}`).catch(() => undefined);
    has ??= await place.run(`select * from ${table.renamedFrom ?? name}`).catch(() => []);
    rows += Math.max(0, had.length - has.length);
    const keyOf = (row: Row) => String(row["id"] ?? `${row["team_id"]} ${row["person_id"]}`);
    const found = new Map(has.map((row) => [keyOf(row), row]));
    for (const row of had) {
      const now = found.get(keyOf(row));
      if (now === undefined) continue;
      for (const [column, { renamedFrom, computed }] of Object.entries(table.columns)) {
        const old = renamedFrom ?? column;
        if (!(old in row) || computed !== undefined) continue;
        if (plain(row[old]) !== plain(column in now ? now[column] : now[old])) values++;
      }
    }
  }
  return { rows, values };
}

function plain(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  const text = String(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The structure as text: two databases of one text differ in the names of constraints at most. */
export async function structureOf(place: Place): Promise<string> {
  const { tables, views, enums }: Catalog = await introspect(place.db);
  const unnamed = (list: readonly object[]) =>
    list.map((one) => JSON.stringify({ ...one, name: undefined })).sort();
  return JSON.stringify([
    tables
      .filter(({ name }) => !name.startsWith("__drizzle"))
      .map((one) => ({
        ...one,
        primaryKey: one.primaryKey?.columns,
        keys: unnamed([...one.keys.map(({ columns }) => ({ columns })), ...uniqueOf(one.indexes)]),
        foreignKeys: unnamed(one.foreignKeys),
        checks: unnamed(one.checks),
        indexes: unnamed(one.indexes.filter((index) => !isKey(index))),
      })),
    views,
    enums,
  ]);
}

type Indexes = Catalog["tables"][number]["indexes"];

// On some databases a unique index is what a unique key is.
const isKey = (index: Indexes[number]) => index.unique && index.where === null;
const uniqueOf = (indexes: Indexes) => indexes.filter(isKey).map(({ columns }) => ({ columns }));
