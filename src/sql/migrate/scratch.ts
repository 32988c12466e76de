/** A temporary empty database next to another one: a folder is applied to it, and the result is read. */
import { randomBytes } from "node:crypto";
import { ignore } from "../../core/values.js";
import type { Database } from "../door/database.js";
import { openElsewhere } from "../door/elsewhere.js";
import { runPlain } from "../door/plain.js";
import { UnsupportedError } from "../words/errors.js";
import { migrationDialect } from "./dialects/dialects.js";
import type { OpenedDatabase } from "./words/config.js";

/**
 * Creates an empty database on the same server, or in memory, and opens it; closing it drops it.
 * @throws {SqlError} `UNSUPPORTED` if the driver's handle does not say how to open another database.
 */
export async function openScratch(
  db: Database,
): Promise<OpenedDatabase & { readonly close: () => Promise<void> }> {
  const name = `rowtype_check_${randomBytes(6).toString("hex")}`;
  const { grammar, scratch } = migrationDialect(db.dialect);
  if (scratch === undefined) throw unsupported(db);
  const opened = openElsewhere(db, name);
  if (opened === undefined) throw unsupported(db);
  for (const text of scratch.create(grammar.quote(name))) await runPlain(db, text);
  const close = async () => {
    await opened.close();
    for (const text of scratch.drop(grammar.quote(name))) await runPlain(db, text).catch(ignore);
  };
  return { db: opened.db, close };
}

function unsupported({ dialect }: Database): UnsupportedError {
  return new UnsupportedError(
    dialect,
    "making an empty database from this handle",
    "give the configuration scratch: () => ({ db, close }), which opens one",
  );
}
