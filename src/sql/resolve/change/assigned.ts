/** Resolves the new value of a field: a parameter, a constant, or an expression whose values the field can hold. */

import { quoted } from "../../../core/errors.js";
import { SetPaths } from "../../ast/builder-parts.js";
import { type ExpressionNode, ExpressionOperand } from "../../ast/expression.js";
import type { ColumnInfo, Storage } from "../../declare/declaration.js";
import { boundIn } from "../../dialect/grammar/value-codec.js";
import { assignedBinder } from "../../value/binder.js";
import { excessOf, inScale } from "../expression/decimals.js";
import { boundTo, placeOf } from "../expression/param.js";
import { within } from "../expression/path.js";
import type { Resolution } from "../scope/resolution.js";
import { constantOf } from "../scope/resolution.js";
import type { Field, ParameterPlace, ResolvedExpression } from "../scope/resolved.js";
import type { GivenParam } from "../scope/resolved-parameter.js";
import { areAlike, nameOf, type ResolvedValue, valueOfField } from "../scope/result.js";
import { hasAggregate, hasWindow } from "../scope/walk.js";
import { resolveSetPaths } from "./set-path.js";

/** The new value of a field from an untyped caller: the name of a parameter, or an expression. */
export function resolveAssigned(
  field: Field,
  given: unknown,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  const paths = SetPaths.own(given);
  if (paths !== undefined) return resolveSetPaths(field, paths, path, resolution);
  const node = ExpressionOperand.own(given)?.node ?? named(given, path, resolution);
  return node === undefined ? undefined : assignedNode(field, node, path, resolution);
}

function named(name: unknown, path: string, resolution: Resolution): ExpressionNode | undefined {
  const param = resolution.param(name, path);
  return param === undefined ? undefined : { kind: "param", name: param };
}

function assignedNode(
  field: Field,
  node: ExpressionNode,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  if (node.kind === "constant" || node.kind === "hole")
    return assigned(field, { name: "", constant: constantOf(node) }, resolution);
  if (node.kind === "param" && node.of === undefined) {
    const name = resolution.param(node.name, path);
    return name === undefined ? undefined : assigned(field, { name }, resolution);
  }
  const value = resolution.node(node, path, valueOfField(field));
  if (value === undefined) return undefined;
  const problem = notOfRow(value) ?? unfit(field, value, resolution);
  if (problem === undefined) return inScale(value, field.column.storage.scale ?? 0, resolution).expression;
  resolution.add("INVALID_CONDITION", `field ${quoted(field.column.property)} ${problem}`, path);
  return undefined;
}

/** The parameter that a field is set to, or the constant in its place. */
export function assigned(
  { column }: Field,
  given: GivenParam,
  { grammar, table }: Pick<Resolution, "grammar" | "table">,
): ParameterPlace {
  const { property: sets, storage } = column;
  const place = placeOf(given, sets, { table });
  const binder = boundTo(given, () => assignedBinder(column, grammar, place));
  const form = given.constant === undefined ? undefined : ({ operand: "value", column } as const);
  return { kind: "parameter", ...given, sets, binder, form, template: boundIn(storage, grammar) };
}

function notOfRow({ expression }: ResolvedValue): string | undefined {
  if (hasAggregate(expression)) return "is set in each row: an aggregate needs groups";
  return hasWindow(expression) ? "is set in each row: a window is over the rows of a query" : undefined;
}

/** A calculated value of a field that is not returned; undefined if the value is surely readable. */
export function unseen(
  { column }: Field,
  value: ResolvedExpression,
  { grammar }: Resolution,
): ResolvedExpression | undefined {
  const { kind, integer } = column.storage;
  if (kind !== "number" || integer !== true || isSafe(value)) return undefined;
  return within(grammar.expressions.numbers.safe, value);
}

// The values of fields and parameters have the same kind.
function isSafe(value: ResolvedExpression): boolean {
  if (value.kind === "aggregate") return value.isSum !== true;
  return value.kind === "parameter" || value.kind === "proposed" || value.kind === "field";
}

/** Why the type of a field cannot hold a value. A server would round or cut some of these values, and store them. */
export function unfit(field: Field, value: ResolvedValue, { grammar }: Resolution): string | undefined {
  const { column, nullable } = field;
  const { storage: into } = column;
  const { storage: from } = value;
  if (columnOf(value.expression) === column) return undefined;
  if (!areAlike(into, from) || into.kind === "json" || into.dimensions !== from.dimensions)
    return `(${into.kind}) cannot hold ${from.kind} of ${nameOf(value)}`;
  const excess = excessOf(from, into);
  if (excess !== undefined) return `has ${excess}`;
  if (value.nullable && !nullable) return `is never null, and ${nameOf(value)} may be: use coalesce`;
  if (into.integer === true && from.integer !== true)
    return `holds whole numbers, and ${nameOf(value)} may give others: cast it to an integer`;
  if (!holdsValues(into, from)) return `holds a few values, and ${nameOf(value)} may give others`;
  const isOtherDate = into.kind === "date" && grammar.dates(into).keptAs !== grammar.dates(from).keptAs;
  return isOtherDate ? `keeps dates in another way than ${nameOf(value)}: set it to a parameter` : undefined;
}

// The column whose values an expression gives unchanged.
function columnOf(expression: ResolvedExpression): ColumnInfo | undefined {
  if (expression.kind === "proposed") return expression.field.column;
  return expression.kind === "field" ? expression.column : undefined;
}

/** Whether the type of a column can hold every value of a storage. */
export function canHold(into: Storage, from: Storage): boolean {
  if (into.kind !== from.kind || into.kind === "json") return false;
  if (into.integer === true && from.integer !== true) return false;
  if (into.decimal !== from.decimal || into.dimensions !== from.dimensions) return false;
  // On SQLite, decimals of different scales are different whole numbers. Other servers would round them.
  if (into.kind === "decimal" && into.scale !== from.scale) return false;
  return into.item?.kind === from.item?.kind && holdsValues(into, from);
}

function holdsValues({ values }: Storage, from: Storage): boolean {
  return (
    values === undefined || (from.values !== undefined && [...from.values].every((one) => values.has(one)))
  );
}
