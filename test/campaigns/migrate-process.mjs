/**
 * A process that applies migrations: told a dialect, a database and a folder, it writes a line when it begins, for each
 * step that is done, and at the end.
 */
import { writeSync } from "node:fs";
import { migrate } from "rowtype/migrate";

const [dialect, place, folder] = process.argv.slice(2);
const open = {
  sqlite: async () => {
    const [{ default: Sqlite }, { sqlite }] = [
      await import("better-sqlite3"),
      await import("rowtype/sqlite"),
    ];
    const handle = new Sqlite(place);
    return { db: sqlite(handle), close: async () => handle.close() };
  },
  postgres: async () => {
    const [{ default: pg }, { postgres }] = [await import("pg"), await import("rowtype/postgres")];
    const pool = new pg.Pool({ connectionString: place, max: 4 });
    return { db: postgres(pool), close: () => pool.end() };
  },
  mariadb: async () => {
    const [{ default: mysql }, { mariadb }] = [
      await import("mysql2/promise"),
      await import("rowtype/mariadb"),
    ];
    const pool = mysql.createPool({ uri: place, connectionLimit: 4 });
    return { db: mariadb(pool), close: () => pool.end() };
  },
};
const { db, close } = await open[dialect]();
const say = (word) => writeSync(1, `${word}\n`);
say("ready");
try {
  const { applied } = await migrate(db, {
    folder,
    lockWaitMs: 120_000,
    onStep: ({ name, step }) => say(`${name} ${step}`),
  });
  say(`done ${applied.length}`);
} catch (error) {
  const causes = [];
  for (let one = error.cause; one instanceof Error && causes.length < 5; one = one.cause)
    causes.push(`${one.code ?? one.name} ${one.message}`);
  say(`failed ${[`${error.code} ${error.message}`, ...causes].join(" ← ")}`);
} finally {
  await close();
}
