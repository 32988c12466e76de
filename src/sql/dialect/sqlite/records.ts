/** Records as one JSON text, which SQLite reads as a table by `json_each`. */
import { hexItem, jsonRecords, type RecordsForm } from "../grammar/records.js";

export const sqliteRecords: RecordsForm = {
  carried: ({ storage }) =>
    storage.kind === "bytes"
      ? { column: "unhex({0})", value: "{0}", item: hexItem }
      : { column: "{0}", value: "{0}", item },
  table: (columns, { table, position, columns: names }) => {
    const of = columns.map(
      ({ column }, i) => `${column.replace("{0}", `json_extract(value, '$[${i}]')`)} AS ${names[i]}`,
    );
    return `(SELECT ${[`key + 1 AS ${position}`, ...of].join(", ")} FROM json_each(?)) AS ${table}`;
  },
  values: jsonRecords,
  modify: "UPDATE {table} SET {set} FROM {records} WHERE {where}",
  // A removal has no other tables, and EXISTS would read the records for each row.
  remove: "DELETE FROM {table} WHERE ({keys}) IN (SELECT {sought} FROM {records}){rest}",
  read: "SELECT {items} FROM {records} CROSS JOIN {table} WHERE {where}",
  // A trigger may keep the rows that its statement has changed: RAISE(FAIL).
  failsWhole: false,
};

// The driver binds every number as a double, and a bigint as a whole number.
function item(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < PLAIN ? `${value}.0` : String(value);
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/** Whole numbers from this one on are written with an exponent. */
const PLAIN = 1e21;
