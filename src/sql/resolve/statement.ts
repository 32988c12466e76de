/**
 * Resolves a statement in its scope and a dialect. A statement comes from a builder, from a spec of an untyped caller
 * or from a request, so nothing is assumed about it. Only this folder looks up names and refuses statements: `render/`
 * writes the result without checks.
 */

import { quoted } from "../../core/errors.js";
import { isObject } from "../../core/values.js";
import { BuilderOnly } from "../ast/builder-only.js";
import { CountedQuery } from "../ast/inner-query.js";
import type { SourceFacts } from "../ast/source.js";
import type {
  AggregateKind,
  AggregateStatement,
  CompoundStatement,
  InsertStatement,
  ModifyStatement,
  QueryStatement,
  RelatedTables,
  RemoveStatement,
  SelectStatement,
  Statement,
} from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { BuildError, type Problem, UnsupportedError } from "../words/errors.js";
import { meets } from "../words/kinds.js";
import { requireCondition } from "./change/bounded.js";
import { knownRows, readsAssigned, requiredBy, resolveSet } from "./change/change.js";
import { requireOwnNames, resolveConflict } from "./change/conflict.js";
import { resolveInsertFrom } from "./change/insert-from.js";
import { resolveNestedInserts } from "./change/nested-inserts.js";
import { ruledChange } from "./change/rules.js";
import { aggregated } from "./expression/aggregate.js";
import { resolveTest } from "./expression/condition.js";
import { narrowed, requireDigits } from "./expression/decimals.js";
import { resolveNode } from "./expression/expression.js";
import { requireNoFanOut } from "./expression/fan-out.js";
import { optionalParams, without, withoutInside } from "./expression/optional.js";
import { outputOf } from "./expression/value.js";
import { resolveWhere, standingConditions } from "./expression/where.js";
import { resolveCompound } from "./rows/compound.js";
import { resolveJoins } from "./rows/joins.js";
import { resolveRows, withLockSettled } from "./rows/query.js";
import { resolveReturned, returnedParams } from "./rows/returning.js";
import { columnsOf } from "./rows/selection.js";
import { requireNames } from "./rows/source.js";
import { sourceFacts } from "./rows/source-rows.js";
import { layoutOf } from "./scope/layout.js";
import { Resolution } from "./scope/resolution.js";
import type { Field, ResolvedAggregate, ResolvedQuery, ResolvedReading } from "./scope/resolved.js";
import type {
  ResolvedChange,
  ResolvedInsert,
  ResolvedInsertFrom,
  ResolvedStatement,
} from "./scope/resolved-change.js";
import { type InnerRows, type ResolvedValue, valueOfField } from "./scope/result.js";
import { NameScope } from "./scope/scope.js";
import type { Visible } from "./scope/view.js";
import { parametersIn } from "./scope/walk.js";

const rows = [
  "joins",
  "fields",
  "with",
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
const aggregate: ReadonlySet<string> = new Set(["joins", "field", "where"]);
const keysByKind: { readonly [K in Statement["kind"]]: ReadonlySet<string> } = {
  select: new Set([...rows, "for_update"]),
  query: new Set([...rows, ...paging, "after"]),
  compound: new Set(["base", "operands", "order_by", ...paging]),
  insert: new Set(["on_conflict", "conflict_action", "conflict_set"]),
  modify: new Set(["set", "set_expr", "where"]),
  remove: new Set(["where"]),
  count: aggregate,
  sum: aggregate,
  avg: aggregate,
  min: aggregate,
  max: aggregate,
};

/** A statement that reads. */
export type Reading = SelectStatement | QueryStatement | CompoundStatement | AggregateStatement;

/** A statement that changes existing rows. */
export type ChangeStatement = ModifyStatement | RemoveStatement;

/** Whether changed rows are returned. */
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
  const resolution = resolutionOf(statement, grammar, known);
  resolution.shared.mayName = true;
  const resolved = readingOf(statement, resolution);
  requireNames(resolution);
  const reading = complete(resolved, resolution);
  const { optionalInside, named } = resolution.shared;
  const whole = named.size === 0 ? reading : { ...reading, named: [...named.values()] };
  return optionalInside.length === 0 ? whole : { ...whole, optionalInside };
}

