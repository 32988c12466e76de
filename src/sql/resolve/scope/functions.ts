/** What each function takes and gives, and how it is written: one entry for each name. */
import type { Storage } from "../../declare/declaration.js";
import type { ExpressionGrammar } from "../../dialect/grammar/grammar.js";
import { decimalOf, MORE_DIGITS } from "../../kind/decimals.js";
import { type Binder, countBinder, numberBinder, textBinder } from "../../value/binder.js";
import type { AnyAggregateFunction, CallName, CastTarget, ListingFunction } from "../../words/functions.js";
import { type ValueResult, valuesOf, wholeNumber } from "./result.js";

const { storage: integer } = wholeNumber;
const text: Storage = { kind: "text" };
const number: Storage = { kind: "number" };
const bigint: Storage = { kind: "bigint", integer: true };
const wide: Storage = { kind: "bigint", integer: true, wide: true };
const date: Storage = { kind: "date" };

/** An argument after the first operand. */
interface Argument {
  readonly values: ValueResult;
  /** The binder of a parameter, by the position of the argument. */
  readonly bind: (place: Parameters<typeof textBinder>[0], index: number) => Binder;
}

/** A function of one row. */
interface CallForm {
  /** What the kind of its operands must meet. Undefined: it must have operators. */
  readonly takes?: "text" | "a number";
  /** Its other arguments. Undefined: they are like the first operand. */
  readonly argument?: Argument;
  /** Its result, by its first operand and its other arguments. */
  readonly gives: (
    operand: ValueResult | undefined,
    others: readonly ValueResult[],
    digits: number,
  ) => ValueResult;
  /** Its template. Undefined: the one of its name, whatever its operands are. */
  readonly template?: (
    expressions: ExpressionGrammar,
    operand: Storage,
    others: readonly ValueResult[],
    digits: number,
  ) => string | undefined;
  /** Whether it makes floating point numbers of decimals. */
  readonly isFloating?: true;
}

/** The other argument of a calculation whose first operand has a problem. */
export const numberArgument: Argument = {
  values: { storage: number, nullable: false },
  bind: numberBinder,
};
const textArgument: Argument = { values: { storage: text, nullable: false }, bind: textBinder };
// The position of the first character is 1, and a part may have no characters.
const countArgument: Argument = {
  values: wholeNumber,
  bind: (place, index) => countBinder(place, index === 0 ? 1 : 0),
};

export const calls: { readonly [F in CallName]: CallForm } = {
  upper: { takes: "text", gives: like(text) },
  lower: { takes: "text", gives: like(text) },
  trim: { takes: "text", gives: like(text) },
  ltrim: { takes: "text", gives: like(text) },
  rtrim: { takes: "text", gives: like(text) },
  length: { takes: "text", gives: like(integer) },
  concat: { takes: "text", gives: always(text) },
  substring: { takes: "text", argument: countArgument, gives: like(text) },
  replace: {
    takes: "text",
    argument: textArgument,
    gives: like(text),
    template: ({ replaceByNullable }, _, others) =>
      others.at(-1)?.nullable === true ? replaceByNullable : undefined,
  },
  abs: { takes: "a number", gives: (operand, others) => like(amount(operand))(operand, others) },
  ceil: { takes: "a number", gives: wholeOf, template: whole("ceil") },
  floor: { takes: "a number", gives: wholeOf, template: whole("floor") },
  sqrt: { takes: "a number", gives: () => ({ storage: number, nullable: true }), isFloating: true },
  power: { takes: "a number", argument: numberArgument, gives: like(number), isFloating: true },
  round: {
    takes: "a number",
    gives: rounded,
    // A bigint needs no rounding, and a server would convert it to a number that cannot hold it.
    template: ({ round }, operand, _, digits) => (operand.kind === "bigint" ? "{f}" : round(operand, digits)),
  },
  now: { gives: always(date) },
  current_date: { gives: always(text) },
  current_time: { gives: always(text) },
  current_timestamp: { gives: always(date) },
  coalesce: { gives: firstOf },
  null_if: { gives: orNull },
};

