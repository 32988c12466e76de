/** Sends requests and reports them to the events. */

import { throwIfAborted } from "../contract/abort.js";
import type { DeclaredKeys, DriverResult, MaybePromise } from "../contract/driver.js";
import { constraintsOf } from "../dialect/grammar/constraints.js";
import { columnName } from "../dialect/grammar/declared.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { isSqlError, type SqlError } from "../words/errors.js";
import type { RequestCall } from "./call.js";
import type { DecodedRow } from "./decode.js";
import { driverRequest } from "./driver-request.js";
import { lacksFields, propertyOf, withFields } from "./key-fields.js";
import type { About, PlanRequest, Prepared, Request, ResultReader } from "./prepared.js";
import { aboutParameter } from "./refused-value.js";
import type { Session } from "./session.js";
import { runAndRead } from "./undo.js";
import { type Watch, watched } from "./watch.js";

/** Sends a plan's own text and returns the rows. */
export function fetchRows(request: PlanRequest, call: RequestCall): MaybePromise<DecodedRow[]> {
  return send(request, call, request.prepared);
}

/** Sends a request and returns the number of changed rows. */
export function fetchAffected(request: Request, call: RequestCall): MaybePromise<number> {
  return send(request, call, affectedRows);
}

const affectedRows: ResultReader<number> = {
  read: ({ affected }) => affected,
  facts: (rowsAffected) => ({ rowsAffected }),
};

/** Sends a request that returns 1 for each stored row and 0 for others; returns the number of stored rows. */
export function fetchStored(request: Request, call: RequestCall): MaybePromise<number> {
  return send(request, call, {
    read: ({ rows }) => rows.filter(([stored]) => Number(stored) === 1).length,
    facts: (rowsAffected) => ({ rowsAffected }),
  });
}

/** Sends a request that is executed several times and returns the number of rows changed by each execution. */
export function fetchEach(request: Request, call: RequestCall): MaybePromise<readonly number[]> {
  return send(request, call, {
    read: ({ each = [] }) => each,
    facts: (each) => ({ rowsAffected: each.reduce((sum, one) => sum + one, 0) }),
  });
}

/** Sends an aggregate and returns its only value. Without values to sum up it is zero, in the kind of the column. */
export function fetchNumber(request: PlanRequest, call: RequestCall): MaybePromise<number | bigint | string> {
  const { prepared } = request;
  const none = prepared.output[0]?.zero ?? 0;
  return send(request, call, {
    read: ({ rows }) => {
      const [row] = rows;
      if (row === undefined) return none;
      const [value] = Object.values(prepared.decodeRow(row));
      // The output of an aggregate decodes to a number, a bigint or a decimal.
      return value === null ? none : (value as number | bigint | string);
    },
    facts: (value) => ({ value }),
  });
}

/** Sends a request and returns what the reader makes of its result: synchronously if the driver is synchronous. */
export function send<T>(request: Request, call: RequestCall, reader: ResultReader<T>): MaybePromise<T> {
  const { session, operation, signal } = call;
  throwIfAborted(signal);
  session.throwIfClosed();
  const { prepared } = request;
  const sent = driverRequest(request, session);
  const watch = watched(prepared.table, operation, prepared.sql);
  try {
    const answer = runAndRead(sent, reader, call);
    if (!(answer instanceof Promise)) return completed(answer, reader, watch);
    return answer
      .then((value) => completed(value, reader, watch))
      .catch((error: unknown) => failing(error, request, session, watch));
  } catch (error) {
    throw failed(error, request, session, watch);
  }
}

function completed<T>(value: T, reader: ResultReader<T>, watch: Watch | undefined): T {
  watch?.completed(reader.facts(value));
  return value;
}

/** Rejects with an error of the server, after asking the server for details if necessary. */
async function failing(
  error: unknown,
  request: Request,
  session: Session,
  watch?: Watch | undefined,
): Promise<never> {
  const { prepared } = request;
  let failure = failureOf(error, request, session);
  if (lacksFields(failure, prepared, session)) failure = await withFields(failure, prepared, session);
  watch?.failed(failure);
  throw failure;
}

function failed(error: unknown, request: Request, session: Session, watch: Watch | undefined): SqlError {
  const failure = failureOf(error, request, session);
  watch?.failed(failure);
  return failure;
}

/** Runs several requests that do the work of one text. The events report them as one. */
export async function asOne<T>(prepared: Prepared, call: RequestCall, work: () => Promise<T>): Promise<T> {
  throwIfAborted(call.signal);
  call.session.throwIfClosed();
  const watch = watched(prepared.table, call.operation, prepared.sql);
  try {
    const result = await work();
    watch?.completed(Array.isArray(result) ? { rowsReturned: result.length } : {});
    return result;
  } catch (error) {
    return failing(error, { prepared, values: [] }, call.session, watch);
  }
}

/** Sends one of several requests that the events report as one. */
export function ask(request: Request, call: RequestCall): Promise<DriverResult> {
  return askFor(request, call, whole);
}

const whole: ResultReader<DriverResult> = { read: (result) => result, facts: () => ({}) };

/** Like `ask`, and decodes the result: before the change is committed, if decoding may fail. */
export async function askFor<T>(request: Request, call: RequestCall, reader: ResultReader<T>): Promise<T> {
  throwIfAborted(call.signal);
  const sent = driverRequest(request, call.session);
  try {
    return await runAndRead(sent, reader, call);
  } catch (error) {
    return failing(error, request, call.session);
  }
}

/** Converts an error to one of ours. */
export function failureOf(error: unknown, request: Request, session: Session): SqlError {
  if (isSqlError(error)) return error;
  const { table, sql } = request.prepared;
  const { driver, grammar } = session;
  const failure = driver.translate(error, propertyOf(table), keysOf(table, grammar), sql);
  if (failure.code !== "QUERY_FAILED") return failure;
  return aboutParameter(error, failure, request, session) ?? failure;
}

function keysOf(table: About, grammar: Grammar): DeclaredKeys {
  const columnsOf = (key: readonly string[]) => key.map((property) => columnName(table, property));
  const all = constraintsOf(table, grammar);
  const { primaryKey, keys, references, checks } = all;
  const indexes = all.indexes.map((index) => ({ ...index, columns: index.columns.map(({ name }) => name) }));
  const constraints = [...(primaryKey === undefined ? [] : [primaryKey]), ...keys, ...references, ...checks];
  return {
    primary: columnsOf(table.primaryKey),
    others: table.keys.slice(table.primaryKey.length > 0 ? 1 : 0).map(columnsOf),
    named: new Map([...constraints, ...indexes].map(({ name, columns }) => [name, columns])),
    conditions: new Map(checks.map(({ condition, columns }) => [condition, columns])),
  };
}
