/**
 * Resolves a statement in its scope and a dialect. A statement comes from a builder, from a spec of an untyped caller
 * or from a request: nothing is believed. Only here names are known, and only here something is refused: what comes
 * out, `render/` can write without looking.
 */
import { quoted } from "../../core/errors.js";
import type {
  AggregateKind,
  AggregateStatement,
  CompoundStatement,
  DeleteStatement,
  InsertStatement,
  QueryStatement,
  SelectStatement,
  Statement,
  UpdateStatement,
} from "../ast/statement.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Problem } from "../words/errors.js";
import { knownRows, resolveSet } from "./change.js";
import { resolveCompound } from "./compound.js";
import { resolveWhere } from "./condition.js";
import { resolveConflict } from "./conflict.js";
import { aggregated, outputOf, valueOfField } from "./expression.js";
import { layoutOf } from "./layout.js";
import { optionalParams, resolveRows, withLockSettled, without } from "./query.js";
import { Resolution } from "./resolution.js";
import type {
  Condition,
  Field,
  ResolvedAggregate,
  ResolvedChange,
  ResolvedInsert,
  ResolvedQuery,
  ResolvedReading,
  ResolvedStatement,
} from "./resolved.js";
import { Scope, type Visible } from "./scope.js";

const rows = [
  "fields",
  "where",
  "order_by",
  "group_by",
  "having",
  "having_agg",
  "distinct",
  "distinct_on",
  "for_locking",
];
const paging = ["limit", "offset", "limit_param", "offset_param"];
const aggregate: ReadonlySet<string> = new Set(["field", "where"]);
const keysByKind: { readonly [K in Statement["kind"]]: ReadonlySet<string> } = {
  select: new Set([...rows, "for_update"]),
  query: new Set([...rows, ...paging]),
  compound: new Set(["base", "operands", "order_by", ...paging]),
  insert: new Set(["on_conflict", "conflict_action", "conflict_set"]),
  update: new Set(["set", "set_expr", "where"]),
  delete: new Set(["where"]),
  count: aggregate,
  sum: aggregate,
  avg: aggregate,
  min: aggregate,
  max: aggregate,
};

/** A statement that reads. */
export type Reading = SelectStatement | QueryStatement | CompoundStatement | AggregateStatement;

/** A statement that changes rows which are there. */
export type Change = UpdateStatement | DeleteStatement;

/** Whether changed rows come back. */
export type Gives = "rows" | "nothing";

/**
 * Resolves a statement that reads.
 * @param known problems that were found while it was built.
 * @throws {BuildError | UnsupportedError} with every problem found.
 */
export function resolveReading(
  statement: Reading,
  grammar: Grammar,
  known: readonly Problem[],
): ResolvedReading {
  const resolution = resolutionOf(statement.table, grammar, known);
  return complete(readingOf(statement, resolution), resolution);
}

/**
 * Resolves a statement that changes rows.
 * @throws {BuildError | UnsupportedError} as above.
 */
export function resolveChange(
  statement: Change,
  grammar: Grammar,
  known: readonly Problem[],
  gives: Gives,
): ResolvedChange {
  const resolution = resolutionOf(statement.table, grammar, known);
  const change = complete(changeOf(statement, gives, resolution), resolution);
  if (change.kind === "delete" || gives === "nothing" || grammar.updateReturns) return change;
  return { ...change, known: knownRows(change.assignments, change.where, resolution) };
}

/**
 * Resolves an insert.
 * @throws {BuildError | UnsupportedError} as above.
 */
export function resolveInsert(
  statement: InsertStatement,
  grammar: Grammar,
  known: readonly Problem[],
): ResolvedInsert {
  const resolution = resolutionOf(statement.table, grammar, known);
  return complete(insertOf(statement, resolution), resolution);
}

/** What is wrong with a statement of a client who may name some fields only. */
export function problemsOf(statement: Statement, grammar: Grammar, visible: Visible): readonly Problem[] {
  const resolution = resolutionOf(statement.table, grammar, [], visible);
  if (statement.kind === "insert") insertOf(statement, resolution);
  else if (statement.kind === "update" || statement.kind === "delete")
    changeOf(statement, "rows", resolution);
  else readingOf(statement, resolution);
  return resolution.found;
}

/** The parameters that a call of a statement may leave out. */
export function optionalParamsOf(resolved: ResolvedStatement): readonly string[] {
  if (resolved.kind !== "compound") return [...new Set(optionalParams(resolved.where))];
  const queries = [resolved.base, ...resolved.operands].map(({ query }) => query);
  return [...new Set(queries.flatMap(({ where }) => optionalParams(where)))];
}

/**
 * The statement of a call that leaves some parameters out, or none: without the conditions that do not count without
 * them, and with its locks settled, which depends on what is left.
 * @throws {UnsupportedError} where the dialect cannot lock the rows.
 */
