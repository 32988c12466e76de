/**
 * Whether a column that rowtype did not create can hold the values of a declaration without a type: then its type is
 * not a difference. A column that rowtype created is recognised by its collation, and compared exactly.
 */
import type { Storage } from "../../declare/declaration.js";
import type { Kind } from "../../words/kinds.js";
import type { CatalogColumn } from "../words/catalog.js";

/** The types of a dialect that hold the values of a kind. */
export type HoldingTypes = Readonly<Partial<Record<Kind, RegExp>>>;

/**
 * Whether rowtype reads and writes such values in a column of that type.
 * @param floats the types of numbers that are not whole.
 * @param ours the collation of the columns that rowtype creates.
 */
export function holdsBy(
  types: HoldingTypes,
  floats: RegExp,
  ours: (collation: string) => boolean,
): (column: CatalogColumn, storage: Storage) => boolean {
  return ({ type, collation }, storage) => {
    if (collation !== null && ours(collation)) return false;
    return typesFor(types, floats, storage)?.test(type) ?? false;
  };
}

function typesFor(types: HoldingTypes, floats: RegExp, { kind, integer, item }: Storage): RegExp | undefined {
  if (kind === "number") return integer === true ? types.bigint : floats;
  if (kind !== "array" || types.array !== undefined) return types[kind];
  const inner = item === undefined ? undefined : typesFor(types, floats, item);
  return inner === undefined
    ? undefined
    : new RegExp(`(?=.*\\[\\]$)${inner.source.replace(/\$$/, "\\[\\]$")}`);
}
