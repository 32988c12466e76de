/** From a driver's row, an array of what it gives, to a row object as the schema says. */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { DecodeError } from "../errors.js";
import { codecOf } from "./column-codec.js";

export type Row = Record<string, unknown>;
export type RowDecoder = (values: readonly unknown[]) => Row;

/**
 * The decoder of rows with these columns.
 * @throws {DecodeError} from the decoder, on a value that is not what the schema says.
 */
export function rowDecoder(table: AnyTable, columns: readonly ColumnInfo[], grammar: Grammar): RowDecoder {
  const parts = columns.map((column) => ({
    column,
    property: column.property,
    decode: codecOf(column, grammar).decode,
  }));
  return (values) => {
    const row: Row = {};
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (part === undefined) break;
      row[part.property] = decodeValue(table, part.column, part.decode, values[i]);
    }
    return row;
  };
}

function decodeValue(
  table: AnyTable,
  column: ColumnInfo,
  decode: (value: unknown) => unknown,
  value: unknown,
): unknown {
  if (value === null || value === undefined) {
    if (column.nullable) return null;
    throw new DecodeError(table.name, column.property, `a value: it is null`);
  }
  let decoded: unknown;
  try {
    decoded = decode(value);
  } catch (cause) {
    throw new DecodeError(table.name, column.property, column.kind, { cause });
  }
  if (decoded === undefined) throw new DecodeError(table.name, column.property, column.kind);
  return decoded;
}
