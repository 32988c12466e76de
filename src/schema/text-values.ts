/**
 * The scalars that a parameter's text can stand for. Text that is not such a form is handed back as it came, for
 * Zod to refuse.
 */
import type { Convert } from "./wire-decode.js";

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

/** Numbers, booleans and bigints among the allowed values are found by their text. */
export function oneOf(values: readonly unknown[]): Convert {
  const byText = new Map(values.map((value) => [String(value), value]));
  return (text) => (typeof text === "string" && byText.has(text) ? byText.get(text) : text);
}
