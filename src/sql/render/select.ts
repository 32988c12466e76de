/** Writes the statements that read: select, query, count. */
import type { CountStatement, QueryStatement, SelectStatement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import { columnOf, writeColumns, writeOrderBy, writeWhere } from "./clauses.js";
import type { Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery({ kind, table, spec }: QueryStatement | SelectStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  const output = spec.fields?.length
    ? [...new Set(spec.fields)].map((field) => columnOf(writer, field))
    : Object.values(table.columns);
  writer.sql(spec.distinct === true ? "SELECT DISTINCT " : "SELECT ");
  writeColumns(writer, output);
  writer.sql(" FROM ").target();
  writeWhere(writer, spec.where);
  writeOrderBy(writer, spec.order_by);
  writePaging(writer, kind === "select" ? { limit: 1 } : spec);
  return writer.finish(output);
}

/** `SELECT COUNT(*) FROM … WHERE …`. */
export function renderCount({ table, spec }: CountStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("SELECT COUNT(*) FROM ").target();
  writeWhere(writer, spec.where);
  return writer.finish();
}

interface Paging {
  readonly limit?: number | undefined;
  readonly limit_param?: string | undefined;
  readonly offset?: number | undefined;
  readonly offset_param?: string | undefined;
}

function writePaging(writer: Writer, { limit, limit_param, offset, offset_param }: Paging): void {
  const { noLimit } = writer.grammar;
  const skips = offset !== undefined || offset_param !== undefined;
  if (limit_param !== undefined) writeCount(writer.sql(" LIMIT "), limit_param);
  else if (limit !== undefined) writer.sql(` LIMIT ${limit}`);
  else if (skips && noLimit !== undefined) writer.sql(` LIMIT ${noLimit}`);
  if (offset_param !== undefined) writeCount(writer.sql(" OFFSET "), offset_param);
  else if (offset !== undefined) writer.sql(` OFFSET ${offset}`);
}

function writeCount(writer: Writer, name: string): void {
  writer.param({ name, use: "count", column: undefined });
}
