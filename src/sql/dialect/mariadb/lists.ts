/**
 * Lists that are too long for a placeholder each: one parameter, a JSON array that the server reads as a table.
 * Its values have the type of the column, or for text no collation of their own, so that they compare as
 * placeholders do.
 */
import type { Storage } from "../../declare/declaration.js";
import { hexOf, type ListTable } from "../grammar/records.js";
import { withSetting } from "./settings.js";

// A column of this width can be looked up in a temporary table.
const MOST_CHARACTERS = 500;

// MariaDB estimates such a table as short, and would read it again for each changed row.
const READ_ONCE = "optimizer_switch = 'materialization=on,in_to_exists=off'";

export const jsonTable: ListTable = {
  list(items, storage) {
    const { type, value = "v", json } = formOf(items, storage);
    return {
      before: `SELECT ${value} FROM JSON_TABLE(`,
      // Without the last clause, a value of the wrong type would be NULL, and NOT IN would match no row.
      after: `, '$[*]' COLUMNS (v ${type} PATH '$' ERROR ON ERROR)) AS rowtype_list`,
      value: JSON.stringify(items.map(json)),
    };
  },
  statement: (sql) =>
    /^(SET STATEMENT .* FOR )?(UPDATE|DELETE) /.test(sql) ? withSetting(READ_ONCE, sql) : sql,
};

interface ItemForm {
  readonly type: string;
  /** The compared expression, made from `v`. */
  readonly value?: string;
  readonly json: (item: unknown) => unknown;
}

function formOf(items: readonly unknown[], storage: Storage | undefined): ItemForm {
  const same = (item: unknown) => item;
  if (items.some((item) => item instanceof Uint8Array))
    return { type: "longtext CHARACTER SET ascii", value: "UNHEX(v)", json: hexOf };
  if (items.every((item) => typeof item === "number"))
    return { type: items.every((item) => Number.isSafeInteger(item)) ? "bigint" : "double", json: same };
  if (storage?.kind === "decimal") return { type: `decimal(65, ${storage.scale ?? 0})`, json: same };
  if (storage?.kind === "bigint") return { type: "bigint", json: same };
  if (storage?.kind === "date") return { type: "datetime(6)", json: same };
  const longest = items.reduce((most: number, item) => Math.max(most, String(item).length), 1);
  // The result of these functions is compared by the collation of the column, as a parameter is; a column of the
  // table is not.
  const text = "JSON_UNQUOTE(JSON_QUOTE(v))";
  return longest > MOST_CHARACTERS
    ? { type: "longtext CHARACTER SET utf8mb4", value: text, json: same }
    : { type: `varchar(${longest}) CHARACTER SET utf8mb4`, value: `LEFT(${text}, ${longest})`, json: same };
}