/**
 * Resolves a statement that changes rows.
 * @throws {BuildError | UnsupportedError} as above.
 */
export function resolveChange(
  statement: ChangeStatement,
  grammar: Grammar,
  known: readonly Problem[],
  gives: Gives,
): ResolvedChange {
  const resolution = resolutionOf(statement, grammar, known);
  const change = complete(changeOf(statement, gives, resolution), resolution);
  if (change.kind === "remove" || gives === "nothing" || grammar.updateReturns) return change;
  return { ...change, known: knownRows(change.assignments, change.where, resolution) };
}

/** Resolves an insert. @throws {BuildError | UnsupportedError} as above. */
export function resolveInsert(
  statement: InsertStatement,
  grammar: Grammar,
  known: readonly Problem[],
): ResolvedInsert {
  const resolution = resolutionOf(statement, grammar, known);
  return complete(insertOf(statement, resolution), resolution);
}

/** Resolves an insert of the rows of a query. @throws {BuildError | UnsupportedError} as above. */
export function resolveInsertOf(
  statement: InsertStatement,
  grammar: Grammar,
  known: readonly Problem[],
): ResolvedInsertFrom {
  const resolution = resolutionOf(statement, grammar, known);
  const insert = insertOf(statement, resolution);
  return complete(insert && resolveInsertFrom(statement.spec.from, insert.conflict, resolution), resolution);
}

/** The columns and keys of a query as a table; none if it has problems, which its statement reports. */
export function factsOf(statement: Reading, grammar: Grammar): SourceFacts {
  const inner = innerAlone(statement, grammar);
  return inner === undefined ? { columns: {}, keys: [] } : sourceFacts(inner);
}

