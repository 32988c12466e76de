/** Converts a caller's record to the values of an insert: validated by the table's schema, by property. */
import { describeType, listed, quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import { encoded, holdsCodec, type Validated, validated, validatedOutput } from "../value/validate.js";
import { ParameterError } from "../words/errors.js";
import { isReadOnly } from "../words/rules.js";
import { exactText } from "./exact-text.js";
import { isGiven, reading } from "./params.js";

/** The values of a valid record, in the order of the columns; omitted keys are absent. */
export type RecordValues = Readonly<Record<string, unknown>>;

const insertables = new WeakMap<AnyTable, ReadonlyMap<string, ColumnInfo>>();

/** The columns that an insert stores, by property and in their order. */
export function storable(table: AnyTable): readonly string[] {
  return [...insertable(table).keys(), ...(table.fixed?.keys() ?? [])];
}

/** The properties that a record may give. */
export function givable(table: AnyTable): readonly string[] {
  return [...insertable(table).keys()];
}

const NO_VALUES: RecordValues = Object.freeze({});

/** The values that all rows of the table have, if the table is a part of another. */
export function fixedValues(table: AnyTable): RecordValues {
  if (table.fixed === undefined) return NO_VALUES;
  return Object.fromEntries([...table.fixed].map(([property, { value }]) => [property, value]));
}

/** A record with the values that all rows have, or the record itself without such values: copying is slow. */
export function withFixedValues(record: RecordValues, fixed: RecordValues): RecordValues {
  return fixed === NO_VALUES ? record : { ...record, ...fixed };
}

/** The columns that an insert may name, by property and in their order. */
function insertable(table: AnyTable): ReadonlyMap<string, ColumnInfo> {
  const kept = insertables.get(table);
  if (kept !== undefined) return kept;
  const columns = Object.values(table.columns).filter(
    (column) => !isReadOnly(column, table) && table.fixed?.has(column.property) !== true,
  );
  const byProperty = new Map(columns.map((column) => [column.property, column]));
  insertables.set(table, byProperty);
  return byProperty;
}

/**
 * Validates a record.
 * @throws {ParameterError} with the key as `param`.
 */
export function validRecord(record: unknown, table: AnyTable): RecordValues {
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw new ParameterError(
      "PARAM_TYPE",
      "",
      table.name,
      `a record must be an object, not ${describeType(record)}`,
    );
  const columns = insertable(table);
  const given = reading("a record", table, () => ownOnly(record, columns));
  reading("a record", table, () => checkKeys(given, columns, table));
  const result = validatedGiven(given, table);
  if (!result.success) throw refusal(result, given, table);
  return withoutUndefined(result.data);
}

function checkKeys(given: RecordValues, columns: ReadonlyMap<string, ColumnInfo>, table: AnyTable): void {
  for (const key of Object.keys(given))
    if (!columns.has(key)) {
      const message = `unknown key ${quoted(key)}; keys: ${listed(columns.keys())}`;
      throw new ParameterError("EXTRA_PARAM", key, table.name, message);
    }
}

function refusal({ path, message }: Refused, given: RecordValues, table: AnyTable): ParameterError {
  const key = String(path[0] ?? "");
  return isGiven(given, key)
    ? new ParameterError("PARAM_TYPE", key, table.name, `key ${quoted(key)}: ${message}`)
    : new ParameterError("MISSING_PARAM", key, table.name, `key ${quoted(key)} is missing`);
}

type Refused = Extract<Validated<unknown>, { readonly success: false }>;

/** A valid record, the copy for the callback, and the data that shows which values changed. */
interface Lent {
  readonly valid: RecordValues;
  readonly own: Record<string, unknown>;
  /** The text of each value that is an object; undefined if a text does not show every change. */
  readonly texts: ReadonlyMap<string, string | undefined>;
}

/** A copy of a valid record for a callback, which may change it. */
export function lent(valid: RecordValues): Lent {
  const texts = new Map<string, string | undefined>();
  for (const [key, value] of Object.entries(valid))
    if (typeof value === "object" && value !== null)
      texts.set(key, isToldByText(value) ? exactText(value) : undefined);
  return { valid, own: { ...valid }, texts };
}

/**
 * The record after the callback: only the changed values are validated again.
 * @throws {ParameterError} as `validRecord` does.
 */
export function returned({ valid, own, texts }: Lent, table: AnyTable): RecordValues {
  const columns = insertable(table);
  checkKeys(own, columns, table);
  const isChanged = (key: string) =>
    !Object.is(own[key], valid[key]) || (texts.has(key) && exactTextOf(own[key]) !== texts.get(key));
  const changed = [...columns.values()].filter(({ property }) => isChanged(property));
  if (changed.length === 0) return valid;
  const record: Record<string, unknown> = { ...own };
  for (const { property } of changed) {
    const result = validatedColumn(property, own[property], table);
    if (!result.success) throw refusal({ ...result, path: [property, ...result.path] }, own, table);
    record[property] = result.data;
  }
  const given = [...columns.keys()].filter((property) => record[property] !== undefined);
  return Object.fromEntries(given.map((property) => [property, record[property]]));
}

function validatedColumn(property: string, value: unknown, table: AnyTable): Validated<unknown> {
  const schema = table.insertSchema.shape[property];
  // Every column that an insert may name has a schema.
  if (schema === undefined) return { success: true, data: value };
  return value === undefined || value === null ? validated(schema, value) : validatedOutput(schema, value);
}

// If a text does not show every change, the value counts as changed.
function exactTextOf(value: unknown): string | symbol {
  return isToldByText(value) ? exactText(value) : UNTOLD;
}

const UNTOLD = Symbol("untold");

/** Whether the text of a value shows every change of it. */
function isToldByText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (value instanceof Date || value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.every(isToldByText);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isToldByText);
}

