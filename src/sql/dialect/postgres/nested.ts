/** Rows inside rows on PostgreSQL. */
import type { Storage } from "../../declare/declaration.js";
import { type NestedGrammar, type NestedSource, type NestedValue, unchanged } from "../grammar/nested.js";

const postgresText: NestedValue = { template: "CAST({f} AS text)" };

// The server would write `true`, but the driver gives `t`.
const postgresBoolean: NestedValue = {
  template: "{f}",
  read: (value) => (value === true ? "t" : value === false ? "f" : value),
};

// A cast would remove the blanks at the end of a `char(n)`.
const postgresDeclared: NestedValue = {
  template: "CASE WHEN {f} IS NOT NULL THEN format('%s', {f}) END",
};

/** As text, a value is the same as from the driver. */
function postgresValue({ kind }: Storage, source: NestedSource): NestedValue {
  if (kind === "boolean") return postgresBoolean;
  if (kind === "number") return unchanged;
  if (kind !== "text" || source === "expression") return postgresText;
  return source === "column" ? unchanged : postgresDeclared;
}

export const postgresNested: NestedGrammar = {
  value: postgresValue,
  inside: "{f}",
  insideAgain: "{f}",
  row: ["json_build_array(", ")"],
  mostValues: 100,
  one: ["", ""],
  list: ["coalesce(json_agg(", "), '[]')"],
  orders: true,
  keepsOrder: true,
};
