/**
 * The function that converts a value when SQLite copies a table to change the kind of a column: the driver registers
 * it. A value becomes what PostgreSQL's cast would make of it; a value that no cast accepts is an error, which stops
 * the copy. SQLite's own cast reads what it can and drops the rest.
 */
import { fromUnits } from "../../kind/decimals.js";
import { encodeUtcText } from "../grammar/dates.js";
import { dateFromText, finerThanMs } from "../grammar/values.js";

/** Its name in SQL: `rowtype_convert("a", 'decimal(10,2)', 'text')`. */
export const CONVERT = "rowtype_convert";

/**
 * How a column keeps its values: as whole numbers, doubles, text or bytes, if only their SQLite type is known; and, if
 * a declaration says it, what these mean. With `any`, each value has its own type; `decimal text` is the text of decimals.
 */
export type StorageForm =
  | "integer"
  | "number"
  | "text"
  | "decimal text"
  | "bytes"
  | "any"
  | "boolean"
  | "date"
  | "milliseconds"
  | "json"
  | "list"
  | `decimal(${number},${number})`;

/** Whether values of one kind can become values of another. A single value may still not be convertible. */
export function canBecome(from: StorageForm, to: StorageForm): boolean {
  if (from === to) return true;
  return SOURCES[withoutDigits(from)].includes(withoutDigits(to));
}

type Family = Exclude<StorageForm, `decimal(${string}`> | "decimal";

function withoutDigits(kept: StorageForm): Family {
  // Only the digits are cut off.
  return kept.replace(/\(.*$/, "") as Family;
}

const NUMBERS: readonly Family[] = ["integer", "number", "decimal", "decimal text"];
const ALL: readonly Family[] = [
  ...NUMBERS,
  "any",
  "text",
  "boolean",
  "date",
  "milliseconds",
  "json",
  "list",
  "bytes",
];

/** The kinds to which PostgreSQL casts a kind; a boolean becomes a number through an integer. */
const SOURCES: Readonly<Record<Family, readonly Family[]>> = {
  integer: [...NUMBERS, "text", "boolean", "any"],
  number: [...NUMBERS, "text", "any"],
  decimal: [...NUMBERS, "text", "any"],
  boolean: [...NUMBERS, "text", "boolean"],
  // Dates, JSON and lists are text too, and none of these becomes bytes.
  text: ALL.filter((family) => family !== "bytes"),
  "decimal text": [...NUMBERS, "text", "any"],
  any: ALL,
  bytes: ["bytes", "text", "any"],
  date: ["text", "date", "milliseconds"],
  milliseconds: ["text", "date", "milliseconds"],
  json: [...NUMBERS, "text", "boolean", "json"],
  list: ["text", "list"],
};

/**
 * Converts a value.
 * @param value as SQLite passes it: whole numbers are bigints.
 * @throws {Error} for a value that cannot be converted; the message does not contain it.
 */
export function convert(value: unknown, from: StorageForm, to: StorageForm): unknown {
  if (value === null) return null;
  const result = targets[withoutDigits(to)](sourceOf(value, from), to);
  if (result !== undefined) return result;
  const message = `a value of the kind ${from} cannot be converted to ${to}`;
  throw Object.assign(new Error(message), { code: "SQLITE_ERROR" });
}

/** The meaning of a value. */
type Source =
  | { readonly is: "exact"; readonly units: bigint; readonly scale: number }
  | { readonly is: "double"; readonly value: number }
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "bytes"; readonly bytes: Uint8Array }
  | { readonly is: "boolean"; readonly flag: boolean }
  | { readonly is: "time"; readonly date: Date };

// The stored value decides: a column of one type may hold a value of another.
function sourceOf(value: unknown, from: StorageForm): Source {
  if (value instanceof Uint8Array) return { is: "bytes", bytes: value };
  if (typeof value === "string") return { is: "text", text: value };
  if (typeof value === "number") return { is: "double", value };
  const units = BigInt(String(value));
  if (from === "boolean" && (units === 0n || units === 1n)) return { is: "boolean", flag: units === 1n };
  if (from === "milliseconds") return { is: "time", date: new Date(Number(units)) };
  return { is: "exact", units, scale: digitsOf(from).scale };
}

type Target = (source: Source, to: StorageForm) => unknown;

const targets: Readonly<Record<Family, Target>> = {
  any: (source) => storedAs(source),
  integer: (source) => inRange(rounded(exactOf(source, "whole"), 0)),
  number: toNumber,
  decimal: (source, to) => {
    const { precision, scale } = digitsOf(to);
    const units = rounded(exactOf(source, "decimal"), scale);
    const most = 10n ** BigInt(precision);
    return units !== undefined && units < most && units > -most ? units : undefined;
  },
  boolean: (source) => flag(truthOf(source)),
  text: toText,
  "decimal text": (source) => {
    const exact = exactOf(source, "decimal");
    return exact === undefined ? undefined : digits(exact);
  },
  date: (source) => {
    const date = dateOf(source);
    return date === undefined ? undefined : encodeUtcText(date);
  },
  milliseconds: (source) => {
    const date = dateOf(source);
    return date === undefined ? undefined : BigInt(date.getTime());
  },
  json: (source) => (source.is === "text" && parsed(source.text) !== undefined ? source.text : undefined),
  list: (source) =>
    source.is === "text" && Array.isArray(parsed(source.text)?.json) ? source.text : undefined,
  bytes: (source) => (source.is === "bytes" ? source.bytes : undefined),
};

