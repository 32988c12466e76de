/**
 * Functions of dates: cut to a unit, their parts, moved by units, and the units between two. They are in UTC, or in a
 * time zone.
 */
import { isObject } from "../../core/values.js";
import type { OperandNode } from "../ast/expression.js";
import type { AnyValue, Value } from "../types/expressions.js";
import type { Leaf } from "../types/leaves.js";
import type {
  ExpressionRole,
  OperandExpression,
  Parameter,
  SideFields,
  SideLeaves,
  SideResult,
  SidesRole,
} from "../types/operands.js";
import type { Param } from "../types/params.js";
import type { ColumnNeed, DateLike, Fn, Is, IsDecimal, NullWith, NumberLike, Of } from "../types/results.js";
import type { DateUnit, PartUnit, TruncUnit } from "../words/functions.js";
import { operandOf } from "./operand.js";
import { typedValue } from "./value.js";

/** An operand of dates: a field's name, an expression, or a parameter. */
type DateSide = string | OperandExpression<DateLike> | Parameter<string>;
/** An operand of whole numbers. */
// A decimal is not a number of units, even if it has no digits after the point.
type Count = Exclude<NumberLike, IsDecimal<string | null>>;
type CountSide = string | OperandExpression<Count> | Parameter<string>;
/** The value of an operand, if a parameter has the type `V`. */
type Given<A, V> = A extends Parameter<string> ? Is<V> : SideResult<A>;
/** The requirements and parameters of an operand, if a parameter has type `V` and a field meets the need `N`. */
type Asked<A, V, N> =
  | (A extends Parameter<infer P> ? Param<P, V> : SideLeaves<A>)
  | (A extends Parameter<string> ? never : ColumnNeed<SideResult<A>, N>);

/** A time zone: its IANA name, or `param(name)` or `value(name)` with the name. */
type ZoneSide = string | Parameter<string> | OperandExpression<Is<string>, never, unknown, "plain">;
/** The options of a function of dates. */
interface InZone<Z extends ZoneSide> {
  /** The IANA name of a time zone: `"America/Sao_Paulo"`, `param(name)` or `value(name)`. */
  readonly zone: Z;
}
/** The parameter of a zone. */
type ZoneLeaves<Z> = Z extends Parameter<infer P> ? Param<P, string> : SideLeaves<Z>;

/** The first moment of the unit that a date is in; weeks begin on Monday. */
export function dateTrunc<F extends string>(
  unit: TruncUnit,
  date: F,
): Value<Of<F, "date">, F, Leaf<F, "a date", never>>;
export function dateTrunc<T extends DateLike, F extends string, L, R extends ExpressionRole>(
  unit: TruncUnit,
  date: OperandExpression<T, F, L, R>,
): Value<Fn<"date", T>, F, L | ColumnNeed<T, "a date">, R>;
export function dateTrunc<N extends string>(
  unit: TruncUnit,
  date: Parameter<N>,
): Value<Is<Date>, never, Param<N, Date>>;
/** The instant at which the unit that a date is in began in a time zone; weeks begin on Monday. */
export function dateTrunc<const A extends DateSide, const Z extends ZoneSide>(
  unit: TruncUnit,
  date: A,
  options: InZone<Z>,
): Value<Fn<"date", Given<A, Date>>, SideFields<A>, Asked<A, Date, "a date"> | ZoneLeaves<Z>, SidesRole<A>>;
export function dateTrunc(unit: TruncUnit, date: unknown, options?: unknown): AnyValue {
  return typedValue({ kind: "date", func: "trunc", unit, date: operandOf(date), zone: zoneOf(options) });
}

