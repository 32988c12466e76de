/** Migration files: how a folder and the text of a file are read, and what is refused in them. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MigrationError } from "rowtype/migrate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readMigrationText } from "../../../src/sql/migrate/text/migration-file.js";
import { addToFolder, labelsWithout, readFolder } from "../../../src/sql/migrate/text/migration-folder.js";
import { oracleText } from "../../../src/sql/migrate/text/oracle.js";
import { sqliteText } from "../../../src/sql/migrate/text/sqlite.js";

const HEAD = "-- rowtype 1 · sqlite · add-teams\n";
const read = (text: string) => readMigrationText(text, "1.sql", sqliteText);
const refusal = (call: () => unknown): MigrationError => {
  try {
    call();
  } catch (error) {
    if (error instanceof MigrationError) return error;
    throw error;
  }
  throw new Error("a refusal was expected");
};

describe("the text of a migration", () => {
  test("is divided by lines that begin with -- step, and by nothing else", () => {
    const { steps } = read(
      `${HEAD}-- step create table teams\nCREATE TABLE teams (\n  -- a comment; of the author\n  id INTEGER\n);\n\n` +
        "-- step seed the teams\nINSERT INTO teams VALUES (1), (2);\n  -- step is indented, and so a comment\n",
    );
    expect(steps.map(({ words, sql }) => [words, sql])).toEqual([
      ["create table teams", "CREATE TABLE teams (\n  -- a comment; of the author\n  id INTEGER\n)"],
      ["seed the teams", "INSERT INTO teams VALUES (1), (2);\n  -- step is indented, and so a comment"],
    ]);
    expect(steps.map(({ subject }) => subject)).toEqual([
      { kind: "create table", table: "teams" },
      undefined,
    ]);
  });

  test("has marks behind the words of a step, in any order", () => {
    const { steps } = read(
      "-- step drop column people.age (loses data) (allowed)\nALTER TABLE people DROP COLUMN age\n" +
        "-- step tidy (up) (blocks) (no transaction)\nVACUUM\n",
    );
    const [drop, tidy] = steps;
    expect(drop).toMatchObject({
      words: "drop column people.age",
      losesData: true,
      allowed: true,
      blocks: false,
    });
    expect(drop?.transaction).toBe(true);
    expect(tidy).toMatchObject({ words: "tidy (up)", blocks: true, transaction: false, allowed: false });
  });

  test("is the same with line ends of Windows and with a byte order mark", () => {
    const text = `${HEAD}-- step create table teams\nCREATE TABLE teams (\n  id INTEGER\n)\n`;
    expect(read(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(read(text));
    expect(read(`${text}\n`).checksum).not.toBe(read(text).checksum);
  });

  test("begins, for each step, with a digest of what stands before it", () => {
    const digests = (text: string) => read(text).steps.map(({ before }) => before);
    const one = digests("-- step a\nSELECT 1\n-- step b\nSELECT 2\n");
    const two = digests("-- step a\nSELECT 1\n-- step c\nSELECT 3\n");
    const three = digests("-- step a\nSELECT 0\n-- step b\nSELECT 2\n");
    expect(one).toEqual(two);
    expect(one[0]).toBe(three[0]);
    expect(one[1]).not.toBe(three[1]);
  });

  test.each([
    ["SQL before the first step", "DROP TABLE people;\n-- step a\nSELECT 1\n", "line 1"],
    ["no step at all", HEAD, "there is no step"],
    ["an empty step", "-- step a\n-- only this\n\n-- step b\nSELECT 1\n", 'step "a" is empty'],
    ["an empty last step", "-- step a\nSELECT 1\n-- step b\n  ;\n", 'line 3: step "b" is empty'],
    ["a step that is a comment", "-- step a\n/* nothing\n here */\n", 'step "a" is empty'],
    ["a step without words", "-- step   (allowed)\nSELECT 1\n", "line 1: a step has no words"],
    ["another dialect", "-- rowtype 1 · postgres · x\n-- step a\nSELECT 1\n", "it is for postgres"],
    ["an unknown dialect", "-- rowtype 1 · db2 · x\n-- step a\nSELECT 1\n", 'unknown dialect "db2"'],
    ["a later version of the format", "-- rowtype 2 · sqlite · x\n-- step a\nSELECT 1\n", "first line"],
  ])("is refused for %s", (_, text, words) => {
    const error = refusal(() => read(text));
    expect(error.code).toBe("MIGRATION_INVALID");
    expect(error.file).toBe("1.sql");
    expect(error.message).toContain('"1.sql", line');
    expect(error.message).toContain(words);
  });

  test("keeps the semicolon of a block of PL/SQL", () => {
    const text = "-- step a\nBEGIN\n  NULL;\nEND;\n-- step b\nDROP TABLE t;\n";
    const { steps } = readMigrationText(text, "1.sql", oracleText);
    expect(steps.map(({ sql }) => sql)).toEqual(["BEGIN\n  NULL;\nEND;", "DROP TABLE t"]);
  });
});

