/** Resolves what an update sets, and how its rows are known where the dialect does not give them. */
import { quoted } from "../../core/errors.js";
import { pathTo } from "../ast/path.js";
import { assignedBinder, divisorBinder, operandBinder } from "../value/binder.js";
import { UnsupportedError } from "../words/errors.js";
import { type ArithmeticOperator, arithmeticOperators } from "../words/operators.js";
import { fixedField } from "./keys.js";
import type { Resolution } from "./resolution.js";
import type { Assignment, Condition, Field, KnownRows, Parameter } from "./resolved.js";

/** Resolves what an update sets, by parameters and by arithmetic. */
export function resolveSet(
  { set, set_expr: setExpr }: Readonly<Record<string, unknown>>,
  resolution: Resolution,
): Assignment[] {
  const isNone = (part: unknown) => part === undefined || isEmptyObject(part);
  if (isNone(set) && isNone(setExpr)) {
    resolution.add("INVALID_SPEC", "an update needs something to set: a field and its parameter", "set");
    return [];
  }
  const toParameter = (field: Field, param: string): Assignment => ({
    field,
    value: assigned(field, param, resolution),
  });
  const plain = set === undefined ? [] : resolveAssignments(set, "set", toParameter, resolution);
  return setExpr === undefined ? plain : [...plain, ...resolveArithmetic(setExpr, set, resolution)];
}

/** The parameter that a field is set to. */
export function assigned(
  { column }: Field,
  param: string,
  { grammar, table }: Pick<Resolution, "grammar" | "table">,
): Parameter {
  const binder = () => assignedBinder(column, grammar, { param, table });
  return { kind: "parameter", name: param, binder, form: undefined };
}

const arithmeticKeys: ReadonlySet<string> = new Set(["operator", "param"]);
const arithmetic: ReadonlySet<unknown> = new Set(arithmeticOperators);

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
    if (kind !== "number" && kind !== "bigint")
      resolution.add("INVALID_OPERATOR", `field ${quoted(name)} (${kind}) has no arithmetic`, path);
    if (Object.hasOwn(Object(set), name))
      resolution.add("INVALID_FIELD", `field ${quoted(name)} is set twice`, path);
    if (!resolution.keys(expression, arithmeticKeys, path)) return [];
    const { operator } = expression;
    if (!isArithmetic(operator)) {
      const message = `arithmetic is + - * / or %, not ${quoted(operator)}`;
      resolution.add("INVALID_OPERATOR", message, `${path}.operator`);
    }
    const param = resolution.param(expression["param"], `${path}.param`);
    if (field === undefined || !isArithmetic(operator) || param === undefined) return [];
    return { field, value: calculated(field, operator, param, resolution) };
  });
}

function calculated(
  field: Field,
  operator: ArithmeticOperator,
  param: string,
  { grammar, table }: Resolution,
): Assignment["value"] {
  const { column } = field;
  const bindAs = operator === "/" || operator === "%" ? divisorBinder : operandBinder;
  const binder = () => bindAs(column, grammar, { param, table });
  return {
    kind: "call",
    template: grammar.expressions.arithmetic(operator, column.storage),
    operands: [field],
    separator: "",
    params: [{ kind: "parameter", name: param, binder, form: undefined }],
  };
}

/**
 * Resolves a map of fields to parameters.
 * @param assign makes of a field and the name of its parameter what is set.
 */
export function resolveAssignments<T>(
  set: unknown,
  path: string,
  assign: (field: Field, param: string) => T,
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
    const param = resolution.param(value, place);
    if (field !== undefined && param !== undefined) assignments.push(assign(field, param));
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
  if (field?.column.generated !== true) return field;
  const message = `field ${quoted(name)} is generated by the database and cannot be set`;
  resolution.add("INVALID_FIELD", message, path);
  return undefined;
}

/**
 * How the rows of an update are known.
 * @throws {UnsupportedError} for a table without a key that tells its rows apart whatever the update changes.
 */
export function knownRows(
  assignments: readonly Assignment[],
  where: readonly Condition[],
  { scope, grammar }: Resolution,
): KnownRows {
  const { table, fields } = scope.own;
  const values = new Map(assignments.map(({ field, value }) => [field, value]));
  // Several rows may have the same key where a part of it is null; what arithmetic makes of one is not known.
  const isKnown = (field: Field) =>
    !field.nullable && (values.get(field)?.kind ?? "parameter") === "parameter";
  const keys = table.keys
    .map((key) => key.flatMap((property) => fields.get(property) ?? []))
    .filter((key) => key.every(isKnown));
  const [key] = keys;
  if (key === undefined)
    throw new UnsupportedError(
      grammar.dialect,
      "rows of an update without a key that it leaves as it is",
      "declare a primary key and do not compute it, or ask for the number of rows with execBatch",
    );
  // Whether the conditions are the whole of a key, each part by `=`, and the update leaves it as it is.
  const fixed = new Set(where.map(fixedField));
  const isNamed = (one: readonly Field[]) =>
    where.length === one.length &&
    one.every((field) => fixed.has(field.column.property) && !values.has(field));
  return keys.some(isNamed) ? { by: "conditions" } : { by: "key", key };
}
