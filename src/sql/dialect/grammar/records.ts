/**
 * Values as tables inside a statement: the records of a batch, a column for each value of a record, and long lists. A
 * value of a record is carried only where the server gets exactly the value that a parameter would have.
 */
import type { Storage } from "../../declare/declaration.js";

/** Where a value of a record stands in the statement. */
export interface ValuePlace {
  readonly storage: Storage;
  /** The quoted table. */
  readonly table: string;
  /** The column that it is assigned to or compared with, which gives it its type. */
  readonly column: { readonly name: string; readonly sql: string } | undefined;
  /** Whether the text casts it to a type. */
  readonly isCast: boolean;
}

/** A value of a record as a column of the table. */
export interface CarriedValue {
  /** The column, where `{0}` is the placeholder of its values or its type. */
  readonly column: string;
  /** The value, where `{0}` is the column. */
  readonly value: string;
  /** An encoded value in the form in which it is sent. */
  readonly item: (encoded: unknown) => unknown;
}

/** The names of the table of records. No column of the changed table has one of them. */
export interface RecordNames {
  readonly table: string;
  /** The column of the position of a record, from 1. */
  readonly position: string;
  readonly columns: readonly string[];
}

/** How one dialect writes such statements. */
export interface RecordsForm {
  /** How a value is carried; undefined if the server would read another value. */
  readonly carried: (place: ValuePlace) => CarriedValue | undefined;
  /** The records as a table, with its placeholders. */
  readonly table: (columns: readonly CarriedValue[], names: RecordNames) => string;
  /** The values of these placeholders. */
  readonly values: (
    columns: readonly CarriedValue[],
    records: readonly (readonly unknown[])[],
  ) => readonly unknown[];
  /**
   * The statements: `{table}` and `{records}`, `{set}` the assignments, `{where}` all conditions; `{keys}` and `{sought}`
   * the compared fields and their values, `{rest}` the other conditions, for a dialect without joins in a removal.
   */
  readonly modify: string;
  readonly remove: string;
  /** The statement that reads the rows of the records, `{items}`, if a change cannot return them together with their records. */
  readonly read: string | undefined;
  /** Whether a statement that fails has surely changed nothing. */
  readonly failsWhole: boolean;
}

/** Lists as tables, for lists that are too long for a placeholder each. */
export interface ListTable {
  /**
   * The text before and after the one placeholder, inside the parentheses of the list, and the value of the
   * placeholder.
   */
  readonly list: (
    items: readonly unknown[],
    storage: Storage | undefined,
  ) => { readonly before: string; readonly after: string; readonly value: unknown };
  /** Changes the text of a statement that has such a list. */
  readonly statement: (sql: string) => string;
}

/** The text with its only place filled. */
export function filled(template: string, text: string): string {
  return template.split("{0}").join(text);
}

/** Records as one JSON text: a list of lists. The items of the columns are JSON texts. */
export function jsonRecords(
  columns: readonly CarriedValue[],
  records: readonly (readonly unknown[])[],
): readonly unknown[] {
  const texts = records.map(
    (values) => `[${columns.map(({ item }, i) => (values[i] === null ? "null" : item(values[i]))).join()}]`,
  );
  return [`[${texts.join()}]`];
}

/** Bytes as their digits; any other value as it is. */
export function hexOf(value: unknown): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")
    : value;
}

/** Bytes as the JSON text of their digits. */
export function hexItem(value: unknown): string {
  return JSON.stringify(hexOf(value));
}
