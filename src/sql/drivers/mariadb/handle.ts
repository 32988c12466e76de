/**
 * The parts of mysql2 that rowtype uses: pools, connections, statements and results. Since TypeScript 6 a program must
 * request the types of Node, and the types of mysql2 do not request them.
 */
/// <reference types="node" preserve="true" />

import type { Readable } from "node:stream";
import { ignore } from "../../../core/values.js";
import type { DriverRequest, DriverResult, NativeResult } from "../../contract/driver.js";
import { asText, type MariadbField, type ReadingConfig } from "./fields.js";

/** The part of a `mysql2/promise` pool that rowtype uses. */
export interface MariadbPool {
  getConnection(): Promise<MariadbConnection>;
}

/** The part of a pool's connection that rowtype uses. */
export interface MariadbConnection {
  execute(options: MariadbText): Promise<readonly unknown[]>;
  query(sql: string): Promise<readonly unknown[]>;
  unprepare(options: MariadbText): unknown;
  /** The underlying connection; the types of mysql2 declare a different type. */
  readonly connection: object;
  /** The server's id of the connection. */
  readonly threadId: number | null;
  release(): void;
  destroy(): void;
}

/** The part of the connection under a `mysql2/promise` connection that rowtype uses. */
export interface MariadbCore {
  readonly config?: ReadingConfig;
  execute(options: MariadbStatement): MariadbCommand;
  prepare(options: MariadbStatement, callback: (error: Error | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** A running statement. */
interface MariadbCommand {
  stream(options: { highWaterMark: number }): Readable;
  on(event: "error" | "end" | "fields", listener: (value?: unknown) => void): unknown;
}

/** The underlying connection, if there is one. */
export function coreOf({ connection }: MariadbConnection): MariadbCore | undefined {
  // Its declared type is that of the wrapping connection.
  return connection as MariadbCore | undefined;
}

const heard = new WeakSet<object>();

/**
 * Listens for as long as a connection exists. mysql2 listens only to the first report of a loss. A later write reports
 * it again, and an event without a listener ends the process.
 */
export function hear(core: MariadbCore | undefined): void {
  if (core === undefined || heard.has(core)) return;
  heard.add(core);
  core.on("error", ignore);
}

/** A text and its values as mysql2 takes them. */
export interface MariadbText {
  readonly sql: string;
  values: unknown[];
}

/** A statement as mysql2 takes it, with all settings that decide the form of the result. */
export interface MariadbStatement extends MariadbText {
  rowsAsArray: boolean;
  nestTables: false;
  supportBigNumbers: boolean;
  bigNumberStrings: boolean;
  dateStrings: boolean;
  typeCast: boolean | ((field: MariadbField, next: () => unknown) => unknown);
}

/**
 * A statement with all settings that decide the form of the result.
 * @param isCast whether a function reads each value.
 */
export function statementOf(
  { sql, params }: Pick<DriverRequest, "sql" | "params">,
  isCast: boolean,
): MariadbStatement {
  return {
    sql,
    values: [...params],
    rowsAsArray: true,
    nestTables: false,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    typeCast: isCast ? asText : true,
  };
}

interface Header {
  readonly affectedRows?: unknown;
  readonly serverStatus?: unknown;
  readonly info?: unknown;
}

/** The driver's result in rowtype's form. */
export function resultOf([answer, fields]: readonly unknown[], { prepared }: DriverRequest): DriverResult {
  // With `rowsAsArray` every row is an array; a statement without rows returns a header.
  if (Array.isArray(answer)) {
    const columns = prepared.named === true && Array.isArray(fields) ? fields.map(nameOf) : undefined;
    return { rows: answer as unknown[][], affected: answer.length, columns };
  }
  return { rows: [], affected: affectedOf(answer) };
}

/**
 * The result of a text of the caller's own, as mysql2 gives it; rows that the pool makes lists are records too. Of a
 * procedure it is the first result.
 */
export function nativeResultOf([answer, fields]: readonly unknown[]): NativeResult {
  if (!Array.isArray(answer)) return { rows: [], affected: affectedOf(answer) };
  if (Array.isArray(fields) && Array.isArray(fields[0])) return nativeResultOf([answer[0], fields[0]]);
  const names = Array.isArray(fields) ? fields.map(nameOf) : [];
  const rows = answer.map((row: unknown) =>
    Array.isArray(row) ? Object.fromEntries(names.map((name, i) => [name, row[i]])) : row,
  );
  return { rows: rows as Record<string, unknown>[], affected: rows.length };
}

function affectedOf(header: unknown): number {
  const { affectedRows, info } = Object(header) as Header;
  // Counts the rows that an update matched, including unchanged ones; a pool may be configured to exclude those.
  const matched = /^Rows matched: (\d+)/.exec(String(info))?.[1];
  return Number(matched ?? affectedRows ?? 0);
}

function nameOf(field: unknown): string {
  return String(Object(field).name);
}

const IN_TRANSACTION = 1;

/** Whether a result says that no transaction is open. Results with rows do not contain this. */
export function isOutside([answer]: readonly unknown[]): boolean {
  const { serverStatus } = Object(answer) as Header;
  return typeof serverStatus === "number" && (serverStatus & IN_TRANSACTION) === 0;
}
