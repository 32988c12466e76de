/** Writes the statements that read: select, query, aggregates. */
import type { LockSpec, QuerySpec, SelectSpec } from "../ast/spec.js";
import type {
  AggregateFunction,
  AggregateStatement,
  QueryStatement,
  SelectStatement,
} from "../ast/statement.js";
import type { ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { decimalText, exactInteger, finiteNumber } from "../dialect/values.js";
import { countBinder } from "../value/binder.js";
import { writeOrderBy, writeWhere } from "./clauses.js";
import type { Output, Plan } from "./plan.js";
import { type Form, Writer } from "./writer.js";

/** The lock that a spec asks for, in the longer of its two forms. */
export function lockOf(spec: QuerySpec | SelectSpec): LockSpec | undefined {
  return spec.for_locking ?? ("for_update" in spec && spec.for_update === true ? "update" : undefined);
}

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery({ kind, table, spec }: QueryStatement | SelectStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  const { layout } = writer;
  const places =
    spec.fields === undefined ? undefined : [...new Set(spec.fields)].map((field) => writer.place(field));
  writer.sql(spec.distinct === true ? "SELECT DISTINCT " : "SELECT ");
  if (spec.distinct_on !== undefined)
    writer.sql(`DISTINCT ON (${spec.distinct_on.map((field) => writer.place(field).name).join(", ")}) `);
  writer.sql(places === undefined ? layout.columns : places.map(({ name }) => name).join(", "));
  writer.sql(" FROM ").sql(layout.name);
  writeWhere(writer, spec.where);
  writeOrderBy(writer, spec.order_by);
  if (kind === "select") writePaging(writer, 1, undefined, undefined, undefined);
  else writePaging(writer, spec.limit, spec.limit_param, spec.offset, spec.offset_param);
  const lock = lockOf(spec);
  if (lock !== undefined) writeLock(writer, lock);
  return writer.finish(places === undefined ? layout.outputs : places.map(({ output }) => output));
}

/** `SELECT SUM(…) FROM … WHERE …`; what it gives is null where there is nothing to sum up. */
export function renderAggregate({ kind, table, spec }: AggregateStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  const place = spec.field === undefined ? undefined : writer.place(spec.field);
  writer.sql(`SELECT ${functions[kind]}(${place?.name ?? "*"}) FROM `).sql(writer.layout.name);
  writeWhere(writer, spec.where);
  return writer.finish([aggregateOutput(kind, place?.column)]);
}

function writeLock(writer: Writer, lock: LockSpec): void {
  const {
    mode,
    skip_locked: skip,
    no_wait: fail,
  }: Exclude<LockSpec, string> = typeof lock === "string" ? { mode: lock } : lock;
  const form = writer.grammar.locks[mode];
  if (typeof form !== "string") throw new TypeError(`lock ${mode} was not checked`);
  writer.sql(form).sql(skip === true ? " SKIP LOCKED" : fail === true ? " NOWAIT" : "");
}

const functions: { readonly [F in AggregateFunction]: string } = {
  count: "COUNT",
  sum: "SUM",
  avg: "AVG",
  min: "MIN",
  max: "MAX",
};

function aggregateOutput(kind: AggregateFunction, column: ColumnInfo | undefined): Output {
  const nullable = kind !== "count";
  if (kind === "count") return { name: kind, kind: "a whole number", nullable, decode: exactInteger };
  if (kind === "avg")
    return { name: kind, kind: "a number", nullable, decode: (value) => finiteNumber(value) };
  if (column?.kind === "bigint") return { name: kind, kind: "bigint", nullable, decode: decimalText };
  // A sum of whole numbers is one, and is never rounded.
  if (column?.storage.integer === true)
    return { name: kind, kind: "a whole number", nullable, decode: exactInteger };
  return { name: kind, kind: "a number", nullable, decode: (value) => finiteNumber(value) };
}

function writePaging(
  writer: Writer,
  limit: number | undefined,
  limitParam: string | undefined,
  offset: number | undefined,
  offsetParam: string | undefined,
): void {
  const skips = offset !== undefined || offsetParam !== undefined;
  if (!skips && limit === undefined && limitParam === undefined) return;
  const { paging, noLimit } = writer.grammar;
  for (const { part, before, after } of paging) {
    const param = part === "limit" ? limitParam : offsetParam;
    const count = part === "limit" ? (limit ?? (skips ? noLimit : undefined)) : offset;
    if (param !== undefined) {
      const { table } = writer;
      writer
        .sql(before)
        .param(param, () => countBinder({ param, table }), countForm)
        .sql(after);
    } else if (count !== undefined) writer.sql(`${before}${count}${after}`);
  }
}

const countForm: Form = { operand: "count", column: undefined };
