/** Writes the statements that read: select, query, count. */
import type { CountStatement, QueryStatement, SelectStatement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import { exactInteger } from "../dialect/values.js";
import { countBinder } from "../value/binder.js";
import { columnOf, outputOf, writeColumns, writeOrderBy, writeWhere } from "./clauses.js";
import type { Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery({ kind, table, spec }: QueryStatement | SelectStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  const columns =
    spec.fields === undefined
      ? Object.values(table.columns)
      : [...new Set(spec.fields)].map((field) => columnOf(table, field));
  writer.sql(spec.distinct === true ? "SELECT DISTINCT " : "SELECT ");
  writeColumns(writer, columns);
  writer.sql(" FROM ").target();
  writeWhere(writer, spec.where);
  writeOrderBy(writer, spec.order_by);
  writePaging(writer, kind === "select" ? { limit: 1 } : spec);
  return writer.finish(outputOf(columns, grammar));
}

/** `SELECT COUNT(*) FROM … WHERE …`. */
export function renderCount({ table, spec }: CountStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("SELECT COUNT(*) FROM ").target();
  writeWhere(writer, spec.where);
  return writer.finish([{ name: "count", kind: "a whole number", nullable: false, decode: exactInteger }]);
}

interface Paging {
  readonly limit?: number | undefined;
  readonly limit_param?: string | undefined;
  readonly offset?: number | undefined;
  readonly offset_param?: string | undefined;
}

function writePaging(writer: Writer, paging: Paging): void {
  const { paging: clauses, noLimit } = writer.grammar;
  const skips = paging.offset !== undefined || paging.offset_param !== undefined;
  for (const { part, before, after } of clauses) {
    const param = paging[`${part}_param`];
    const count = paging[part] ?? (part === "limit" && skips ? noLimit : undefined);
    if (param !== undefined) {
      const binder = countBinder({ param, table: writer.table });
      writer.sql(before).param(param, binder, "count").sql(after);
    } else if (count !== undefined) writer.sql(`${before}${count}${after}`);
  }
}
