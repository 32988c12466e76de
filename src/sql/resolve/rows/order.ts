/** Resolves an order: its fields and names, directions, the position of NULLs, distances. */
import { listed, quoted } from "../../../core/errors.js";
import { ExpressionOperand } from "../../ast/expression.js";
import type { DateForm } from "../../dialect/grammar/grammar.js";
import { DISTANCE } from "../../words/operators.js";
import { requireOrder, requireScalar } from "../expression/comparison.js";
import { specialDates } from "../expression/dates.js";
import { type ResolvedDistance, resolveDistance } from "../expression/distance.js";
import { isNameAlone, orderTemplate } from "../expression/order-template.js";
import type { Resolution } from "../scope/resolution.js";
import type { Literal, OrderTerm, ResolvedExpression } from "../scope/resolved.js";
import type { ResolvedValue } from "../scope/result.js";
import { hasAggregate, shapeOf } from "../scope/walk.js";
import type { ResolvedSelection } from "./selection.js";

const keys: ReadonlySet<string> = new Set([
  "field",
  "direction",
  "nulls",
  "nulls_first",
  "nulls_last",
  "operator",
  "param",
  "expression",
]);

/** The names that an order may use: every column, or only the selected items, for the given reason. */
type Orderable = "columns" | "DISTINCT" | "a compound query";

/** Resolves `order_by`. */
export function resolveOrder(
  orderBy: unknown,
  selection: ResolvedSelection,
  only: Orderable,
  resolution: Resolution,
): readonly OrderTerm[] {
  if (orderBy === undefined) return unordered;
  const terms = resolution.list(orderBy, "order_by");
  return terms.flatMap((term, i) => {
    const path = `order_by[${i}]`;
    if (!resolution.keys(term, keys, path)) return [];
    const { direction } = term;
    const isDirection = direction === "asc" || direction === "desc";
    if (!isDirection) {
      const message = `direction must be asc or desc, not ${quoted(direction)}`;
      resolution.add("INVALID_DIRECTION", message, `${path}.direction`);
    }
    const nulls = resolveNulls(term, path, resolution);
    const ordered = resolveOrdered(term, selection, only, path, resolution);
    if (ordered === undefined || !isDirection) return [];
    const { comparable } = ordered;
    const named = orderTemplate(direction, nulls, ordered.nullable, resolution);
    // The next terms order the rows that are equal in this term. The last term has no next term, and an index may serve
    // it.
    const isLast = i === terms.length - 1;
    const template = comparable === undefined || isLast ? named : named.replaceAll("{f}", () => comparable);
    return { template, operand: isNameAlone(template) ? ordered.byName : ordered.expression };
  });
}

const unordered: readonly OrderTerm[] = [];

/** The operand of an order. */
interface Ordered {
  readonly nullable: boolean;
  readonly expression: ResolvedExpression;
  /** Its form in a plain order term: a name that every server knows in this place. */
  readonly byName: ResolvedExpression;
  /** Makes equal dates `{f}` equal values, if a date has several stored values. */
  readonly comparable: string | undefined;
  /** Whether it is an expression that is known to be selected. */
  readonly isSelected?: boolean;
}

function resolveOrdered(
  term: Readonly<Record<string, unknown>>,
  selection: ResolvedSelection,
  only: Orderable,
  path: string,
  resolution: Resolution,
): Ordered | undefined {
  const { expression: text, operator, param } = term;
  const parts = readDistance(text);
  const { field } = parts ?? term;
  const place = `${path}.${text === undefined ? "field" : "expression"}`;
  let ordered: Ordered | undefined;
  if (text !== undefined) ordered = resolveText(term, parts, path, resolution);
  else if (operator !== undefined || param !== undefined)
    ordered = byDistance(
      resolveDistance({ field, operator, param }, (part) => `${path}.${part}`, resolution),
    );
  else ordered = resolveName(field, selection, only, place, resolution);
  requireSelected(field, selection, ordered, only, place, resolution);
  return ordered;
}

function resolveName(
  name: unknown,
  { expressions }: ResolvedSelection,
  only: Orderable,
  path: string,
  resolution: Resolution,
): Ordered | undefined {
  if (ExpressionOperand.own(name) !== undefined) {
    const own = resolution.operand(name, path);
    if (own === undefined) return undefined;
    const ordered = byValue(own, path, resolution);
    const alias = only === "DISTINCT" ? aliasOf(own, expressions) : undefined;
    if (alias === undefined) return ordered;
    // If it has parameters, not every server recognizes a repeated expression.
    const byName = nameOf(alias, resolution);
    return {
      ...ordered,
      comparable: undefined,
      byName,
      expression: isNamed(own, resolution) ? byName : own.expression,
      isSelected: true,
    };
  }
  const value = typeof name === "string" ? expressions.get(name) : undefined;
  if (value !== undefined) {
    requireOrder(value, path, resolution);
    requireScalar(value, "an order", path, resolution);
    const named = nameOf(String(name), resolution);
    // The rows may contain the value in a form without an order.
    const byName = value.selected === undefined || only !== "columns" ? named : value.expression;
    // After a set operation only names are available.
    const isByName = only === "a compound query" || (only === "DISTINCT" && isNamed(value, resolution));
    const expression = isByName ? byName : value.expression;
    // Compared rows contain dates in their comparable form.
    const dates = only === "columns" ? specialDates(value.storage, resolution.grammar) : undefined;
    return { nullable: value.nullable, expression, byName, comparable: inexact(dates) };
  }
  const field = resolution.field(name, path);
  if (field === undefined) return undefined;
  requireOrder(field.column, path, resolution);
  resolution.comparable(field.column, path);
  // A field that is stored in its comparable form needs nothing more.
  const dates = field.sql === field.name && only !== "a compound query" ? field.dates : undefined;
  const named = only === "a compound query" ? { ...field, name: field.label, sql: field.label } : field;
  return { nullable: field.nullable, expression: named, byName: named, comparable: inexact(dates) };
}

