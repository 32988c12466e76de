/**
 * The rows of an update in dialects where it does not give them. Where the conditions name one row by its key, it is
 * updated and read by the same; otherwise the rows that match are locked and their keys taken, then updated by these,
 * then read by these: keys say which rows they are whatever the update changes, and the lock keeps concurrent writers out.
 */
import { writtenOutLists } from "../dialect/forms.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Assignment, Field, KnownRows, Parameter, ResolvedUpdate } from "../resolve/resolved.js";
import { writeWhere } from "./clauses.js";
import { writeExpression } from "./expression.js";
import { asOfNow } from "./locks.js";
import { KEYS, type Steps } from "./plan.js";
import { Writer } from "./writer.js";

/**
 * The steps of an update.
 * @param writeHead writes the update up to its conditions.
 */
export function updateSteps(
  update: ResolvedUpdate,
  known: KnownRows,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  return known.by === "conditions"
    ? byConditions(update, grammar, writeHead)
    : byFoundKeys(update, known.key, grammar, writeHead);
}

function byConditions(
  { table, where }: ResolvedUpdate,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const change = new Writer(table.table, grammar);
  writeHead(change);
  writeWhere(change, where);
  const read = new Writer(table.table, grammar).sql(`SELECT ${table.columns} FROM ${table.name}`);
  writeWhere(read, where);
  return {
    list: [
      { statement: change.finish(), gives: "changed" },
      { statement: asOfNow(read, "update").finish(table.outputs), when: "some", gives: "rows" },
    ],
  };
}

function byFoundKeys(
  { table, where, assignments }: ResolvedUpdate,
  key: readonly Field[],
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const find = new Writer(table.table, grammar);
  find.sql(`SELECT ${key.map(({ sql }) => sql).join(", ")} FROM ${table.name}`);
  writeWhere(find, where);
  const change = new Writer(table.table, grammar);
  writeHead(change);
  writeKeys(change.sql(" WHERE "), key, key);
  const read = new Writer(table.table, grammar).sql(`SELECT ${table.columns} FROM ${table.name} WHERE `);
  writeChangedKeys(read, key, assignments);
  return {
    mostKeys: Math.floor((grammar.maxParams - assignments.length) / key.length),
    list: [
      { statement: asOfNow(find, "update").finish(key.map(({ output }) => output)), gives: "keys" },
      { statement: change.finish(), gives: "changed" },
      { statement: asOfNow(read, "update").finish(table.outputs), gives: "rows" },
    ],
  };
}

// What the update has set of the key is the same in all rows, and the rest of it is what it was.
function writeChangedKeys(writer: Writer, key: readonly Field[], assignments: readonly Assignment[]): void {
  const set = key.flatMap((field) => assignments.find((one) => one.field === field) ?? []);
  const kept = key.filter((field) => !set.some((one) => one.field === field));
  if (kept.length > 0) writeKeys(writer, kept, key);
  for (const [i, { field, value }] of set.entries()) {
    if (kept.length > 0 || i > 0) writer.sql(" AND ");
    writeExpression(writer.sql(`${field.sql} = `), value);
  }
}

const { IN } = writtenOutLists(Number.POSITIVE_INFINITY);

/** `key IN (…)` of the keys that were found, or of a part of each. */
function writeKeys(writer: Writer, part: readonly Field[], key: readonly Field[]): void {
  const names = part.map(({ sql }) => sql);
  const places = part.map((field) => key.indexOf(field));
  // The values are those that the driver gave: what is not decoded is not changed.
  const binder = () => (found: unknown) => {
    const rows = found as readonly (readonly unknown[])[];
    return rows.map((row) => (places.length === 1 ? row[places[0] ?? 0] : places.map((place) => row[place])));
  };
  const keys: Parameter = { kind: "parameter", name: KEYS, binder, form: undefined };
  writer.list(() => writer.sql(names.length === 1 ? (names[0] ?? "") : `(${names.join(", ")})`), IN, keys);
}
