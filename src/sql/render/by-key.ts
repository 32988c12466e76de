/**
 * The rows of an update in dialects where it does not give them. Where the conditions name one row by its key, it is
 * updated and read by the same; otherwise the rows that match are locked and their keys taken, then updated by these,
 * then read by these: keys say which rows they are whatever the update changes, and the lock keeps rivals away.
 */
import type { UpdateStatement } from "../ast/statement.js";
import { writtenOutLists } from "../dialect/forms.js";
import type { Grammar } from "../dialect/grammar.js";
import { UnsupportedError } from "../errors.js";
import { assignedBinder } from "../value/binder.js";
import { writeWhere } from "./clauses.js";
import { fixesKey } from "./layout.js";
import { KEYS, type RenderedStatement, type Steps } from "./plan.js";
import { Writer } from "./writer.js";

/**
 * The steps of an update.
 * @param writeHead writes the update up to its conditions.
 * @throws {UnsupportedError} for a table without a key: there is nothing to know its rows by.
 */
export function updateSteps(
  statement: UpdateStatement,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const { table, spec } = statement;
  // Several rows may have the same key where a part of it is null; what arithmetic makes of one is not known.
  const isKnown = (property: string) =>
    table.columns[property]?.nullable === false && !Object.hasOwn(spec.set_expr ?? {}, property);
  const keys = table.keys.filter((key) => key.every(isKnown));
  const [key] = keys;
  if (key === undefined)
    throw new UnsupportedError(
      grammar.dialect,
      "rows of an update without a key that it leaves as it is",
      "declare a primary key and do not compute it, or ask for the number of rows with execBatch",
    );
  const isNamed = keys.some((one) => names(statement, one, grammar));
  return isNamed
    ? byNamedKey(statement, grammar, writeHead)
    : byFoundKeys(statement, grammar, key, writeHead);
}

// Whether the conditions are the whole of a key, each part by `=`, and the update leaves it as it is.
function names(
  { table, spec: { where = [], set = {} } }: UpdateStatement,
  key: readonly string[],
  grammar: Grammar,
): boolean {
  const fixed = where.map((one) => ("param" in one && one.operator === "=" ? one.field : undefined));
  const isKept = (field: string) => fixed.includes(field) && !Object.hasOwn(set, field);
  return fixed.length === key.length && key.every(isKept) && fixesKey(where, table, grammar);
}

function byNamedKey(
  { table, spec }: UpdateStatement,
  grammar: Grammar,
  writeHead: (writer: Writer) => void,
): Steps {
  const change = new Writer(table, grammar);
  writeHead(change);
  writeWhere(change, spec.where);
  const read = new Writer(table, grammar);
  read.sql(`SELECT ${read.layout.columns} FROM ${read.layout.name}`);
  writeWhere(read, spec.where);
  return {
    list: [
      { statement: change.finish(), gives: "changed" },
      { statement: asOfNow(read).finish(read.layout.outputs), when: "some", gives: "rows" },
    ],
  };
}

function byFoundKeys(
  { table, spec }: UpdateStatement,
  grammar: Grammar,
  key: readonly string[],
  writeHead: (writer: Writer) => void,
): Steps {
  const find = new Writer(table, grammar);
  const found = key.map((field) => find.place(field));
  find.sql(`SELECT ${found.map(({ name }) => name).join(", ")} FROM ${find.layout.name}`);
  writeWhere(find, spec.where);
  const change = new Writer(table, grammar);
  writeHead(change);
  writeKeys(change.sql(" WHERE "), key);
  const others = Object.keys({ ...spec.set, ...spec.set_expr }).length;
  return {
    mostKeys: Math.floor((grammar.maxParams - others) / key.length),
    list: [
      { statement: asOfNow(find).finish(found.map(({ output }) => output)), gives: "keys" },
      { statement: change.finish(), gives: "changed" },
      { statement: readByKey(table, grammar, key, spec), gives: "rows" },
    ],
  };
}

// A lock reads rows as they are now, not as the transaction saw them first.
function asOfNow(writer: Writer): Writer {
  const { update } = writer.grammar.locks;
  return writer.sql(typeof update === "string" ? update : "");
}

// What the update has set of the key is the same in all rows, and the rest of it is what it was.
function readByKey(
  table: UpdateStatement["table"],
  grammar: Grammar,
  key: readonly string[],
  { set = {} }: UpdateStatement["spec"],
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
  return asOfNow(writer).finish(writer.layout.outputs);
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
