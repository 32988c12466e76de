/**
 * Rows that are locked and of which there are only so many, in dialects that take no lock beside a limit: the limit
 * finds the rows by their own identity, and the lock is on what was found.
 */
import type { LockSpec } from "../ast/spec.js";
import type { QueryStatement, SelectStatement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import { UnsupportedError } from "../errors.js";
import { fieldOrder, writeOrderBy, writePaging, writeWhere } from "./clauses.js";
import { fixesKey } from "./layout.js";
import type { Writer } from "./writer.js";

/** Whether a lock of a statement must find its rows first: what fixes a key finds one at most, and needs no limit. */
export function findsFirst(
  { kind, table, spec }: QueryStatement | SelectStatement,
  grammar: Grammar,
): boolean {
  return kind === "select" ? !fixesKey(spec.where, table, grammar) : isPaged(spec);
}

/**
 * `WHERE ROWID IN (SELECT ROWID … FETCH NEXT …)`, in place of the conditions, for a lock to follow.
 * @throws {UnsupportedError} where locked rows are to be skipped: they would count among so many.
 */
export function writeFound(
  writer: Writer,
  statement: QueryStatement | SelectStatement,
  lock: LockSpec,
): void {
  const { kind, table, spec } = statement;
  const { dialect, rowIdentity } = writer.grammar;
  if (typeof lock === "object" && lock.skip_locked === true)
    throw new UnsupportedError(
      dialect,
      "limit beside SKIP LOCKED",
      "leave out the limit and take the first rows, or fix a key by =",
    );
  const byColumn = (name: string) => {
    if (table.columns[name] === undefined)
      throw new UnsupportedError(dialect, "order of locked rows by an expression", "order by a field");
    return fieldOrder(writer, name);
  };
  writer.sql(` WHERE ${rowIdentity} IN (SELECT ${rowIdentity} FROM ${writer.layout.name}`);
  writeWhere(writer, spec.where);
  writeOrderBy(writer, spec.order_by, byColumn);
  writePaging(writer, kind === "select" ? { limit: 1 } : spec);
  writer.sql(")");
  writeOrderBy(writer, spec.order_by, byColumn);
}

function isPaged({
  limit,
  limit_param: limitParam,
  offset,
  offset_param: offsetParam,
}: QueryStatement["spec"]) {
  return [limit, limitParam, offset, offsetParam].some((one) => one !== undefined);
}
