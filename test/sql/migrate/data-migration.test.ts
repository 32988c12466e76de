/** Data migrations on every server: batches that are exact, also where the code fails or the file is changed. */
import { DeclarationError } from "rowtype";
import { dataMigration, MigrationError, migrate, status } from "rowtype/migrate";
import { describe, expect, test } from "vitest";
import { onRunnerServers } from "./folders.js";

const TEAMS =
  "-- step create table teams\nCREATE TABLE teams (code VARCHAR(10) NOT NULL, id INTEGER NOT NULL, visits INTEGER NOT NULL, PRIMARY KEY (code, id))\n";

/** A file that adds one to each row, and fails at a given row where a switch says so. */
const code = (size: number, extra = "") => `
import { z } from "zod";
import { column, table } from "rowtype";
import { dataMigration } from "rowtype/migrate";
const Team = table("teams", z.object({ code: z.string().max(10), id: z.int(), visits: z.int() }), { primaryKey: ["code", "id"] });
export default dataMigration(async ({ db, batch, signal }) => {
  await batch(Team, { size: ${size} }, async (rows, tx) => {
    const { seen, failAt } = globalThis.__migrated;
    seen.push(rows.map(({ code, id }) => code + id));
    await tx.repository(Team).modify().setExpr("visits", "+", "one")
      .where("code", "=", "code").where("id", "=", "id").execBatch(rows.map(({ code, id }) => ({ code, id, one: 1 })));
    if (rows.some(({ code, id }) => code + id === failAt)) throw new Error("the lights went out");
  });
  ${extra}
});
`;

interface Told {
  readonly seen: string[][];
  readonly failAt: string | undefined;
}

const tell = (failAt?: string): Told => {
  const told: Told = { seen: [], failAt };
  Object.assign(globalThis, { __migrated: told });
  return told;
};

onRunnerServers("a data migration", (place) => {
  const NAME = "20260102_000000_visit.js";
  const run = () => migrate(place().db, { folder: place().folder.path });
  const visits = async () =>
    (await place().rows("SELECT visits FROM teams ORDER BY code, id")).map((row) =>
      Number(Object(row).visits),
    );
  const begin = async (rows = 7) => {
    place().folder.put("20260101_000000_teams.sql", TEAMS);
    await run();
    for (let i = 0; i < rows; i++)
      await place().lent.run(`INSERT INTO teams (code, id, visits) VALUES ('${"abc"[i % 3]}', ${i}, 0)`);
  };

  test("walks the primary key in batches, each row once", async () => {
    await begin();
    place().folder.put(NAME, code(3));
    const { seen } = tell();
    expect((await run()).applied).toEqual([
      { name: "20260102_000000_visit", steps: ["20260102_000000_visit"] },
    ]);
    expect(seen).toEqual([["a0", "a3", "a6"], ["b1", "b4", "c2"], ["c5"]]);
    expect(await visits()).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect((await run()).applied).toEqual([]);
  });

  test("goes on behind the last batch that is stored, in a changed file too", async () => {
    await begin();
    place().folder.put(NAME, code(3));
    tell("c2");
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MigrationError);
    expect(error).toMatchObject({ code: "MIGRATION_FAILED", file: NAME });
    expect(String(error)).toContain("the lights went out");
    expect(await visits()).toEqual([1, 1, 1, 0, 0, 0, 0]);
    const { failed } = await status(place().db, { folder: place().folder.path });
    expect(failed).toMatchObject([{ name: "20260102_000000_visit" }]);
    place().folder.put(NAME, `// mended\n${code(3)}`);
    const { seen } = tell();
    await run();
    expect(seen).toEqual([["b1", "b4", "c2"], ["c5"]]);
    expect(await visits()).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  test("does not repeat a walk that is done when what comes behind it fails", async () => {
    await begin(2);
    place().folder.put(
      NAME,
      code(10, 'if (globalThis.__migrated.failAt === "end") throw new Error("later");'),
    );
    tell("end");
    await expect(run()).rejects.toThrow("later");
    const { seen } = tell();
    await run();
    expect(seen).toEqual([]);
    expect(await visits()).toEqual([1, 1]);
  });

  test("refuses to go on with a walk of another table", async () => {
    await begin();
    place().folder.put(NAME, code(3));
    tell("c5");
    await expect(run()).rejects.toThrow();
    place().folder.put(NAME, code(3).replace('table("teams"', 'table("groups"'));
    await expect(run()).rejects.toMatchObject({ code: "MIGRATION_CHANGED", file: NAME });
  });

  test.each([
    ["exports nothing", "export const x = 1;", "is not a data migration"],
    ["cannot be loaded", 'import "./absent.js";', "cannot be loaded"],
  ])("that %s is refused", async (_, text, words) => {
    place().folder.put(NAME, text);
    await expect(run()).rejects.toMatchObject({
      code: "MIGRATION_INVALID",
      file: NAME,
      message: expect.stringContaining(words),
    });
  });

  test("that walks a table without a key fails with a word", async () => {
    await begin();
    place().folder.put(NAME, code(3).replace(', { primaryKey: ["code", "id"] }', ""));
    tell();
    await expect(run()).rejects.toThrow("has none");
  });

  test("runs once for ten runners at once", async () => {
    await begin(30);
    place().folder.put(NAME, code(4));
    const { seen } = tell();
    await Promise.all(Array.from({ length: 10 }, run));
    expect(seen.flat().length).toBe(30);
    expect(await visits()).toEqual(Array.from({ length: 30 }, () => 1));
  });
});

describe("dataMigration", () => {
  test("takes a function", () => {
    expect(() => dataMigration(1 as never)).toThrow(DeclarationError);
  });
});
