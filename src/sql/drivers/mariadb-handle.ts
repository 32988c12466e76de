/** What rowtype uses of mysql2: the shapes of a pool and its connections, statements, answers, and how they are ended. */
import type { Readable } from "node:stream";
import { acquired as inTime } from "../contract/abort.js";
import type { DriverRequest, DriverResult } from "../contract/driver.js";
import { asText, type MariadbField, type ReadingConfig } from "./mariadb-fields.js";

/** What rowtype uses of a `mysql2/promise` pool. */
export interface MariadbPool {
  getConnection(): Promise<MariadbConnection>;
}

/** What rowtype uses of a connection of such a pool. */
export interface MariadbConnection {
  execute(options: MariadbStatement): Promise<readonly unknown[]>;
  query(sql: string): Promise<readonly unknown[]>;
  unprepare(options: MariadbStatement): unknown;
  /** The connection beneath, which the types of mysql2 take for another of these. */
  readonly connection: object;
  /** How the server calls the connection. */
  readonly threadId: number | null;
  release(): void;
  destroy(): void;
}

/** What rowtype uses of the connection beneath one of `mysql2/promise`. */
export interface MariadbCore {
  readonly config?: ReadingConfig;
  execute(options: MariadbStatement): MariadbCommand;
  prepare(options: MariadbStatement, callback: (error: Error | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** A statement under way. */
export interface MariadbCommand {
  stream(options: { highWaterMark: number }): Readable;
  on(event: "error" | "end" | "fields", listener: (value?: unknown) => void): unknown;
}

/** The connection beneath, where there is one. */
export function coreOf({ connection }: MariadbConnection): MariadbCore | undefined {
  // What its type says of it is that of the connection around it.
  return connection as MariadbCore | undefined;
}

/** A statement as mysql2 takes it. */
export interface MariadbStatement {
  readonly sql: string;
  values: unknown[];
  rowsAsArray: boolean;
  nestTables: false;
  supportBigNumbers: boolean;
  bigNumberStrings: boolean;
  dateStrings: boolean;
  typeCast: boolean | ((field: MariadbField, next: () => unknown) => unknown);
}

/** A connection of the pool; one that comes after the signal goes back to it. */
export function acquired(pool: MariadbPool, signal: AbortSignal | undefined): Promise<MariadbConnection> {
  return inTime(pool.getConnection(), signal, (late) => late.release());
}

/** Ends a connection on which a statement runs. */
export function end(connection: MariadbConnection, pool: MariadbPool): void {
  const { threadId } = connection;
  connection.destroy();
  // The server would go on until it has something to tell.
  if (threadId !== null) void kill(pool, `KILL ${threadId}`);
}

/** Has the server end something, by another connection. What has ended meanwhile is what is wanted. */
export async function kill(pool: MariadbPool, sql: string, signal?: AbortSignal): Promise<void> {
  const killer = await acquired(pool, signal).catch(ignore);
  if (killer === undefined) return;
  // Not prepared: each would be a text of its own.
  await killer.query(sql).catch(ignore);
  killer.release();
}

function ignore(): undefined {
  // The one who asked has been answered.
}

/**
 * A statement with everything that decides what comes back.
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

/** What the driver answered, as rowtype takes it. */
export function resultOf([answer, fields]: readonly unknown[], { named }: DriverRequest): DriverResult {
  // With `rowsAsArray` every row is an array; a statement without rows gives a header.
  if (Array.isArray(answer)) {
    const columns = named === true && Array.isArray(fields) ? fields.map(nameOf) : undefined;
    return { rows: answer as unknown[][], affected: answer.length, columns };
  }
  const { affectedRows, info } = Object(answer) as Header;
  // Rows that an update matched count, also where it changed nothing in them; a pool may be told to leave those out.
  const matched = /^Rows matched: (\d+)/.exec(String(info))?.[1];
  return { rows: [], affected: Number(matched ?? affectedRows ?? 0) };
}

function nameOf(field: unknown): string {
  return String(Object(field).name);
}

const IN_TRANSACTION = 1;

/** Whether an answer tells that there is no transaction any more. Rows come without a word on it. */
export function isOutside([answer]: readonly unknown[]): boolean {
  const { serverStatus } = Object(answer) as Header;
  return typeof serverStatus === "number" && (serverStatus & IN_TRANSACTION) === 0;
}