/** An aggregate that gives one value. */
export type SingleAggregate = Exclude<AnyAggregateFunction, ListingFunction>;

interface AggregateForm {
  readonly gives: (operand: ValueResult | undefined) => ValueResult;
  readonly template: (expressions: ExpressionGrammar, result: Storage) => string;
}

export const aggregates: { readonly [F in SingleAggregate]: AggregateForm } = {
  count: { gives: () => wholeNumber, template: () => "COUNT({f})" },
  count_distinct: { gives: () => wholeNumber, template: () => "COUNT(DISTINCT {f})" },
  sum: {
    gives: (operand) => ({
      storage: operand?.storage.kind === "bigint" ? wide : amount(operand),
      nullable: true,
    }),
    template: ({ sum }, result) => sum(result),
  },
  avg: {
    gives: (operand) => ({ storage: average(operand), nullable: true }),
    template: ({ avg }, result) => avg(result),
  },
  min: { gives: orNull, template: () => "MIN({f})" },
  max: { gives: orNull, template: () => "MAX({f})" },
  bool_and: { gives: orNull, template: ({ booleans }) => booleans.all },
  bool_or: { gives: orNull, template: ({ booleans }) => booleans.any },
};

export const casts: { readonly [To in CastTarget]: Storage } = {
  text,
  integer,
  number,
  boolean: { kind: "boolean" },
  date,
};

/** A value that is null if one of the arguments is null. */
function like(
  storage: Storage,
): (operand: ValueResult | undefined, others: readonly ValueResult[]) => ValueResult {
  return (operand, others) => ({
    storage,
    nullable: operand?.nullable === true || others.some((other) => other.nullable),
  });
}

function always(storage: Storage): () => ValueResult {
  return () => ({ storage, nullable: false });
}

function orNull(operand: ValueResult | undefined): ValueResult {
  return { ...valuesOf(operand), nullable: true };
}

/** The type of the first non-null value of several. It has a set of allowed values only if all of them have one. */
function firstOf(operand: ValueResult | undefined, others: readonly ValueResult[]): ValueResult {
  const { storage, schema } = valuesOf(operand);
  const nullable = operand?.nullable !== false && others.every((other) => other.nullable);
  if (storage.values === undefined || others.every((other) => other.storage === storage))
    return { storage, nullable, schema };
  const { values: own, ...wide } = storage;
  const lists = others.map((other) => other.storage.values);
  if (lists.some((values) => values === undefined)) return { storage: wide, nullable };
  return {
    storage: { ...wide, values: new Set([...own, ...lists.flatMap((values) => [...(values ?? [])])]) },
    nullable,
  };
}

// Sums and absolute values are numbers of the operand's kind, but not restricted to its allowed values.
function amount(operand: ValueResult | undefined): Storage {
  if (operand?.storage.kind === "bigint") return bigint;
  if (operand?.storage.kind === "decimal") return decimalOf(operand.storage.scale ?? 0);
  return operand?.storage.integer === true ? integer : number;
}

function rounded(
  operand: ValueResult | undefined,
  others: readonly ValueResult[],
  digits: number,
): ValueResult {
  const { kind } = operand?.storage ?? number;
  const storage = kind === "decimal" ? decimalOf(digits) : kind === "bigint" ? bigint : number;
  return like(storage)(operand, others);
}

function wholeOf(operand: ValueResult | undefined, others: readonly ValueResult[]): ValueResult {
  return rounded(operand, others, 0);
}

function whole(func: "ceil" | "floor"): NonNullable<CallForm["template"]> {
  return ({ wholeDecimal }, { kind, scale = 0 }) =>
    kind === "decimal" ? wholeDecimal?.(func, scale) : undefined;
}

function average(operand: ValueResult | undefined): Storage {
  if (operand?.storage.kind !== "decimal") return number;
  return decimalOf((operand.storage.scale ?? 0) + MORE_DIGITS);
}
