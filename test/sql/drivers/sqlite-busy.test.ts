/** A reader of the same file refuses the commit: what was begun is undone, and the handle is free for the next statement. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { column, type Database, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";

const Note = table("notes", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));

let folder: string;
let handle: Sqlite.Database;
let other: Sqlite.Database;
let db: Database<"sqlite">;
let reading: IterableIterator<unknown>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "rowtype-busy-"));
  handle = new Sqlite(join(folder, "a.db"), { timeout: 0 });
  other = new Sqlite(join(folder, "a.db"), { timeout: 0 });
  db = sqlite(handle);
  await db.createTables(Note);
  await db
    .repository(Note)
    .insert()
    .execBatch([
      { id: 1, text: "a" },
      { id: 2, text: "b" },
    ]);
  reading = other.prepare("SELECT * FROM notes").iterate();
  reading.next();
});
afterEach(() => {
  reading.return?.();
  handle.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const writes = {
  "an insert": () => db.repository(Note).insert().exec({ id: 3, text: "c" }),
  "a batch": () =>
    db
      .repository(Note)
      .insert()
      .execBatch([{ id: 3, text: "c" }]),
  "a change of one row": () =>
    db.repository(Note).modify().set("text", "text").where("id", "=", "id").exec({ id: 1, text: "x" }),
  "a removal of one row": () => db.repository(Note).remove().where("id", "=", "id").exec({ id: 1 }),
  "an insert that gives its row": () =>
    db.repository(Note).insert().returning("id", "text").exec({ id: 3, text: "c" }),
  "a transaction": () =>
    db.transaction((tx) => db.repository(Note).insert().exec({ id: 3, text: "c" }, { tx })),
};

test.each(Object.entries(writes))("%s is undone, and the next one is stored", async (_, write) => {
  expect((await sqlErrorOf(write())).code).toBe("LOCK_TIMEOUT");
  expect(handle.inTransaction).toBe(false);
  reading.return?.();
  await db.repository(Note).insert().exec({ id: 4, text: "d" });
  expect(other.prepare("SELECT id, text FROM notes ORDER BY id").all()).toEqual([
    { id: 1, text: "a" },
    { id: 2, text: "b" },
    { id: 4, text: "d" },
  ]);
});

// The process loads better-sqlite3 itself, whichever client the tests run on.
test.skipIf(process.env["ROWTYPE_SQLITE"] !== undefined)(
  "a file that another process has locked is LOCK_TIMEOUT, and is written to when it is free",
  async () => {
    reading.return?.();
    const locking = `
    import("better-sqlite3").then(({ default: Sqlite }) => {
      const handle = new Sqlite(process.argv[1]);
      handle.exec("BEGIN EXCLUSIVE");
      console.log("locked");
      setInterval(() => handle.open, 1_000);
    });`;
    const child = spawn(process.execPath, ["-e", locking, join(folder, "a.db")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(child.stdout, "data");
      for (const write of Object.values(writes))
        expect((await sqlErrorOf(write())).code).toBe("LOCK_TIMEOUT");
    } finally {
      child.kill();
      await once(child, "exit");
    }
    expect(await db.repository(Note).insert().exec({ id: 3, text: "c" })).toEqual({ id: 3, text: "c" });
  },
);
