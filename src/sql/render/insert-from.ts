/** Writes an insert of the rows of a query. */
import type { Grammar } from "../dialect/grammar.js";
import type { ResolvedInsertFrom } from "../resolve/changes.js";
import type { ResolvedQuery } from "../resolve/resolved.js";
import type { Plan } from "./plan.js";
import { writeQuery } from "./query.js";
import { startWriting } from "./start.js";
import { writeConflict } from "./upsert.js";

/** `INSERT INTO … SELECT …`. */
export function renderInsertFrom(insert: ResolvedInsertFrom, grammar: Grammar): Plan {
  const { table, fields, items, query, conflict } = insert;
  const writer = startWriting(table, grammar);
  writer.sql(`INSERT INTO ${table.name} (${fields.map(({ sql }) => sql).join(", ")}) `);
  writeQuery(writer, query, items);
  const form = conflict === undefined ? undefined : grammar.onConflict;
  if (form?.behindFrom !== undefined && endsInFrom(query)) writer.sql(form.behindFrom);
  // Such a clause also sees the fields of the query. Its rows are as many as the query has, while the server may count
  // an updated one twice.
  const isCounted = form?.namesKey === false;
  writeConflict(writer, conflict, fields, { gives: "nothing" }, isCounted ? `${table.name}.` : "");
  const written = (isCounted ? writer.sql(" RETURNING 1") : writer).finish();
  const plan = insert.unwritten === undefined ? written : { ...written, unwritten: insert.unwritten };
  return isCounted ? { ...plan, givesRows: true } : plan;
}

function endsInFrom({ where, groupBy, having, orderBy, paging }: ResolvedQuery): boolean {
  return [where, groupBy, having, orderBy, paging].every(({ length }) => length === 0);
}
