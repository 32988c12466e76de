/** `bun:sqlite` in the place of better-sqlite3, as `node.ts` is: `ROWTYPE_SQLITE=bun`. */
import { Database } from "bun:sqlite";

// biome-ignore lint/style/noDefaultExport: it stands for a module that has one
export default class Sqlite extends Database {
  constructor(
    file = ":memory:",
    { readonly = false, timeout = 5000 }: { readonly?: boolean; timeout?: number } = {},
  ) {
    super(file, readonly ? { readonly } : { create: true, readwrite: true });
    super.exec(`PRAGMA busy_timeout = ${timeout}`);
    if (!readonly) super.exec("PRAGMA foreign_keys = ON");
  }

  pragma(text: string, { simple = false } = {}): unknown {
    const rows = super.prepare(`PRAGMA ${text}`).all() as Record<string, unknown>[];
    return simple ? Object.values(rows[0] ?? {})[0] : rows;
  }

  override prepare(sql: string): ReturnType<Database["prepare"]> {
    const statement = super.prepare(sql);
    const add = (more: Record<string, unknown>) => {
      // Some of the names stand on its prototype, which cannot be written over by an assignment.
      for (const [name, value] of Object.entries(more))
        Object.defineProperty(statement, name, { value, configurable: true, writable: true });
      return statement;
    };
    return add({
      reader: statement.columnNames.length > 0,
      columns: () => statement.columnNames.map((name) => ({ name })),
      raw: () => add({ all: (...params: unknown[]) => statement.values(...params) }),
      pluck: () => ({
        all: (...params: unknown[]) => statement.values(...params).map((row) => row[0]),
        get: (...params: unknown[]) => statement.values(...params)[0]?.[0],
      }),
    });
  }
}
