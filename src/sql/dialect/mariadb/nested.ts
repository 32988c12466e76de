/** Rows inside rows on MariaDB. */
import type { Storage } from "../../declare/declaration.js";
import {
  bytesFromHex,
  type NestedGrammar,
  type NestedSource,
  type NestedValue,
  unchanged,
} from "../grammar/nested.js";

const mariadbText: NestedValue = { template: "CAST({f} AS CHAR)" };
// A `float` is read as the double that it is, not by the digits that the server writes.
const mariadbDouble: NestedValue = { template: "CAST(CAST({f} AS DOUBLE) AS CHAR)" };
// A value that is declared as JSON would be embedded in other JSON unchanged.
const mariadbPlain: NestedValue = { template: "CONCAT({f})" };
// Longer than `max_allowed_packet`, the digits would be NULL.
const mariadbBytes: NestedValue = {
  template: "CASE WHEN {f} IS NOT NULL THEN COALESCE(HEX({f}), 0) END",
  read: bytesFromHex,
};

// A boolean of the server is a JSON boolean too; a column holds a number.
const mariadbTruth: NestedValue = {
  template: "{f}",
  read: (value) => (typeof value === "boolean" ? Number(value) : value),
};

function mariadbValue({ kind, integer }: Storage, source: NestedSource): NestedValue {
  switch (kind) {
    case "number":
      return integer === true ? unchanged : mariadbDouble;
    case "boolean":
      return source === "column" ? unchanged : mariadbTruth;
    case "text":
      return source === "column" ? unchanged : mariadbPlain;
    case "bytes":
      return mariadbBytes;
    case "json":
    case "array":
    case "vector":
      return mariadbPlain;
    default:
      return mariadbText;
  }
}

/**
 * Beyond `max_allowed_packet` the server cuts a list, and makes a row NULL, both without an error: so the length comes
 * before a list, and an existing row is never NULL.
 */
export const mariadbNested: NestedGrammar = {
  value: mariadbValue,
  inside: "{f}",
  insideAgain: "{f}",
  row: ["JSON_ARRAY(", ")"],
  one: ["COALESCE(", ", JSON_ARRAY())"],
  list: ["JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(", "))"],
  single: ["JSON_ARRAY(1, JSON_ARRAY(", "))"],
  counts: true,
  orders: true,
  limits: true,
  keepsOrder: false,
};
