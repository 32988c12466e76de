/**
 * Keys that tell steps of a chain, conditions and expressions apart, so that what was made of one before is found
 * again. Names and numbers have keys; what holds an object of somebody else's has none, nor has text with a NUL, which
 * could pass for the key of something else, nor text that is longer than any name: it would only be kept.
 */

/** Longer than any name, and than the names of a wide table together. */
const LONGEST_PART = 256;
const LONGEST = 8_192;

/** The key of a step with text for arguments; undefined where one is something else, or is missing. */
export function keyOf(step: string, ...parts: readonly unknown[]): string | undefined {
  let key = step;
  for (const part of parts) {
    if (!isName(part)) return undefined;
    key += `\0${part}`;
  }
  return key;
}

/** The key of a step with a number for its argument. */
export function countKey(step: string, count: unknown): string | undefined {
  return typeof count === "number" ? `${step}#${count}` : undefined;
}

/** The key of a step with a list of things that have keys. */
export function listKey(
  step: string,
  items: readonly unknown[],
  keyOfItem: (item: unknown) => string | undefined,
): string | undefined {
  // With their number before them, lists of other lengths have other keys.
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

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST_PART && !value.includes("\0");
}
