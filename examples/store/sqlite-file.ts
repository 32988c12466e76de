/** Opens a file of SQLite by the client that this runtime has: `bun:sqlite`, `node:sqlite`, or better-sqlite3. */
import { type SqliteHandle, sqlite } from "rowtype/sqlite";

/** What the clients have in common, and the store uses. */
interface Handle {
  exec(sql: string): unknown;
  close(): unknown;
}
type Opens = new (file: string) => SqliteHandle & Handle;

async function client(): Promise<Opens> {
  if (process.versions["bun"] !== undefined) {
    const name = "bun:sqlite";
    return ((await import(name)) as { readonly Database: Opens }).Database;
  }
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 16)) {
    const name = "node:sqlite";
    return ((await import(name)) as { readonly DatabaseSync: Opens }).DatabaseSync;
  }
  return (await import("better-sqlite3")).default as unknown as Opens;
}

/** A database over a file, and what closes it. */
export async function openFile(
  file: string,
): Promise<{ readonly db: ReturnType<typeof sqlite>; readonly close: () => void }> {
  const handle = new (await client())(file);
  handle.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON");
  return { db: sqlite(handle), close: () => void handle.close() };
}
