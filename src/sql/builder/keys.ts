/** The keys of a part of a table. */
import type { AnyTable } from "../declare/declaration.js";

/** A key of a table, with the fields that have the same value in all of its rows. An empty key stands for every key. */
export function withFixed(key: readonly string[], { fixed }: Pick<AnyTable, "fixed">): readonly string[] {
  return fixed === undefined || key.length === 0 ? key : [...new Set([...key, ...fixed.keys()])];
}
