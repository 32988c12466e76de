/**
 * The rows of an update in dialects where it does not give them: the rows that match are locked and their keys
 * taken, then updated by these, then read by these. The keys say which rows they are whatever the update changes, and
 * the lock keeps rivals away until the end.
 */
import type { UpdateStatement } from "../ast/statement.js";
import { writtenOutLists } from "../dialect/forms.js";
import type { Grammar } from "../dialect/grammar.js";
import { UnsupportedError } from "../errors.js";
import { assignedBinder } from "../value/binder.js";
import { writeWhere } from "./clauses.js";
import { KEYS, type RenderedStatement, type Steps } from "./plan.js";
import { Writer } from "./writer.js";

/**
 * The steps of an update.
 * @param writeHead writes the update up to its conditions.
 * @throws {UnsupportedError} for a table without a key: there is nothing to know its rows by.
 */
export function updateSteps(
  { table, spec }: UpdateStatement,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const { locks, dialect, maxParams } = grammar;
  // Several rows may have the same key where a part of it is null; what arithmetic makes of one is not known.
  const isFixed = (property: string) =>
    table.columns[property]?.nullable === false && !Object.hasOwn(spec.set_expr ?? {}, property);
  const key = table.keys.find((one) => one.every(isFixed));
  if (key === undefined)
    throw new UnsupportedError(
      dialect,
      "the rows of an update of a table without a key",
      "declare a primary key, or ask for the number of rows with execBatch",
    );
  const lock = typeof locks.update === "string" ? locks.update : "";
  const columnsOf = (writer: Writer) => key.map((field) => writer.place(field).name).join(", ");

  const find = new Writer(table, grammar);
  find.sql(`SELECT ${columnsOf(find)} FROM ${find.layout.name}`);
  writeWhere(find, spec.where);

  const change = new Writer(table, grammar);
  writeHead(change);
  writeKeys(change.sql(" WHERE "), key);

  return {
    mostKeys: Math.floor((maxParams - Object.keys({ ...spec.set, ...spec.set_expr }).length) / key.length),
    list: [
      { statement: find.sql(lock).finish(), gives: "keys" },
      { statement: change.finish(), gives: "changed" },
      { statement: readByKey(table, grammar, key, spec, lock), gives: "rows" },
    ],
  };
}

// What the update has set of the key is the same in all rows, and the rest of it is what it was.
function readByKey(
  table: UpdateStatement["table"],
  grammar: Grammar,
  key: readonly string[],
  { set = {} }: UpdateStatement["spec"],
  lock: string,
): RenderedStatement {
  const writer = new Writer(table, grammar);
  writer.sql(`SELECT ${writer.layout.columns} FROM ${writer.layout.name} WHERE `);
  const isSet = (field: string) => Object.hasOwn(set, field);
  const kept = key.filter((field) => !isSet(field));
  if (kept.length > 0) writeKeys(writer, kept, key);
  for (const field of key.filter(isSet)) {
    const { column, name } = writer.place(field);
    const param = set[field] ?? "";
    if (kept.length > 0) writer.sql(" AND ");
    writer.sql(`${name} = `).param(param, () => assignedBinder(column, grammar, { param, table }));
  }
  return writer.sql(lock).finish(writer.layout.outputs);
}

const { IN } = writtenOutLists(Number.POSITIVE_INFINITY);

/** `key IN (…)` of the keys that were found, or of a part of each. */
function writeKeys(writer: Writer, part: readonly string[], key = part): void {
  const names = part.map((field) => writer.place(field).name);
  const places = part.map((field) => key.indexOf(field));
  // The values are those that the driver gave: what is not decoded is not changed.
  const binder = () => (found: unknown) => {
    const rows = found as readonly (readonly unknown[])[];
    return rows.map((row) => (places.length === 1 ? row[places[0] ?? 0] : places.map((place) => row[place])));
  };
  writer.list(
    () => writer.sql(names.length === 1 ? (names[0] ?? "") : `(${names.join(", ")})`),
    IN,
    KEYS,
    binder,
  );
}
