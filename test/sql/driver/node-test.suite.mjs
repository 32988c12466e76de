/** The tests of drivers under `node:test`, over a driver as a user would write it: `node --test` runs this file. */
import test from "node:test";
import Database from "better-sqlite3";
import { driverTests } from "rowtype/driver/test";
import { sqlite } from "rowtype/sqlite";

/** Single statements only: what a driver without transactions lacks is no test. */
function driverOver(handle) {
  // It registers the functions of rowtype on the handle.
  sqlite(handle);
  return {
    run({ sql, params, bigints, rows: gives }, signal) {
      signal?.throwIfAborted();
      const statement = handle.prepare(sql);
      if (!statement.reader) return { rows: [], affected: statement.run(...params).changes };
      const rows = statement
        .raw()
        .safeIntegers(bigints)
        .all(...params);
      const columns = gives === "unknown" ? statement.columns().map(({ name }) => name) : undefined;
      return { rows, affected: rows.length, ...(columns === undefined ? {} : { columns }) };
    },
  };
}

async function open() {
  const handle = new Database(":memory:");
  return { driver: driverOver(handle), close: async () => void handle.close() };
}

const rounding = process.env.ROWTYPE_FAULTY === "1";
const faulty = async () => {
  const { driver, close } = await open();
  return {
    driver: { run: (statement, signal) => driver.run({ ...statement, bigints: false }, signal) },
    close,
  };
};

for (const { name, run } of driverTests({ dialect: "sqlite", open: rounding ? faulty : open }))
  test(name, run);