/** A part of a date: weeks and weekdays are those of ISO 8601, from 1 (Monday) to 7. */
export function datePart<F extends string>(
  unit: PartUnit,
  date: F,
): Value<Of<F, "number">, F, Leaf<F, "a date", never>>;
export function datePart<T extends DateLike, F extends string, L, R extends ExpressionRole>(
  unit: PartUnit,
  date: OperandExpression<T, F, L, R>,
): Value<Fn<"number", T>, F, L | ColumnNeed<T, "a date">, R>;
export function datePart<N extends string>(
  unit: PartUnit,
  date: Parameter<N>,
): Value<Is<number>, never, Param<N, Date>>;
/** A part of a date as a time zone shows it: weeks and weekdays are those of ISO 8601, from 1 (Monday) to 7. */
export function datePart<const A extends DateSide, const Z extends ZoneSide>(
  unit: PartUnit,
  date: A,
  options: InZone<Z>,
): Value<Fn<"number", Given<A, Date>>, SideFields<A>, Asked<A, Date, "a date"> | ZoneLeaves<Z>, SidesRole<A>>;
export function datePart(unit: PartUnit, date: unknown, options?: unknown): AnyValue {
  return typedValue({ kind: "date", func: "part", unit, date: operandOf(date), zone: zoneOf(options) });
}

/**
 * A date moved by a whole number of units, which may be negative. If the day does not exist in the month, the result is
 * the last day of the month. Outside the years 1 to 9999 it is an error.
 */
export function dateAdd<const A extends DateSide, const N extends CountSide>(
  date: A,
  count: N,
  unit: DateUnit,
): Value<
  Fn<"date", NullWith<Given<A, Date>, Given<N, number>>>,
  SideFields<A | N>,
  Asked<A, Date, "a date"> | Asked<N, number, "a number">,
  SidesRole<A | N>
>;
/**
 * The same in a time zone: days and longer units keep the time that its clocks show, shorter units are as long as
 * everywhere.
 */
export function dateAdd<const A extends DateSide, const N extends CountSide, const Z extends ZoneSide>(
  date: A,
  count: N,
  unit: DateUnit,
  options: InZone<Z>,
): Value<
  Fn<"date", NullWith<Given<A, Date>, Given<N, number>>>,
  SideFields<A | N>,
  Asked<A, Date, "a date"> | Asked<N, number, "a number"> | ZoneLeaves<Z>,
  SidesRole<A | N>
>;
export function dateAdd(date: unknown, count: unknown, unit: DateUnit, options?: unknown): AnyValue {
  const operands = { date: operandOf(date), other: operandOf(count) };
  return typedValue({ kind: "date", func: "add", unit, ...operands, zone: zoneOf(options) });
}

/**
 * The number of whole units from a date to another, truncated towards zero. For months, quarters and years the day and
 * the time decide: from 31 January to 28 February there is no whole month.
 */
export function dateDiff<const A extends DateSide, const B extends DateSide>(
  unit: DateUnit,
  from: A,
  to: B,
): Value<
  Fn<"number", NullWith<Given<A, Date>, Given<B, Date>>>,
  SideFields<A | B>,
  Asked<A | B, Date, "a date">,
  SidesRole<A | B>
>;
/**
 * The same in a time zone: days and longer units are counted by the dates and times that its clocks show, shorter units
 * by the time that passes.
 */
export function dateDiff<const A extends DateSide, const B extends DateSide, const Z extends ZoneSide>(
  unit: DateUnit,
  from: A,
  to: B,
  options: InZone<Z>,
): Value<
  Fn<"number", NullWith<Given<A, Date>, Given<B, Date>>>,
  SideFields<A | B>,
  Asked<A | B, Date, "a date"> | ZoneLeaves<Z>,
  SidesRole<A | B>
>;
export function dateDiff(unit: DateUnit, from: unknown, to: unknown, options?: unknown): AnyValue {
  const operands = { date: operandOf(from), other: operandOf(to) };
  return typedValue({ kind: "date", func: "diff", unit, ...operands, zone: zoneOf(options) });
}

/** The zone in the options of an untyped caller. What is not a zone is refused where the expression is used. */
function zoneOf(options: unknown): OperandNode | undefined {
  if (options === undefined) return undefined;
  try {
    if (isObject(options) && Object.keys(options).every((key) => key === "zone"))
      return operandOf(options["zone"]);
  } catch {
    // A proxy may throw.
  }
  return Object.freeze({ kind: "invalid", what: "options other than { zone }" });
}
