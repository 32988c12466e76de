/** Reads the text after `REFERENCES`: in the text that SQLite keeps, and in that of `ddl` on every dialect. */
import type { CatalogForeignKey, ReferenceAction } from "../words/catalog.js";
import { namesIn } from "./create-text.js";
import type { SqlCursor } from "./sql-cursor.js";

/** Reads `REFERENCES table (columns) ON DELETE …`; without columns the list of the target is empty. */
export function readReference(
  cursor: SqlCursor,
  name: string | null,
  columns: readonly string[],
): CatalogForeignKey {
  cursor.takes("REFERENCES");
  const first = cursor.name();
  const second = cursor.takes(".") ? cursor.name() : undefined;
  const target = namesIn(cursor);
  let onDelete: ReferenceAction = "no action";
  let onUpdate: ReferenceAction = "no action";
  let deferrable: CatalogForeignKey["deferrable"] = false;
  for (;;) {
    if (cursor.takes("ON", "DELETE")) onDelete = readAction(cursor);
    else if (cursor.takes("ON", "UPDATE")) onUpdate = readAction(cursor);
    else if (cursor.takes("MATCH")) cursor.next();
    else if (cursor.takes("NOT", "DEFERRABLE")) deferrable = false;
    else if (cursor.takes("DEFERRABLE")) deferrable = "initially immediate";
    else if (cursor.takes("INITIALLY", "DEFERRED")) deferrable = deferrable && "initially deferred";
    else if (cursor.takes("INITIALLY", "IMMEDIATE")) deferrable = deferrable && "initially immediate";
    else break;
  }
  return {
    name,
    columns,
    target: { schema: second === undefined ? null : first, table: second ?? first, columns: target },
    onDelete,
    onUpdate,
    deferrable,
    validated: true,
  };
}

function readAction(cursor: SqlCursor): ReferenceAction {
  if (cursor.takes("CASCADE")) return "cascade";
  if (cursor.takes("RESTRICT")) return "restrict";
  if (cursor.takes("SET", "NULL")) return "set null";
  if (cursor.takes("SET", "DEFAULT")) return "set default";
  cursor.takes("NO", "ACTION");
  return "no action";
}
