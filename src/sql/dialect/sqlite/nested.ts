/** Rows inside rows on SQLite. */
import type { Storage } from "../../declare/declaration.js";
import {
  bytesFromHex,
  type NestedGrammar,
  type NestedSource,
  type NestedValue,
  unchanged,
} from "../grammar/nested.js";

// Any column may hold values of any type: only doubles are written with all digits, and only bytes as hex.
const sqliteDouble: NestedValue = {
  template: "CASE typeof({f}) WHEN 'real' THEN printf('%!.17g', {f}) ELSE {f} END",
};
const sqliteBytes: NestedValue = {
  template: "CASE typeof({f}) WHEN 'blob' THEN hex({f}) WHEN 'null' THEN NULL ELSE 0 END",
  read: bytesFromHex,
};
const sqliteDigits: NestedValue = { template: "CAST({f} AS TEXT)" };
const sqliteUnits: NestedValue = {
  template: "CAST({f} AS TEXT)",
  read: (value) => (typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : value),
};
// The result of a JSON function would be embedded in other JSON unchanged.
const sqliteText: NestedValue = { template: "({f} || '')" };

function sqliteValue({ kind, integer }: Storage, source: NestedSource): NestedValue {
  switch (kind) {
    case "number":
      return integer === true ? unchanged : sqliteDouble;
    case "bigint":
      return sqliteDigits;
    case "decimal":
      return sqliteUnits;
    case "bytes":
      return sqliteBytes;
    case "boolean":
    case "date":
      return unchanged;
    default:
      return source === "expression" ? sqliteText : unchanged;
  }
}

export const sqliteNested: NestedGrammar = {
  value: sqliteValue,
  inside: "{f}",
  insideAgain: "json({f})",
  row: ["json_array(", ")"],
  mostValues: 100,
  one: ["", ""],
  list: ["json_group_array(", ")"],
  orders: false,
  keepsOrder: true,
};