describe("a folder of migrations", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowtype-files-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const put = (file: string, text = "-- step a\nSELECT 1\n") => writeFile(join(folder, file), text);
  const names = async () => (await readFolder(folder, sqliteText)).map(({ file }) => file);
  const refused = async () => {
    const error = await readFolder(folder, sqliteText).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MigrationError);
    expect(error).toMatchObject({ code: "MIGRATION_INVALID" });
    return (error as MigrationError).message;
  };

  test("is read in the order of names, without files of other kinds", async () => {
    await put("20260102_000000_b.sql");
    await put("20260101_000000_c.sql");
    await put("20260101_120000_a.ts", "export default 1;");
    for (const other of ["README.md", "tables.ts", ".keep", "20260101_120000_a.d.ts"]) await put(other);
    expect(await names()).toEqual(["20260101_000000_c.sql", "20260101_120000_a.ts", "20260102_000000_b.sql"]);
  });

  test("has for each migration the file of the dialect", async () => {
    await put("20260101_000000_a.sqlite.sql");
    await put("20260101_000000_a.postgres.sql", "-- rowtype 1 · postgres · a\n-- step a\nSELECT 1\n");
    expect(await names()).toEqual(["20260101_000000_a.sqlite.sql"]);
    expect(await labelsWithout(folder, "mariadb")).toEqual(new Set(["a"]));
  });

  test("may be empty", async () => {
    expect(await names()).toEqual([]);
  });

  test("is refused where it is not there", async () => {
    const absent = readFolder(join(folder, "absent"), sqliteText);
    await expect(absent).rejects.toMatchObject({ code: "MIGRATION_INVALID" });
  });

  test("is refused for SQL without a stamp", async () => {
    await put("teams.sql");
    expect(await refused()).toContain('"teams.sql" is not named as a migration');
  });

  test("is refused for two migrations of one stamp, and names both", async () => {
    await put("20260101_000000_a.sql");
    await put("20260101_000000_b.sql");
    expect(await refused()).toContain('"20260101_000000_a.sql" and "20260101_000000_b.sql" have one stamp');
  });

  test("is refused for two files of one migration and dialect", async () => {
    await put("20260101_000000_a.sql");
    await put("20260101_000000_a.sqlite.sql");
    expect(await refused()).toContain("are one migration: remove one");
  });

  test("is refused for a migration that has files of other dialects only", async () => {
    await put("20260101_000000_a.postgres.sql");
    expect(await refused()).toContain('migration "20260101_000000_a" has no file for sqlite');
  });

  test("is refused for bytes that are not text", async () => {
    await writeFile(join(folder, "20260101_000000_a.sql"), Buffer.from([0x2d, 0x2d, 0xff, 0xfe]));
    expect(await refused()).toContain("cannot be read as UTF-8");
  });

  test("takes a new file behind every other, those of the future too", async () => {
    await put("21000101_000000_a.sql");
    const path = await addToFolder(folder, { label: "add-teams", text: "-- step a\nSELECT 1\n" });
    expect(path).toBe(join(folder, "21000101_000001_add-teams.sql"));
    expect(await readFile(path, "utf8")).toBe("-- step a\nSELECT 1\n");
    const [, next] = [path, await addToFolder(folder, { label: "add-teams", text: "" })];
    expect(next).toBe(join(folder, "21000101_000002_add-teams.sql"));
    expect((await readdir(folder)).length).toBe(3);
  });

  test("gives the files of several dialects one name", async () => {
    const path = await addToFolder(folder, { label: "a", text: "", suffix: "postgres" });
    const twin = await addToFolder(folder, { label: "a", text: "", suffix: "sqlite" });
    expect(twin).toBe(path.replace(".postgres.", ".sqlite."));
    expect(await addToFolder(folder, { label: "a", text: "", suffix: "sqlite" })).not.toBe(twin);
  });

  test.each(["", "../x", "a b", "-x", "a.b", 1, "x".repeat(101)])("refuses the name %j", async (label) => {
    await expect(addToFolder(folder, { label: label as string, text: "" })).rejects.toMatchObject({
      code: "MIGRATION_INVALID",
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
