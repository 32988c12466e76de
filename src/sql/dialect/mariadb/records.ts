/** Records as one JSON text, which MariaDB reads as a table by `JSON_TABLE`. */
import { textFor } from "../grammar/declared.js";
import {
  type CarriedValue,
  filled,
  hexItem,
  jsonRecords,
  type RecordsForm,
  type ValuePlace,
} from "../grammar/records.js";

export const mariadbRecords: RecordsForm = {
  carried,
  table: (columns, { table, position, columns: names }) => {
    // Without the last clause, a value of the wrong type would be NULL.
    const of = columns.map(
      ({ column }, i) => `${names[i]} ${filled(column, `PATH '$[${i}]' ERROR ON ERROR`)}`,
    );
    return `JSON_TABLE(?, '$[*]' COLUMNS (${[`${position} FOR ORDINALITY`, ...of].join(", ")})) AS ${table}`;
  },
  values: jsonRecords,
  // The records come first: MariaDB would read them again for each row of the table.
  modify: "UPDATE {records} STRAIGHT_JOIN {table} ON {where} SET {set}",
  remove: "DELETE {table} FROM {records} STRAIGHT_JOIN {table} ON {where}",
  read: "SELECT {items} FROM {records} STRAIGHT_JOIN {table} ON {where}",
  failsWhole: true,
};

const UTF8 = "longtext CHARACTER SET utf8mb4 {0}";
const OTHER_CHARACTERS = /\b(?:char(?:acter)?\s*set|charset|ascii|unicode|national|nchar|nvarchar)\b/i;
const WITH_TIME = /^\s*(?:datetime|timestamp)\b/i;

function carried({ storage }: ValuePlace): CarriedValue | undefined {
  const type = textFor(storage.type, "mariadb");
  switch (storage.kind) {
    case "number":
      return asIs(storage.integer === true ? "bigint {0}" : "double {0}", String);
    case "bigint":
      return asIs("bigint {0}", quoted);
    case "boolean":
      return asIs("bigint {0}", String);
    case "decimal":
      return asIs(`decimal(65, ${storage.scale ?? 0}) {0}`, quoted);
    case "date":
      return type === undefined || WITH_TIME.test(type) ? asIs("datetime(6) {0}", quoted) : undefined;
    case "bytes":
      return { column: "longtext CHARACTER SET ascii {0}", value: "UNHEX({0})", item: hexItem };
    default:
      // A parameter is converted to other characters, or fails; a column of the table would get question marks.
      if (type !== undefined && OTHER_CHARACTERS.test(type)) return undefined;
      // The result of these functions is compared by the collation of the column, as a parameter is.
      return { column: UTF8, value: "JSON_UNQUOTE(JSON_QUOTE({0}))", item: quoted };
  }
}

function asIs(column: string, item: CarriedValue["item"]): CarriedValue {
  return { column, value: "{0}", item };
}

function quoted(value: unknown): string {
  return JSON.stringify(value);
}
