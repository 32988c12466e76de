/** From a driver's row, an array of what it gives, to a row object as the schema says. */
import type { AnyTable } from "../declaration.js";
import { DecodeError } from "../errors.js";
import type { Output } from "../render/plan.js";

export type Row = Record<string, unknown>;
export type RowDecoder = (values: readonly unknown[]) => Row;

/**
 * The decoder of rows with these values.
 * @throws {DecodeError} from the decoder, on a value that is not what was declared.
 */
export function rowDecoder(table: AnyTable, outputs: readonly Output[]): RowDecoder {
  return (values) => {
    const row: Row = {};
    let i = 0;
    for (const output of outputs) row[output.name] = decodeValue(table, output, values[i++]);
    return row;
  };
}

/** One value as it was declared. */
export function decodeValue(
  table: AnyTable,
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
    throw new DecodeError(table.name, name, kind, { cause });
  }
  if (decoded === undefined) throw new DecodeError(table.name, name, kind);
  return decoded;
}
