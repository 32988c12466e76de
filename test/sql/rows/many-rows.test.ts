/** Statements that give many rows decode them by a generated function: the rows and the errors stay what they were. */
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";

const Thing = table(
  "things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    toString: column(z.string(), { name: "text" }),
    'say "hi"\u2028\\': column(z.number().nullable(), { name: "odd" }),
    active: z.boolean(),
    at: z.date().nullable(),
    big: z.bigint(),
    tags: z.array(z.string()),
    bytes: z.instanceof(Uint8Array),
  }),
);
const record = (id: number) => ({
  id,
  toString: `n${id}`,
  'say "hi"\u2028\\': id % 3 === 0 ? null : id / 2,
  active: id % 2 === 0,
  at: id % 5 === 0 ? null : new Date(id * 86_400_000),
  big: 2n ** 60n + BigInt(id),
  tags: [`t${id}`],
  bytes: new Uint8Array([id % 256]),
});

describe("a statement that gives many rows", () => {
  async function filled() {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    // Without NOT NULL and types, so that it can hold what is not a value of a column.
    handle.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, text, odd, active, at, big, tags, bytes)");
    const things = db.repository(Thing);
    await things.insert().execBatch(Array.from({ length: 300 }, (_, i) => record(i)));
    return { handle, things };
  }

  test("gives the same rows, the first and the last, in one call and in many", async () => {
    const { things } = await filled();
    const all = things.query().orderBy("id", "asc");
    expect(await all.exec()).toStrictEqual(Array.from({ length: 300 }, (_, i) => record(i)));
    expect(await all.exec()).toStrictEqual(Array.from({ length: 300 }, (_, i) => record(i)));
    const byId = things.query().where("id", "=", "id");
    for (let id = 0; id < 150; id++) expect(await byId.exec({ id })).toStrictEqual([record(id)]);
    const [row] = await byId.exec({ id: 1 });
    expect(Object.keys(row ?? {})).toEqual(Object.keys(Thing.columns));
  });

  test.each([
    ["active = 7", { code: "DECODE_FAILED", field: "active" }],
    ["text = NULL", { code: "DECODE_FAILED", field: "toString" }],
    ["at = 'noon'", { code: "DECODE_FAILED", field: "at" }],
    ["tags = '['", { code: "DECODE_FAILED", field: "tags" }],
  ])("reports the value that cannot be decoded: %s", async (change, error) => {
    const { handle, things } = await filled();
    const all = things.query().orderBy("id", "asc");
    await all.exec();
    handle.exec(`UPDATE things SET ${change} WHERE id = 200`);
    expect(await sqlErrorOf(all.exec())).toMatchObject(error);
    expect(await sqlErrorOf(things.query().orderBy("id", "asc").limit(250).exec())).toMatchObject(error);
    handle.exec("DELETE FROM things WHERE id = 200");
    expect(await all.exec()).toHaveLength(299);
  });
});
