/** The command line: what it prints, what it writes, and its exit codes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readArguments } from "../../../src/sql/migrate/cli/arguments.js";
import { filesOf } from "../../../src/sql/migrate/cli/glob.js";
import { runCli } from "../../../src/sql/migrate/cli/run-cli.js";

const here = fileURLToPath(new URL(".", import.meta.url));
let home: string;
beforeEach(() => {
  // Beside this file, so that modules find the package.
  home = mkdtempSync(join(here, "cli-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const put = (file: string, text: string) => {
  mkdirSync(join(home, file, ".."), { recursive: true });
  writeFileSync(join(home, file), text);
};
const rowtype = async (...argv: readonly string[]) => {
  let [out, error] = ["", ""];
  const code = await runCli(argv, {
    cwd: home,
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { code, out, error };
};

const config = (more = "") => `import Sqlite from "better-sqlite3";
import { defineConfig } from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
export default defineConfig({
  tables: "tables/*.js",${more}
  folder: "migrations",
  database: () => {
    const handle = new Sqlite(${JSON.stringify(join(home, "dev.sqlite"))});
    return { db: sqlite(handle), close: () => handle.close() };
  },
});
`;
const team = (columns: string) => `import { column, table } from "rowtype";
import { z } from "zod";
export const Team${Math.floor(Math.random() * 1e9)} = table("teams", z.object({ id: column(z.int(), { primaryKey: true }), ${columns} }));
`;

describe("rowtype", () => {
  // A module is loaded once for each path, so what changes has a new one.
  let version = 0;
  const declare = (columns: string) => {
    rmSync(join(home, "tables"), { recursive: true, force: true });
    put(`tables/team${version++}.js`, team(columns));
  };

  beforeEach(() => {
    put("rowtype.config.mjs", `${config()}// ${version++}\n`);
  });

  test("applies the folder, and says before and after what is left, in JSON too", async () => {
    declare("name: z.string()");
    expect((await rowtype("status")).code).toBe(2);
    put(
      "migrations/20260101_000000_a.sql",
      "-- step create table teams\nCREATE TABLE teams (id INTEGER PRIMARY KEY)\n",
    );
    expect(await rowtype("status")).toMatchObject({ code: 1, out: "pending  20260101_000000_a\n" });
    expect((await rowtype("migrate")).out).toBe("applied 20260101_000000_a (1 step)\n");
    expect(await rowtype("status")).toMatchObject({ code: 0, out: "applied  20260101_000000_a\n" });
    put("migrations/20260102_000000_b.sql", "-- step drop table teams\nDROP TABLE teams\n");
    const refused = await rowtype("migrate", "--json");
    expect([refused.code, JSON.parse(refused.out).error]).toMatchObject([
      1,
      { code: "MIGRATION_REFUSED", file: "20260102_000000_b.sql", step: "drop table teams" },
    ]);
    expect((await rowtype("migrate", "--allow", "drop table teams")).code).toBe(0);
  });

  test("draws the declarations", async () => {
    declare("name: z.string()");
    expect((await rowtype("erd")).out).toContain("erDiagram");
    expect(await rowtype("erd", "--out", "erd.mmd")).toMatchObject({ code: 0, out: "wrote erd.mmd\n" });
    expect(readFileSync(join(home, "erd.mmd"), "utf8")).toContain("teams");
  });

  test.each([
    [[], "say a command"],
    [["bogus"], 'unknown command "bogus"'],
    [["status", "--to", "x"], "status has no option --to"],
    [["migrate", "--bogus"], "--bogus"],
    [["status", "more"], 'status takes no "more"'],
    [["status", "--config", "absent.mjs"], "cannot be loaded"],
    [["migrate", "--lock-wait-ms", "soon"], "lockWaitMs"],
  ])("%j is an error, and says why", async (argv, words) => {
    declare("name: z.string()");
    const { code, error } = await rowtype(...argv);
    expect(error).toContain(words);
    expect(code).toBe(2);
  });

  test("needs a configuration that can work", async () => {
    put("a.config.mjs", "export default { tables: 1 };");
    put("b.config.mjs", "export const x = 1;");
    put("c.config.mjs", config().replace("tables/", "nowhere/"));
    expect((await rowtype("status", "--config", "a.config.mjs")).error).toContain(
      "tables of defineConfig must be",
    );
    expect((await rowtype("status", "--config", "b.config.mjs")).error).toContain("no default export");
    expect(await rowtype("erd", "--config", "c.config.mjs")).toMatchObject({
      code: 2,
      error: expect.stringContaining("no module of tables"),
    });
    rmSync(join(home, "rowtype.config.mjs"));
    expect((await rowtype("status")).error).toContain("--config PATH");
  });

  test("--help and --version need nothing", async () => {
    rmSync(join(home, "rowtype.config.mjs"));
    expect(await rowtype("--help")).toMatchObject({ code: 0, out: expect.stringContaining("Exit codes") });
    expect(await rowtype("migrate", "-h")).toMatchObject({ code: 0 });
    expect((await rowtype("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("paths of modules", () => {
  test("take * for a part of a name and ** for folders, and leave node_modules out", async () => {
    for (const file of ["a/x.ts", "a/b/y.ts", "a/b/c/z.js", "a/node_modules/m.ts", "x.ts"]) put(file, "");
    const found = async (...patterns: string[]) =>
      (await filesOf(patterns, home)).map((path) => path.slice(home.length + 1));
    expect(await found("a/*.ts")).toEqual(["a/x.ts"]);
    expect(await found("a/**/*.ts")).toEqual(["a/b/y.ts", "a/x.ts"]);
    expect(await found("**/*.ts")).toEqual(["a/b/y.ts", "a/x.ts", "x.ts"]);
    expect(await found("a/*/*", "x.ts")).toEqual(["a/b/y.ts", "x.ts"]);
    expect(await found("none/*.ts")).toEqual([]);
  });
});

describe("arguments", () => {
  test("may repeat what names steps", () => {
    const { values } = readArguments(["migrate", "--allow", "a", "--allow", "b"]);
    expect(values.allow).toEqual(["a", "b"]);
  });
});
