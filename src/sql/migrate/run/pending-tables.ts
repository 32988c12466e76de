/** Tables as a step will find them, although the steps before it are not applied yet. */
import { isEmptyTable } from "../catalog/empty-tables.js";
import type { TextDialect } from "../text/dialect.js";
import type { FileStep } from "../text/migration-file.js";
import { tokensOf } from "../text/sql-cursor.js";
import { runsOf } from "../words/reading.js";
import type { RunTarget } from "./dialect.js";

/**
 * Whether a table has no rows when a step begins.
 * @param before the steps that will be applied before it, which may create the table or give it its name.
 */
export async function isEmptyThen(
  { db, dialect }: RunTarget,
  { schema = null, table }: { readonly schema?: string | null; readonly table: string },
  before: readonly FileStep[],
): Promise<boolean> {
  const name = nameNow({ schema, table }, before, dialect);
  if (name === undefined) return true;
  for (const spelled of dialect.spellings?.(name) ?? [name])
    if (!(await isEmptyTable(runsOf(db), dialect, { schema, name: spelled }))) return false;
  return true;
}

/** The current name of a table; undefined for one that a step creates. */
function nameNow(
  { schema, table }: { readonly schema: string | null; readonly table: string },
  before: readonly FileStep[],
  dialect: TextDialect,
): string | undefined {
  let name = table;
  for (const { subject, sql } of before.toReversed()) {
    if ((subject?.schema ?? null) !== schema) continue;
    if (subject?.kind === "create table" && subject.table === name) return undefined;
    if (subject?.kind === "rename table" && renamedTo(sql, dialect) === name) name = subject.table;
  }
  return name;
}

/** The new name in a statement that renames something. */
export function renamedTo(sql: string, dialect: TextDialect): string | undefined {
  const tokens = tokensOf(sql, dialect.tokens);
  const at = tokens.findLastIndex(({ kind, text }) => kind === "word" && /^to$/i.test(text));
  if (at < 0) return undefined;
  const isQualified = tokens[at + 2]?.text === ".";
  return tokens[at + (isQualified ? 3 : 1)]?.value;
}
