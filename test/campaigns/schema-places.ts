/** Databases into which whole files of SQL are read. */
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import type { Database } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { servers } from "../servers.js";
import type { SchemaDialect } from "./real-schemas.js";

/** A database of its own. */
export interface Place {
  readonly db: Database;
  /** Runs a whole file. */
  load(text: string): Promise<void>;
  /** Sends a statement as it is. */
  run(sql: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function openPlace(dialect: SchemaDialect): Promise<Place> {
  if (dialect === "sqlite") {
    const handle = new Sqlite(":memory:");
    return {
      db: sqlite(handle),
      load: async (text) => void handle.exec(text),
      run: async (sql) => {
        const statement = handle.prepare(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      },
      close: async () => void handle.close(),
    };
  }
  const lent = await servers.find(({ name }) => name === dialect)?.lend();
  if (lent === undefined) throw new Error(`no ${dialect}`);
  return {
    db: lent.db,
    load: async (text) => {
      if (lent.pool !== undefined) await lent.pool.query(text);
      else {
        const connection = await mysql.createConnection({ uri: lent.url ?? "", multipleStatements: true });
        await connection.query(text).finally(() => connection.end());
      }
    },
    run: lent.run,
    close: lent.close,
  };
}
