/**
 * The guard of a change that returns rows: a last column whose expression fails for a row that could not be decoded. The
 * server then undoes the statement by itself, so that no transaction is needed to keep what a rejected call promises.
 */
import type { Storage } from "../../declare/declaration.js";

export interface GuardForm {
  /**
   * A condition on the value `{f}` of a column; if it is true, the value can be decoded, whatever the type of the column
   * is. It may be false, or fail, for values that can be decoded: the statement is then run again, in a transaction.
   * `ANY`: every value can be. Undefined: SQL cannot say it.
   */
  readonly decodable: (storage: Storage) => string | typeof ANY | undefined;
  /** An expression that fails when it is evaluated; `{f}` is a column, so that it is evaluated for a row only. */
  readonly failure: string;
  /** Whether the guard may be the cause of an error of the dialect's client. */
  readonly isFailure: (error: unknown) => boolean;
}

/** Every value that is not null can be decoded. */
export const ANY: unique symbol = Symbol("any value");

/** The quoted members of an enum of texts; undefined if there are others. */
export function membersOf({ values }: Storage, quoted: (text: string) => string): string | undefined {
  const all = [...(values ?? [])];
  if (all.length === 0 || !all.every((one) => typeof one === "string")) return undefined;
  return all.map(quoted).join(", ");
}

/** The numbers that a JavaScript number holds exactly, if they are whole. */
export const SAFE: string = `BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