export function leavingOut(
  resolved: ResolvedStatement,
  left: readonly string[],
  grammar: Grammar,
): ResolvedStatement {
  if (resolved.kind === "update" || resolved.kind === "delete") return resolved;
  if (left.length === 0) return resolved.kind === "query" ? withLockSettled(resolved, grammar) : resolved;
  if (resolved.kind === "aggregate") return { ...resolved, where: without(resolved.where, left) };
  const reduced = (query: ResolvedQuery) => ({ ...query, where: without(query.where, left) });
  if (resolved.kind === "query") return withLockSettled(reduced(resolved), grammar);
  // The queries of a compound lock nothing.
  return {
    ...resolved,
    base: { ...resolved.base, query: reduced(resolved.base.query) },
    operands: resolved.operands.map((operand) => ({ ...operand, query: reduced(operand.query) })),
  };
}

function resolutionOf(
  table: AnyTable,
  grammar: Grammar,
  known: readonly Problem[],
  visible?: Visible,
): Resolution {
  return new Resolution(new Scope(layoutOf(table, grammar), visible), grammar, known);
}

// What is undefined has a problem.
function complete<T>(resolved: T | undefined, resolution: Resolution): T {
  resolution.throwIfAny();
  if (resolved === undefined) throw new TypeError("a statement is neither resolved nor refused");
  return resolved;
}

/** The spec of a statement, seen as what an untyped caller may have made of it; undefined where it is none. */
function specOf({ kind, spec }: Statement, resolution: Resolution): Spec | undefined {
  const seen: unknown = spec;
  return resolution.keys(seen, keysByKind[kind], "") ? seen : undefined;
}

type Spec = Readonly<Record<string, unknown>>;

function readingOf(statement: Reading, resolution: Resolution): ResolvedReading | undefined {
  const spec = specOf(statement, resolution);
  if (spec === undefined) return undefined;
  if (statement.kind === "compound")
    return resolveCompound(statement.spec, spec, keysByKind.query, resolution);
  if (statement.kind === "select" || statement.kind === "query")
    return resolveRows(statement.kind, spec, resolution).query;
  const where = resolveWhere(spec["where"], true, resolution);
  return aggregateOf(statement.kind, spec["field"], where, resolution);
}

function aggregateOf(
  kind: AggregateKind,
  name: unknown,
  where: readonly Condition[],
  resolution: Resolution,
): ResolvedAggregate | undefined {
  const field = resolveSummed(kind, name, resolution);
  if (field === undefined && kind !== "count") return undefined;
  // A count is of the matching rows, whatever field it names.
  const of = field === undefined || kind === "count" ? undefined : valueOfField(field);
  const value = aggregated(kind, of, undefined, resolution);
  const { own: from } = resolution.scope;
  return {
    kind: "aggregate",
    from,
    expression: value.expression,
    output: outputOf(value, kind, resolution),
    where,
  };
}

function resolveSummed(kind: AggregateKind, name: unknown, resolution: Resolution): Field | undefined {
  if (name === undefined) {
    if (kind !== "count") resolution.add("INVALID_AGGREGATE", `${kind} needs a field`, "field");
    return undefined;
  }
  const field = resolution.field(name, "field");
  if (field === undefined || kind === "count") return field;
  const { column } = field;
  if (column.kind === "number" || column.kind === "bigint") return field;
  const message = `${kind} takes a field of numbers, ${quoted(column.property)} holds ${column.kind}`;
  resolution.add("INVALID_AGGREGATE", message, "field");
  return undefined;
}

function changeOf(statement: Change, gives: Gives, resolution: Resolution): ResolvedChange | undefined {
  const spec = specOf(statement, resolution);
  if (spec === undefined) return undefined;
  const { kind } = statement;
  const where = resolveWhere(spec["where"], false, resolution);
  const assignments = kind === "update" ? resolveSet(spec, resolution) : [];
  if (!Array.isArray(spec["where"]) || spec["where"].length === 0) {
    const [code, verb] =
      kind === "update" ? (["UNSAFE_UPDATE", "UPDATE"] as const) : (["UNSAFE_DELETE", "DELETE"] as const);
    resolution.add(code, `${verb} needs a condition: where says which rows`, "where");
  }
  const { own: table } = resolution.scope;
  return kind === "update"
    ? { kind, table, assignments, where, gives, known: undefined }
    : { kind, table, where, gives };
}

function insertOf(statement: InsertStatement, resolution: Resolution): ResolvedInsert | undefined {
  const spec = specOf(statement, resolution);
  if (spec === undefined) return undefined;
  return { kind: "insert", table: resolution.scope.own, conflict: resolveConflict(spec, resolution) };
}
