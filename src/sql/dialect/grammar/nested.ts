/**
 * Rows inside of rows, as each dialect writes them: one JSON array for each row, and one of these. What JSON would not
 * hold exactly stands in it as text, and is read back as the driver would have given it.
 */
import type { Storage } from "../../declare/declaration.js";

/** Where a nested value comes from: a column, one with a declared type, or an expression. */
export type NestedSource = "column" | "declared column" | "expression";

/** One value of a nested row. */
export interface NestedValue {
  /** The value `{f}` as JSON takes it. */
  readonly template: string;
  /** What JSON gives, as the driver gives it; absent where both are the same. */
  readonly read?: (value: unknown) => unknown;
}

/** Text before and after. */
type Around = readonly [before: string, after: string];

/** How a dialect writes rows inside of rows. */
export interface NestedGrammar {
  readonly value: (storage: Storage, source: NestedSource) => NestedValue;
  /** Rows `{f}` in the rows around them: where they are found, and read from a table in FROM. */
  readonly inside: string;
  readonly insideAgain: string;
  /** Around the values of a row, at most this number of them. */
  readonly row: Around;
  readonly mostValues?: number;
  /** Around a row that is alone: NULL says that there is none. */
  readonly one: Around;
  /** Around the row in the aggregate over all of them, behind which their order stands. */
  readonly list: Around;
  /** The list of the one row of an aggregate, if a table in FROM does not see the row around. */
  readonly single?: Around;
  /** Whether a list stands behind the number of its rows, because the server may cut it. */
  readonly counts?: true;
  /** Whether an aggregate takes an order; if not, it keeps that of a table in FROM. */
  readonly orders: boolean;
  /** Whether it takes a limit that is a number. */
  readonly limits?: true;
  /** Whether an aggregate keeps the order of a table in FROM. */
  readonly keepsOrder: boolean;
}

export const unchanged: NestedValue = { template: "{f}" };

// Bytes have two digits each; any other text stands for what the server did not write.
export function bytesFromHex(value: unknown): unknown {
  return typeof value === "string" && value.length % 2 === 0 ? Buffer.from(value, "hex") : value;
}
