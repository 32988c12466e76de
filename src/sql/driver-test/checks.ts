/** What a test of a driver says when it fails: a sentence with what the driver did and what is expected. */
import { isSqlError } from "../words/errors.js";

/** The longest that one test may take, in milliseconds. */
const MOST_MS = 10_000;

/** Fails with a sentence. */
export function fail(sentence: string): never {
  throw new Error(sentence);
}

/** Checks that two values are the same, to the last bit. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isSame(actual, expected)) return;
  fail(`${what}: the driver gave ${shown(actual)}, and ${shown(expected)} is expected`);
}

/** Checks a fact. */
export function holds(fact: boolean, sentence: string): void {
  if (!fact) fail(sentence);
}

/** The error of a call that must fail. */
export async function errorOf(call: () => unknown, what: string): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return fail(`${what}: the driver reported no error, and one is expected`);
}

/** Checks the code of an error of rowtype, and some of its fields. */
export async function failsWith(
  call: () => unknown,
  code: string | readonly string[],
  what: string,
  fields?: readonly string[],
): Promise<void> {
  const error = await errorOf(call, what);
  if (!isSqlError(error)) fail(`${what}: the error is none of rowtype: ${String(error)}`);
  const codes = typeof code === "string" ? [code] : code;
  if (!codes.includes(error.code))
    fail(`${what}: the error is ${error.code} (${error.message}), and ${codes.join(" or ")} is expected`);
  if (fields !== undefined) same(Object(error).fields, fields, `${what}: the fields of the error`);
}

/** Ends with an error when the work takes too long. */
export async function inTime<T>(work: Promise<T>, what: string, ms: number = MOST_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error(`${what}: the driver did not answer in ${ms / 1_000} s`));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array || Array.isArray(a) || Array.isArray(b))
    return false;
  const [x, y] = [Object.entries(a), Object.entries(b)];
  return x.length === y.length && x.every(([name, value]) => isSame(value, Reflect.get(b, name)));
}

const LONGEST = 200;

function shown(value: unknown): string {
  const text =
    JSON.stringify(value, (_, one: unknown) => {
      if (typeof one === "bigint") return `${one}n`;
      return one instanceof Uint8Array ? `bytes ${[...one.subarray(0, 40)].join(" ")}` : one;
    }) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
