/**
 * Keys that tell steps of a chain, conditions and expressions apart, so that what was made of one before is found
 * again. Text and numbers have keys; what holds an object of somebody else's has none, nor has text with a NUL, which
 * could pass for the key of something else.
 */

/** The key of a step with text for arguments; undefined where one is something else. */
export function keyOf(
  step: string,
  a: unknown,
  b: unknown = "",
  c: unknown = "",
  d: unknown = "",
  e: unknown = "",
): string | undefined {
  if (
    typeof a !== "string" ||
    typeof b !== "string" ||
    typeof c !== "string" ||
    typeof d !== "string" ||
    typeof e !== "string"
  )
    return undefined;
  return `${a}${b}${c}${d}${e}`.includes("\0") ? undefined : `${step}\0${a}\0${b}\0${c}\0${d}\0${e}`;
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
  }
  return key;
}

/** Text is its own key. */
export function textKey(value: unknown): string | undefined {
  return typeof value === "string" && !value.includes("\0") ? value : undefined;
}
