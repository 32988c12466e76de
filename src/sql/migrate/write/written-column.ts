/** A column of a catalog as a declaration is written, in the form of standard SQL. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { CatalogColumn } from "../words/catalog.js";

/**
 * Writes columns without their names.
 * @param defaultOf the expression after DEFAULT.
 */
export function standardColumn(
  { quote }: Grammar,
  defaultOf: (expression: string) => string,
): (column: CatalogColumn, isKey: boolean) => string {
  return ({ type, collation, nullable, default: said, generated, computed }, isKey) => {
    if (isKey) return `INTEGER PRIMARY KEY AUTOINCREMENT${nullable ? "" : " NOT NULL"}`;
    const stored = computed?.stored === true ? "STORED" : "VIRTUAL";
    return [
      type,
      ...(collation === null ? [] : [`COLLATE ${quote(collation)}`]),
      ...(generated === false
        ? []
        : [`GENERATED ${generated === "always" ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`]),
      ...(computed === null ? [] : [`GENERATED ALWAYS AS (${computed.expression}) ${stored}`]),
      ...(said === null ? [] : [`DEFAULT ${defaultOf(said)}`]),
      ...(nullable ? [] : ["NOT NULL"]),
    ]
      .filter((part) => part !== "")
      .join(" ");
  };
}
