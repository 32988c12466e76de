/**
 * The binds of `oracledb`. By default it binds a Date in the time zone of the process and a double as a decimal, and
 * takes an object for a bind description. Here only scalars are accepted, and only objects made here are passed to the
 * driver.
 */
import type { OutVariable } from "../../dialect/grammar/grammar.js";

/**
 * The driver's types by the names of the database types. The objects cannot be constructed, but only found in results.
 */
export type OracleTypes = ReadonlyMap<string, never>;

/** A statement whose columns have every required type; it returns no row. */
export const TYPES_QUERY: string =
  "SELECT CAST(NULL AS VARCHAR2(1)), CAST(NULL AS NUMBER), CAST(NULL AS BINARY_DOUBLE), CAST(NULL AS RAW(1)), " +
  "CAST(NULL AS TIMESTAMP WITH TIME ZONE), EMPTY_CLOB(), EMPTY_BLOB() FROM DUAL WHERE 1 = 0";
const NAMES = ["text", "number", "double", "bytes", "date", "long text", "long bytes"];

/** The types of the columns of {@link TYPES_QUERY}, by the values they hold. */
export function typesOf(metaData: readonly { readonly dbType?: unknown }[] | undefined): OracleTypes {
  // They are only passed on, so their class is not declared.
  return new Map(NAMES.map((name, i) => [name, metaData?.[i]?.dbType as never]));
}

/** A bind description, as the driver takes it. */
export interface OracleBind {
  readonly dir: number;
  readonly type?: never;
  readonly maxSize?: number;
  readonly val?: unknown;
}

/** A large object for a value. */
export interface OracleLob {
  destroy(): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Makes an empty large object, because empty bytes would be NULL. */
type MakeLob = (type: never) => Promise<OracleLob>;

// The maximum size of text and bytes in SQL. Longer values are large objects.
const MOST_TEXT = 4000;
const MOST_BYTES = 2000;
const IN = 3001;
const OUT = 3003;

/** One execution: the values by the names of their placeholders. */
export async function bindsOf(
  values: readonly unknown[],
  into: readonly OutVariable[],
  types: OracleTypes,
  makeLob: MakeLob,
): Promise<Record<string, OracleBind | null>> {
  const binds: Record<string, OracleBind | null> = {};
  for (const [i, value] of values.entries()) {
    const holds = holdsOf([value]);
    const val = await carried(value, holds, types, makeLob);
    binds[`p${i}`] = holds === undefined ? null : { ...described(IN, holds, types), val };
  }
  return Object.assign(binds, variablesOf(into, types));
}

/** The returned values, by the names of their placeholders. */
function variablesOf(into: readonly OutVariable[], types: OracleTypes): Record<string, OracleBind> {
  const binds: Record<string, OracleBind> = {};
  for (const [i, { holds, maxBytes }] of into.entries())
    binds[`o${i}`] = {
      ...described(OUT, holds, types),
      ...(maxBytes === undefined ? {} : { maxSize: maxBytes }),
    };
  return binds;
}

/** Several executions in one call: their values, and one type for each column. */
interface OracleBatch {
  // The driver's own types do not list large objects.
  readonly rows: Record<string, never>[];
  readonly bindDefs: Record<string, OracleBind>;
}

/** Several executions of one text. */
export async function batchOf(
  rows: readonly (readonly unknown[])[],
  into: readonly OutVariable[],
  types: OracleTypes,
  makeLob: MakeLob,
): Promise<OracleBatch> {
  const columns = (rows[0] ?? []).map((_, i) => rows.map((row) => row[i]));
  const held = columns.map((column) => holdsOf(column) ?? "text");
  const bindDefs: Record<string, OracleBind> = {};
  for (const [i, holds] of held.entries()) {
    const sized = holds === "text" || holds === "bytes";
    const longest = (columns[i] ?? []).reduce<number>((most, value) => Math.max(most, lengthOf(value)), 1);
    bindDefs[`p${i}`] = { ...described(IN, holds, types), ...(sized ? { maxSize: longest } : {}) };
  }
  Object.assign(bindDefs, variablesOf(into, types));
  const binds: Record<string, never>[] = [];
  for (const row of rows) {
    const bind: Record<string, never> = {};
    for (const [i, value] of row.entries())
      bind[`p${i}`] = (await carried(value, held[i], types, makeLob)) as never;
    binds.push(bind);
  }
  return { rows: binds, bindDefs };
}

function described(dir: number, holds: string, types: OracleTypes): OracleBind {
  const type = types.get(holds);
  return type === undefined ? { dir } : { dir, type };
}

/** A type that holds all of these values; undefined if all are null. */
function holdsOf(values: readonly unknown[]): string | undefined {
  const given = values.filter((value) => value !== null);
  const [first] = given;
  if (first === undefined) return undefined;
  if (typeof first === "string") return given.some((one) => lengthOf(one) > MOST_TEXT) ? "long text" : "text";
  // A whole number is exact as a decimal; any other number is bound as a double.
  if (typeof first === "bigint") return "number";
  if (typeof first === "number") return given.every(Number.isSafeInteger) ? "number" : "double";
  if (first instanceof Date) return "date";
  if (first instanceof Uint8Array)
    return given.some((one) => lengthOf(one) === 0 || lengthOf(one) > MOST_BYTES) ? "long bytes" : "bytes";
  throw new TypeError("only scalars are bound");
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.byteLength : 0;
}

async function carried(
  value: unknown,
  holds: string | undefined,
  types: OracleTypes,
  makeLob: MakeLob,
): Promise<unknown> {
  if (!(value instanceof Uint8Array)) return value;
  const lob = types.get("long bytes");
  if (value.byteLength === 0 && holds === "long bytes" && lob !== undefined) return makeLob(lob);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
