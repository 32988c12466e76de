/** Writes the statements that read: select, query, aggregates. */
import { type ExpressionNode, NamedExpression, nodeOfHaving } from "../ast/expression.js";
import { resultOf } from "../ast/result.js";
import type { LockSpec } from "../ast/spec.js";
import type { AggregateStatement, QueryStatement, Selected, SelectStatement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import {
  fieldOrder,
  type Ordered,
  writeComparison,
  writeOrderBy,
  writePaging,
  writeWhere,
} from "./clauses.js";
import { specialDates } from "./dates.js";
import { outputOf, writeExpression } from "./expression.js";
import type { Place } from "./layout.js";
import { findsFirst, writeFound } from "./locked.js";
import type { Output, Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** The lock that a spec asks for, in the longer of its two forms. */
export function lockOf(spec: {
  readonly for_locking?: LockSpec | undefined;
  readonly for_update?: boolean | undefined;
}): LockSpec | undefined {
  return spec.for_locking ?? (spec.for_update === true ? "update" : undefined);
}

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery(statement: QueryStatement | SelectStatement, grammar: Grammar): Plan {
  const writer = new Writer(statement.table, grammar);
  return writer.finish(writeQuery(writer, statement));
}

/** Something that rows have: how it is written, what it is called in SQL, and what it gives. */
export interface Item {
  readonly output: Output;
  /** Its name in the result of the query, in quotes. */
  readonly name: string;
  /** The name that it has by itself; that of an expression is none of its own. */
  readonly ownName: string | undefined;
  /** Writes its value. */
  readonly write: () => void;
}

/**
 * Writes a query of the writer's table, and gives what comes back.
 * @param items what its rows have, in another order or under other names than the spec says.
 */
export function writeQuery(
  writer: Writer,
  statement: QueryStatement | SelectStatement,
  items?: readonly Item[],
): readonly Output[] {
  const { kind, spec } = statement;
  const { layout } = writer;
  const compares = comparesRows(statement);
  const comparing = <T>(write: () => T) => (compares ? writer.comparing(write) : write());
  const chosen = items ?? comparing(() => chosenOf(writer, spec.fields, compares));
  writer.sql(spec.distinct === true ? "SELECT DISTINCT " : "SELECT ");
  if (spec.distinct_on !== undefined)
    writer.sql(`DISTINCT ON (${spec.distinct_on.map((field) => writer.compared(field)).join(", ")}) `);
  if (chosen === undefined) writer.sql(layout.columns);
  else
    comparing(() =>
      writer.each(chosen, ", ", ({ name, ownName, write }) => {
        write();
        if (name !== ownName) writer.sql(` AS ${name}`);
      }),
    );
  writer.sql(" FROM ").sql(layout.name);
  const lock = lockOf(spec);
  const standsAlone = lock !== undefined && writer.grammar.rowIdentity !== undefined;
  if (standsAlone && findsFirst(statement, writer.grammar)) writeFound(writer, statement, lock);
  else {
    // By themselves they stand in conditions, where an index finds them.
    writer.comparing(() => writeWhere(writer, spec.where), false);
    comparing(() => writeGrouping(writer, spec));
    const ordersCompared = spec.distinct_on === undefined ? comparing : writer.comparing.bind(writer);
    ordersCompared(() => writeOrderBy(writer, spec.order_by, (name) => orderedBy(writer, spec.fields, name)));
    // Some dialects take no limit beside a lock; what finds one row at most needs none.
    if (!standsAlone) writePaging(writer, kind === "select" ? oneRow : spec);
  }
  if (lock !== undefined) writeLock(writer, lock);
  return chosen === undefined ? layout.outputs : chosen.map(({ output }) => output);
}

const oneRow = { limit: 1 };

/** Whether rows of a query are told apart by what they hold: values that are one are then written as one. */
function comparesRows({ spec }: QueryStatement | SelectStatement): boolean {
  return spec.distinct === true || spec.group_by !== undefined;
}

// All columns need no list, unless some of them are expressions there.
function chosenOf(
  writer: Writer,
  fields: readonly Selected[] | undefined,
  compares: boolean,
): Item[] | undefined {
  const takesAll = fields === undefined && !(compares && writer.layout.compared.size > 0);
  return takesAll ? undefined : itemsOf(writer, fields);
}

/** What the rows of a query have; a field that is named twice they have once. */
export function itemsOf(writer: Writer, fields: readonly Selected[] | undefined): Item[] {
  if (fields === undefined)
    return [...writer.layout.places.keys()].map((field) => fieldItem(writer, writer.place(field)));
  return [...new Set(fields)].map((one) => {
    if (typeof one === "string") return fieldItem(writer, writer.place(one));
    const { alias, node } = expressionOf(one);
    const name = writer.grammar.quote(alias);
    const write = () => writeExpression(writer, node);
    return { output: outputOf(node, alias, writer), name, ownName: undefined, write };
  });
}

function fieldItem(writer: Writer, { name: text, ownName, output }: Place): Item {
  return { output, name: ownName, ownName: text, write: () => writer.sql(text) };
}

/** An aggregate of a spec is an expression like others. */
function expressionOf(one: Exclude<Selected, string>): NamedExpression {
  if (one instanceof NamedExpression) return one;
  const { func, field, alias } = one;
  return new NamedExpression({ kind: "aggregate", func, field }, alias);
}

// A field by its column; the name of an expression as the server knows it from the list of what is selected.
function orderedBy(writer: Writer, fields: readonly Selected[] | undefined, name: string): Ordered {
  if (writer.layout.places.has(name)) return fieldOrder(writer, name);
  const node = namedNode(fields, name);
  const { nullable, storage } = resultOf(node, writer.table);
  const dates = specialDates(storage, writer.grammar);
  return {
    text: writer.grammar.quote(name),
    nullable,
    comparable: dates?.isExact === false ? dates.comparable : undefined,
    write: () => writeExpression(writer, node),
  };
}

function writeGrouping(writer: Writer, spec: QueryStatement["spec"] | SelectStatement["spec"]): void {
  const { fields, group_by: groups, having = [], having_agg: aggregates = [] } = spec;
  if (groups !== undefined)
    writer.sql(` GROUP BY ${groups.map((field) => writer.place(field).name).join(", ")}`);
  const filters = [
    ...having.map((one) => ({ ...one, node: namedNode(fields, one.field) })),
    ...aggregates.map((one) => ({ ...one, node: nodeOfHaving(one.func, one.field) })),
  ];
  if (filters.length === 0) return;
  writer.sql(" HAVING ").each(filters, " AND ", ({ node, operator, param, field: property }) => {
    // A name is written out in full: some servers do not know there what the selected things are called.
    const left = () => writeExpression(writer, node);
    const target = { ...resultOf(node, writer.table), property };
    writeComparison(writer, { left, operator, param, target, column: undefined });
  });
}

function namedNode(fields: readonly Selected[] | undefined, name: string): ExpressionNode {
  for (const one of fields ?? [])
    if (typeof one !== "string" && one.alias === name) return expressionOf(one).node;
  throw new TypeError(`having ${name} was not checked`);
}

/** `SELECT SUM(…) FROM … WHERE …`; what it gives is null where there is nothing to sum up. */
export function renderAggregate({ kind, table, spec }: AggregateStatement, grammar: Grammar): Plan {
  const writer = new Writer(table, grammar);
  // A count is of the matching rows, whatever field it names.
  const field = kind === "count" ? undefined : spec.field;
  const node: ExpressionNode = { kind: "aggregate", func: kind, field };
  writer.sql("SELECT ");
  writeExpression(writer, node);
  writer.sql(" FROM ").sql(writer.layout.name);
  writeWhere(writer, spec.where);
  return writer.finish([outputOf(node, kind, writer)]);
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
