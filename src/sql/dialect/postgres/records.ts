/** Records as lists of the values of each column, which PostgreSQL reads as a table by `unnest`. */
import { type CarriedValue, filled, type RecordsForm, type ValuePlace } from "../grammar/records.js";
import { textOf } from "./value-text.js";

export const postgresRecords: RecordsForm = {
  carried,
  table: (columns, { table, position, columns: names }) => {
    const lists = columns.map(({ column }, i) => filled(column, `$${i + 1}`));
    return `unnest(${lists.join(", ")}) WITH ORDINALITY AS ${table}(${[...names, position].join(", ")})`;
  },
  values: (columns, records) =>
    columns.map(({ item }, i) =>
      records.map((values) => {
        const value = values[i];
        return value === null ? null : item(value);
      }),
    ),
  modify: "UPDATE {table} SET {set} FROM {records} WHERE {where}",
  remove: "DELETE FROM {table} USING {records} WHERE {where}",
  read: undefined,
  failsWhole: true,
};

const TEXTS = "CAST({0} AS text[])";

function carried({ storage, table, column, isCast }: ValuePlace): CarriedValue | undefined {
  // A cast reads a text as it reads a parameter.
  if (isCast) return { column: TEXTS, value: "{0}", item: textOf };
  if (column === undefined) return undefined;
  const { name, sql } = column;
  // Lists in a list would become one; the row type of the table knows the type of the column.
  if (storage.kind === "array") {
    const member = `'${name.replaceAll("'", "''")}'`;
    const row = `jsonb_populate_record(CAST(NULL AS ${table}), jsonb_build_object(${member}, {0}))`;
    return { column: TEXTS, value: `(${row}).${sql}`, item: textOf };
  }
  // The empty list has the type of the column, whatever that is, and gives it to the parameter.
  const none = `ARRAY(SELECT ${sql} FROM ${table} WHERE FALSE)`;
  return { column: `${none} || {0}`, value: "{0}", item: (value) => value };
}