function storedAs(source: Source): unknown {
  if (source.is === "exact") return source.scale === 0 ? source.units : toNumber(source);
  if (source.is === "double") return source.value;
  return source.is === "bytes" ? source.bytes : toText(source);
}

function digitsOf(kept: StorageForm): { readonly precision: number; readonly scale: number } {
  const [, precision = "0", scale = "0"] = /\((\d+),(\d+)\)/.exec(kept) ?? [];
  return { precision: Number(precision), scale: Number(scale) };
}

interface Exact {
  readonly units: bigint;
  readonly scale: number;
  /** Whether halves are rounded to the even number, as those of doubles are. */
  readonly toEven?: boolean;
}

const DECIMAL = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?\s*$/i;
const WHOLE = /^\s*[+-]?\d+\s*$/;

function exactOf(source: Source, as: "whole" | "decimal"): Exact | undefined {
  switch (source.is) {
    case "exact":
      return source;
    case "boolean":
      return { units: source.flag ? 1n : 0n, scale: 0 };
    case "double":
      if (!Number.isFinite(source.value)) return undefined;
      // For a decimal, PostgreSQL takes the 15 digits that every double has.
      return as === "whole" ? exactDouble(source.value) : exactText(source.value.toPrecision(15));
    case "text":
      return as === "whole" && !WHOLE.test(source.text) ? undefined : exactText(source.text);
    default:
      return undefined;
  }
}

function exactDouble(value: number): Exact {
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  // Only this decides: less than a half, a half, or more.
  const tenths = rest === 0.5 ? 5n : rest < 0.5 ? 0n : 9n;
  const units = BigInt(whole) * 10n + (value < 0 ? -tenths : tenths);
  return { units, scale: 1, toEven: true };
}

function exactText(text: string): Exact | undefined {
  const [, sign, digits = "", fraction = "", power = "0"] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || digits + fraction === "") return undefined;
  const units = BigInt(digits + fraction) * (sign === "-" ? -1n : 1n);
  const scale = fraction.length - Number(power);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** A number rounded to the given digits after the point, as a whole number of the last digit. */
function rounded(exact: Exact | undefined, scale: number): bigint | undefined {
  if (exact === undefined) return undefined;
  const more = scale - exact.scale;
  if (more >= 0) return exact.units * 10n ** BigInt(more);
  const unit = 10n ** BigInt(-more);
  const amount = exact.units < 0n ? -exact.units : exact.units;
  const [whole, twice] = [amount / unit, (amount % unit) * 2n];
  const isUp = twice > unit || (twice === unit && (exact.toEven !== true || whole % 2n === 1n));
  const result = isUp ? whole + 1n : whole;
  return exact.units < 0n ? -result : result;
}

const BEYOND = 2n ** 63n;

function inRange(units: bigint | undefined): bigint | undefined {
  return units !== undefined && units < BEYOND && units >= -BEYOND ? units : undefined;
}

const DOUBLE = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

function toNumber(source: Source): number | undefined {
  switch (source.is) {
    case "double":
      return source.value;
    case "exact":
      return Number(digits(source));
    case "boolean":
      return source.flag ? 1 : 0;
    case "text": {
      const value = DOUBLE.test(source.text) ? Number(source.text) : Number.NaN;
      // A number that is too small would become zero.
      const isLost = value === 0 && /[1-9]/.test(source.text.replace(/e.*$/i, ""));
      return Number.isFinite(value) && !isLost ? value : undefined;
    }
    default:
      return undefined;
  }
}

function toText(source: Source): string {
  switch (source.is) {
    case "text":
      return source.text;
    case "exact":
      return digits(source);
    case "double":
      return String(source.value);
    case "boolean":
      return String(source.flag);
    case "time":
      return encodeUtcText(source.date);
    case "bytes":
      return `\\x${Buffer.from(source.bytes).toString("hex")}`;
  }
}

function digits({ units, scale }: Exact): string {
  return String(fromUnits(units, { kind: "decimal", scale }));
}

const TRUE = /^\s*(?:t|tr|tru|true|y|ye|yes|on|1)\s*$/i;
const FALSE = /^\s*(?:f|fa|fal|fals|false|n|no|of|off|0)\s*$/i;

function truthOf(source: Source): boolean | undefined {
  if (source.is === "boolean") return source.flag;
  if (source.is === "exact" && source.scale === 0)
    return source.units === 1n ? true : source.units === 0n ? false : undefined;
  if (source.is !== "text") return undefined;
  return TRUE.test(source.text) ? true : FALSE.test(source.text) ? false : undefined;
}

function flag(truth: boolean | undefined): bigint | undefined {
  return truth === undefined ? undefined : truth ? 1n : 0n;
}

function dateOf(source: Source): Date | undefined {
  const date =
    source.is === "time"
      ? source.date
      : source.is === "text" && !finerThanMs(source.text)
        ? dateFromText(source.text.trim())
        : undefined;
  const year = date?.getUTCFullYear() ?? 0;
  return year >= 1 && year <= 9999 ? date : undefined;
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
