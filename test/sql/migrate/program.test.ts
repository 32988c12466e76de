/** The program `rowtype` as a project has it, with a configuration and tables in TypeScript. Needs the built package. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = join(root, "dist", "sql", "migrate", "cli", "main.js");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const readsTypes = major > 22 || (major === 22 && minor >= 18);

describe("the program", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "rowtype-program-"));
    mkdirSync(join(home, "node_modules"));
    mkdirSync(join(home, "tables"));
    symlinkSync(root, join(home, "node_modules", "rowtype"));
    for (const name of ["better-sqlite3", "zod"])
      symlinkSync(join(root, "node_modules", name), join(home, "node_modules", name));
    writeFileSync(join(home, "package.json"), '{ "type": "module", "private": true }');
    writeFileSync(
      join(home, "rowtype.config.ts"),
      `import Sqlite from "better-sqlite3";
import { defineConfig } from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
export default defineConfig({
  tables: "tables/*.ts",
  folder: "migrations",
  database: () => {
    const handle: Sqlite.Database = new Sqlite("dev.sqlite");
    return { db: sqlite(handle), close: () => handle.close() };
  },
});
`,
    );
    writeFileSync(
      join(home, "tables", "team.ts"),
      `import { column, table } from "rowtype";
import { z } from "zod";
import { colours } from "./colours.js";
export const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }), colour: z.enum(colours) }));
`,
    );
    writeFileSync(join(home, "tables", "colours.ts"), 'export const colours = ["red", "blue"] as const;\n');
  });
  afterEach(() => rmSync(home, { recursive: true }));
  const rowtype = (...argv: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
      cwd: home,
      encoding: "utf8",
    });
    return { status, text: `${stdout}${stderr}` };
  };

  // The process loads better-sqlite3 itself.
  test.skipIf(process.env["ROWTYPE_SQLITE"] !== undefined)("reads TypeScript, where need be by jiti", () => {
    symlinkSync(join(root, "node_modules", "jiti"), join(home, "node_modules", "jiti"));
    expect(rowtype("generate", "a")).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^wrote migrations\//),
    });
    expect(rowtype("migrate")).toMatchObject({ status: 0 });
    expect(rowtype("diff")).toEqual({ status: 0, text: "" });
  });

  test.skipIf(readsTypes)("says how TypeScript is read where neither Node nor jiti reads it", () => {
    expect(rowtype("status")).toMatchObject({ status: 2, text: expect.stringContaining("npm i -D jiti") });
  });
});
