/**
 * What an expression gives, worked out without the package and without a server: whole numbers and decimals by bigint
 * arithmetic, dates by the calendar, conditions in three-valued logic.
 */
import { added, difference, type Part, partOf, truncated, type Unit } from "../kit/calendar.js";
import type { Condition, Decimal, Json, Row, Tree, Value } from "./expression-trees.js";

/** What no server gives, or not every one: a number beyond its range, a date beyond the calendar. */
export class Beyond extends Error {}

/** What some work gives; undefined where a server may not give it. */
export function unlessBeyond<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

const EDGE = 2n ** 63n;

function in64Bits(value: bigint): bigint {
  if (value >= EDGE || value < -EDGE) throw new Beyond(`${value} has more than 64 bits`);
  return value;
}

const power = (digits: number): bigint => 10n ** BigInt(digits);
const amountOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** A quotient of whole numbers, halves away from zero. */
function halfAway(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [above, below] = [amountOf(dividend), amountOf(divisor)];
  const whole = above / below;
  const amount = (above % below) * 2n >= below ? whole + 1n : whole;
  return isNegative ? -amount : amount;
}

/** Whether a value is an exact decimal. */
export function isDecimal(value: Value): value is Decimal {
  return typeof value === "object" && value !== null && "units" in value;
}

/** A decimal, or a whole number as one, in a scale that is not smaller than its own; SQLite has 64 bits for it. */
function inScale(value: Value, scale: number): bigint {
  const { units, scale: own } = isDecimal(value) ? value : { units: value as bigint, scale: 0 };
  return in64Bits(units * power(scale - own));
}

const decimal = (units: bigint, scale: number): Decimal => ({ units: in64Bits(units), scale });

/** The average of decimals with a sum: four digits more, halves away from zero. */
export function averaged({ units, scale }: Decimal, count: number): Decimal {
  return decimal(halfAway(units * power(4), BigInt(count)), scale + 4);
}

function calculatedDecimal(func: string, one: Value, other: Value, scale: number): Value {
  const [a, b] = [one, other].map((value) =>
    isDecimal(value) ? value : { units: value as bigint, scale: 0 },
  ) as [Decimal, Decimal];
  if (func === "mul") return decimal(a.units * b.units, scale);
  if (func === "add") return decimal(inScale(a, scale) + inScale(b, scale), scale);
  if (func === "sub") return decimal(inScale(a, scale) - inScale(b, scale), scale);
  if (b.units === 0n) return null;
  if (func === "mod")
    return decimal((a.units * power(scale - a.scale)) % (b.units * power(scale - b.scale)), scale);
  return decimal(halfAway(a.units * power(scale + b.scale - a.scale), b.units), scale);
}

function calculatedWhole(func: string, a: bigint, b: bigint): Value {
  if (func === "add") return in64Bits(a + b);
  if (func === "sub") return in64Bits(a - b);
  if (func === "mul") return in64Bits(a * b);
  if (b === 0n) return null;
  return func === "div" ? in64Bits(a / b) : a % b;
}

function calculatedNumber(func: string, a: number, b: number): Value {
  if ((func === "div" || func === "mod") && b === 0) return null;
  if (func === "mod") {
    // Of others some servers take the digits, and some the binary value.
    if (!isShort(a) || !isShort(b)) throw new Beyond("a remainder of digits is not one of bits");
    return (a % b) + 0;
  }
  const result = func === "add" ? a + b : func === "sub" ? a - b : func === "mul" ? a * b : a / b;
  if (!Number.isFinite(result)) throw new Beyond("a number is infinite");
  if (result === 0 && a !== 0 && (func === "mul" || func === "div") && b !== 0)
    throw new Beyond("a number is smaller than any");
  return result + 0;
}

/** Whether the digits of a number and its binary value are the same, and few. */
function isShort(value: number): boolean {
  return Math.abs(value) < 2 ** 20 && Number.isInteger(value * 1024);
}

