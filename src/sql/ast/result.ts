/** What an expression gives: how its values are stored, and whether they can be null. */
import type { AnyTable, ColumnInfo, Storage } from "../declaration.js";
import type { CallName, CastTarget } from "../types/functions.js";
import type { AggregateNode, ExpressionNode, RankingNode } from "./expression.js";

/** The values of a column or an expression. */
export interface Result {
  readonly storage: Storage;
  readonly nullable: boolean;
  /** What values of JSON are held against. */
  readonly schema?: ColumnInfo["schema"] | undefined;
}

const text: Storage = { kind: "text" };
const number: Storage = { kind: "number" };
const integer: Storage = { kind: "number", integer: true };
const bigint: Storage = { kind: "bigint", integer: true };
const date: Storage = { kind: "date" };

/** What a checked expression over a table gives. */
export function resultOf(node: ExpressionNode, table: AnyTable): Result {
  switch (node.kind) {
    case "aggregate":
      return resultOfAggregate(node, table);
    case "call":
      return resultOfCall(node.func, columnOf(table, node.fields[0]));
    case "cast":
      return { storage: casts[node.to], nullable: columnOf(table, node.field)?.nullable === true };
    case "case":
      return { ...node.labels, nullable: node.labels.nullable || node.otherwise === undefined };
    case "ranking":
      return resultOfRanking(node, table, false);
    case "window":
      return node.of.kind === "ranking"
        ? resultOfRanking(node.of, table, node.window.frame !== undefined)
        : resultOfAggregate(node.of, table);
    case "distance":
      return { storage: number, nullable: columnOf(table, node.field)?.nullable === true };
  }
}

function resultOfAggregate({ func, field }: AggregateNode, table: AnyTable): Result {
  if (func === "count" || func === "count_distinct") return { storage: integer, nullable: false };
  if (func === "avg") return { storage: number, nullable: true };
  const column = columnOf(table, field);
  if (func === "sum") return { storage: amount(column), nullable: true };
  return { ...valuesOf(column), nullable: true };
}

function resultOfRanking({ func, field }: RankingNode, table: AnyTable, inFrame: boolean): Result {
  if (field === undefined) return { storage: integer, nullable: false };
  const values = valuesOf(columnOf(table, field));
  const isEdge = func === "first_value" || func === "last_value";
  return { ...values, nullable: values.nullable || !isEdge || inFrame };
}

function resultOfCall(func: CallName, column: ColumnInfo | undefined): Result {
  const nullable = column?.nullable === true;
  switch (func) {
    case "length":
      return { storage: integer, nullable };
    case "concat":
    case "current_date":
    case "current_time":
      return { storage: text, nullable: false };
    case "abs":
      return { storage: amount(column), nullable };
    case "ceil":
    case "floor":
    case "round":
      return { storage: column?.kind === "bigint" ? bigint : number, nullable };
    case "sqrt":
      return { storage: number, nullable: true };
    case "power":
      return { storage: number, nullable };
    case "now":
    case "current_timestamp":
      return { storage: date, nullable: false };
    case "coalesce":
      return { ...valuesOf(column), nullable: false };
    case "null_if":
      return { ...valuesOf(column), nullable: true };
    default:
      return { storage: text, nullable };
  }
}

const casts: { readonly [To in CastTarget]: Storage } = {
  text,
  integer,
  number,
  boolean: { kind: "boolean" },
  date,
};

function valuesOf(column: ColumnInfo | undefined): Result {
  return column ?? { storage: text, nullable: true };
}

// Sums and amounts of a column are numbers of its kind, but none of its few allowed values.
function amount(column: ColumnInfo | undefined): Storage {
  if (column?.kind === "bigint") return bigint;
  return column?.storage.integer === true ? integer : number;
}

function columnOf(table: AnyTable, field: string | undefined): ColumnInfo | undefined {
  return field === undefined ? undefined : table.columns[field];
}
