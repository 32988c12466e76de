/** What a rebuild of a table of SQLite must not lose: rows, and the rows to which others refer. */
import { z } from "zod";
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import type { Transaction } from "../../../door/repository.js";

const Violation = z.object({ table: z.string(), parent: z.string() });

/** The number of violated references, by their tables. There may be many such rows. */
export async function violations(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.sql("PRAGMA foreign_key_check", Violation).exec({});
  const counts = new Map<string, number>();
  for (const { table, parent } of rows) {
    const key = `${table} → ${parent}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const Rows = z.object({ n: z.int() });

/** The number of rows of a table of SQLite; undefined if it does not exist. */
export async function rowCount(
  tx: Transaction,
  { schema = "main", table }: { readonly schema?: string; readonly table: string },
): Promise<number | undefined> {
  // On SQLite, names that differ only in case are the same.
  const there = `SELECT COUNT(*) AS n FROM ${doubleQuoted(schema)}.sqlite_schema WHERE type = 'table' AND name = :table COLLATE NOCASE`;
  const [found] = await tx.sql(there, Rows).exec({ table });
  if (found?.n !== 1) return undefined;
  const [row] = await tx
    .sql(`SELECT COUNT(*) AS n FROM ${doubleQuoted(schema)}.${doubleQuoted(table)}`, Rows)
    .exec({});
  return row?.n;
}
