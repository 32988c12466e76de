/** Resolves the assignments of an update, and how its rows are identified if the dialect does not return them. */
import { quoted } from "../../../core/errors.js";
import { RelatedValue } from "../../ast/builder-parts.js";
import { pathTo } from "../../ast/path.js";
import { boundIn } from "../../dialect/grammar/value-codec.js";
import { divisorBinder, operandBinder } from "../../value/binder.js";
import { UnsupportedError } from "../../words/errors.js";
import { meets } from "../../words/kinds.js";
import { type ArithmeticOperator, arithmeticOperators } from "../../words/operators.js";
import { isReadOnly } from "../../words/rules.js";
import { fixedField } from "../expression/keys.js";
import { boundTo, placeOf } from "../expression/param.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, ResolvedCondition } from "../scope/resolved.js";
import type { Assignment, KnownRows } from "../scope/resolved-change.js";
import type { GivenParam } from "../scope/resolved-parameter.js";
import { mayRead } from "../scope/walk.js";
import { resolveAssigned, unseen } from "./assigned.js";
import { resolveSetFrom } from "./set-from.js";

/** Resolves the assignments of an update, by parameters, expressions and arithmetic. */
export function resolveSet(
  { set, set_expr: setExpr }: Readonly<Record<string, unknown>>,
  resolution: Resolution,
): Assignment[] {
  const isNone = (part: unknown) => part === undefined || isEmptyObject(part);
  if (isNone(set) && isNone(setExpr)) {
    resolution.add("INVALID_SPEC", "an update needs something to set: a field and its parameter", "set");
    return [];
  }
  const assign = (field: Field, given: unknown, path: string): Assignment | undefined => {
    const related = RelatedValue.own(given);
    if (related !== undefined) return resolveSetFrom(field, related, path, resolution);
    const value = resolveAssigned(field, given, path, resolution);
    return value === undefined ? undefined : { field, value, unseen: unseen(field, value, resolution) };
  };
  const plain = set === undefined ? [] : resolveAssignments(set, "set", assign, resolution);
  return setExpr === undefined ? plain : [...plain, ...resolveArithmetic(setExpr, set, resolution)];
}

const arithmeticKeys: ReadonlySet<string> = new Set(["operator", "param"]);
const arithmetic: ReadonlySet<unknown> = new Set(arithmeticOperators);

// The product or quotient of decimals has more decimals than the field.
const sums: ReadonlySet<unknown> = new Set<ArithmeticOperator>(["+", "-"]);

function isArithmetic(operator: unknown): operator is ArithmeticOperator {
  return arithmetic.has(operator);
}

function resolveArithmetic(setExpr: unknown, set: unknown, resolution: Resolution): Assignment[] {
  if (typeof setExpr !== "object" || setExpr === null || Array.isArray(setExpr)) {
    resolution.add("INVALID_SPEC", `set_expr must be an object, not ${quoted(setExpr)}`, "set_expr");
    return [];
  }
  return Object.entries(setExpr).flatMap(([name, expression]): Assignment | readonly [] => {
    const path = pathTo("set_expr", name);
    const field = settable(name, path, resolution);
    const { kind } = field?.column ?? { kind: "number" };
    if (!meets(kind, "a number"))
      resolution.add("INVALID_OPERATOR", `field ${quoted(name)} (${kind}) does not take arithmetic`, path);
    if (
      kind === "decimal" &&
      isArithmetic(Object(expression).operator) &&
      !sums.has(Object(expression).operator)
    )
      resolution.add("INVALID_OPERATOR", `field ${quoted(name)} (decimal) takes + and - here`, path);
    if (Object.hasOwn(Object(set), name))
      resolution.add("INVALID_FIELD", `field ${quoted(name)} is set twice`, path);
    if (!resolution.keys(expression, arithmeticKeys, path)) return [];
    const { operator } = expression;
    if (!isArithmetic(operator)) {
      const message = `an arithmetic operator must be + - * / or %, not ${quoted(operator)}`;
      resolution.add("INVALID_OPERATOR", message, `${path}.operator`);
    }
    const param = resolution.given(expression["param"], `${path}.param`);
    if (field === undefined || !isArithmetic(operator) || param === undefined) return [];
    const value = calculated(field, operator, param, resolution);
    return { field, value, unseen: unseen(field, value, resolution) };
  });
}