/** A power of a number by a whole one, where it is exact. */
function raisedTo(base: number, exponent: number): number {
  if (!isShort(base) && exponent > 0) throw new Beyond("a power is not exact");
  const result = base ** exponent;
  if (!Number.isInteger(result * 1024) || Math.abs(result) >= 2 ** 40)
    throw new Beyond("a power is not exact");
  return result + 0;
}

/** The digits of a number, halves away from zero: of the decimal that it is written as. */
function roundedNumber(value: number, digits: number): number {
  const [written = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "", fraction = ""] = written.split(".");
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  if (scale <= digits) return value;
  const kept = halfAway(units, power(scale - digits));
  const text = String(kept).padStart(digits + 1, "0");
  const result = Number(`${text.slice(0, text.length - digits)}.${text.slice(text.length - digits)}0`);
  return (value < 0 ? -result : result) + 0;
}

/** The text of a decimal in a row. */
export function textOfDecimal({ units, scale }: Decimal): string {
  const text = String(amountOf(units)).padStart(scale + 1, "0");
  const point = scale === 0 ? "" : `.${text.slice(text.length - scale)}`;
  return `${units < 0n ? "-" : ""}${text.slice(0, text.length - scale)}${point}`;
}

/** One of -1, 0, 1 for two values of a kind that are not null. */
export function compared(one: Value, other: Value): number {
  if (isDecimal(one) && isDecimal(other)) {
    const scale = Math.max(one.scale, other.scale);
    const [a, b] = [one.units * power(scale - one.scale), other.units * power(scale - other.scale)];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (typeof one === "string" && typeof other === "string") {
    const [a, b] = [[...one], [...other]].map((chars) => chars.map((char) => char.codePointAt(0) ?? 0));
    for (let i = 0; i < Math.max(a?.length ?? 0, b?.length ?? 0); i++) {
      const [x, y] = [a?.[i] ?? -1, b?.[i] ?? -1];
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  }
  const [a, b] = [one, other].map((value) => (value instanceof Date ? value.getTime() : value)) as [
    number,
    number,
  ];
  return a < b ? -1 : a > b ? 1 : 0;
}

const pad = (value: number, digits: number): string => String(value).padStart(digits, "0");

function textOfDate(date: Date): string {
  const part = (name: Part) => partOf(name, date);
  const ms = ((date.getTime() % 1000) + 1000) % 1000;
  const day = `${pad(part("year"), 4)}-${pad(part("month"), 2)}-${pad(part("day"), 2)}`;
  return `${day} ${pad(part("hour"), 2)}:${pad(part("minute"), 2)}:${pad(part("second"), 2)}.${pad(ms, 3)}`;
}

function castTo(to: string, value: Exclude<Value, null>): Value {
  if (to === "text") {
    if (isDecimal(value)) return textOfDecimal(value);
    return value instanceof Date ? textOfDate(value) : String(value);
  }
  if (to === "boolean")
    return isDecimal(value) ? value.units !== 0n : typeof value === "bigint" ? value !== 0n : value;
  if (to === "number") return isDecimal(value) ? Number(textOfDecimal(value)) : Number(value);
  if (isDecimal(value)) return value.units / power(value.scale);
  if (typeof value === "number") return in64Bits(BigInt(Math.trunc(value)));
  return typeof value === "boolean" ? BigInt(value) : value;
}

const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const raised = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

function called(tree: Extract<Tree, { op: "call" }>, args: readonly Value[]): Value {
  const { func, type, digits = 0 } = tree;
  const [first = null, second = null] = args;
  const scaled = (value: Value) =>
    isDecimal(value) ? decimal(inScale(value, type.scale), type.scale) : value;
  if (func === "coalesce") return args.map(scaled).find((value) => value !== null) ?? null;
  if (func === "greatest" || func === "least") {
    const sign = func === "greatest" ? 1 : -1;
    const known = args.map(scaled).filter((value) => value !== null);
    return known.reduce<Value>(
      (best, value) => (best === null || compared(value, best) * sign > 0 ? value : best),
      null,
    );
  }
  if (func === "concat") return args.filter((value) => value !== null).join("");
  if (func === "nullIf") {
    const [one, other] = [scaled(first), scaled(second)];
    return one !== null && other !== null && compared(one, other) === 0 ? null : one;
  }
  if (args.some((value) => value === null)) return null;
  switch (func) {
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "mod":
      if (type.kind === "dec") return calculatedDecimal(func, first, second, type.scale);
      if (type.kind === "num") return calculatedNumber(func, Number(first), Number(second));
      return calculatedWhole(func, first as bigint, second as bigint);
    case "neg":
    case "abs": {
      const turn = <N extends number | bigint>(value: N, minus: N): N =>
        func === "neg" || value < 0 ? minus : value;
      if (isDecimal(first)) return decimal(turn(first.units, -first.units), type.scale);
      if (typeof first === "number") return turn(first, -first) + 0;
      return in64Bits(turn(first as bigint, -(first as bigint)));
    }
    case "ceil":
    case "floor":
      if (isDecimal(first)) {
        const whole = first.units / power(first.scale);
        const rest = first.units % power(first.scale);
        return decimal(func === "ceil" ? whole + (rest > 0n ? 1n : 0n) : whole - (rest < 0n ? 1n : 0n), 0);
      }
      return (func === "ceil" ? Math.ceil(Number(first)) : Math.floor(Number(first))) + 0;
    case "round":
      if (!isDecimal(first)) return roundedNumber(Number(first), digits);
      return first.scale <= digits
        ? decimal(inScale(first, digits), digits)
        : decimal(halfAway(first.units, power(first.scale - digits)), digits);
    case "power":
      return raisedTo(Number(first), Number(second));
    case "sqrt": {
      const of = isDecimal(first) ? Number(textOfDecimal(first)) : Number(first);
      return of < 0 ? null : Math.sqrt(of);
    }
    case "length":
      return BigInt([...String(first)].length);
    case "upper":
      return raised(String(first));
    case "lower":
      return folded(String(first));
    case "trim":
      return String(first).replace(/^ +| +$/g, "");
    case "ltrim":
      return String(first).replace(/^ +/, "");
    case "rtrim":
      return String(first).replace(/ +$/, "");
    case "substring": {
      const from = Number(second) - 1;
      return [...String(first)].slice(from, from + Number(args[2])).join("");
    }
    case "replace":
      return second === "" ? first : String(first).split(String(second)).join(String(args[2]));
    default:
      throw new Error(`no such function: ${func}`);
  }
}

function ofDates({ func, unit }: Extract<Tree, { op: "date" }>, args: readonly Value[]): Value {
  const [first, second] = args;
  // A server may work out how far it is before it looks at the date.
  if (func === "dateAdd" && Math.abs(Number(second)) * least[unit as Unit] > 2 * (LAST - FIRST))
    throw new Beyond("no date is that far");
  if (first === null || second === null) return null;
  const date = first as Date;
  if (func === "dateTrunc") return truncated(unit as Exclude<Unit, "second">, date);
  if (func === "datePart") return BigInt(partOf(unit as Part, date));
  if (func === "dateDiff") return BigInt(difference(unit as Unit, date, second as Date));
  return inCalendar(date, Number(second as bigint), unit as Unit);
}

const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");
// The least length of each unit, in milliseconds.
const least: Readonly<Record<Unit, number>> = {
  year: 365 * 86_400_000,
  quarter: 90 * 86_400_000,
  month: 28 * 86_400_000,
  week: 7 * 86_400_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
};

function inCalendar(date: Date, count: number, unit: Unit): Date {
  const about = date.getTime() + count * least[unit];
  if (about < FIRST - 4e10 || about > LAST + 4e10) throw new Beyond("a date is beyond the calendar");
  const result = added(date, count, unit);
  const time = result.getTime();
  if (!(time >= FIRST && time <= LAST)) throw new Beyond("a date is beyond the calendar");
  return result;
}

// Where a step is absent there is null.
function stepped(document: unknown, { keys, type }: Extract<Tree, { op: "path" }>): Value {
  let at: unknown = document;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return null;
    at = (at as Readonly<Record<string | number, unknown>>)[key];
  }
  if (at === null || at === undefined) return null;
  return type.kind === "json" ? { json: at } : (at as number | string | boolean);
}

/** What an expression gives in a row. Everything in it is worked out, as a server may do. */
export function evaluate(tree: Tree, row: Row): Value {
  switch (tree.op) {
    case "field":
      return row[tree.name] ?? null;
    case "constant":
    case "param":
      return tree.value;
    case "path": {
      const document = row[tree.name] ?? null;
      return stepped(document === null ? null : (document as Json).json, tree);
    }
    case "call":
      return called(
        tree,
        tree.args.map((arg) => evaluate(arg, row)),
      );
    case "cast": {
      const value = evaluate(tree.args[0], row);
      return value === null ? null : castTo(tree.to, value);
    }
    case "date":
      return ofDates(
        tree,
        tree.args.map((arg) => evaluate(arg, row)),
      );
    case "when":
      return evaluateCondition(tree.condition, row);
    case "case": {
      const { scale } = tree.type;
      const label = (of: Tree): Value => {
        const value = evaluate(of, row);
        return isDecimal(value) ? decimal(inScale(value, scale), scale) : value;
      };
      const whens = tree.whens.map((when) => ({
        holds: evaluateCondition(when.condition, row),
        label: label(when.label),
      }));
      const otherwise = tree.otherwise === undefined ? null : label(tree.otherwise);
      const met = whens.find(({ holds }) => holds === true);
      return met === undefined ? otherwise : met.label;
    }
  }
}

/** Whether a condition holds in a row; null where that is not known. */
export function evaluateCondition(condition: Condition, row: Row): boolean | null {
  if (condition.op === "group") {
    const members = condition.members.map((member) => evaluateCondition(member, row));
    const decisive = condition.logic === "or";
    if (members.includes(decisive)) return decisive;
    return members.includes(null) ? null : !decisive;
  }
  if (condition.op === "not") {
    const member = evaluateCondition(condition.member, row);
    return member === null ? null : !member;
  }
  const left = evaluate(condition.left, row);
  if (condition.op === "null") return (left === null) === condition.is;
  const { operator, values } = condition;
  // Nothing is in a list of nothing, NULL neither.
  if (operator.endsWith(" IN") || operator === "IN") {
    if (values.length === 0) return operator === "NOT IN";
  }
  return left === null ? null : holds(operator, left, values);
}

function holds(operator: string, left: Exclude<Value, null>, values: readonly Value[]): boolean {
  const [first = null, second = null] = values;
  const order = first === null ? 0 : compared(left, first);
  const text = () => [String(left), String(first)] as const;
  const foldedText = () => text().map(folded) as [string, string];
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "IN":
      return values.some((value) => compared(left, value) === 0);
    case "NOT IN":
      return values.every((value) => compared(left, value) !== 0);
    case "BETWEEN":
      return order >= 0 && compared(left, second) <= 0;
    case "NOT BETWEEN":
      return order < 0 || compared(left, second) > 0;
    case "CONTAINS":
      return text()[0].includes(text()[1]);
    case "STARTS WITH":
      return text()[0].startsWith(text()[1]);
    case "ENDS WITH":
      return text()[0].endsWith(text()[1]);
    case "ICONTAINS":
      return foldedText()[0].includes(foldedText()[1]);
    case "ISTARTS WITH":
      return foldedText()[0].startsWith(foldedText()[1]);
    case "IENDS WITH":
      return foldedText()[0].endsWith(foldedText()[1]);
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}
