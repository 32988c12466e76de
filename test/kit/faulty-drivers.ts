/** Drivers of SQLite with one fault each, as authors of drivers make them. */
import type Sqlite from "better-sqlite3";
import type { Connection, Cursor, Driver, Result, Runs, Statement, Value } from "rowtype/driver";

type Full = Driver & Required<Pick<Driver, "connect">>;
type Fault = (driver: Full, handle: Sqlite.Database) => Full;
type Run = (statement: Statement, signal?: AbortSignal) => Promise<Result>;

/** The same driver, with another `run` everywhere. */
const running =
  (change: (run: Run, handle: Sqlite.Database) => Run): Fault =>
  (driver, handle) => {
    const runOf = (runs: Runs): Run => {
      const changed = change(async (statement) => runs.run(statement), handle);
      return async (statement, signal) => {
        signal?.throwIfAborted();
        return changed(statement);
      };
    };
    return {
      ...driver,
      run: runOf(driver),
      connect: async (signal) => {
        const connection = await driver.connect(signal);
        return { ...connection, run: runOf(connection) };
      },
    };
  };

/** With other connections. */
const connecting =
  (change: (connection: Connection, handle: Sqlite.Database) => Partial<Connection>): Fault =>
  (driver, handle) => ({
    ...driver,
    connect: async (signal) => {
      const connection = await driver.connect(signal);
      return { ...connection, ...change(connection, handle) };
    },
  });

/** With other values in the rows. */
const reading = (change: (value: Value) => unknown): Fault =>
  running((run) => async (statement) => {
    const { rows, ...others } = await run(statement);
    return { ...others, rows: rows.map((row) => row.map((value) => change(value) as Value)) };
  });

/** With other values in the parameters. */
const sending = (change: (value: Value) => Value): Fault =>
  running((run) => (statement) => run({ ...statement, params: statement.params.map(change) }));

/** With another list of rows. */
const rowsOf = (change: (rows: Result["rows"]) => Result["rows"]): Fault =>
  running((run) => async (statement) => {
    const result = await run(statement);
    return { ...result, rows: change(result.rows) };
  });

/** With other cursors. */
const paging = (change: (cursor: Cursor) => Partial<Cursor>): Fault =>
  connecting((connection) => ({
    open: async (statement) => {
      const cursor = await connection.open?.(statement);
      if (cursor === undefined) throw new Error("there is a cursor");
      return { ...cursor, ...change(cursor) };
    },
  }));

const isText = (value: unknown) => typeof value === "string";