function calculated(
  field: Field,
  operator: ArithmeticOperator,
  given: GivenParam,
  { grammar, table }: Resolution,
): Assignment["value"] {
  const { column } = field;
  const bindAs = operator === "/" || operator === "%" ? divisorBinder : operandBinder;
  const place = placeOf(given, column.property, { table });
  const binder = boundTo(given, () => bindAs(column, grammar, place));
  return {
    kind: "call",
    template: grammar.expressions.arithmetic(operator, column.storage),
    operands: [field],
    separator: "",
    params: [
      {
        kind: "parameter",
        ...given,
        beside: column,
        binder,
        form: undefined,
        template: boundIn(column.storage, grammar),
      },
    ],
  };
}

/**
 * Resolves a map from fields to their new values.
 * @param assign makes an assignment from a field and its new value, which an untyped caller may have made.
 */
export function resolveAssignments<T>(
  set: unknown,
  path: string,
  assign: (field: Field, given: unknown, path: string) => T | undefined,
  resolution: Resolution,
): T[] {
  if (typeof set !== "object" || set === null || Array.isArray(set)) {
    resolution.add("INVALID_SPEC", `${path} must be an object, not ${quoted(set)}`, path);
    return [];
  }
  if (isEmptyObject(set)) resolution.add("INVALID_SPEC", "an update needs something to set", path);
  const assignments: T[] = [];
  for (const [name, value] of Object.entries(set)) {
    const place = pathTo(path, name);
    const field = settable(name, place, resolution);
    // The parameter of an unknown field is checked, too.
    if (field === undefined && typeof value === "string") resolution.param(value, place);
    const assignment = field === undefined ? undefined : assign(field, value, place);
    if (assignment !== undefined) assignments.push(assignment);
  }
  return assignments;
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

function settable(name: string, path: string, resolution: Resolution): Field | undefined {
  const field = resolution.field(name, path);
  if (resolution.table.fixed?.has(name) === true) {
    const message = `field ${quoted(name)} is fixed by the scope and cannot be set`;
    resolution.add("INVALID_FIELD", message, path);
    return undefined;
  }
  if (field === undefined || !isReadOnly(field.column, resolution.table)) return field;
  const by = field.column.auto === undefined ? "generated by the database" : "set by a rule of the table";
  const message = `field ${quoted(name)} is ${by} and cannot be set`;
  resolution.add("INVALID_FIELD", message, path);
  return undefined;
}

/** The conditions that rows must meet for all assignments, each once. */
export function requiredBy(assignments: readonly Assignment[]): readonly ResolvedCondition[] {
  return [...new Set(assignments.flatMap(({ requires }) => requires ?? []))];
}

/** Whether an assignment may read a field that an earlier assignment sets. */
export function readsAssigned(assignments: readonly Assignment[]): boolean {
  const set: Field[] = [];
  return assignments.some(({ field, value }) => {
    if (set.length > 0 && mayRead(value, set)) return true;
    set.push(field);
    return false;
  });
}

/**
 * How the rows of an update are identified.
 * @throws {UnsupportedError} for a table without a key that identifies its rows before and after the update.
 */
export function knownRows(
  assignments: readonly Assignment[],
  where: readonly ResolvedCondition[],
  { scope, grammar }: Resolution,
): KnownRows {
  const { table, fields } = scope.own;
  const values = new Map(assignments.map(({ field, value }) => [field, value]));
  // Several rows may have the same key if a part of it is null. The result of an expression is not known.
  const isKnown = (field: Field) =>
    !field.nullable && (values.get(field)?.kind ?? "parameter") === "parameter";
  const keys = table.keys
    .map((key) => key.flatMap((property) => fields.get(property) ?? []))
    .filter((key) => key.every(isKnown));
  const [key] = keys;
  if (key === undefined)
    throw new UnsupportedError(
      grammar.dialect,
      "returning the rows of an update without a declared key, or with a computed one",
      "declare a primary key and do not compute it, or ask for the number of rows with execBatch",
    );
  // Whether the conditions fix a whole key by `=`, and the update does not change it.
  const fixed = new Set(where.map(fixedField));
  const isNamed = (one: readonly Field[]) =>
    where.length === one.length &&
    one.every((field) => fixed.has(field.column.property) && !values.has(field));
  return keys.some(isNamed) ? { by: "conditions" } : { by: "key", key };
}
