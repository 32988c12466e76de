/** The command line: what it prints, what it writes, and its exit codes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readArguments } from "../../../src/sql/migrate/cli/arguments.js";
import { filesOf } from "../../../src/sql/migrate/cli/glob.js";
import { runCli } from "../../../src/sql/migrate/cli/run-cli.js";
import { servers } from "../../servers.js";

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
  const files = () => readdirSync(join(home, "migrations")).sort();

  beforeEach(() => {
    put("rowtype.config.mjs", `${config()}// ${version++}\n`);
  });

  test("goes from declarations to files to a database, and says at each point what is left", async () => {
    declare("name: z.string()");
    expect(await rowtype("status")).toMatchObject({
      code: 2,
      error: expect.stringContaining("MIGRATION_INVALID"),
    });
    expect(await rowtype("diff")).toMatchObject({
      code: 1,
      out: expect.stringContaining("-- step create table teams"),
    });
    expect(await rowtype("generate", "add-teams")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^wrote migrations\/\d{8}_\d{6}_add-teams\.sql\n$/),
    });
    const [first = ""] = files();
    expect(readFileSync(join(home, "migrations", first), "utf8")).toMatch(
      /^-- rowtype 1 · sqlite · add-teams\n-- step create table teams\nCREATE TABLE "teams" \(/,
    );
    expect(await rowtype("status")).toMatchObject({ code: 1, out: expect.stringContaining("pending") });
    expect(await rowtype("generate", "more")).toMatchObject({
      code: 1,
      error: expect.stringContaining("migrate first"),
    });
    expect(await rowtype("migrate", "--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringContaining("create table teams"),
    });
    expect((await rowtype("migrate")).out).toBe(`applied ${first.replace(".sql", "")} (1 step)\n`);
    expect(await rowtype("migrate")).toMatchObject({ code: 0, out: "nothing to do\n" });
    expect((await rowtype("status")).code).toBe(0);
    expect(await rowtype("diff")).toEqual({ code: 0, out: "", error: "" });
    expect(await rowtype("generate", "more")).toMatchObject({ code: 0, out: "nothing to do\n" });
    expect(await rowtype("check")).toMatchObject({ code: 0, out: expect.stringContaining("1 migration") });
  });

  test("refuses a loss by the words that allow it, writes the mark of an allowance, and honours it", async () => {
    declare("name: z.string(), age: z.int().nullable()");
    await rowtype("generate", "a");
    await rowtype("migrate");
    declare("name: z.string()");
    const refused = await rowtype("generate", "b");
    expect(refused).toMatchObject({
      code: 1,
      error: expect.stringContaining('"drop column teams.age" loses data'),
    });
    expect(files().length).toBe(1);
    expect((await rowtype("generate", "b", "--allow", "drop column teams.age")).code).toBe(0);
    const text = readFileSync(join(home, "migrations", files()[1] ?? ""), "utf8");
    expect(text).toContain("-- step drop column teams.age (loses data) (allowed)\n");
    expect((await rowtype("migrate")).code).toBe(0);
    expect((await rowtype("check")).code).toBe(0);
  });

  test("check finds declarations that no migration gives, and prints the steps", async () => {
    declare("name: z.string()");
    await rowtype("generate", "a");
    declare("name: z.string(), age: z.int().nullable()");
    const found = await rowtype("check");
    expect(found).toMatchObject({ code: 1, out: expect.stringContaining("-- step add column teams.age") });
    expect(found.error).toContain("DRIFT");
    const json = JSON.parse((await rowtype("check", "--json")).out);
    expect(json.error).toMatchObject({
      code: "DRIFT",
      text: expect.stringContaining("add column teams.age"),
    });
  });

  test("prints JSON for programs, errors too", async () => {
    declare("name: z.string()");
    await rowtype("generate", "a");
    const status = JSON.parse((await rowtype("status", "--json")).out);
    expect(status).toMatchObject({ applied: [], pending: [{ steps: 1, done: 0 }], failed: [] });
    const [file = ""] = files();
    writeFileSync(join(home, "migrations", file), "-- step drop table teams\nDROP TABLE teams\n");
    const refused = await rowtype("migrate", "--json");
    expect([refused.code, refused.error]).toEqual([1, ""]);
    expect(JSON.parse(refused.out)).toMatchObject({
      error: { code: "MIGRATION_REFUSED", file, step: "drop table teams" },
    });
    writeFileSync(join(home, "migrations", file), "-- step x\nSELECT * FROM nowhere\n");
    const failed = await rowtype("migrate", "--json");
    expect([failed.code, JSON.parse(failed.out).error]).toMatchObject([
      2,
      { code: "MIGRATION_FAILED", file, step: "x" },
    ]);
  });

  test("drops everything and migrates again only where the configuration says so", async () => {
    declare("name: z.string()");
    await rowtype("generate", "a");
    await rowtype("migrate");
    const open = () => new Sqlite(join(home, "dev.sqlite"));
    const handle = open();
    handle.exec(
      "INSERT INTO teams VALUES (1, 'red'); CREATE TABLE more (id INTEGER); CREATE VIEW seen AS SELECT * FROM more",
    );
    handle.close();
    expect(await rowtype("reset")).toMatchObject({
      code: 1,
      error: expect.stringContaining("disposable: true"),
    });
    put("other.config.mjs", config("disposable: true,"));
    expect(await rowtype("reset", "--config", "other.config.mjs")).toMatchObject({
      code: 0,
      out: "dropped 2 tables, applied 1 migration\n",
    });
    const after = open();
    expect(
      after
        .prepare(
          "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'rowtype%'",
        )
        .pluck()
        .all(),
    ).toEqual(["teams"]);
    expect(after.prepare("SELECT count(*) FROM teams").pluck().get()).toBe(0);
    after.close();
  });

  test("pulls declarations of a database that exists, which then have no difference", async () => {
    mkdirSync(join(home, "tables"));
    const handle = new Sqlite(join(home, "dev.sqlite"));
    handle.exec(
      "CREATE TABLE old_teams (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, full_name TEXT NOT NULL, age INTEGER)",
    );
    handle.close();
    expect(await rowtype("pull", "--out", "tables/pulled.js")).toMatchObject({
      code: 0,
      out: "wrote tables/pulled.js\n",
    });
    expect(readFileSync(join(home, "tables/pulled.js"), "utf8")).toContain("fullName");
    expect(await rowtype("diff")).toEqual({ code: 0, out: "", error: "" });
    const { source } = JSON.parse((await rowtype("pull", "--json", "--names", "same")).out);
    expect(source).toContain("full_name: ");
    expect(await rowtype("pull", "--names", "snake")).toMatchObject({ code: 2 });
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
    [["generate"], "say the name"],
    [["generate", "a b"], "a migration is named by"],
    [["diff", "--drop", "all"], "--drop is tables"],
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
    expect(await rowtype("diff", "--config", "c.config.mjs")).toMatchObject({
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

describe.each(servers.filter(({ name }) => name === "postgres" || name === "mariadb"))(
  "rowtype on $name",
  (server) => {
    test.skipIf(!server.available)("checks the folder in a database that it makes and drops", async () => {
      const lent = await server.lend();
      try {
        Object.assign(globalThis, { __lent: lent.db });
        put(
          "rowtype.config.mjs",
          'export default { tables: "tables/*.js", folder: "migrations", disposable: true, database: () => ({ db: globalThis.__lent }) };',
        );
        put("tables/team.js", team("name: z.string()"));
        const databases = async () =>
          (
            await lent.run(
              server.name === "postgres"
                ? "SELECT datname FROM pg_database WHERE datname LIKE 'rowtype_check%'"
                : "SHOW DATABASES LIKE 'rowtype_check%'",
            )
          ).map((row) => JSON.stringify(row));
        const before = new Set(await databases());
        expect((await rowtype("generate", "a")).code).toBe(0);
        expect(await rowtype("check")).toMatchObject({ code: 0, error: "" });
        // Those of other runs come and go.
        await expect.poll(async () => (await databases()).filter((name) => !before.has(name))).toEqual([]);
        expect((await rowtype("status")).code).toBe(1);
        expect((await rowtype("migrate")).code).toBe(0);
        expect(await rowtype("diff")).toEqual({ code: 0, out: "", error: "" });
        await lent.run("CREATE TABLE more (id INTEGER PRIMARY KEY)");
        expect(await rowtype("reset")).toMatchObject({
          code: 0,
          out: "dropped 2 tables, applied 1 migration\n",
        });
      } finally {
        await lent.close();
      }
    });
  },
);

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
