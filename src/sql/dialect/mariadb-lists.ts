/**
 * Lists that are too long for a placeholder each: one parameter, a JSON array that the server reads as a table. Its
 * values have the type of the column, or as text no collation of their own, so that they compare as placeholders do.
 */
import type { Storage } from "../declare/declaration.js";
import type { ListTable } from "./grammar.js";

// A column so wide can be looked up in a temporary table.
const MOST_CHARACTERS = 500;

// MariaDB takes such a table for short, and would read it anew for each row that is changed.
const READ_ONCE = "SET STATEMENT optimizer_switch = 'materialization=on,in_to_exists=off' FOR ";

export const jsonTable: ListTable = {
  list(items, storage) {
    const { type, value = "v", json } = formOf(items, storage);
    return {
      before: `SELECT ${value} FROM JSON_TABLE(`,
      // Without the last words a value that is none of the type would be NULL, and NOT IN find nothing.
      after: `, '$[*]' COLUMNS (v ${type} PATH '$' ERROR ON ERROR)) AS rowtype_list`,
      value: JSON.stringify(items.map(json)),
    };
  },
  statement: (sql) => (/^(UPDATE|DELETE) /.test(sql) ? READ_ONCE + sql : sql),
};

interface ItemForm {
  readonly type: string;
  /** What is compared, made of `v`. */
  readonly value?: string;
  readonly json: (item: unknown) => unknown;
}

function formOf(items: readonly unknown[], storage: Storage | undefined): ItemForm {
  const same = (item: unknown) => item;
  if (items.some((item) => item instanceof Uint8Array))
    return { type: "longtext CHARACTER SET ascii", value: "UNHEX(v)", json: hexOf };
  if (items.every((item) => typeof item === "number"))
    return { type: items.every((item) => Number.isSafeInteger(item)) ? "bigint" : "double", json: same };
  if (storage?.kind === "bigint") return { type: "bigint", json: same };
  if (storage?.kind === "date") return { type: "datetime(6)", json: same };
  const longest = items.reduce((most: number, item) => Math.max(most, String(item).length), 1);
  // What these functions give is compared by the collation of the column, as a value is; what a column gives is not.
  const text = "JSON_UNQUOTE(JSON_QUOTE(v))";
  return longest > MOST_CHARACTERS
    ? { type: "longtext CHARACTER SET utf8mb4", value: text, json: same }
    : { type: `varchar(${longest}) CHARACTER SET utf8mb4`, value: `LEFT(${text}, ${longest})`, json: same };
}

function hexOf(item: unknown): unknown {
  return item instanceof Uint8Array
    ? Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString("hex")
    : item;
}
