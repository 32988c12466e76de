/**
 * `node:sqlite` in the place of better-sqlite3, so that all tests run on it (`ROWTYPE_SQLITE=node`): what the tests
 * themselves call of better-sqlite3, over a handle of the other client.
 */
import { DatabaseSync } from "node:sqlite";

interface Statement {
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
  columns(): readonly unknown[];
  setReturnArrays(isOn: boolean): void;
  setReadBigInts(isOn: boolean): void;
  raw?(): Statement;
  safeIntegers?(isOn?: boolean): Statement;
  pluck?(): Statement;
  readonly reader?: boolean;
}

// biome-ignore lint/style/noDefaultExport: it stands for a module that has one
export default class Sqlite extends DatabaseSync {
  constructor(
    file = ":memory:",
    { readonly = false, ...others }: { readonly?: boolean; timeout?: number } = {},
  ) {
    super(file, { readOnly: readonly, ...others });
  }

  get inTransaction(): boolean {
    return this.isTransaction;
  }

  override prepare(sql: string): ReturnType<DatabaseSync["prepare"]> {
    const statement = super.prepare(sql);
    return Object.assign(statement, withMore(statement as never));
  }

  transaction<T>(work: () => T): () => T {
    return () => {
      super.exec("BEGIN");
      try {
        const result = work();
        super.exec("COMMIT");
        return result;
      } catch (error) {
        super.exec("ROLLBACK");
        throw error;
      }
    };
  }

  pragma(text: string, { simple = false } = {}): unknown {
    const rows = super.prepare(`PRAGMA ${text}`).all();
    return simple ? Object.values(rows[0] ?? {})[0] : rows.map((row) => ({ ...row }));
  }
}

function withMore(statement: Statement): Partial<Statement> {
  const first = (row: unknown) => Object.values(Object(row))[0];
  const { all, get } = statement;
  let isSafe = false;
  return {
    reader: statement.columns().length > 0,
    raw() {
      statement.setReturnArrays(true);
      // A whole number beyond 2^53 is rounded where it is not asked for as a bigint.
      statement.setReadBigInts(true);
      const rounded = (value: unknown) => (typeof value === "bigint" && !isSafe ? Number(value) : value);
      statement.all = (...params) =>
        all.apply(statement, params).map((row) => (row as unknown[]).map(rounded));
      return statement;
    },
    safeIntegers(isOn = true) {
      isSafe = isOn;
      statement.setReadBigInts(true);
      return statement;
    },
    pluck: () =>
      Object.assign(statement, {
        all: (...params: unknown[]) => all.apply(statement, params).map(first),
        get: (...params: unknown[]) => first(get.apply(statement, params)),
      }),
  };
}
