/** Parts of a table that are dropped, added and kept: paired by their content, and not by their names. */
import { saysOneOf } from "../catalog/same-keys.js";
import type { CatalogIndex, CatalogKey } from "../words/catalog.js";

/** The dropped and the added parts. */
export interface Replaced<T> {
  readonly drop: readonly T[];
  readonly add: readonly T[];
  /** The kept parts: as they exist, and as they are declared. */
  readonly kept: readonly (readonly [actual: T, declared: T])[];
}

/** Pairs the entries with the same text in both lists, one for one. */
export function exchange<T extends { readonly name: string | null }>(
  actual: readonly T[],
  declared: readonly T[],
  textOf: (one: T) => string,
  wantedText: (one: T) => string,
): Replaced<T> {
  const left = actual.map((one) => ({ one, text: textOf(one) }));
  const add: T[] = [];
  const kept: (readonly [T, T])[] = [];
  for (const wanted of declared) {
    const text = wantedText(wanted);
    const same = left.filter((one) => one.text === text);
    const found = same.find(({ one }) => one.name === wanted.name) ?? same[0];
    if (found === undefined) add.push(wanted);
    else {
      kept.push([found.one, wanted]);
      left.splice(left.indexOf(found), 1);
    }
  }
  return { drop: left.map(({ one }) => one), add, kept };
}

/** A key that stays under another name is not dropped. */
export function withoutTwins(
  keys: Replaced<CatalogKey>,
  primaryKey: Replaced<CatalogKey>,
): Replaced<CatalogKey> {
  const stay = [...primaryKey.kept, ...keys.kept].map(([actual]) => actual);
  return { ...keys, drop: keys.drop.filter((key) => !saysOneOf(key, stay)) };
}

/** A declaration cannot say that rows were not checked; such a part stays if nobody declares it. */
export function withoutUnchecked<T extends { readonly validated: boolean }>(found: Replaced<T>): Replaced<T> {
  return { ...found, drop: found.drop.filter(({ validated }) => validated) };
}

/** A unique index on whole columns is equivalent to a key on them. */
export function withUniqueIndexes(
  keys: Replaced<CatalogKey>,
  indexes: Replaced<CatalogIndex>,
  keyText: (key: CatalogKey) => string,
  wantedKey: (key: CatalogKey) => string,
): { readonly keys: Replaced<CatalogKey>; readonly indexes: Replaced<CatalogIndex> } {
  const asKey = ({ name, unique, columns, where, using, valid }: CatalogIndex): CatalogKey | undefined => {
    const names = columns.filter((column) => typeof column === "string");
    const isKey = unique && valid && where === null && using === null;
    return isKey && names.length > 0 && names.length === columns.length
      ? { name, columns: names }
      : undefined;
  };
  const textOf = (index: CatalogIndex, text: (key: CatalogKey) => string) => {
    const key = asKey(index);
    return key === undefined ? undefined : text(key);
  };
  const lostIndexes = new Set(indexes.drop.map((index) => textOf(index, keyText)));
  const lostKeys = new Set(keys.drop.map(keyText));
  const wantedKeys = new Set(keys.add.map(wantedKey));
  const wantedIndexes = new Set(indexes.add.map((index) => textOf(index, wantedKey)));
  return {
    keys: {
      kept: keys.kept,
      drop: keys.drop.filter((key) => !wantedIndexes.has(keyText(key))),
      add: keys.add.filter((key) => !lostIndexes.has(wantedKey(key))),
    },
    indexes: {
      kept: indexes.kept,
      drop: indexes.drop.filter((index) => !wantedKeys.has(textOf(index, keyText) ?? "")),
      add: indexes.add.filter((index) => !lostKeys.has(textOf(index, wantedKey) ?? "")),
    },
  };
}
