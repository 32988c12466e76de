/** Sends a command and tells the events about it. */

import { throwIfAborted } from "../contract/abort.js";
import type { DeclaredKeys, DriverResult, Judge, MaybePromise } from "../contract/driver.js";
import { isSqlError, type SqlError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions } from "../words/options.js";
import { type About, type Command, type Reading, requestOf } from "./command.js";
import type { Row } from "./decode.js";
import type { Prepared } from "./prepared.js";
import type { Session } from "./session.js";
import { sessionOf } from "./transaction.js";
import { type Watch, watched } from "./watch.js";

/** Where and for what a statement is sent. */
export interface Call {
  readonly session: Session;
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
}

/** A call with these options, in the transaction that they name, or outside of all where they say so. */
export function callOf(session: Session, options: ExecOptions | undefined, operation: Operation): Call {
  const tx = options?.tx;
  if (tx !== undefined && tx !== null)
    return { session: sessionOf(tx, session.driver), operation, signal: options?.signal };
  const place = tx === null ? session.database : session;
  place.throwIfInside(tx === null);
  return { session: place, operation, signal: options?.signal };
}

/** Sends a statement and gives the rows that come back. */
export function fetchRows(prepared: Prepared, values: readonly unknown[], call: Call): MaybePromise<Row[]> {
  return send(prepared, values, call, prepared.allRows);
}

/** Sends a statement and gives the number of rows that it changed. */
export function fetchAffected(
  command: Command,
  values: readonly unknown[],
  call: Call,
): MaybePromise<number> {
  return send(command, values, call, {
    givesRows: false,
    read: ({ affected }) => affected,
    tell: (rowsAffected) => ({ rowsAffected }),
  });
}

/** Sends a statement that is executed several times and gives the number of rows that each of them changed. */
export function fetchEach(command: Command, call: Call): MaybePromise<readonly number[]> {
  return send(command, [], call, {
    givesRows: false,
    read: ({ each = [] }) => each,
    tell: (each) => ({ rowsAffected: each.reduce((sum, one) => sum + one, 0) }),
  });
}

/** Sends an aggregate and gives its only value, or `none` where that is null. */
export function fetchNumber(
  prepared: Prepared,
  values: readonly unknown[],
  call: Call,
  none: number | bigint,
): MaybePromise<number | bigint> {
  return send(prepared, values, call, {
    givesRows: true,
    read: ({ rows }) => {
      const [row] = rows;
      if (row === undefined) return none;
      const [value] = Object.values(prepared.decodeRow(row));
      // The output of an aggregate decodes to a number or a bigint.
      return value === null ? none : (value as number | bigint);
    },
    tell: (value) => ({ value }),
  });
}

/** Sends a statement and gives what is read of its result: at once where the driver is synchronous. */
export function send<T>(
  command: Command,
  values: readonly unknown[],
  { session, operation, signal }: Call,
  reading: Reading<T>,
): MaybePromise<T> {
  throwIfAborted(signal);
  session.throwIfClosed();
  const request = requestOf(command, values, reading.givesRows, session);
  const { table } = command;
  const watch = watched(table, operation, command.sql);
  try {
    const once = reading.isJudged?.() === true ? new ReadOnce(reading) : undefined;
    const answer =
      once === undefined ? session.run(request, signal) : session.runJudged(request, once.judge, signal);
    if (!(answer instanceof Promise)) return completed(answer, once ?? reading, watch);
    return answer
      .then((result) => completed(result, once ?? reading, watch))
      .catch((error: unknown) => {
        throw failed(error, command, session, watch);
      });
  } catch (error) {
    throw failed(error, command, session, watch);
  }
}

/** A result that is judged by reading it, and then not read again. */
class ReadOnce<T> implements Reading<T> {
  readonly givesRows: boolean;
  readonly tell: Reading<T>["tell"];
  readonly #reading: Reading<T>;
  #made: { readonly of: DriverResult; readonly value: T } | undefined;
  readonly judge: Judge = (result) => {
    this.#made = { of: result, value: this.#reading.read(result) };
  };

  constructor(reading: Reading<T>) {
    this.#reading = reading;
    this.givesRows = reading.givesRows;
    this.tell = reading.tell;
  }

  read(result: DriverResult): T {
    return this.#made?.of === result ? this.#made.value : this.#reading.read(result);
  }
}

function completed<T>(result: DriverResult, reading: Reading<T>, watch: Watch | undefined): T {
  const value = reading.read(result);
  watch?.completed(reading.tell(value));
  return value;
}

function failed(error: unknown, command: Told, session: Session, watch: Watch | undefined): SqlError {
  const failure = failureOf(error, command, session);
  watch?.failed(failure);
  return failure;
}

/** Runs what does the work of a command in several statements, and tells the events about it as one. */
export async function asOne<T>(command: Command, call: Call, work: () => Promise<T>): Promise<T> {
  throwIfAborted(call.signal);
  call.session.throwIfClosed();
  const watch = watched(command.table, call.operation, command.sql);
  try {
    const result = await work();
    watch?.completed(Array.isArray(result) ? { rowsReturned: result.length } : {});
    return result;
  } catch (error) {
    throw failed(error, command, call.session, watch);
  }
}

/** Sends one of several statements, of which the events are told together. */
export async function ask(
  command: Command,
  values: readonly unknown[],
  givesRows: boolean,
  { session, signal }: Call,
): Promise<DriverResult> {
  throwIfAborted(signal);
  const request = requestOf(command, values, givesRows, session);
  try {
    return await session.run(request, signal);
  } catch (error) {
    throw failureOf(error, command, session);
  }
}

/** As `ask`, and reads the result: before what the statement did lasts, where that is doubted. */
export async function askFor<T>(
  command: Command,
  values: readonly unknown[],
  reading: Reading<T>,
  { session, signal }: Call,
): Promise<T> {
  throwIfAborted(signal);
  const request = requestOf(command, values, reading.givesRows, session);
  try {
    return await readingOf(reading, (judge) =>
      judge === undefined ? session.run(request, signal) : session.runJudged(request, judge, signal),
    );
  } catch (error) {
    throw failureOf(error, command, session);
  }
}

async function readingOf<T>(
  reading: Reading<T>,
  run: (judge: Judge | undefined) => MaybePromise<DriverResult>,
): Promise<T> {
  const once = reading.isJudged?.() === true ? new ReadOnce(reading) : undefined;
  const result = await run(once?.judge);
  return (once ?? reading).read(result);
}

/** What is told of a command in an error. */
type Told = Pick<Command, "table" | "sql">;

/** An error as one of ours. */
export function failureOf(error: unknown, { table, sql }: Told, { driver }: Session): SqlError {
  return isSqlError(error) ? error : driver.translate(error, propertyOf(table), keysOf(table), sql);
}

function propertyOf(table: About): (column: string) => string {
  const columns = Object.values(table.columns);
  return (name) => columns.find((column) => column.name === name)?.property ?? name;
}

function keysOf({ name: table, columns, primaryKey, keys }: About): DeclaredKeys {
  const named = (key: readonly string[]) => key.map((property) => columns[property]?.name ?? property);
  const others = keys.slice(primaryKey.length > 0 ? 1 : 0);
  return { table, primary: named(primaryKey), others: others.map(named) };
}
