/**
 * Keys that identify steps of a chain, conditions and expressions, so that a cached result is found again. Names and
 * numbers have keys. An object of the caller has no key. Text with a NUL has none, because it could equal another key.
 * Text longer than any name has none, because it would only use memory.
 */

import { BuilderOnly } from "./builder-only.js";

/** Longer than any name, and than all names of a wide table together. */
const LONGEST_PART = 256;
const LONGEST = 8_192;

/** The key of a step with names and expressions as arguments; undefined if one is something else or is missing. */
export function keyOf(step: string | undefined, ...parts: readonly unknown[]): string | undefined {
  if (step === undefined) return undefined;
  let key = step;
  for (const part of parts) {
    const one = isName(part) ? part : keyInside(part);
    if (one === undefined || key.length > LONGEST) return undefined;
    key += `\0${one}`;
  }
  return key;
}

/** The key of a step with a number for its argument. */
export function countKey(step: string, count: unknown): string | undefined {
  return typeof count === "number" ? `${step}#${count}` : undefined;
}

/** The key of a step with a draft for its argument; undefined for one without an id. */
export function draftKey(step: string, id: number | undefined): string | undefined {
  return id === undefined ? undefined : `${step}${DRAFT}${id}`;
}

/** What precedes the id of a draft in a key. */
export const DRAFT = "@";

/** The key of a step with a list of values that have keys. */
export function listKey(
  step: string,
  items: readonly unknown[],
  keyOfItem: (item: unknown) => string | undefined,
): string | undefined {
  // The length comes first, so that lists of different lengths have different keys.
  let key = `${step}#${items.length}`;
  for (const item of items) {
    const one = keyOfItem(item);
    if (one === undefined) return undefined;
    key += `\0${one}`;
    if (key.length > LONGEST) return undefined;
  }
  return key;
}

/** A name is its own key. */
export function textKey(value: unknown): string | undefined {
  return isName(value) ? value : undefined;
}

/** The key of a name or an expression. */
export function operandKey(value: unknown): string | undefined {
  return isName(value) ? value : keyInside(value);
}

// A value that is not a name follows an empty part, and no name is empty.
function keyInside(value: unknown): string | undefined {
  const key = BuilderOnly.isOne(value) ? value.key : undefined;
  return key === undefined ? undefined : `\0${key}`;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_PART && !value.includes("\0");
}
