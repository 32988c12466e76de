/** A folder of migrations for a test, and the servers that the runner is tested on. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database, Dialect } from "rowtype";
import { afterEach, beforeEach, describe } from "vitest";
import { type Lent, servers } from "../../servers.js";

/** A folder that a test writes files into. */
export interface Folder {
  readonly path: string;
  /** Writes a file; SQL gets a header. */
  put(file: string, text: string): void;
  /** Writes a file as it is. */
  putAs(file: string, text: string): void;
  remove(file: string): void;
}

/** What a test of the runner gets. */
export interface Place {
  readonly db: Database;
  readonly dialect: Dialect;
  readonly lent: Lent;
  readonly folder: Folder;
  /** The rows of a query. */
  rows(sql: string): Promise<readonly unknown[]>;
}

export function makeFolder(dialect: Dialect): Folder {
  const path = mkdtempSync(join(tmpdir(), "rowtype-migrations-"));
  return {
    path,
    put: (file, text) =>
      writeFileSync(
        join(path, file),
        file.endsWith(".sql") ? `-- rowtype 1 · ${dialect} · test\n${text}` : text,
      ),
    putAs: (file, text) => writeFileSync(join(path, file), text),
    remove: (file) => rmSync(join(path, file)),
  };
}

/**
 * Describes `block` on SQLite, PostgreSQL and MariaDB, each test with a database and a folder of its own.
 * @param also whether what stands in for Oracle's server is another.
 */
export function onRunnerServers(
  title: string,
  block: (place: () => Place) => void,
  also?: "oracle" | undefined,
): void {
  for (const server of servers.filter(({ dialect }) => dialect !== "oracle" || also === "oracle"))
    describe.skipIf(!server.available)(`${title} on ${server.name}`, () => {
      let lent: Lent;
      let place: Place;
      beforeEach(async () => {
        lent = await server.lend();
        const folder = makeFolder(server.dialect);
        place = { db: lent.db, dialect: server.dialect, lent, folder, rows: (sql) => lent.run(sql) };
      });
      afterEach(async () => {
        rmSync(place.folder.path, { recursive: true });
        await lent.close();
      });
      block(() => place);
    });
}