// A record has the output type of the schema. If a column holds codecs, these run backwards first.
function validatedGiven(given: RecordValues, table: AnyTable): Validated<RecordValues> {
  const withCodecs = codecColumns(table).filter(({ property }) => {
    return isGiven(given, property) && given[property] !== null;
  });
  if (withCodecs.length === 0) return validated(table.insertSchema, given);
  const input: Record<string, unknown> = { ...given };
  for (const { property, schema } of withCodecs) {
    const result = encoded(schema, given[property]);
    if (!result.success) return { ...result, path: [property, ...result.path] };
    input[property] = result.data;
  }
  return validated(table.insertSchema, input);
}

const columnsWithCodecs = new WeakMap<AnyTable, readonly ColumnInfo[]>();

function codecColumns(table: AnyTable): readonly ColumnInfo[] {
  let columns = columnsWithCodecs.get(table);
  if (columns === undefined) {
    columns = [...insertable(table).values()].filter(({ schema }) => holdsCodec(schema));
    columnsWithCodecs.set(table, columns);
  }
  return columns;
}

// Only own keys: values of the prototype were not given. The prototype of a plain object has no key with the name of a
// column, unless a column is named like an object method.
function ownOnly(record: object, columns: ReadonlyMap<string, ColumnInfo>): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(record);
  const isPlain = prototype === null || (prototype === Object.prototype && !namesMethod(columns));
  // The type only adds the keys.
  return isPlain ? (record as Record<string, unknown>) : Object.assign(Object.create(null), record);
}

const methodNames = new WeakMap<ReadonlyMap<string, ColumnInfo>, boolean>();

function namesMethod(columns: ReadonlyMap<string, ColumnInfo>): boolean {
  const kept = methodNames.get(columns);
  if (kept !== undefined) return kept;
  const names = [...columns.keys()].some((property) => property in Object.prototype);
  methodNames.set(columns, names);
  return names;
}

// The validated record is Zod's own object, with the keys in the order of the columns.
function withoutUndefined(data: RecordValues): RecordValues {
  for (const key in data)
    if (data[key] === undefined)
      return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  return data;
}
