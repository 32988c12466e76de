/** Writes checked expressions, and tells what they give. */

import type {
  AggregateNode,
  CallNode,
  CaseNode,
  ExpressionNode,
  RankingNode,
  WindowNode,
} from "../ast/expression.js";
import { resultOf } from "../ast/result.js";
import type { ColumnInfo } from "../declaration.js";
import type { Direction } from "../dialect/grammar.js";
import type { GatheringFunction, RankingName } from "../types/functions.js";
import type { Frame, FrameBound } from "../types/windows.js";
import {
  type Binder,
  countBinder,
  numberBinder,
  operandBinder,
  storedBinder,
  textBinder,
} from "../value/binder.js";
import { codecOf } from "../value/column-codec.js";
import { writeCondition } from "./clauses.js";
import { specialDates, writeDateComparison } from "./dates.js";
import { writeDistance } from "./distance.js";
import type { Place } from "./layout.js";
import type { Output } from "./plan.js";
import { writeTemplate } from "./template.js";
import type { Writer } from "./writer.js";

/** Writes an expression. */
export function writeExpression(writer: Writer, node: ExpressionNode): void {
  switch (node.kind) {
    case "aggregate":
      writeAggregate(writer, node);
      break;
    case "call":
      writeCall(writer, node);
      break;
    case "cast": {
      const { column, name } = writer.place(node.field);
      writeTemplate(writer, writer.grammar.expressions.cast(column.storage, node.to), () => writer.sql(name));
      break;
    }
    case "case":
      writeCase(writer, node);
      break;
    case "ranking":
      writeRanking(writer, node);
      break;
    case "window":
      writeWindow(writer, node);
      break;
    case "distance":
      writeDistance(writer, node);
  }
}

/** What an expression gives under a name. */
export function outputOf(node: ExpressionNode, name: string, writer: Writer): Output {
  const { storage, nullable, schema } = resultOf(node, writer.table);
  const codec = codecOf({ storage, schema }, writer.grammar);
  // Where the dialect knows no empty text, NULL is what stands for it.
  const empty = writer.grammar.emptyTextIsNull && storage.kind === "text" && !nullable;
  return { name, kind: storage.kind, nullable, ...codec, ...(empty ? { ifNull: "" } : {}) };
}

const functions: { readonly [F in GatheringFunction]: string } = {
  count: "COUNT({f})",
  count_distinct: "COUNT(DISTINCT {f})",
  sum: "",
  avg: "",
  min: "MIN({f})",
  max: "MAX({f})",
};

function writeAggregate(writer: Writer, { func, field, filter }: AggregateNode): void {
  const { expressions } = writer.grammar;
  const template = func === "sum" || func === "avg" ? expressions[func] : functions[func];
  const ofRows = field === undefined || field === "*";
  // Those that are one are counted once.
  const nameOf = (name: string) =>
    func === "count_distinct" ? writer.compared(name) : writer.place(name).name;
  const argument = () => writer.sql(ofRows ? "*" : nameOf(field));
  if (filter === undefined || expressions.filters) {
    writeTemplate(writer, template, argument);
    if (filter === undefined) return;
    writer.sql(" FILTER (WHERE ");
    writeCondition(writer, filter);
    writer.sql(")");
    return;
  }
  writeTemplate(writer, template, () => {
    writer.sql("CASE WHEN ");
    writeCondition(writer, filter);
    writer.sql(` THEN ${ofRows ? "1" : nameOf(field)} END`);
  });
}

function writeCall(writer: Writer, node: CallNode): void {
  const { func, fields, params } = node;
  const { expressions } = writer.grammar;
  const places = fields.map((field) => writer.place(field));
  const [first] = places;
  if (func === "null_if" && first !== undefined && writeNullIfDate(writer, first, params[0])) return;
  const template = func === "round" ? roundOf(first?.column, node, writer) : expressions.calls[func];
  writeTemplate(
    writer,
    template,
    () => writer.sql(places.map(({ name }) => name).join(expressions.fieldSeparator ?? ", ")),
    params.map(
      (param, i) => () => writer.param(param, () => binderOf(writer, node, i, first?.column, param)),
    ),
  );
}

/** NULLIF of dates of which several stored values are one. */
function writeNullIfDate(writer: Writer, { column, name }: Place, param: string | undefined): boolean {
  const { grammar, table } = writer;
  const dates = specialDates(column.storage, grammar);
  if (dates === undefined || param === undefined) return false;
  const binder = () => operandBinder(column, grammar, { param, table });
  writer.sql("CASE WHEN ");
  writeDateComparison(writer, () => writer.sql(name), "!=", { name: param, binder, form: undefined }, dates);
  writer.sql(` THEN ${name} END`);
  return true;
}

