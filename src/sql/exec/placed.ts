/**
 * Puts the rows of an insert of several records into the order of the records. Every server returns them in that order
 * today, but none guarantees it. Therefore they are matched with the records.
 */
import { NoRowsError } from "../words/errors.js";
import type { DecodedRow } from "./decode.js";
import { exactText, keyText } from "./exact-text.js";
import type { RecordValues } from "./record.js";

/** The known properties of the rows of one statement. */
interface Expected {
  readonly table: string;
  readonly records: readonly RecordValues[];
  /** The fields that identify the record of a row: all of them were given. A trigger may have changed them. */
  readonly fields: readonly string[];
  /** Whether these fields are a key that may conflict. */
  readonly isKey: boolean;
  /** Whether a row may be missing, because a row with its key existed. */
  readonly mayMiss: boolean;
  /**
   * The key that the database makes in its order, if each record must get its own row: other rows will refer to it. Rows
   * that no field tells apart are then taken in that order, and only if they came in it.
   */
  readonly sure?: { readonly generated: string | undefined } | undefined;
}

/** The rows do not show which record each belongs to. */
export class UnclearOrder extends Error {}

/**
 * The row of each record; null if a row with its key existed.
 * @param isUndoable whether the statement can be rolled back; if not, rows that cannot be matched are assumed to
 * be in order.
 * @throws {UnclearOrder} if the rows do not show it, and {@link NoRowsError} if a required row is missing.
 */
export function placed(
  rows: readonly DecodedRow[],
  expected: Expected,
  isUndoable: boolean,
): (DecodedRow | null)[] {
  try {
    return inOrder(rows, expected);
  } catch (error) {
    if (isUndoable || !(error instanceof UnclearOrder)) throw error;
    return [...rows];
  }
}

function inOrder(given: readonly DecodedRow[], expected: Expected): (DecodedRow | null)[] {
  const { generated } = expected.sure ?? {};
  const isAscending = generated !== undefined && ascends(given, generated);
  const rows = generated === undefined || isAscending ? given : ascending(given, generated);
  const { records, fields, isKey, mayMiss, table } = expected;
  if (rows.length < records.length && !mayMiss) throw new NoRowsError(table);
  if (rows.length === records.length && areInPlace(rows, records, fields) && fields.length > 0)
    return [...rows];
  const isWhole = rows.length === records.length;
  // A field that a trigger or its type has changed does not identify a record. A field whose values only have another
  // order does.
  const telling = isWhole ? fields.filter((field) => holdTheSame(rows, records, field)) : fields;
  const isGuess = expected.sure !== undefined && telling.length < fields.length && !isAscending;
  if (telling.length === 0) {
    if (isWhole && !isKey && !(isGuess && records.length > 1)) return [...rows];
    throw new UnclearOrder();
  }
  const open = new Map<string, number[]>();
  for (const [i, record] of records.entries()) {
    const text = keyText(record, telling);
    const places = open.get(text);
    if (places === undefined) open.set(text, [i]);
    else if (isGuess) throw new UnclearOrder();
    else places.push(i);
  }
  const result: (DecodedRow | null)[] = records.map(() => null);
  for (const row of rows) {
    const place = open.get(keyText(row, telling))?.shift();
    if (place === undefined) throw new UnclearOrder();
    result[place] = row;
  }
  return result;
}

type KeyOfOrder = number | bigint;

function keyOfOrder(row: DecodedRow, field: string): KeyOfOrder | undefined {
  const value = row[field];
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

function ascends(rows: readonly DecodedRow[], field: string): boolean {
  let last: KeyOfOrder | undefined;
  for (const row of rows) {
    const key = keyOfOrder(row, field);
    if (key === undefined || (last !== undefined && key <= last)) return false;
    last = key;
  }
  return true;
}

function ascending(rows: readonly DecodedRow[], field: string): readonly DecodedRow[] {
  const order = (one: KeyOfOrder = 0, other: KeyOfOrder = 0) => (one < other ? -1 : one > other ? 1 : 0);
  return [...rows].sort((one, other) => order(keyOfOrder(one, field), keyOfOrder(other, field)));
}

function areInPlace(
  rows: readonly DecodedRow[],
  records: readonly RecordValues[],
  fields: readonly string[],
): boolean {
  return rows.every((row, i) => fields.every((field) => areSame(row[field], records[i]?.[field])));
}

function areSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && exactText(a) === exactText(b));
}

function holdTheSame(rows: readonly DecodedRow[], records: readonly RecordValues[], field: string): boolean {
  const texts = (list: readonly RecordValues[]) => list.map((one) => exactText(one[field])).sort();
  const given = texts(records);
  return texts(rows).every((text, i) => text === given[i]);
}
