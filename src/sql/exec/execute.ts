/** Sends a prepared statement and tells the events about it. */
import type { AnyTable } from "../declaration.js";
import type { OutVariable } from "../dialect/grammar.js";
import { SqlError } from "../errors.js";
import { events, type Operation, type SqlEvents } from "../events.js";
import type { Output, Piece, Plan, RenderedStatement, Slot } from "../render/plan.js";
import type { Binder } from "../value/binder.js";
import { throwIfAborted } from "./abort.js";
import { type Row, type RowDecoder, rowDecoder } from "./decode.js";
import type { Answer, DeclaredKeys, DriverRequest, DriverResult } from "./driver.js";
import { writtenOut } from "./lists.js";
import type { ExecOptions, TransactionHandle } from "./options.js";
import type { Session } from "./session.js";
import { sessionOf } from "./transaction.js";

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

/** A statement with everything that a call of it needs; binders and decoder are made at the first call. */
export class Prepared<S extends RenderedStatement = Plan> implements Command {
  readonly plan: S;
  readonly table: AnyTable;
  readonly sql: string;
  readonly bigints: boolean;
  readonly pieces: readonly Piece[] | undefined;
  readonly into: readonly OutVariable[] | undefined;
  readonly output: readonly Output[];
  /** Its result as rows. */
  readonly allRows: Reading<Row[]> = {
    givesRows: true,
    read: ({ rows }) => {
      const decode = this.#decoder();
      return rows.map((values) => decode(values));
    },
    tell: ({ length }) => ({ rowsReturned: length }),
  };
  #places: readonly Place[] | undefined;
  #decodeRow: RowDecoder | undefined;

  constructor(plan: S) {
    this.plan = plan;
    this.table = plan.table;
    this.sql = plan.rendered.native.sql;
    this.pieces = plan.pieces;
    this.into = plan.into;
    this.output = plan.output;
    this.bigints = plan.output.some(({ kind }) => kind === "bigint");
  }

  /** The values behind the placeholders, in their order. */
  bind(params: Readonly<Record<string, unknown>>): unknown[] {
    this.#places ??= this.plan.slots.map(placeOf);
    const values: unknown[] = [];
    for (const { name, bind, checks } of this.#places) {
      const given = params[name];
      values.push(bind(given));
      // The other uses would give the same value: they are called for what they refuse.
      if (checks !== undefined) for (const check of checks) check(given);
    }
    return values;
  }

  /** A row as the schema says. */
  decodeRow(values: readonly unknown[]): Row {
    return this.#decoder()(values);
  }

  #decoder(): RowDecoder {
    this.#decodeRow ??= rowDecoder(this.table, this.output);
    return this.#decodeRow;
  }
}

/** What stands behind one placeholder, ready to be called. */
interface Place {
  readonly name: string;
  readonly bind: Binder;
  /** The binders of the other uses of the placeholder, where there are others. */
  readonly checks: readonly Binder[] | undefined;
}

function placeOf({ name, binders }: Slot): Place {
  const [bind = unbound, ...checks] = binders.map((make) => make());
  return { name, bind, checks: checks.length === 0 ? undefined : checks };
}

function unbound(): never {
  throw new TypeError("a placeholder has no binder");
}

/** Where and for what a statement is sent. */
export interface Call {
  readonly session: Session;
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
  /** The transaction of the session, if it is one. */
  readonly tx: TransactionHandle | undefined;
}

/** A call with these options, in the transaction that they name. */
export function callOf(session: Session, options: ExecOptions | undefined, operation: Operation): Call {
  const tx = options?.tx;
  const inside = tx === undefined ? session : sessionOf(tx, session.driver);
  return { session: inside, operation, signal: options?.signal, tx };
}

/** Sends a statement and gives the rows that come back. */
export function fetchRows(prepared: Prepared, values: readonly unknown[], call: Call): Answer<Row[]> {
  return send(prepared, values, call, prepared.allRows);
}

/** Sends a statement and gives the number of rows that it changed. */
export function fetchAffected(command: Command, values: readonly unknown[], call: Call): Answer<number> {
  return send(command, values, call, {
    givesRows: false,
    read: ({ affected }) => affected,
    tell: (rowsAffected) => ({ rowsAffected }),
  });
}

/** Sends a statement that is executed several times and gives the number of rows that each of them changed. */
export function fetchEach(command: Command, call: Call): Answer<readonly number[]> {
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
): Answer<number | bigint> {
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

/** How the result of a statement becomes what the caller gets, and what the event of its end tells. */
export interface Reading<T> {
  readonly givesRows: boolean;
  readonly read: (result: DriverResult) => T;
  readonly tell: (value: T) => Facts;
}

type Facts = Pick<SqlEvents["db.query.completed"], "rowsReturned" | "rowsAffected" | "value">;

/** Sends a statement and gives what is read of its result: at once where the driver is synchronous. */
export function send<T>(
  command: Command,
  values: readonly unknown[],
  { session, operation, signal }: Call,
  reading: Reading<T>,
): Answer<T> {
  throwIfAborted(signal);
  session.throwIfClosed();
  const request = requestOf(command, values, reading.givesRows, session);
  const { table } = command;
  const watch = watched(table, operation, command.sql);
  try {
    const answer = session.run(request, signal);
    if (!(answer instanceof Promise)) return completed(answer, reading, watch);
    return answer
      .then((result) => completed(result, reading, watch))
      .catch((error: unknown) => {
        throw failed(error, table, session, watch);
      });
  } catch (error) {
    throw failed(error, table, session, watch);
  }
}

function completed<T>(result: DriverResult, { read, tell }: Reading<T>, watch: Watch | undefined): T {
  const value = read(result);
  watch?.completed(tell(value));
  return value;
}

function failed(error: unknown, table: About, session: Session, watch: Watch | undefined): SqlError {
  const failure = failureOf(error, table, session);
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
    const failure = failureOf(error, command.table, call.session);
    watch?.failed(failure);
    throw failure;
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
    throw failureOf(error, command.table, session);
  }
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

/** An error as one of ours. */
export function failureOf(error: unknown, table: About, { driver }: Session): SqlError {
  return error instanceof SqlError ? error : driver.translate(error, propertyOf(table), keysOf(table));
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

/** What tells how a statement ends. */
export interface Watch {
  readonly completed: (facts: Facts) => void;
  readonly failed: (error: SqlError) => void;
}

/** Tells that a statement begins; nothing is told where nobody listens. */
export function watched(table: About, operation: Operation, sql: string): Watch | undefined {
  if (!events.isHeard()) return undefined;
  const statement = { table: table.name, operation, sql };
  const start = performance.now();
  events.emit("db.query.started", statement);
  return {
    completed: (facts) =>
      events.emit("db.query.completed", { ...statement, durationMs: performance.now() - start, ...facts }),
    failed: (error) =>
      events.emit("db.query.failed", { ...statement, durationMs: performance.now() - start, error }),
  };
}
