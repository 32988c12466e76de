/** Sends a prepared statement and tells the events about it. */
import type { AnyTable } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { SqlError } from "../errors.js";
import { events, type Operation, type SqlEvents } from "../events.js";
import type { Plan } from "../render/plan.js";
import { type Row, type RowDecoder, rowDecoder } from "./decode.js";
import type { DriverResult } from "./driver.js";
import { type Binder, binderOf } from "./params.js";
import { type Session, throwIfAborted } from "./session.js";

/** A plan with everything that a call of it needs. Made once for each rendered text. */
export interface Prepared {
  readonly plan: Plan;
  readonly binders: readonly { readonly name: string; readonly bind: Binder }[];
  readonly decodeRow: RowDecoder;
  readonly bigints: boolean;
}

/** Prepares a plan. */
export function prepare(plan: Plan, grammar: Grammar): Prepared {
  return {
    plan,
    binders: plan.slots.map((slot) => ({ name: slot.name, bind: binderOf(slot, plan.table, grammar) })),
    decodeRow: rowDecoder(plan.table, plan.output, grammar),
    bigints: plan.output.some(({ kind }) => kind === "bigint"),
  };
}

/** The values behind the placeholders, in their order. */
export function bind(prepared: Prepared, params: Readonly<Record<string, unknown>>): unknown[] {
  return prepared.binders.map(({ name, bind: toDriver }) => toDriver(params[name]));
}

/** Where and for what a statement is sent. */
export interface Call {
  readonly session: Session;
  readonly operation: Operation;
  readonly signal: AbortSignal | undefined;
}

/** Sends a statement and gives the rows that come back. */
export function fetchRows(prepared: Prepared, values: readonly unknown[], call: Call): Promise<Row[]> {
  return send(prepared, values, call, {
    givesRows: true,
    read: ({ rows }) => rows.map(prepared.decodeRow),
    tell: ({ length }) => ({ rowsReturned: length }),
  });
}

/** Sends a statement and gives the number of rows that it changed. */
export function fetchAffected(prepared: Prepared, values: readonly unknown[], call: Call): Promise<number> {
  return send(prepared, values, call, {
    givesRows: false,
    read: ({ affected }) => affected,
    tell: (rowsAffected) => ({ rowsAffected }),
  });
}

/** Sends a statement and gives the only value of its only row. */
export function fetchValue<T extends number | bigint>(
  prepared: Prepared,
  values: readonly unknown[],
  call: Call,
  decode: (value: unknown) => T,
): Promise<T> {
  return send(prepared, values, call, {
    givesRows: true,
    read: ({ rows }) => decode(rows[0]?.[0]),
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
  { plan, bigints }: Prepared,
  params: readonly unknown[],
  { session, operation, signal }: Call,
  { givesRows, read, tell }: Reading<T>,
): Promise<T> {
  throwIfAborted(signal);
  const { sql } = plan.rendered.native;
  const watch = watched(plan.table, operation, sql);
  try {
    // A synchronous driver answers at once; waiting for it costs a turn of the event loop's queue.
    const answer = session.run({ sql, params, givesRows, bigints }, signal);
    const value = read(answer instanceof Promise ? await answer : answer);
    watch?.completed(tell(value));
    return value;
  } catch (error) {
    const failure =
      error instanceof SqlError ? error : session.driver.translate(error, propertyOf(plan.table));
    watch?.failed(failure);
    throw failure;
  }
}

function propertyOf(table: AnyTable): (column: string) => string {
  const columns = Object.values(table.columns);
  return (name) => columns.find((column) => column.name === name)?.property ?? name;
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
