/** Writes an insert of the rows of a query. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Field, ResolvedQuery } from "../resolve/scope/resolved.js";
import type { ResolvedConflict, ResolvedInsertFrom } from "../resolve/scope/resolved-change.js";
import { writeAssignments } from "./assignments.js";
import { writeWhere } from "./clauses.js";
import type { Plan } from "./plan.js";
import { writeQuery } from "./query.js";
import { startWriting } from "./start.js";
import { assignmentsOf, defaultOf, writeConflict } from "./upsert.js";
import type { Writer } from "./writer.js";

/** `INSERT INTO … SELECT …`. */
export function renderInsertFrom(insert: ResolvedInsertFrom, grammar: Grammar): Plan {
  const { table, fields, items, query, conflict } = insert;
  const writer = startWriting(table, grammar);
  if (conflict !== undefined && grammar.merges === true) {
    writeMerge(writer, insert, conflict);
    return withUnwritten(writer.finish(), insert);
  }
  writer.sql(`INSERT INTO ${table.name} (${fields.map(({ sql }) => sql).join(", ")}) `);
  writeQuery(writer, query, items);
  const form = conflict === undefined ? undefined : grammar.onConflict;
  if (form?.afterFrom !== undefined && endsInFrom(query)) writer.sql(form.afterFrom);
  // Such a clause also sees the fields of the query.
  const isCounted = form?.namesKey === false;
  const stored = writeOwnConflict(writer, insert, isCounted ? `${table.name}.` : "");
  const written = (isCounted ? writer.sql(` RETURNING ${stored}`) : writer).finish();
  const plan = withUnwritten(written, insert);
  return isCounted ? { ...plan, givesRows: true } : plan;
}

/**
 * Writes the clause, and returns the value to return for each row if the server's count is not the number of rows: it
 * may count an updated row twice.
 */
function writeOwnConflict(
  writer: Writer,
  { fields, conflict }: ResolvedInsertFrom,
  qualifier: string,
): string {
  const { keeping } = writer.grammar.onConflict ?? {};
  if (conflict?.action !== "nothing" || keeping === undefined) {
    writeConflict(writer, conflict, fields, { gives: "nothing" }, qualifier);
    return "1";
  }
  const [column = ""] = fields.map(({ sql }) => qualifier + sql);
  writer.sql(
    keeping.clause(
      conflict.key.map(({ sql }) => qualifier + sql),
      column,
    ),
  );
  return keeping.stored;
}

function withUnwritten(plan: Plan, { unwritten }: ResolvedInsertFrom): Plan {
  return unwritten === undefined ? plan : { ...plan, unwritten };
}

/** `MERGE INTO … USING (SELECT …) … ON (…)`: if the key of a row exists, the existing row is updated or kept. */
function writeMerge(
  writer: Writer,
  { table, fields, items, query }: ResolvedInsertFrom,
  conflict: ResolvedConflict,
): void {
  const { grammar } = writer;
  // Some servers ignore the case of names.
  const name = grammar.quote(table.table.name.toLowerCase() === "proposed" ? "proposed_" : "proposed");
  const names = new Map(fields.map((field, i) => [field, items[i]?.name]));
  const proposed = (field: Field) => {
    const given = names.get(field);
    return given === undefined ? defaultOf(field, grammar) : `${name}.${given}`;
  };
  writeQuery(writer.sql(`MERGE INTO ${table.name} USING (`), query, items);
  const own = grammar.quote(table.table.name);
  const isSame = conflict.key.map((field) => `${own}.${field.sql} = ${proposed(field)}`);
  writer.sql(`) ${name} ON (${isSame.join(" AND ")})`);
  if (conflict.action === "update") {
    writer.proposed = ({ field }) => void writer.sql(proposed(field));
    writer.sql(" WHEN MATCHED THEN UPDATE SET ");
    writeAssignments(writer, assignmentsOf(conflict, fields), { gives: "nothing" });
    writeWhere(writer, conflict.where);
  }
  const columns = fields.map(({ sql }) => sql).join(", ");
  writer.sql(` WHEN NOT MATCHED THEN INSERT (${columns}) VALUES (${fields.map(proposed).join(", ")})`);
}

function endsInFrom({ where, groupBy, having, orderBy, paging }: ResolvedQuery): boolean {
  return [where, groupBy, having, orderBy, paging].every(({ length }) => length === 0);
}
