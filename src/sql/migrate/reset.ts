/** Drops everything in a database that can be created again. */

import { grammars } from "../dialect/grammars.js";
import type { Database } from "../door/database.js";
import { runPlain } from "../door/plain.js";
import { UnsupportedError } from "../words/errors.js";
import { introspect } from "./introspect.js";
import { withoutForeignKeys } from "./run/hands.js";
import { dropRecords } from "./run/records.js";

/**
 * Drops the runner's records and all views, tables and enums except the ignored ones.
 * @returns the names of the tables.
 */
export async function dropEverything(
  db: Database,
  ignore: readonly string[] = [],
): Promise<readonly string[]> {
  const { dialect } = db;
  if (dialect === "oracle") throw new UnsupportedError(dialect, "reset", "drop the user and make it again");
  const quote = grammars.get(dialect)?.quote ?? String;
  const { tables, views, enums } = await introspect(db, { ignore });
  const cascade = dialect === "postgres" ? " CASCADE" : "";
  const drop = (kind: string, names: readonly { readonly name: string }[]) =>
    names.map(({ name }) => `DROP ${kind} IF EXISTS ${quote(name)}${cascade}`);
  // MariaDB does not drop a table that others refer to.
  const keys =
    dialect === "mariadb"
      ? tables.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => [name, key.name]))
      : [];
  const texts = [
    ...drop("VIEW", views),
    ...keys.map(([table, key]) => `ALTER TABLE ${quote(table ?? "")} DROP FOREIGN KEY ${quote(key ?? "")}`),
    ...drop("TABLE", tables),
    ...drop("TYPE", enums),
  ];
  const work = async () => {
    for (const text of texts) await runPlain(db, text);
    await dropRecords(db);
  };
  await (dialect === "sqlite" ? withoutForeignKeys(db, work) : work());
  return tables.map(({ name }) => name);
}
