/** Converts a driver's row, an array of values, to a row object by the schema. */
import type { AnyTable } from "../declare/declaration.js";
import { Unreadable } from "../dialect/values.js";
import type { Output } from "../value/output.js";
import { DecodeError } from "../words/errors.js";

export type Row = Record<string, unknown>;
export type RowDecoder = (values: readonly unknown[]) => Row;

/**
 * Makes the decoder of rows with these columns. The decoder throws a {@link DecodeError} for a value that is not
 * as declared.
 */
export function rowDecoder(table: AnyTable, outputs: readonly Output[]): RowDecoder {
  return (values) => {
    const row: Row = {};
    let i = 0;
    for (const output of outputs) {
      const value = values[i++];
      const decoded = value === null ? undefined : tried(output, value);
      row[output.name] = decoded === undefined ? decodeValue(table, output, value) : decoded;
    }
    return row;
  };
}

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
    const expected = cause instanceof Unreadable ? cause.message : kind;
    throw new DecodeError(table.name, name, expected, { cause });
  }
  if (decoded === undefined) throw new DecodeError(table.name, name, kind);
  return decoded;
}
