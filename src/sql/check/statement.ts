/**
 * Checks a statement against its table and a dialect. A statement comes from a builder, from a spec of an
 * untyped caller or from a request: nothing is believed. What passes here, `render/` can write without looking.
 */
import { quoted } from "../../core/errors.js";
import type { AggregateFunction, CompoundParts, QueryStatement, Statement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Problem } from "../errors.js";
import { checkConflict, checkUpdate } from "./assignment.js";
import { checkOperand, type Part } from "./compound.js";
import { checkConditions } from "./condition.js";
import { checkOrder } from "./order.js";
import { Problems, type Visible } from "./problems.js";
import { checkDistinct, checkLock } from "./rows.js";
import { checkFields, checkGrouping, isGrouped, type Selection } from "./selection.js";

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

/**
 * Checks a statement.
 * @param known problems that were found while it was built.
 * @throws {BuildError | UnsupportedError} with every problem found.
 */
export function checkStatement(statement: Statement, grammar: Grammar, known: readonly Problem[] = []): void {
  problemsOf(statement, grammar, known).throwIfAny();
}

/** What is wrong with a statement. */
export function problemsOf(
  statement: Statement,
  grammar: Grammar,
  known: readonly Problem[] = [],
  visible?: Visible,
): Problems {
  const problems = new Problems(statement.table, grammar, known, visible);
  const { kind } = statement;
  // Seen as what an untyped caller may have made of it.
  const spec: unknown = statement.spec;
  if (problems.keys(spec, keysByKind[kind], "")) {
    const changes = kind === "update" || kind === "delete";
    if (kind === "select" || kind === "query") checkRows(spec, problems);
    else if (kind === "compound") checkCompound(statement.spec, spec, problems);
    else if (kind === "insert") checkConflict(spec, problems);
    else {
      checkConditions(spec["where"], !changes, problems);
      if (kind === "update") checkUpdate(spec, problems);
      else if (kind !== "delete") checkAggregate(kind, spec["field"], problems);
    }
    checkScope(kind, spec, problems);
  }
  return problems;
}

type Spec = Readonly<Record<string, unknown>>;

function checkRows(spec: Spec, problems: Problems): Selection {
  checkConditions(spec["where"], true, problems);
  const selection = checkFields(spec["fields"], problems);
  checkOrder(spec["order_by"], selection, spec["distinct"] === true ? "DISTINCT" : "columns", problems);
  checkPaging(spec, problems);
  checkDistinct(spec, selection, problems);
  // Groups are worked out of parts that are known to be right.
  if (problems.none) checkGrouping(spec, selection, problems);
  checkLock(spec, isGrouped(spec, selection), problems);
  return selection;
}

function checkCompound({ base, operands }: CompoundParts, spec: Spec, problems: Problems): void {
  const part = (query: QueryStatement, path: string): Part => {
    const { table, spec: inner } = query;
    const inside = problems.within(path, table);
    // Seen as what an untyped caller may have made of it.
    const seen: unknown = inner;
    const known = inside.keys(seen, keysByKind.query, "");
    const selection = known ? checkRows(seen, inside) : { fields: undefined, expressions: new Map() };
    if (known && seen["for_locking"] !== undefined)
      inside.add("INVALID_SPEC", "the queries of a compound cannot lock rows", "for_locking");
    return { table, selection };
  };
  const first = part(base, "base");
  if (operands.length === 0)
    problems.add("INVALID_SPEC", "a compound query needs at least one operand", "operands");
  if (operands.length >= problems.grammar.compound.mostQueries) {
    const { mostQueries } = problems.grammar.compound;
    problems.unsupported(`compound of more than ${mostQueries} queries`, "split it", "operands");
    return;
  }
  operands.forEach((operand, i) => {
    const path = `operands[${i}]`;
    if (!problems.keys(operand, operandKeys, path)) return;
    const { operation, query } = operand;
    const second = part(query, `${path}.query`);
    if (problems.none) checkOperand(operation, first, second, path, problems);
  });
  checkOrder(spec["order_by"], first.selection, "a compound query", problems);
  checkPaging(spec, problems);
}

const operandKeys: ReadonlySet<string> = new Set(["operation", "query"]);

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

function checkPaging(spec: Spec, problems: Problems): void {
  for (const key of ["limit", "offset"]) {
    const count = spec[key];
    if (count !== undefined && !(Number.isSafeInteger(count) && Number(count) >= 0))
      problems.add("INVALID_PARAM", `${key} is a whole number from 0`, key);
    if (spec[`${key}_param`] !== undefined) problems.param(spec[`${key}_param`], `${key}_param`);
  }
  // A limit beside a parameter is the most that the parameter can ask for; two offsets would be one too many.
  if (spec["offset"] !== undefined && spec["offset_param"] !== undefined)
    problems.add("INVALID_SPEC", "offset and offset_param are one or the other", "offset_param");
}

function checkScope(kind: Statement["kind"], spec: Spec, problems: Problems): void {
  if (kind !== "update" && kind !== "delete") return;
  const { where } = spec;
  if (Array.isArray(where) && where.length > 0) return;
  if (kind === "update") problems.add("UNSAFE_UPDATE", "UPDATE needs a condition: call where(…)", "where");
  else problems.add("UNSAFE_DELETE", "DELETE needs a condition: call where(…)", "where");
}
