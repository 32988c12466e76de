/** Documents that are given in parts, as one. */
import { isObject } from "../../core/values.js";

/** Objects are merged, at every depth; of everything else the second is taken. */
export function mergeObjects(under: object, over: object): object {
  const result = new Map<string, unknown>(Object.entries(over));
  for (const [key, value] of Object.entries(under)) {
    const own = result.get(key);
    if (own === undefined) result.set(key, value);
    else if (isObject(own) && isObject(value)) result.set(key, mergeObjects(value, own));
  }
  return Object.fromEntries(result);
}
