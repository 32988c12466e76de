/**
 * Rows inside rows, as each dialect writes them: one JSON array for each row, and one of these arrays. Values that JSON
 * would not hold exactly are text in it, and are read back as the driver would have returned them.
 */
import type { Storage } from "../../declare/declaration.js";

/** The source of a nested value: a column, one with a declared type, or an expression. */
export type NestedSource = "column" | "declared column" | "expression";

/** One value of a nested row. */
export interface NestedValue {
  /** The value `{f}` as JSON takes it. */
  readonly template: string;
  /** Turns the value from JSON into the driver's value; absent if both are the same. */
  readonly read?: (value: unknown) => unknown;
}

/** Text before and after. */
type Around = readonly [before: string, after: string];

/** How a dialect writes rows inside of rows. */
export interface NestedGrammar {
  readonly value: (storage: Storage, source: NestedSource) => NestedValue;
  /** Rows `{f}` in the rows around them: in their original place, and when they are read from a table in FROM. */
  readonly inside: string;
  readonly insideAgain: string;
  /** Around the values of a row, and the maximum number of values in one. */
  readonly row: Around;
  readonly mostValues?: number;
  /** Around a single row: NULL says that there is no row. */
  readonly one: Around;
  /** Around the row in the aggregate over all rows; their order comes after it. */
  readonly list: Around;
  /** The list of the one row of an aggregate, if a table in FROM cannot use the row around it. */
  readonly single?: Around;
  /** Whether the number of its rows comes before a list, because the server may cut the list. */
  readonly counts?: true;
  /** Whether an aggregate takes an order; if not, it keeps that of a table in FROM. */
  readonly orders: boolean;
  /** Whether an aggregate takes a limit that is a number. */
  readonly limits?: true;
  /** Whether an aggregate keeps the order of a table in FROM. */
  readonly keepsOrder: boolean;
}

export const unchanged: NestedValue = { template: "{f}" };

// Bytes have two digits each; any other text is replaced by a value that the server did not write.
export function bytesFromHex(value: unknown): unknown {
  return typeof value === "string" && value.length % 2 === 0 ? Buffer.from(value, "hex") : value;
}
