/** A driver over `@libsql/client` and a file: transactions and bigints, but no functions. */

import type { Database } from "rowtype";
import {
  type Connection,
  type Driver,
  databaseOver,
  type Fault,
  type Result,
  type Statement,
  type Value,
} from "rowtype/driver";
import { checkStatement } from "./one-statement.js";

/** The part of a client that is used. Make it with `createClient({ url: "file:app.db", intMode: "bigint" })`. */
export interface LibsqlClient extends Executes {
  transaction(mode: "write"): Promise<LibsqlTransaction>;
}
interface Executes {
  execute(statement: { sql: string; args: Value[] }): Promise<LibsqlAnswer>;
}
interface LibsqlTransaction extends Executes {
  readonly closed: boolean;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(): void;
}
interface LibsqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly ArrayLike<unknown>[];
  readonly rowsAffected: number;
}

export function libsql(client: LibsqlClient): Database<"sqlite"> {
  return databaseOver("sqlite", libsqlDriver(client));
}

export function libsqlDriver(client: LibsqlClient): Driver & Required<Pick<Driver, "connect">> {
  // A file takes one writer, and the client does not wait for it.
  let last = Promise.resolve();
  const turn = () =>
    new Promise<() => void>((begin) => {
      last = last.then(() => new Promise((end) => begin(end)));
    });
  return {
    oneConnection: true,
    lacks: ["functions"],
    run: async (statement, signal) => {
      signal?.throwIfAborted();
      const end = await turn();
      try {
        return await runOn(client, statement, signal);
      } finally {
        end();
      }
    },
    connect: async (signal) => {
      signal?.throwIfAborted();
      return connectionOf(client, await turn());
    },
    fault,
  };
}

const savepoints = {
  savepoint: "SAVEPOINT s",
  "release savepoint": "RELEASE SAVEPOINT s",
  "rollback to savepoint": "ROLLBACK TO SAVEPOINT s",
} as const;

function connectionOf(client: LibsqlClient, end: () => void): Connection {
  let tx: LibsqlTransaction | undefined;
  const on = () => (tx === undefined || tx.closed ? client : tx);
  return {
    run: (statement, signal) => runOn(on(), statement, signal),
    begin: async () => {
      tx = await client.transaction("write");
    },
    control: async (command) => {
      if (command === "commit") await tx?.commit();
      else if (command === "rollback") await tx?.rollback();
      else await on().execute({ sql: savepoints[command], args: [] });
    },
    open: async (statement, signal) => {
      // The client has no cursors: all rows are in memory.
      const { rows } = await runOn(on(), statement, signal);
      const pages = Array.from({ length: Math.ceil(rows.length / 256) }, (_, i) =>
        rows.slice(i * 256, (i + 1) * 256),
      );
      return { next: async () => pages.shift() ?? [], close: async () => void pages.splice(0) };
    },
    release: () => {
      tx?.close();
      end();
    },
  };
}

async function runOn(on: Executes, statement: Statement, signal?: AbortSignal): Promise<Result> {
  const { sql, params, rows: gives, bigints } = statement;
  checkStatement(statement);
  signal?.throwIfAborted();
  const { columns, rows, rowsAffected } = await on.execute({ sql, args: [...params] });
  if (gives === false || columns.length === 0) return { rows: [], affected: rowsAffected };
  const read = rows.map((row) => Array.from(row, (value) => readValue(value, bigints)));
  return { rows: read, affected: read.length, columns };
}

function readValue(value: unknown, bigints: boolean): Value {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return (typeof value === "bigint" && !bigints ? Number(value) : value) as Value;
}

function fault(error: unknown): Fault {
  const { name, code, extendedCode, message = String(error) } = Object(error);
  if (name === "AbortError") return { kind: "aborted", message };
  if (code === "CLIENT_CLOSED") return { kind: "unsent", message };
  return { message: message.replace(/^SQLITE_\w+: /, ""), code: extendedCode ?? code };
}