export const faultyDrivers: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ["integers are rounded", reading((v) => (typeof v === "bigint" ? BigInt(Number(v)) : v))],
  [
    "bigints are rounded on their way in",
    sending((v) => (typeof v === "bigint" ? BigInt.asIntN(64, BigInt(Number(v))) : v)),
  ],
  ["long texts are cut", reading((v) => (isText(v) ? String(v).slice(0, 65_535) : v))],
  ["texts are trimmed", reading((v) => (isText(v) ? String(v).trim() : v))],
  ["an empty text becomes null", reading((v) => (v === "" ? null : v))],
  ["null becomes an empty text", reading((v) => (v === null ? "" : v))],
  [
    "texts that look like numbers become numbers",
    reading((v) => (/^\d+$/.test(String(v)) && isText(v) ? Number(v) : v)),
  ],
  [
    "characters beyond the base plane are lost",
    sending((v) => (isText(v) ? String(v).replace(/[\ud800-\udfff]{2}/g, "?") : v)),
  ],
  ["doubles lose digits", reading((v) => (typeof v === "number" ? Number(v.toFixed(10)) : v))],
  [
    "bytes are read as a text",
    reading((v) => (v instanceof Uint8Array ? Buffer.from(v).toString("latin1") : v)),
  ],
  ["no bytes become null", reading((v) => (v instanceof Uint8Array && v.length === 0 ? null : v))],
  [
    "bytes are cut at a zero",
    sending((v) => (v instanceof Uint8Array ? v.subarray(0, v.indexOf(0) < 0 ? v.length : v.indexOf(0)) : v)),
  ],
  [
    "parameters are in the wrong order",
    running((run) => (statement) => run({ ...statement, params: statement.params.toReversed() })),
  ],
  [
    "two columns of one name are one",
    running((run) => async (statement) => {
      const result = await run(statement);
      return {
        ...result,
        rows: statement.sql.includes("AS c, ") ? result.rows.map((row) => row.slice(1)) : result.rows,
      };
    }),
  ],
  ["rows are records", rowsOf((rows) => rows.map((row) => ({ ...row }) as never))],
  ["more than a thousand rows are left out", rowsOf((rows) => rows.slice(0, 1_000))],
  ["rows come in another order", rowsOf((rows) => rows.toReversed())],
  [
    "the names of columns are left out",
    running((run) => async (statement) => {
      const { columns: _, ...result } = await run(statement);
      return result;
    }),
  ],
  [
    "every statement has changed one row",
    running((run) => async (statement) => ({ ...(await run(statement)), affected: 1 })),
  ],
  [
    "affected is a text",
    running((run) => async (statement) => {
      const result = await run(statement);
      return { ...result, affected: String(result.affected) as never };
    }),
  ],
  [
    "affected counts what came before",
    running((run, handle) => async (statement) => {
      const result = await run(statement);
      return statement.rows === false
        ? { ...result, affected: handle.prepare("SELECT total_changes()").pluck().get() as number }
        : result;
    }),
  ],
  [
    "a second statement is left out",
    running((run) => (statement) => run({ ...statement, sql: statement.sql.replace(/;[^']*$/s, "") })),
  ],
  [
    "several statements are executed",
    running((run, handle) => async (statement) => {
      if (!/;\s*\S/.test(statement.sql.replace(/'[^']*'/g, ""))) return run(statement);
      handle.exec(statement.sql);
      return { rows: [], affected: 0 };
    }),
  ],
  [
    "codes of errors are lost",
    running(
      (run) => (statement) =>
        run(statement).catch((error: Error) => Promise.reject(new Error(error.message))),
    ),
  ],
  [
    "errors are swallowed",
    running((run) => (statement) => run(statement).catch(() => ({ rows: [], affected: 0, columns: [] }))),
  ],
  [
    "kept texts give kept rows",
    running((run) => {
      const kept = new WeakMap<object, Result>();
      return async (statement) => {
        const result = kept.get(statement.text) ?? (await run(statement));
        kept.set(statement.text, result);
        return result;
      };
    }),
  ],
  [
    "answers to calls at once are exchanged",
    running((run) => {
      let before: Promise<Result> | undefined;
      return async (statement) => {
        const own = run(statement);
        const other = before ?? own;
        before = own;
        await own.catch(() => undefined);
        setImmediate(() => {
          before = undefined;
        });
        return other;
      };
    }),
  ],
  ["signals are ignored", (driver) => ({ ...driver, run: (statement) => driver.run(statement) })],
  [
    "a rollback commits",
    connecting(({ control }) => ({
      control: (command) => control(command === "rollback" ? "commit" : command),
    })),
  ],
  [
    "a commit rolls back",
    connecting(({ control }) => ({
      control: (command) => control(command === "commit" ? "rollback" : command),
    })),
  ],
  ["no transaction is begun", connecting(() => ({ begin: () => undefined, control: () => undefined }))],
  [
    "savepoints are flat",
    connecting(({ control }) => {
      let depth = 0;
      return {
        control: (command) => {
          if (command === "savepoint" && ++depth > 1) return;
          if (command === "release savepoint" && depth-- > 1) return;
          return control(command);
        },
      };
    }),
  ],
  [
    "a rollback to a savepoint does nothing",
    connecting(({ control }) => ({
      control: (command) => (command === "rollback to savepoint" ? undefined : control(command)),
    })),
  ],
  [
    "a rollback to a savepoint undoes everything",
    connecting(({ control }, handle) => ({
      control: (command) => {
        if (command !== "rollback to savepoint") return control(command);
        handle.exec("ROLLBACK; BEGIN; SAVEPOINT s");
      },
    })),
  ],
  ["connections are never released", connecting(() => ({ release: () => undefined }))],
  [
    "a release in doubt leaves the transaction open",
    connecting(({ release }) => ({ release: (inDoubt) => (inDoubt ? undefined : release(false)) })),
  ],
  [
    "a release in doubt commits",
    connecting(({ release }, handle) => ({
      release: (inDoubt) => {
        if (inDoubt && handle.inTransaction) handle.exec("COMMIT");
        return release(false);
      },
    })),
  ],
  [
    "others run inside the transaction of the only connection",
    (driver, handle) => ({
      ...driver,
      run: (statement, signal) => {
        signal?.throwIfAborted();
        const { rows, params, sql } = statement;
        const prepared = handle.prepare(sql);
        if (rows === false || !prepared.reader)
          return { rows: [], affected: prepared.run(...params).changes };
        const found = prepared
          .raw()
          .safeIntegers(statement.bigints)
          .all(...params) as Value[][];
        return { rows: found, affected: found.length, columns: prepared.columns().map(({ name }) => name) };
      },
    }),
  ],
  [
    "pages stop after the first",
    paging((cursor) => {
      let count = 0;
      return { next: async () => (count++ === 0 ? cursor.next() : []) };
    }),
  ],
  [
    "all rows are one page",
    paging((cursor) => ({
      next: async () => {
        const rows: (readonly Value[])[] = [];
        for (let page = await cursor.next(); page.length > 0; page = await cursor.next()) rows.push(...page);
        return rows;
      },
    })),
  ],
  [
    "the last row of a page comes again",
    paging((cursor) => {
      let last: readonly Value[] | undefined;
      return {
        next: async () => {
          const page = (await cursor.next()).slice(0, 255);
          const rows = last === undefined || page.length === 0 ? page : [last, ...page];
          last = page.at(-1);
          return rows;
        },
      };
    }),
  ],
  [
    "the first row of a cursor is left out",
    paging((cursor) => {
      let isFirst = true;
      return {
        next: async () => {
          const page = await cursor.next();
          const rows = isFirst ? page.slice(1) : page;
          isFirst = false;
          return rows;
        },
      };
    }),
  ],
  [
    "a cursor sees what came after it was opened",
    connecting(({ run, open }) => ({
      open: async (statement) => {
        if (!statement.sql.startsWith("SELECT id FROM t ORDER"))
          return open?.(statement) ?? Promise.reject(new Error("no cursor"));
        let at = 0;
        return {
          next: async () => {
            const { rows } = await run({
              ...statement,
              text: {},
              sql: `${statement.sql} LIMIT 256 OFFSET ${at}`,
            });
            at += rows.length;
            return rows;
          },
          close: async () => undefined,
        };
      },
    })),
  ],
]);
