/**
 * Checks a statement against its table and a dialect. A statement comes from a builder, from a spec of an
 * untyped caller or from a request: nothing is believed. What passes here, `render/` can write without looking.
 */
import { quoted } from "../../core/errors.js";
import type { AggregateFunction, Statement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Problem } from "../errors.js";
import { checkAssignments, checkConflict } from "./assignment.js";
import { checkConditions, checkDecimal } from "./condition.js";
import { Problems } from "./problems.js";
import { checkDistinct, checkLock } from "./rows.js";

const rows = ["fields", "where", "order_by", "distinct", "distinct_on", "for_locking"];
const aggregate: ReadonlySet<string> = new Set(["field", "where"]);
const keysByKind: { readonly [K in Statement["kind"]]: ReadonlySet<string> } = {
  select: new Set([...rows, "for_update"]),
  query: new Set([...rows, "limit", "offset", "limit_param", "offset_param"]),
  insert: new Set(["on_conflict", "conflict_action", "conflict_set"]),
  update: new Set(["set", "where"]),
  delete: new Set(["where"]),
  count: aggregate,
  sum: aggregate,
  avg: aggregate,
  min: aggregate,
  max: aggregate,
};

/**
 * Checks a statement.
 * @param known problems that were found while it was built.
 * @throws {BuildError | UnsupportedError} with every problem found.
 */
export function checkStatement(statement: Statement, grammar: Grammar, known: readonly Problem[] = []): void {
  const problems = new Problems(statement.table, grammar, known);
  const { kind } = statement;
  const spec: unknown = statement.spec;
  if (problems.keys(spec, keysByKind[kind], "")) {
    const changes = kind === "update" || kind === "delete";
    if (kind !== "insert") checkConditions(spec["where"], !changes, problems);
    if (kind === "select" || kind === "query") checkRows(spec, problems);
    else if (kind === "insert") checkConflict(spec, problems);
    else if (kind === "update") checkAssignments(spec["set"], "set", problems);
    else if (kind !== "delete") checkAggregate(kind, spec["field"], problems);
    checkScope(kind, spec, problems);
  }
  problems.throwIfAny();
}

function checkRows(spec: Readonly<Record<string, unknown>>, problems: Problems): void {
  checkFields(spec["fields"], problems);
  checkOrder(spec["order_by"], spec, problems);
  checkPaging(spec, problems);
  checkDistinct(spec, problems);
  checkLock(spec, problems);
}

function checkAggregate(kind: AggregateFunction, field: unknown, problems: Problems): void {
  if (kind === "count" && field === undefined) return;
  if (field === undefined) {
    problems.add("INVALID_AGGREGATE", `${kind} needs a field`, "field");
    return;
  }
  const column = problems.column(field, "field");
  if (column === undefined || kind === "count" || column.kind === "number" || column.kind === "bigint")
    return;
  const message = `${kind} takes a field of numbers, ${quoted(column.property)} holds ${column.kind}`;
  problems.add("INVALID_AGGREGATE", message, "field");
}

function checkFields(fields: unknown, problems: Problems): void {
  // All columns are asked for by no list at all; an empty one may be a filter that has left nothing.
  if (Array.isArray(fields) && fields.length === 0)
    problems.add("INVALID_FIELD", "fields needs at least one name", "fields");
  problems.list(fields, "fields").forEach((field, i) => {
    problems.column(field, `fields[${i}]`);
  });
}

const orderKeys: ReadonlySet<string> = new Set(["field", "direction", "nulls"]);

function checkOrder(orderBy: unknown, spec: Readonly<Record<string, unknown>>, problems: Problems): void {
  const { fields, distinct } = spec;
  problems.list(orderBy, "order_by").forEach((term, i) => {
    const path = `order_by[${i}]`;
    if (!problems.keys(term, orderKeys, path)) return;
    const column = problems.column(term["field"], `${path}.field`);
    if (column !== undefined) checkDecimal(column, `${path}.field`, problems);
    if (term["direction"] !== "asc" && term["direction"] !== "desc")
      problems.add(
        "INVALID_DIRECTION",
        `direction is asc or desc, not ${quoted(term["direction"])}`,
        `${path}.direction`,
      );
    if (term["nulls"] !== undefined && term["nulls"] !== "first" && term["nulls"] !== "last")
      problems.add("INVALID_NULLS", `nulls is first or last, not ${quoted(term["nulls"])}`, `${path}.nulls`);
    if (
      distinct === true &&
      column !== undefined &&
      Array.isArray(fields) &&
      !fields.includes(column.property)
    )
      problems.add(
        "INVALID_FIELD",
        `DISTINCT orders by selected fields only, ${quoted(column.property)} is not`,
        `${path}.field`,
      );
  });
}

function checkPaging(spec: Readonly<Record<string, unknown>>, problems: Problems): void {
  for (const key of ["limit", "offset"]) {
    const count = spec[key];
    if (count !== undefined && !(Number.isSafeInteger(count) && Number(count) >= 0))
      problems.add("INVALID_PARAM", `${key} is a whole number from 0`, key);
    if (spec[`${key}_param`] !== undefined) problems.param(spec[`${key}_param`], `${key}_param`);
  }
}

function checkScope(
  kind: Statement["kind"],
  spec: Readonly<Record<string, unknown>>,
  problems: Problems,
): void {
  if (kind !== "update" && kind !== "delete") return;
  const { where } = spec;
  if (Array.isArray(where) && where.length > 0) return;
  if (kind === "update") problems.add("UNSAFE_UPDATE", "UPDATE needs a condition: call where(…)", "where");
  else problems.add("UNSAFE_DELETE", "DELETE needs a condition: call where(…)", "where");
}
