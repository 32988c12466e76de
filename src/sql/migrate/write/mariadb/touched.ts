/** What MariaDB changes without its views. */
import type { TableDelta } from "../../diff/compare.js";
import type { Touched } from "../dialect.js";

/** The tables whose views are made again: a view keeps the names and the types of the time at which it was created. */
export function touchedOnMariadb({
  actual,
  declared,
  renames,
  added,
  dropped,
  changed,
}: TableDelta): Touched[] {
  const isOther =
    actual.name !== declared.catalog.name ||
    renames.size > 0 ||
    added.length > 0 ||
    dropped.length > 0 ||
    changed.some(({ type }) => type);
  const { schema, name } = actual;
  return isOther ? [{ schema, name, step: "the change of its table" }] : [];
}
