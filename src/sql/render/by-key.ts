/**
 * Reads the rows of an update in dialects where an update does not return them. If the conditions fix one row by
 * its key, the row is updated and read by the same key. Otherwise the matching rows are locked and their keys
 * are read, and the rows are updated and read by these keys: the keys identify the rows even if the update
 * changes them, and the lock excludes concurrent writers.
 */

import { writtenOutLists } from "../dialect/grammar/forms.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { boundIn } from "../dialect/grammar/value-codec.js";
import type { Field, Layout, ParameterPlace } from "../resolve/scope/resolved.js";
import type {
  Assignment,
  KnownRows,
  ResolvedModify,
  ReturnedItem,
} from "../resolve/scope/resolved-change.js";
import { writeWhere } from "./clauses.js";
import { writeExpression } from "./expression.js";
import { outputsOf, writeItems } from "./items.js";
import { asOfNow } from "./locks.js";
import { KEYS, type Steps } from "./plan.js";
import { startWriting } from "./start.js";
import type { Writer } from "./writer.js";

/**
 * The steps of an update.
 * @param writeHead writes the update up to its conditions.
 */
export function modifySteps(
  update: ResolvedModify,
  known: KnownRows,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  return known.by === "conditions"
    ? byConditions(update, grammar, writeHead)
    : byFoundKeys(update, known.key, grammar, writeHead);
}

function byConditions(
  { table, where, returned }: ResolvedModify,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const change = startWriting(table, grammar);
  writeHead(change);
  writeWhere(change, where);
  const read = writeRead(startWriting(table, grammar), table, returned);
  writeWhere(read, where);
  return {
    list: [
      { text: change.finish(), gives: "changed" },
      { text: asOfNow(read, "update").finish(outputsOf(table, returned)), when: "some", gives: "rows" },
    ],
  };
}

function byFoundKeys(
  { table, where, assignments, returned }: ResolvedModify,
  key: readonly Field[],
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const find = startWriting(table, grammar);
  find.sql(`SELECT ${key.map(({ sql }) => sql).join(", ")} FROM ${table.name}`);
  writeWhere(find, where);
  const change = startWriting(table, grammar);
  writeHead(change);
  const inChange = change.places;
  writeKeys(change.sql(" WHERE "), key, key);
  const read = writeRead(startWriting(table, grammar), table, returned);
  const others = Math.max(inChange, read.places + key.length);
  writeChangedKeys(read.sql(" WHERE "), key, assignments);
  return {
    mostKeys: Math.floor((grammar.maxParams - others) / key.length),
    list: [
      { text: asOfNow(find, "update").finish(key.map(({ output }) => output)), gives: "keys" },
      { text: change.finish(), gives: "changed" },
      { text: asOfNow(read, "update").finish(outputsOf(table, returned)), gives: "rows" },
    ],
  };
}

/** `SELECT … FROM …` of the rows in the form in which they are returned. */
export function writeRead(
  writer: Writer,
  table: Layout,
  returned: readonly ReturnedItem[] | undefined,
): Writer {
  return writeItems(writer.sql("SELECT "), table, returned).sql(` FROM ${table.name}`);
}

// The part of the key that the update sets is the same in all rows, and the rest is unchanged.
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

/** `key IN (…)` for the keys that were read, or for a part of each. */
export function writeKeys(writer: Writer, part: readonly Field[], key: readonly Field[]): void {
  const names = part.map(({ sql }) => sql);
  const places = part.map((field) => key.indexOf(field));
  // These are the driver's values. They are not decoded, so they stay unchanged.
  const binder = () => (found: unknown) => {
    const rows = found as readonly (readonly unknown[])[];
    return rows.map((row) => (places.length === 1 ? row[places[0] ?? 0] : places.map((place) => row[place])));
  };
  const [only] = part.length === 1 ? part : [];
  const template = only === undefined ? undefined : boundIn(only.column.storage, writer.grammar);
  const keys: ParameterPlace = { kind: "parameter", name: KEYS, binder, form: undefined, template };
  const left = names.length === 1 ? (names[0] ?? "") : `(${names.join(", ")})`;
  writer.list(() => writer.sql(left), { form: IN, list: keys });
}
