/** Converts a driver's row, an array of values, to a row object by the schema. */
import type { AnyTable } from "../declare/declaration.js";
import { Unreadable } from "../dialect/grammar/values.js";
import { generatedRow, MANY_ROWS } from "../value/generated-row.js";
import type { NestedOutput, Output } from "../value/output.js";
import { DecodeError } from "../words/errors.js";

export type DecodedRow = Record<string, unknown>;
export type RowDecoder = (values: readonly unknown[]) => DecodedRow;

/**
 * Makes the decoder of rows with these columns. The decoder throws a {@link DecodeError} for a value that is not
 * as declared.
 */
export function rowDecoder(table: AnyTable, all: readonly Output[]): RowDecoder {
  const seen = all.some(({ hidden }) => hidden) ? all.filter(({ hidden }) => hidden !== true) : all;
  const outputs = seen.some(({ nested }) => nested !== undefined) ? seen.map(readingRows) : seen;
  if (outputs.some(({ inside }) => inside !== undefined)) return nestedDecoder(table, outputs);
  const plain = plainDecoder(table, outputs);
  let count = 0;
  let decoder = plain;
  return (values) => {
    if (count < MANY_ROWS && ++count === MANY_ROWS) decoder = generatedRow(outputs, plain) ?? plain;
    return decoder(values);
  };
}

function plainDecoder(table: AnyTable, outputs: readonly Output[]): RowDecoder {
  return (values) => {
    const row: DecodedRow = {};
    let i = 0;
    for (const output of outputs) {
      const value = values[i++];
      const decoded = value === null ? undefined : tried(output, value);
      row[output.name] = decoded === undefined ? decodeValue(table, output, value) : decoded;
    }
    return row;
  };
}

/** The same for rows with parts: each value is set in its part. */
function nestedDecoder(table: AnyTable, outputs: readonly Output[]): RowDecoder {
  const parts = new Set<string>();
  const setters = outputs.map((output) => {
    const { part } = output.inside ?? {};
    const isFirst = part !== undefined && !parts.has(part);
    if (part !== undefined) parts.add(part);
    return setterOf(table, output, isFirst);
  });
  return (values) => {
    const row: DecodedRow = {};
    let i = 0;
    for (const set of setters) set(row, values[i++]);
    return row;
  };
}

type Setter = (row: DecodedRow, value: unknown) => void;

/** @param isFirst whether the output is the first of its part, which is then created: objects inherit members. */
function setterOf(table: AnyTable, output: Output, isFirst: boolean): Setter {
  const { inside } = output;
  const read = (value: unknown) => {
    const decoded = value === null ? undefined : tried(output, value);
    return decoded === undefined ? decodeValue(table, output, value) : decoded;
  };
  if (inside === undefined)
    return (row, value) => {
      row[output.name] = read(value);
    };
  const { part, name } = inside;
  if (name === undefined)
    return (row, value) => {
      row[part] = read(value) === 0 ? null : {};
    };
  if (isFirst)
    return (row, value) => {
      row[part] = { [name]: read(value) };
    };
  return (row, value) => {
    // No other column of the row has the name of a part.
    const within = row[part] as DecodedRow | null;
    if (within !== null) within[name] = read(value);
  };
}

/** The output with a decoder of the rows that it holds; the output itself if it holds none. */
function readingRows(output: Output): Output {
  const { nested } = output;
  if (nested === undefined) return output;
  const read = rowsReader(nested, output);
  // Inside other JSON it is already parsed.
  return { ...output, decode: (value) => read(typeof value === "string" ? JSON.parse(value) : value) };
}

/** Reads rows from JSON; undefined for any other value. */
function rowsReader(
  { table, outputs, gives, mostValues, holds }: NestedOutput,
  { kind, nullable }: Output,
): (value: unknown) => unknown {
  const decode = rowDecoder(table, outputs);
  const { length } = outputs;
  const isSplit = mostValues !== undefined && length > mostValues;
  const readRow = (value: unknown): DecodedRow => {
    const values: unknown = isSplit && Array.isArray(value) ? value.flat() : value;
    if (!Array.isArray(values) || values.length !== length) throw new Unreadable(INCOMPLETE);
    return decode(values);
  };
  if (gives === "row") return readRow;
  const readList = (value: unknown): DecodedRow[] | undefined => {
    if (!Array.isArray(value)) return undefined;
    if (holds === undefined) return value.map(readRow);
    const [found, rows = null] = value;
    const list: unknown = rows === null && found === 0 ? [] : rows;
    if (!Array.isArray(list) || list.length !== holds(Number(found))) throw new Unreadable(INCOMPLETE);
    return list.map(readRow);
  };
  if (gives === "list") return readList;
  return (value) => {
    const rows = readList(value);
    if (rows === undefined) return undefined;
    const [first = null] = rows;
    if (first === null && !nullable) throw new Unreadable(`${kind}: there is none`);
    return first;
  };
}

const INCOMPLETE = "nested rows as a whole: the server has cut them; ask for fewer at once";

// Other values are left to the code that reports the fault.
function tried({ decode }: Output, value: unknown): unknown {
  try {
    return decode(value);
  } catch {
    return undefined;
  }
}

/** Decodes one value. */
export function decodeValue(
  table: Pick<AnyTable, "name">,
  { name, kind, nullable, ifNull, decode }: Output,
  value: unknown,
): unknown {
  if (value === null || value === undefined) {
    if (nullable) return null;
    if (ifNull !== undefined) return ifNull;
    throw new DecodeError(table.name, name, `${kind}: it is null`);
  }
  let decoded: unknown;
  try {
    decoded = decode(value);
  } catch (cause) {
    // The error names the path to a value of a nested row.
    if (cause instanceof DecodeError)
      throw new DecodeError(table.name, `${name}.${cause.field}`, cause.kind, { cause: cause.cause });
    const expected = cause instanceof Unreadable ? cause.message : kind;
    throw new DecodeError(table.name, name, expected, { cause });
  }
  if (decoded === undefined) throw new DecodeError(table.name, name, kind);
  return decoded;
}
