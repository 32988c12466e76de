/**
 * Duplicate keys of a table, as SQLite and MariaDB keep them: a second key over the same columns adds nothing, and a
 * declaration writes it once.
 */
import { isSameKey } from "../../dialect/grammar/names.js";
import type { CatalogKey, CatalogTable } from "../words/catalog.js";

/** The unique constraints of a table over the columns of its primary key, or of an earlier unique constraint. */
export function keysSaidTwice({ primaryKey, keys }: CatalogTable): ReadonlySet<CatalogKey> {
  const first: CatalogKey[] = primaryKey === null ? [] : [primaryKey];
  const twice = new Set<CatalogKey>();
  for (const key of keys) {
    if (saysOneOf(key, first)) twice.add(key);
    else first.push(key);
  }
  return twice;
}

/** Whether one of these keys is over the same columns. */
export function saysOneOf({ columns }: CatalogKey, keys: readonly CatalogKey[]): boolean {
  return keys.some((one) => isSameKey(one.columns, columns));
}
