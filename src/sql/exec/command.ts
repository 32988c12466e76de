/** What is sent to a driver, again and again, and how its result is read. */

import type { DriverRequest, DriverResult } from "../contract/driver.js";
import type { AnyTable } from "../declare/declaration.js";
import type { OutVariable } from "../dialect/grammar.js";
import type { Piece } from "../render/plan.js";
import type { Output } from "../value/output.js";
import { writtenOut } from "./lists.js";
import type { Session } from "./session.js";
import type { Facts } from "./watch.js";

/** What a command is about, for errors and events. */
export type About = Pick<AnyTable, "name" | "columns" | "primaryKey" | "keys">;

/** What is sent, again and again: made once for each rendered text. */
export interface Command {
  readonly table: About;
  /** The native text. */
  readonly sql: string;
  readonly bigints: boolean;
  /** The text in pieces, where lists are written out in each call. */
  readonly pieces?: readonly Piece[] | undefined;
  /** The variables that rows come back through, where they do. */
  readonly into?: readonly OutVariable[] | undefined;
  /** The values of each execution, where there are several. */
  readonly batch?: readonly (readonly unknown[])[] | undefined;
  /** What the values of its rows are. */
  readonly output?: readonly Output[] | undefined;
  /** Whether the names of its columns are needed, because they are not known. */
  readonly named?: boolean | undefined;
}

/** How the result of a statement becomes what the caller gets, and what the event of its end tells. */
export interface Reading<T> {
  readonly givesRows: boolean;
  /** Whether the result is read before what the statement did lasts, because it may not be what was declared. */
  readonly isJudged?: (() => boolean) | undefined;
  readonly read: (result: DriverResult) => T;
  readonly tell: (value: T) => Facts;
}

/** What a driver is asked. */
export function requestOf(
  { table, sql, bigints, pieces, into, batch, output, named }: Command,
  params: readonly unknown[],
  givesRows: boolean,
  { grammar }: Session,
): DriverRequest {
  const { sql: text, params: values } =
    pieces === undefined ? { sql, params } : writtenOut(pieces, params, table, grammar);
  return { sql: text, params: values, givesRows, bigints, into, batch, output, named };
}
