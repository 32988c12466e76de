/** Events: what they tell, and that a listener cannot disturb what it listens to. */
import { channel } from "node:diagnostics_channel";
import Sqlite from "better-sqlite3";
import { on, type SqlEvents } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { HANG_MS } from "../../stopwatch.js";

let handle: InstanceType<typeof Sqlite>;
const offs: (() => void)[] = [];
beforeEach(() => {
  handle = new Sqlite(":memory:");
});
afterEach(() => {
  for (const off of offs.splice(0)) off();
  handle.close();
});

async function makeTeams() {
  const db = sqlite(handle);
  await db.createTables(Team);
  return db.repository(Team);
}

test("started and completed have table, operation, text and numbers, and no value", async () => {
  const teams = await makeTeams();
  const told: [string, object][] = [];
  for (const name of ["db.query.started", "db.query.completed", "db.query.failed"] as const)
    offs.push(on(name, (event) => told.push([name, event])));
  await teams.insert().exec({ id: 1, title: "hunter2" });
  await teams.insert().execBatch([{ id: 2, title: "hunter2" }]);
  await teams.query().exec();
  await teams.select().where("id", "=", "id").exec({ id: 1 });
  await teams.count().exec();
  await teams.modify().set("title", "t").where("id", "=", "id").exec({ t: "hunter2", id: 1 });
  await teams.remove().where("id", "=", "id").exec({ id: 1 });
  const completed = told.filter(([name]) => name === "db.query.completed").map(([, event]) => event);
  expect(completed).toMatchObject([
    { table: "teams", operation: "INSERT", rowsReturned: 1 },
    { table: "teams", operation: "INSERT_BATCH", rowsAffected: 1 },
    { table: "teams", operation: "QUERY", rowsReturned: 2 },
    { table: "teams", operation: "SELECT", rowsReturned: 1 },
    { table: "teams", operation: "COUNT", value: 2 },
    { table: "teams", operation: "UPDATE", rowsReturned: 1 },
    { table: "teams", operation: "DELETE", rowsAffected: 1 },
  ]);
  expect(told.filter(([name]) => name === "db.query.started")).toHaveLength(7);
  expect(completed.every((event) => (event as SqlEvents["db.query.completed"]).durationMs >= 0)).toBe(true);
  expect(JSON.stringify(told)).not.toContain("hunter2");
});

test("failed has the caller's error", async () => {
  const teams = await makeTeams();
  const failed: SqlEvents["db.query.failed"][] = [];
  offs.push(on("db.query.failed", (event) => failed.push(event)));
  await teams.insert().exec({ id: 1, title: "One" });
  const error = await sqlErrorOf(teams.insert().exec({ id: 1, title: "One" }));
  expect(failed).toMatchObject([{ table: "teams", operation: "INSERT" }]);
  expect(failed[0]?.error).toBe(error);
});

test("a listener that throws or rejects becomes a warning, and the query goes on", async () => {
  const teams = await makeTeams();
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  offs.push(
    on("db.query.started", () => {
      throw new Error("listener");
    }),
  );
  offs.push(
    on("db.query.completed", async () => {
      throw new Error("listener");
    }),
  );
  expect(await teams.count().exec()).toBe(0);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2), HANG_MS);
  warn.mockRestore();
});

test("the same events are on diagnostics_channel, and off removes a listener", async () => {
  const teams = await makeTeams();
  const heard: unknown[] = [];
  const listener = (event: unknown) => heard.push(event);
  channel("rowtype:db.query.completed").subscribe(listener);
  const off = on("db.query.completed", listener);
  off();
  await teams.count().exec();
  channel("rowtype:db.query.completed").unsubscribe(listener);
  await teams.count().exec();
  expect(heard).toMatchObject([{ operation: "COUNT" }]);
});

test("an unknown event is refused", () => {
  expect(() => on("db.query.begun" as never, () => undefined)).toThrow(
    expect.objectContaining({
      code: "DECLARATION",
      message:
        'unknown event "db.query.begun"; events: db.query.started, db.query.completed, db.query.failed',
    }),
  );
});