const nameOf = (alias: string, { grammar }: Resolution): Literal => ({
  kind: "literal",
  sql: grammar.quote(alias),
});

// No server knows the name of an aggregate inside an expression.
function isNamed({ expression }: ResolvedValue, { grammar }: Resolution): boolean {
  return grammar.ordersDistinctByName === true && !hasAggregate(expression);
}

/** The name of an equal expression that is selected. */
function aliasOf(
  { expression }: ResolvedValue,
  expressions: ResolvedSelection["expressions"],
): string | undefined {
  const shape = shapeOf(expression);
  const [alias] = [...expressions].find(([, other]) => shapeOf(other.expression) === shape) ?? [];
  return alias;
}

/** An order by an expression without a name in the order. */
function byValue(value: ResolvedValue, path: string, resolution: Resolution): Ordered {
  requireOrder(value, path, resolution);
  requireScalar(value, "an order", path, resolution);
  const { expression, nullable, storage } = value;
  const dates = specialDates(storage, resolution.grammar);
  return { nullable, expression, byName: expression, comparable: inexact(dates) };
}

function inexact(dates: DateForm | undefined): string | undefined {
  return dates?.isExact === false ? dates.comparable : undefined;
}

function byDistance(distance: ResolvedDistance | undefined): Ordered | undefined {
  if (distance === undefined) return undefined;
  const { field, expression } = distance;
  return { nullable: field.nullable, expression, byName: expression, comparable: undefined };
}

function resolveNulls(
  term: Readonly<Record<string, unknown>>,
  path: string,
  resolution: Resolution,
): "first" | "last" | undefined {
  const { nulls, nulls_first: first, nulls_last: last } = term;
  if (nulls !== undefined && nulls !== "first" && nulls !== "last")
    resolution.add("INVALID_NULLS", `nulls must be first or last, not ${quoted(nulls)}`, `${path}.nulls`);
  for (const [key, value] of Object.entries({ nulls_first: first, nulls_last: last }))
    if (value !== undefined && typeof value !== "boolean")
      resolution.add("INVALID_NULLS", `${key} must be a boolean`, `${path}.${key}`);
  const said = [nulls !== undefined, first === true, last === true].filter(Boolean).length;
  if (said > 1) resolution.add("INVALID_NULLS", "the place of NULLs is given more than once", path);
  return nullsSaid(term);
}

/** The position of NULLs that a term specifies. */
export function nullsSaid({
  nulls,
  nulls_first: first,
  nulls_last: last,
}: Readonly<Record<string, unknown>>): "first" | "last" | undefined {
  if (nulls === "first" || first === true) return "first";
  return nulls === "last" || last === true ? "last" : undefined;
}

function resolveText(
  { field, operator, param }: Readonly<Record<string, unknown>>,
  parts: DistanceParts | undefined,
  path: string,
  resolution: Resolution,
): Ordered | undefined {
  const distance =
    parts === undefined ? undefined : resolveDistance(parts, () => `${path}.expression`, resolution);
  if (parts === undefined)
    resolution.add(
      "INVALID_SPEC",
      "expression must be a vector field, one of <-> <#> <=> <+>, and :param",
      `${path}.expression`,
    );
  if (field !== undefined || operator !== undefined || param !== undefined)
    resolution.add("INVALID_SPEC", "expression replaces field, operator and param: leave them out", path);
  return byDistance(distance);
}

interface DistanceParts {
  readonly field: string;
  readonly operator: string;
  readonly param: string;
}

/** The parts of `field operator :param`; undefined for any other text. */
function readDistance(text: unknown): DistanceParts | undefined {
  const match = typeof text === "string" ? DISTANCE.exec(text) : null;
  if (match === null) return undefined;
  const [, field = "", operator = "", param = ""] = match;
  return { field, operator, param };
}

function requireSelected(
  field: unknown,
  { fields, expressions }: ResolvedSelection,
  ordered: Ordered | undefined,
  only: Orderable,
  path: string,
  resolution: Resolution,
): void {
  if (only === "columns" || ordered?.isSelected === true) return;
  if (ordered !== undefined && ExpressionOperand.own(field) !== undefined) {
    const shape = shapeOf(ordered.expression);
    if ([...expressions.values()].some(({ expression }) => shapeOf(expression) === shape)) return;
    const message = `${only} orders by what the rows have: name this expression in fields, and order by the name`;
    resolution.add("INVALID_FIELD", message, path);
  }
  if (fields === undefined || typeof field !== "string") return;
  if (resolution.scope.field(field) === undefined || fields.has(field) || expressions.has(field)) return;
  const names = listed([...fields.keys(), ...expressions.keys()]);
  const message = `${only} orders by selected fields only, and ${quoted(field)} is not selected; selected: ${names}`;
  resolution.add("INVALID_FIELD", message, path);
}
