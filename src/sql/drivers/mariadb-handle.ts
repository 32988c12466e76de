/** What rowtype uses of mysql2: the shapes of a pool and its connections, statements, answers, and how they are ended. */
import { QueryError } from "../errors.js";
import type { DriverRequest, DriverResult } from "../exec/driver.js";

/** What rowtype uses of a `mysql2/promise` pool. */
export interface MariadbPool {
  execute(options: MariadbStatement): Promise<readonly unknown[]>;
  getConnection(): Promise<MariadbConnection>;
}

/** What rowtype uses of a connection of such a pool. */
export interface MariadbConnection {
  execute(options: MariadbStatement): Promise<readonly unknown[]>;
  query(sql: string): Promise<readonly unknown[]>;
  unprepare(options: MariadbStatement): unknown;
  /** How the server calls the connection. */
  readonly threadId: number | null;
  release(): void;
  destroy(): void;
}

/** A statement as mysql2 takes it. */
export interface MariadbStatement {
  readonly sql: string;
  values: unknown[];
  rowsAsArray: boolean;
  nestTables: false;
  supportBigNumbers: boolean;
  bigNumberStrings: boolean;
  typeCast: (field: MariadbField, next: () => unknown) => unknown;
}

/** What rowtype asks of a field of a row. */
export interface MariadbField {
  readonly type: string;
  string(): string | null;
}

/** Texts so long are used once, and would be kept prepared on every connection: lists and batches, mostly. */
const LONG = 4_000;

function isLong({ sql }: DriverRequest): boolean {
  return sql.length > LONG;
}

/** A connection of the pool; one that comes after the signal goes back to it. */
export function acquired(pool: MariadbPool, signal: AbortSignal | undefined): Promise<MariadbConnection> {
  const connecting = pool.getConnection();
  if (signal === undefined) return connecting;
  return orAborted(connecting, signal, () => {
    connecting.then((connection) => connection.release(), ignore);
  });
}

/** Sends a statement on a connection, and ends both where the signal says so. */
export async function executeOn(
  connection: MariadbConnection,
  request: DriverRequest,
  signal: AbortSignal | undefined,
  pool: MariadbPool,
): Promise<readonly unknown[]> {
  if (signal?.aborted === true) throw aborted(signal);
  const statement = statementOf(request);
  const running = connection.execute(statement);
  const answer = await (signal === undefined
    ? running
    : orAborted(running, signal, () => end(connection, pool)));
  // Not after a failure: a connection that is gone takes no more commands.
  if (isLong(request)) connection.unprepare(statement);
  return answer;
}

/** Waits for something no longer than the signal lets it. */
function orAborted<T>(running: Promise<T>, signal: AbortSignal, abandon: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(aborted(signal));
      abandon();
    };
    signal.addEventListener("abort", abort, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Ends a connection on which a statement runs. */
function end(connection: MariadbConnection, pool: MariadbPool): void {
  const { threadId } = connection;
  connection.destroy();
  // The server would go on until it has something to tell. A statement that has ended meanwhile is what is wanted.
  if (threadId !== null) pool.execute(statementOf({ sql: `KILL ${threadId}`, params: [] })).catch(ignore);
}

function aborted(signal: AbortSignal): QueryError {
  return new QueryError("ABORTED", "the call was aborted while it ran", { cause: signal.reason });
}

function ignore(): void {
  // The one who asked has been answered.
}

/** A statement with everything that decides what comes back. */
export function statementOf({ sql, params }: Pick<DriverRequest, "sql" | "params">): MariadbStatement {
  return {
    sql,
    values: [...params],
    rowsAsArray: true,
    nestTables: false,
    supportBigNumbers: true,
    bigNumberStrings: true,
    typeCast: asText,
  };
}

const textual: ReadonlySet<string> = new Set([
  "DECIMAL",
  "NEWDECIMAL",
  "DATE",
  "NEWDATE",
  "DATETIME",
  "TIMESTAMP",
]);

// Exact decimals, times and JSON as the text that they are; settings of the pool would make other things of them.
function asText(field: MariadbField & { readonly extendedFormat?: string }, next: () => unknown): unknown {
  return textual.has(field.type) || field.extendedFormat === "json" ? field.string() : next();
}

interface Header {
  readonly affectedRows?: unknown;
  readonly serverStatus?: unknown;
  readonly info?: unknown;
}

/** What the driver answered, as rowtype takes it. */
export function resultOf([answer]: readonly unknown[]): DriverResult {
  // With `rowsAsArray` every row is an array; a statement without rows gives a header.
  if (Array.isArray(answer)) return { rows: answer as unknown[][], affected: answer.length };
  const { affectedRows, info } = Object(answer) as Header;
  // Rows that an update matched count, also where it changed nothing in them; a pool may be told to leave those out.
  const matched = /^Rows matched: (\d+)/.exec(String(info))?.[1];
  return { rows: [], affected: Number(matched ?? affectedRows ?? 0) };
}

const IN_TRANSACTION = 1;

/** Whether an answer tells that there is no transaction any more. Rows come without a word on it. */
export function isOutside([answer]: readonly unknown[]): boolean {
  const { serverStatus } = Object(answer) as Header;
  return typeof serverStatus === "number" && (serverStatus & IN_TRANSACTION) === 0;
}
