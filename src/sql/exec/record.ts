/** From a record of a caller to the values of an insert: validated by the table's schema, by property. */
import { describeType, listed, quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import { encoded, holdsCodec, type Validated, validated } from "../value/validate.js";
import { ParameterError, type ParameterErrorCode } from "../words/errors.js";
import { exactText } from "./exact-text.js";
import { isGiven } from "./params.js";

/** The values of a valid record, in the order of the columns; what was left out is absent. */
export type Values = Readonly<Record<string, unknown>>;

const insertables = new WeakMap<AnyTable, ReadonlyMap<string, ColumnInfo>>();

/** The columns that an insert may name, by property and in their order. */
export function insertable(table: AnyTable): ReadonlyMap<string, ColumnInfo> {
  const kept = insertables.get(table);
  if (kept !== undefined) return kept;
  const columns = Object.values(table.columns).filter(({ generated }) => generated !== true);
  const byProperty = new Map(columns.map((column) => [column.property, column]));
  insertables.set(table, byProperty);
  return byProperty;
}

/**
 * Validates a record.
 * @throws {ParameterError} with the key as `param`.
 */
export function validRecord(record: unknown, table: AnyTable): Values {
  const refuse = (code: ParameterErrorCode, key: string, message: string) =>
    new ParameterError(code, key, table.name, message);
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw refuse("PARAM_TYPE", "", `a record is an object, not ${describeType(record)}`);
  const columns = insertable(table);
  const given = ownOnly(record, columns);
  for (const key of Object.keys(given))
    if (!columns.has(key))
      throw refuse("EXTRA_PARAM", key, `unknown key ${quoted(key)}; keys: ${listed(columns.keys())}`);
  const result = validatedGiven(given, table);
  if (!result.success) {
    const key = String(result.path[0] ?? "");
    if (!isGiven(given, key)) throw refuse("MISSING_PARAM", key, `key ${quoted(key)} is missing`);
    throw refuse("PARAM_TYPE", key, `key ${quoted(key)}: ${result.message}`);
  }
  return withoutUndefined(result.data);
}

// A record is of the output type. Where a column holds codecs, these run backwards first.
function validatedGiven(given: Values, table: AnyTable): Validated<Values> {
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

// Own keys alone: what the prototype holds was not given. A plain object has nothing there that is called like a
// column, unless the column is called like a method of all objects.
function ownOnly(record: object, columns: ReadonlyMap<string, ColumnInfo>): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(record);
  const isPlain = prototype === null || (prototype === Object.prototype && !namesMethod(columns));
  // Seen by its keys.
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

// What was validated is an object of Zod's own, with the keys in the order of the columns.
function withoutUndefined(data: Values): Values {
  for (const key in data)
    if (data[key] === undefined)
      return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  return data;
}

/**
 * Items in rounds, so that no key comes twice in one: a server refuses to update a row twice in a statement, and
 * one after the other the last wins. A record that does not give the whole key meets no other.
 */
export function inRounds<T>(
  items: readonly T[],
  recordOf: (item: T) => Values,
  key: readonly string[] | undefined,
): T[][] {
  const rounds: T[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const record = recordOf(item);
    const text = key?.every((property) => isGiven(record, property))
      ? key.map((property) => exactText(record[property])).join("\0")
      : undefined;
    const round = text === undefined ? 0 : (seen.get(text) ?? 0);
    if (text !== undefined) seen.set(text, round + 1);
    const open = rounds[round];
    if (open === undefined) rounds[round] = [item];
    else open.push(item);
  }
  return rounds;
}