// A bigint has nothing to round, and a server would make a number of it that cannot hold it.
function roundOf(column: ColumnInfo | undefined, { digits = 0 }: CallNode, { grammar }: Writer): string {
  const storage = column?.storage ?? { kind: "number" };
  return storage.kind === "bigint" ? "{f}" : grammar.expressions.round(storage, digits);
}

function binderOf(
  { grammar, table }: Writer,
  { func }: CallNode,
  index: number,
  column: ColumnInfo | undefined,
  param: string,
): Binder {
  const place = { param, table };
  if (func === "substring") return countBinder(place, index === 0 ? 1 : 0);
  if (func === "replace") return textBinder(place);
  if (func === "power" || column === undefined) return numberBinder(place);
  return operandBinder(column, grammar, place);
}

function writeCase(writer: Writer, { labels, whens, otherwise }: CaseNode): void {
  const { grammar, table } = writer;
  const template = grammar.expressions.typed(labels.storage);
  const label = (param: string) =>
    writeTemplate(writer, template, nothing, [
      () => {
        const target = { ...labels, property: "the label of a CASE" };
        writer.param(param, () =>
          labels.nullable
            ? storedBinder(target, grammar, { param, table })
            : operandBinder(target, grammar, { param, table }),
        );
      },
    ]);
  writer.sql("CASE");
  for (const { condition, param } of whens) {
    writer.sql(" WHEN ");
    writeCondition(writer, condition);
    writer.sql(" THEN ");
    label(param);
  }
  if (otherwise !== undefined) {
    writer.sql(" ELSE ");
    label(otherwise);
  }
  writer.sql(" END");
}

const rankings: { readonly [F in RankingName]: string } = {
  row_number: "ROW_NUMBER",
  rank: "RANK",
  dense_rank: "DENSE_RANK",
  ntile: "NTILE",
  lag: "LAG",
  lead: "LEAD",
  first_value: "FIRST_VALUE",
  last_value: "LAST_VALUE",
};

function writeRanking(writer: Writer, { func, field, count }: RankingNode): void {
  const fields = field === undefined ? [] : [writer.place(field).name];
  const counts = count === undefined ? [] : [String(count)];
  writer.sql(`${rankings[func]}(${[...fields, ...counts].join(", ")})`);
}

function writeWindow(writer: Writer, { of, window }: WindowNode): void {
  const { partitionBy = [], orderBy = [], frame } = window;
  writeExpression(writer, of);
  const clauses: string[] = [];
  if (partitionBy.length > 0)
    clauses.push(`PARTITION BY ${partitionBy.map((field) => writer.compared(field)).join(", ")}`);
  const terms = orderBy.map(([field, direction]) => orderTerm(writer, field, direction));
  if (terms.length > 0) clauses.push(`ORDER BY ${terms.join(", ")}`);
  const { wholeWindow } = writer.grammar.expressions;
  if (clauses.length === 0 && wholeWindow !== undefined) {
    const [first] = writer.layout.places.values();
    if (first !== undefined) clauses.push(wholeWindow(first.name));
  }
  if (frame !== undefined) clauses.push(frameText(frame));
  writer.sql(` OVER (${clauses.join(" ")})`);
}

function orderTerm(writer: Writer, field: string, direction: Direction): string {
  const { column } = writer.place(field);
  const nulls = direction === "desc" ? "first" : "last";
  return writer.grammar.orderTerm(writer.compared(field), direction, column.nullable ? nulls : undefined);
}

function frameText({ rows, range }: Frame): string {
  const [start, end] = known(rows ?? range).map(boundText);
  return `${rows === undefined ? "RANGE" : "ROWS"} BETWEEN ${start} AND ${end}`;
}

function boundText(bound: FrameBound): string {
  if (typeof bound === "string") return words[bound];
  return "preceding" in bound ? `${bound.preceding} PRECEDING` : `${bound.following} FOLLOWING`;
}

const words: { readonly [B in Extract<FrameBound, string>]: string } = {
  "unbounded preceding": "UNBOUNDED PRECEDING",
  "current row": "CURRENT ROW",
  "unbounded following": "UNBOUNDED FOLLOWING",
};

function nothing(): void {
  // A template without a field asks for none.
}

function known<T>(entry: T | undefined): T {
  if (entry === undefined) throw new TypeError("an expression was not checked");
  return entry;
}
