/** A driver of rowtype's own behind the interface of `rowtype/driver`, so that the tests of drivers run on it. */
import type { Database } from "rowtype";
import type { Connection, Cursor, Driver, Result, Statement } from "rowtype/driver";
import type { DriverConnection, DriverRequest, DriverResult } from "../../src/sql/contract/driver.js";
import { sessionOfDoor } from "../../src/sql/door/plain.js";

/** The driver of a database. */
export function driverBehind(db: Database): Driver & Required<Pick<Driver, "connect">> {
  const session = sessionOfDoor(db);
  if (session === undefined) throw new Error("a database of rowtype was expected");
  const { driver } = session;
  return {
    ...(driver.hasOneConnection === true ? { oneConnection: true as const } : {}),
    run: async (statement, signal) => resultOf(await driver.run(requestOf(statement, signal), signal)),
    native: async (text, values, signal) =>
      (await driver.native?.({ text, values }, signal)) ?? { rows: [], affected: 0 },
    connect: async (signal) => connectionOf(await driver.connect(signal)),
  };
}

function connectionOf(connection: DriverConnection): Connection {
  return {
    run: async (statement, signal) => resultOf(await connection.run(requestOf(statement, signal), signal)),
    native: async (text, values, signal) =>
      (await connection.native?.({ text, values }, signal)) ?? { rows: [], affected: 0 },
    begin: (isolation) => connection.begin(isolation),
    control: (command) => connection.control(command),
    open: async (statement, signal) =>
      (await connection.open(requestOf(statement, signal), signal)) as Cursor,
    release: (inDoubt) => connection.release(inDoubt),
  };
}

const kept = new WeakMap<object, DriverRequest["prepared"]>();

// Signals that have fired are refused above the drivers.
function requestOf({ sql, params, rows, bigints, text }: Statement, signal?: AbortSignal): DriverRequest {
  signal?.throwIfAborted();
  const prepared = kept.get(text) ?? { givesRows: rows === true, bigints, named: rows === "unknown" };
  kept.set(text, prepared);
  return { prepared, sql, params };
}

function resultOf({ rows, affected, columns }: DriverResult): Result {
  // What a driver of rowtype reads are values of its dialect.
  return { rows: rows as Result["rows"], affected, ...(columns === undefined ? {} : { columns }) };
}
