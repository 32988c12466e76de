/**
 * What a parameter's text can stand for: scalars, and lists of them. Text that is not such a form is handed back as
 * it came, for Zod to refuse.
 */
import type { Convert } from "./wire-compile.js";

/** How the text of one parameter is read. */
export interface TextReader {
  /** An array or a set: repeated keys are its items. */
  readonly list: boolean;
  /** What the items of a set are put into; without it they are an array. */
  readonly collect?: (items: readonly unknown[]) => unknown;
  /** Reads one occurrence. */
  readonly read: (text: string) => unknown;
  /** What stands for an absent parameter: `[]` for a required list, else `undefined`. */
  readonly absent: () => unknown;
}

const INTEGER = /^-?\d+$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const asText: Convert = (text) => text;

export function integerFromText(text: unknown): unknown {
  return typeof text === "string" && INTEGER.test(text) ? Number(text) : text;
}

export function numberFromText(text: unknown): unknown {
  return typeof text === "string" && NUMBER.test(text) ? Number(text) : text;
}

export function booleanFromText(text: unknown): unknown {
  return text === "true" ? true : text === "false" ? false : text;
}

/** The reader of a list whose items are read by `read`. */
export function listReader(read: Convert, required: boolean, isSet: boolean): TextReader {
  const list = { list: true, read } as const;
  if (isSet) {
    return { ...list, collect: (items) => new Set(items), absent: () => (required ? new Set() : undefined) };
  }
  return { ...list, absent: () => (required ? [] : undefined) };
}

/** Numbers, booleans and bigints among the allowed values are found by their text. */
export function oneOf(values: readonly unknown[]): Convert {
  const byText = new Map(values.map((value) => [String(value), value]));
  return (text) => (typeof text === "string" && byText.has(text) ? byText.get(text) : text);
}
