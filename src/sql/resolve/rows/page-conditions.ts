/** The conditions of the rows after a given row in an order. Each value of that row is a parameter. */
import { infix } from "../../dialect/grammar/forms.js";
import type { DateForm, Direction } from "../../dialect/grammar/grammar.js";
import { numberBinder, storedBinder } from "../../value/binder.js";
import { boundOf, formBeside, type Left } from "../expression/comparison.js";
import { dateCondition, specialDates } from "../expression/dates.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, Group, ParameterPlace, ResolvedCondition } from "../scope/resolved.js";

/** The name under which a cursor is given, and under which errors refer to it. */
export const AFTER = "after";

/** A field of an order. */
export interface OrderedField {
  readonly field: Field;
  readonly direction: Direction;
  /** The position of its NULLs. */
  readonly nulls: "first" | "last";
  readonly param: string;
  readonly nullParam: string | undefined;
}

/** The names of the parameters of a field. No caller's parameter has such a name. */
export function paramOf({ nullable }: Field, i: number): Pick<OrderedField, "param" | "nullParam"> {
  const param = `${AFTER}.${i}`;
  return { param, nullParam: nullable ? `${param}.null` : undefined };
}

/** The conditions of the rows after a given row. */
export function conditionsAfter(
  order: readonly OrderedField[],
  resolution: Resolution,
): readonly ResolvedCondition[] {
  const [first, ...rest] = order;
  if (first === undefined) return [];
  const after = group("OR", afterInOrder(order, resolution));
  // An index finds the first of these rows by this condition alone.
  const isBounded = rest.length > 0 && !first.field.nullable;
  return isBounded ? [compared(first, first.direction === "asc" ? ">=" : "<=", resolution), after] : [after];
}

function group(logic: "AND" | "OR", members: readonly ResolvedCondition[]): ResolvedCondition {
  const [only, ...others] = members;
  const all: Group = { kind: "group", logic, members };
  return only !== undefined && others.length === 0 ? only : all;
}

/** After the row in the first field, or equal in it and after the row in the others. */
function afterInOrder(order: readonly OrderedField[], resolution: Resolution): readonly ResolvedCondition[] {
  const [first, ...rest] = order;
  if (first === undefined) return [];
  const after = afterInOne(first, resolution);
  if (rest.length === 0) return after;
  const equal = group("AND", [equalIn(first, resolution), group("OR", afterInOrder(rest, resolution))]);
  return [...after, equal];
}

// Every comparison with NULL is unknown, and so is not met.
function afterInOne(term: OrderedField, resolution: Resolution): readonly ResolvedCondition[] {
  const { field, direction, nulls } = term;
  const after = compared(term, direction === "asc" ? ">" : "<", resolution);
  if (!field.nullable) return [after];
  const test = nulls === "last" ? " IS NULL" : " IS NOT NULL";
  return [
    after,
    group("AND", [{ kind: "null test", operand: field, test }, isNull(term, nulls === "first", resolution)]),
  ];
}

function equalIn(term: OrderedField, resolution: Resolution): ResolvedCondition {
  const { field } = term;
  const equal = compared(term, "=", resolution);
  if (!field.nullable) return equal;
  const none: ResolvedCondition = { kind: "null test", operand: field, test: " IS NULL" };
  return group("OR", [equal, group("AND", [none, isNull(term, true, resolution)])]);
}

/** Whether the value of the given row is null, or is not null. */
function isNull({ nullParam = "" }: OrderedField, is: boolean, { table }: Resolution): ResolvedCondition {
  const left: ParameterPlace = {
    kind: "parameter",
    name: nullParam,
    binder: () => numberBinder({ param: AFTER, table }),
    form: { operand: "count", column: undefined },
  };
  const right = { kind: "literal", sql: is ? "1" : "0" } as const;
  return { kind: "comparison", form: infix("="), left, right, isEquality: false, optional: undefined };
}

/** `field operator :value`. */
function compared(
  { field, param }: OrderedField,
  operator: "=" | ">" | ">=" | "<" | "<=",
  { grammar, table }: Resolution,
): ResolvedCondition {
  const { column } = field;
  const left: Left = { expression: field, target: column, column };
  const value: ParameterPlace = {
    kind: "parameter",
    name: param,
    binder: () => storedBinder(column, grammar, { param: AFTER, table }),
    form: formBeside("value", left, grammar),
    template: boundOf(left, grammar),
  };
  const dates = specialDates(column.storage, grammar);
  if (dates !== undefined) return dateCondition(field, operator, value, withNull(dates));
  const isEquality = operator === "=";
  return {
    kind: "comparison",
    form: infix(operator),
    left: field,
    right: value,
    isEquality,
    optional: undefined,
  };
}

function withNull(dates: DateForm): DateForm {
  const { first } = dates;
  const { bind } = first;
  if (bind === undefined) return dates;
  return { ...dates, first: { ...first, bind: (encoded) => (encoded === null ? null : bind(encoded)) } };
}
