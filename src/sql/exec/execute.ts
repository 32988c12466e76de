/** Sends a prepared statement and tells the events about it. */
import type { AnyTable } from "../declaration.js";
import type { OutVariable } from "../dialect/grammar.js";
import { SqlError } from "../errors.js";
import { events, type Operation, type SqlEvents } from "../events.js";
import type { Piece, Plan, RenderedStatement, Slot } from "../render/plan.js";
import type { Binder } from "../value/binder.js";
import { type Row, type RowDecoder, rowDecoder } from "./decode.js";
import type { DeclaredKeys, DriverRequest, DriverResult } from "./driver.js";
import { writtenOut } from "./lists.js";
import type { TransactionHandle } from "./options.js";
import { type Session, throwIfAborted } from "./session.js";

/** What is sent, again and again: made once for each rendered text. */
export interface Command {
  readonly table: AnyTable;
  /** The native text. */
  readonly sql: string;
  readonly bigints: boolean;
  /** The text in pieces, where lists are written out in each call. */
  readonly pieces?: readonly Piece[] | undefined;
  /** The variables that rows come back through, where they do. */
  readonly into?: readonly OutVariable[] | undefined;
  /** The values of each execution, where there are several. */
  readonly batch?: readonly (readonly unknown[])[] | undefined;
}

/** A statement with everything that a call of it needs; binders and decoder are made at the first call. */
export class Prepared<S extends RenderedStatement = Plan> implements Command {
  readonly plan: S;
  readonly table: AnyTable;
  readonly sql: string;
  readonly bigints: boolean;
  readonly pieces: readonly Piece[] | undefined;
  readonly into: readonly OutVariable[] | undefined;
  #places: readonly Place[] | undefined;
  #decodeRow: RowDecoder | undefined;

  constructor(plan: S) {
    this.plan = plan;
    this.table = plan.table;
    this.sql = plan.rendered.native.sql;
    this.pieces = plan.pieces;
    this.into = plan.into;
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
    this.#decodeRow ??= rowDecoder(this.table, this.plan.output);
    return this.#decodeRow(values);
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

/** Sends a statement and gives the rows that come back. */
export function fetchRows(prepared: Prepared, values: readonly unknown[], call: Call): Promise<Row[]> {
  return send(prepared, values, call, {
    givesRows: true,
    read: ({ rows }) => rows.map((values) => prepared.decodeRow(values)),
    tell: ({ length }) => ({ rowsReturned: length }),
  });
}

/** Sends a statement and gives the number of rows that it changed. */
export function fetchAffected(command: Command, values: readonly unknown[], call: Call): Promise<number> {
  return send(command, values, call, {
    givesRows: false,
    read: ({ affected }) => affected,
    tell: (rowsAffected) => ({ rowsAffected }),
  });
}

/** Sends a statement that is executed several times and gives the number of rows that each of them changed. */
export function fetchEach(command: Command, call: Call): Promise<readonly number[]> {
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
): Promise<number | bigint> {
  return send(prepared, values, call, {
    givesRows: true,
    read: ({ rows }) => {
      const [value] = Object.values(prepared.decodeRow(rows[0] ?? []));
      // The output of an aggregate decodes to a number or a bigint.
      return value === null ? none : (value as number | bigint);
    },
    tell: (value) => ({ value }),
  });
}

/** How the result of a statement becomes what the caller gets, and what the event of its end tells. */
interface Reading<T> {
  readonly givesRows: boolean;
  readonly read: (result: DriverResult) => T;
  readonly tell: (
    value: T,
  ) => Pick<SqlEvents["db.query.completed"], "rowsReturned" | "rowsAffected" | "value">;
}

async function send<T>(
  command: Command,
  values: readonly unknown[],
  { session, operation, signal }: Call,
  { givesRows, read, tell }: Reading<T>,
): Promise<T> {
  throwIfAborted(signal);
  const request = requestOf(command, values, givesRows, session);
  const { table } = command;
  const watch = watched(table, operation, command.sql);
  try {
    // A synchronous driver answers at once; waiting for it costs a turn of the event loop's queue.
    const answer = session.run(request, signal);
    const value = read(answer instanceof Promise ? await answer : answer);
    watch?.completed(tell(value));
    return value;
  } catch (error) {
    const failure = failureOf(error, table, session);
    watch?.failed(failure);
    throw failure;
  }
}

/** Runs what does the work of a command in several statements, and tells the events about it as one. */
export async function asOne(command: Command, call: Call, work: () => Promise<Row[]>): Promise<Row[]> {
  throwIfAborted(call.signal);
  const watch = watched(command.table, call.operation, command.sql);
  try {
    const rows = await work();
    watch?.completed({ rowsReturned: rows.length });
    return rows;
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

function requestOf(
  { table, sql, bigints, pieces, into, batch }: Command,
  params: readonly unknown[],
  givesRows: boolean,
  { grammar }: Session,
): DriverRequest {
  if (pieces === undefined) return { sql, params, givesRows, bigints, into, batch };
  return { ...writtenOut(pieces, params, table, grammar), givesRows, bigints, into };
}

function failureOf(error: unknown, table: AnyTable, { driver }: Session): SqlError {
  return error instanceof SqlError ? error : driver.translate(error, propertyOf(table), keysOf(table));
}

function propertyOf(table: AnyTable): (column: string) => string {
  const columns = Object.values(table.columns);
  return (name) => columns.find((column) => column.name === name)?.property ?? name;
}

function keysOf({ name: table, columns, primaryKey, keys }: AnyTable): DeclaredKeys {
  const named = (key: readonly string[]) => key.map((property) => columns[property]?.name ?? property);
  const others = keys.slice(primaryKey.length > 0 ? 1 : 0);
  return { table, primary: named(primaryKey), others: others.map(named) };
}

function watched(table: AnyTable, operation: Operation, sql: string) {
  const anybody =
    events.listens("db.query.completed") ||
    events.listens("db.query.failed") ||
    events.listens("db.query.started");
  if (!anybody) return undefined;
  const statement = { table: table.name, operation, sql };
  const start = performance.now();
  events.emit("db.query.started", statement);
  return {
    completed: (facts: ReturnType<Reading<unknown>["tell"]>) =>
      events.emit("db.query.completed", { ...statement, durationMs: performance.now() - start, ...facts }),
    failed: (error: SqlError) =>
      events.emit("db.query.failed", { ...statement, durationMs: performance.now() - start, error }),
  };
}
