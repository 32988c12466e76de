/** Merges the given parts of a document. */
import { isObject } from "../../core/values.js";

/** Merges objects at every depth. For all other values the second one is used. */
export function mergeObjects(under: object, over: object): object {
  const result = new Map<string, unknown>(Object.entries(over));
  for (const [key, value] of Object.entries(under)) {
    const own = result.get(key);
    if (own === undefined) result.set(key, value);
    else if (isObject(own) && isObject(value)) result.set(key, mergeObjects(value, own));
  }
  return Object.fromEntries(result);
}
