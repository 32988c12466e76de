/** Drops everything in a database that can be created again. */

import type { Database } from "../door/database.js";
import { runPlain } from "../door/plain.js";
import { migrationDialect, supported } from "./dialects/dialects.js";
import { introspect } from "./introspect.js";
import { dropRecords } from "./run/records.js";

/**
 * Drops the runner's records and all views, tables and enums except the ignored ones.
 * @returns the names of the tables.
 */
export async function dropEverything(
  db: Database,
  ignore: readonly string[] = [],
): Promise<readonly string[]> {
  const { grammar, reset, rebuilds } = migrationDialect(db.dialect);
  const { cascade, dropReference } = supported(db.dialect, reset);
  const { quote } = grammar;
  const { tables, views, enums } = await introspect(db, { ignore });
  const drop = (kind: string, names: readonly { readonly name: string }[]) =>
    names.map(({ name }) => `DROP ${kind} IF EXISTS ${quote(name)}${cascade}`);
  const references = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.flatMap((key) => dropReference?.(quote(name), quote(key.name ?? "")) ?? []),
  );
  const texts = [...drop("VIEW", views), ...references, ...drop("TABLE", tables), ...drop("TYPE", enums)];
  const work = async () => {
    for (const text of texts) await runPlain(db, text);
    await dropRecords(db);
  };
  await (rebuilds === undefined ? work() : rebuilds.withoutForeignKeys(db, work));
  return tables.map(({ name }) => name);
}