// A query alone, without the statement that uses it; undefined if it has problems.
function innerAlone(statement: Reading, grammar: Grammar): InnerRows | undefined {
  const resolution = resolutionOf(statement, grammar, []);
  // The outer statement determines whether a recursion is allowed.
  resolution.shared.mayName = true;
  try {
    const inner = innerOf(statement, resolution);
    return resolution.none ? inner : undefined;
  } catch (error) {
    if (error instanceof BuildError || error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

/** The problems of a statement of a client who may name only some fields. */
export function problemsOf(statement: Statement, grammar: Grammar, visible: Visible): readonly Problem[] {
  const resolution = resolutionOf(statement, grammar, [], visible);
  if (statement.kind === "insert") insertOf(statement, resolution);
  else if (statement.kind === "modify" || statement.kind === "remove")
    changeOf(statement, "rows", resolution);
  else readingOf(statement, resolution);
  return resolution.found;
}

/** The parameters that a call of a statement may omit. */
export function optionalParamsOf(resolved: ResolvedStatement): readonly string[] {
  if (resolved.kind === "modify" || resolved.kind === "remove") return [];
  const queries =
    resolved.kind === "compound"
      ? [resolved.base, ...resolved.operands].map(({ query }) => query)
      : [resolved];
  const own = queries.flatMap(({ where }) => optionalParams(where));
  return [...new Set([...own, ...(resolved.optionalInside ?? [])])];
}

/**
 * The statement of a call that omits some parameters, or none. It lacks the optional conditions of these parameters,
 * and has its final lock, which depends on them.
 * @throws {UnsupportedError} if the dialect cannot lock the rows.
 */
export function leavingOut(
  resolved: ResolvedStatement,
  left: readonly string[],
  grammar: Grammar,
): ResolvedStatement {
  if (resolved.kind === "modify" || resolved.kind === "remove") return resolved;
  const reduced = left.length === 0 ? resolved : withoutConditions(resolved, left);
  return reduced.kind === "query" ? withLockSettled(reduced, grammar) : reduced;
}

// Each query of a compound query has its own conditions.
function withoutConditions(resolved: ResolvedReading, left: readonly string[]): ResolvedReading {
  if (left.some((name) => resolved.optionalInside?.includes(name))) return withoutInside(resolved, left);
  if (resolved.kind !== "compound") return { ...resolved, where: without(resolved.where, left) };
  const reduced = (query: ResolvedQuery) => ({ ...query, where: without(query.where, left) });
  return {
    ...resolved,
    base: { ...resolved.base, query: reduced(resolved.base.query) },
    operands: resolved.operands.map((operand) => ({ ...operand, query: reduced(operand.query) })),
  };
}

type Placed = Pick<Statement, "table" | "database"> & { readonly tables?: RelatedTables | undefined };

/** The resolution of a statement that has not begun. */
export function resolutionOf(
  { table, tables, database }: Placed,
  grammar: Grammar,
  known: readonly Problem[],
  visible?: Visible,
): Resolution {
  const scope = new NameScope({ own: layoutOf(table, grammar), tables, visible });
  return new Resolution(scope, grammar, known, {
    node: resolveNode,
    inner: innerOf,
    test: resolveTest,
    standing: standingConditions,
    database,
  });
}

// An undefined result has a problem.
function complete<T extends object>(resolved: T | undefined, resolution: Resolution): T {
  resolution.throwIfAny();
  if (resolved === undefined) throw new TypeError("a statement is neither resolved nor refused");
  const { unwritten } = resolution.shared;
  return unwritten.length === 0 ? resolved : { ...resolved, unwritten };
}

/** The spec of a statement, which an untyped caller may have made; undefined if it is not an object. */
function specOf(kind: Statement["kind"], seen: unknown, resolution: Resolution): Spec | undefined {
  const allowed = keysByKind[kind];
  // Only a builder can set parts that a spec cannot hold.
  const isOwn = (part: unknown) => part === undefined || BuilderOnly.isOne(part);
  const own = isObject(seen) ? Object.keys(seen).filter((key) => isOwn(seen[key])) : [];
  const keys = own.length === 0 ? allowed : new Set([...allowed, ...own]);
  return resolution.keys(seen, keys, "") ? seen : undefined;
}

type Spec = Readonly<Record<string, unknown>>;

function readingOf(statement: Reading, resolution: Resolution): ResolvedReading | undefined {
  const spec = specOf(statement.kind, statement.spec, resolution);
  if (spec === undefined) return undefined;
  if (statement.kind === "compound")
    return resolveCompound(statement.spec, spec, keysByKind.query, resolution);
  if (statement.kind === "select" || statement.kind === "query") {
    leaveOutUncounted(spec, resolution);
    return resolveRows(statement.kind, spec, resolution).query;
  }
  return aggregateOf(statement.kind, spec, resolution)?.query;
}

// A query inside another: its rows, or the value of an aggregate.
function innerOf(
  { kind, spec: seen }: { readonly kind: Statement["kind"]; readonly spec: unknown },
  resolution: Resolution,
): InnerRows | undefined {
  const spec = specOf(kind, seen, resolution);
  if (spec === undefined) return undefined;
  if (kind === "select" || kind === "query") {
    if (spec["for_locking"] !== undefined || spec["for_update"] !== undefined)
      resolution.add("INVALID_SPEC", "a query inside another cannot lock rows", "for_locking");
    if (spec["page"] !== undefined)
      resolution.add("INVALID_SPEC", "a page cannot stand inside another query: give its query", "page");
    leaveOutUncounted(spec, resolution);
    const { query, selection, inside } = resolveRows(kind, spec, resolution);
    return { query, columns: columnsOf(selection, inside) };
  }
  if (isAggregate(kind)) return aggregateOf(kind, spec, resolution);
  resolution.add("INVALID_SPEC", "only a query or an aggregate can stand inside another query", "");
  return undefined;
}

function isAggregate(kind: Statement["kind"]): kind is AggregateKind {
  return keysByKind[kind] === aggregate;
}

/** One value over the matching rows, and its type. */
interface Aggregated extends InnerRows {
  readonly query: ResolvedAggregate;
}

// Only the number of rows of a counted query matters, but a call still gives the query's parameters.
function leaveOutUncounted(spec: Spec, resolution: Resolution): void {
  const counted = CountedQuery.own(spec["counted"]);
  const rows = counted && innerAlone(counted.statement, resolution.grammar);
  if (rows !== undefined) resolution.shared.unwritten.push(...parametersIn(rows.query));
}

function aggregateOf(kind: AggregateKind, spec: Spec, outside: Resolution): Aggregated | undefined {
  leaveOutUncounted(spec, outside);
  const { joins, resolution } = resolveJoins(spec["joins"], outside);
  const where = resolveWhere(spec["where"], resolution);
  const { field: name } = spec;
  const field = resolveSummed(kind, name, resolution);
  if (field === undefined && kind !== "count") return undefined;
  // A count counts the matching rows, even if it names a field.
  const of = field === undefined || kind === "count" ? undefined : summed(kind, field, resolution);
  requireNoFanOut(kind, of?.expression, "field", resolution);
  const value = aggregated(kind, of, undefined, resolution);
  const { own: from } = resolution.scope;
  const output = outputOf(value, kind, resolution);
  const query: ResolvedAggregate = {
    kind: "aggregate",
    from,
    joins,
    where,
    expression: value.expression,
    output,
  };
  const item = { expression: value.expression, name: resolution.grammar.quote(kind), output };
  return { query, columns: [{ name: kind, value, item }] };
}

// Sums in a query as a table may have a form of their own, which cannot be added up.
function summed(kind: AggregateKind, field: Field, resolution: Resolution): ResolvedValue {
  const value = valueOfField(field);
  return kind === "sum" || kind === "avg" ? narrowed(value, resolution) : value;
}

function resolveSummed(kind: AggregateKind, name: unknown, resolution: Resolution): Field | undefined {
  if (name === undefined) {
    if (kind !== "count") resolution.add("INVALID_AGGREGATE", `${kind} needs a field`, "field");
    return undefined;
  }
  const field = resolution.field(name, "field");
  if (field === undefined || kind === "count") return field;
  const { column } = field;
  if (meets(column.kind, "a number")) {
    requireDigits(kind, valueOfField(field), "field", resolution);
    return field;
  }
  const message = `${kind} takes a field of numbers, ${quoted(column.property)} holds ${column.kind}`;
  resolution.add("INVALID_AGGREGATE", message, "field");
  return undefined;
}

function changeOf(
  statement: ChangeStatement,
  gives: Gives,
  resolution: Resolution,
): ResolvedChange | undefined {
  const spec = specOf(statement.kind, statement.spec, resolution);
  if (spec === undefined) return undefined;
  const { kind } = statement;
  resolution.shared.mayBeOptional = false;
  const own = resolveWhere(spec["where"], resolution);
  const said = kind === "modify" ? resolveSet(spec, resolution) : [];
  const ruled = ruledChange(kind, own, resolution);
  const assignments = [...said, ...ruled.assignments];
  const where = [...own, ...ruled.where, ...requiredBy(assignments)];
  requireCondition(kind, spec["where"], resolution);
  const returned = resolveReturned(spec["returning"], resolution);
  const change = { table: resolution.scope.own, where, gives, returned };
  // A removal that keeps the row is an update.
  return kind === "modify" || assignments.length > 0
    ? { kind: "modify", ...change, assignments, readsAssigned: readsAssigned(assignments), known: undefined }
    : { kind, ...change };
}

function insertOf(statement: InsertStatement, resolution: Resolution): ResolvedInsert | undefined {
  const spec = specOf(statement.kind, statement.spec, resolution);
  if (spec === undefined) return undefined;
  const conflict = resolveConflict(spec, resolution);
  const returned = resolveReturned(spec["returning"], resolution);
  requireOwnNames(returnedParams(returned), "returning", resolution);
  const nested = resolveNestedInserts(spec, returned, resolution);
  return { kind: "insert", table: resolution.scope.own, conflict, returned, nested };
}
