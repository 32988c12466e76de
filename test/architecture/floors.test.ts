/**
 * The floors: which folder may import which. Imports go down only; this table is never widened to make the test
 * pass.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cycles, type Floor, folderCycles, type Graph, readGraph, violations } from "./imports.js";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const graph = readGraph(source);

const zod = ["zod", "zod/v4/core"];
const dialects = ["postgres", "mariadb", "sqlite", "oracle"];
/** The dialects whose schemas can be migrated. */
const migrated = ["postgres", "mariadb", "sqlite"];
const floors: readonly Floor[] = [
  { below: "core", mayImport: [] },
  { below: "openapi", mayImport: ["core"], packages: ["yaml"] },
  { below: "schema", mayImport: ["core"], packages: zod, typesFrom: ["schema/zod3"] },
  { below: "schema/compiled", mayImport: ["core", "schema"], packages: zod },
  { below: "schema/json-schema", mayImport: ["core", "schema"], packages: zod },
  // The one room that knows `zod/v3`; its door is `reader.ts`.
  { below: "schema/zod3", mayImport: ["schema", "schema/json-schema"] },
  {
    below: "schema/reader",
    mayImport: ["schema", ...inSchema("compiled", "json-schema", "zod3")],
    packages: zod,
  },
  {
    below: "schema/components",
    mayImport: ["schema", ...inSchema("json-schema", "reader")],
    packages: zod,
  },

  // Doors: what a subpath exports, and nothing of its own.
  {
    below: "index.ts",
    mayImport: inSql(
      "ast",
      "ddl",
      "declare",
      "door",
      "exec",
      "expression",
      "specs",
      "types",
      "types/values",
      "value",
      "words",
    ),
  },
  // What a browser gets of a declaration: no more of the SQL half than this.
  { below: "table.ts", mayImport: inSql("declare", "types", "words") },

  { below: "sql/words", mayImport: ["core"] },
  { below: "sql/types/values", mayImport: [], typesFrom: inSql("types", "words") },
  { below: "sql/types", mayImport: [], typesFrom: inSql("ast", "types/values", "words"), typesOf: zod },
  // The types of `without`.
  { below: "sql/types/rules", mayImport: [], typesFrom: ["sql/types"] },
  {
    below: "sql/declare",
    mayImport: ["core", "schema", "sql/words"],
    typesFrom: ["sql/types"],
    packages: zod,
  },
  { below: "sql/kind", mayImport: ["core", "schema", "sql/words"], typesFrom: ["sql/declare"] },
  { below: "sql/ast", mayImport: ["sql/words"], typesFrom: ["sql/declare"] },
  { below: "sql/dialect/grammar", mayImport: inSql("kind", "words"), typesFrom: ["sql/declare"] },
  ...dialects.map((dialect) => ({
    below: `sql/dialect/${dialect}`,
    mayImport: inSql("dialect/grammar", "kind", "words"),
    typesFrom: ["sql/declare"],
  })),
  // The grammars by name.
  {
    below: "sql/dialect",
    mayImport: inDialects("sql/dialect"),
    typesFrom: inSql("dialect/grammar", "words"),
  },
  {
    below: "sql/value",
    mayImport: ["core", "schema", "schema/compiled", ...inSql("dialect/grammar", "kind", "words")],
    typesFrom: ["sql/declare"],
    packages: zod,
  },
  // Of rows and changes neither knows the other: a statement is one of both.
  resolving("scope"),
  resolving("on", "scope"),
  resolving("expression", "scope", "on"),
  resolving("rows", "scope", "on", "expression"),
  resolving("change", "scope", "expression"),
  {
    below: "sql/resolve",
    mayImport: ["core", ...inSql("ast", "words"), ...inResolve("scope", "expression", "rows", "change")],
    typesFrom: ["sql/dialect/grammar"],
  },
  {
    below: "sql/render",
    mayImport: inSql("dialect/grammar", "value", "words"),
    // Rendering is given what was resolved. It resolves nothing.
    typesFrom: inSql("declare", "resolve/scope"),
  },
  {
    below: "sql/ddl",
    // The text of an index of the visible rows is that of their filters.
    mayImport: [
      "core",
      ...inSql("declare", "dialect", "dialect/grammar", "kind", "render", "resolve", "words"),
    ],
  },
  {
    below: "sql/contract",
    mayImport: ["core", "sql/words"],
    typesFrom: inSql("dialect/grammar", "value"),
  },
  {
    below: "sql/exec",
    mayImport: ["core", ...inSql("contract", "dialect/grammar", "render", "value", "words")],
    typesFrom: ["sql/declare"],
  },
  {
    below: "sql/expression",
    mayImport: ["core", "schema", ...inSql("ast", "declare", "words")],
    typesFrom: ["sql/types"],
    typesOf: zod,
  },
  // What a builder keeps: a statement being written, and what is derived of it once.
  {
    below: "sql/builder/draft",
    mayImport: [
      "core",
      ...inSql("ast", "exec", "render", "resolve", "words"),
      ...inResolve("scope", "expression", "rows", "change"),
    ],
    typesFrom: inSql("declare", "dialect/grammar"),
  },
  // The records of inserts, and those inside them: what stores them, in as few statements as possible.
  {
    below: "sql/builder/inserting",
    mayImport: ["core", ...inSql("ast", "builder/draft", "declare", "exec", "render", "words")],
    typesFrom: inSql("resolve/scope"),
    typesOf: ["zod"],
  },
  {
    below: "sql/builder",
    mayImport: [
      "core",
      ...inSql(
        "ast",
        "builder/draft",
        "builder/inserting",
        "exec",
        "expression",
        "render",
        "resolve",
        "words",
      ),
    ],
    typesFrom: inSql("declare", "resolve/scope"),
    typesOf: ["zod"],
  },
  {
    below: "sql/specs",
    mayImport: [
      "core",
      "schema",
      ...inSql("ast", "builder", "dialect/grammar", "resolve", "words"),
      ...inResolve("scope", "expression"),
    ],
    typesFrom: ["sql/declare"],
    packages: ["zod"],
    typesOf: zod,
  },
  {
    below: "sql/door",
    mayImport: [
      "core",
      "schema",
      ...inSql(
        "builder",
        "builder/draft",
        "contract",
        "ddl",
        "declare",
        "dialect/grammar",
        "exec",
        "specs",
        "value",
        "words",
      ),
      ...inResolve("scope", "expression"),
    ],
    typesFrom: inSql("ast", "resolve", "types", "types/rules"),
    typesOf: zod,
  },
  // What drivers throw, as ours: it knows the shape of their errors, and nothing else of them.
  { below: "sql/driver-errors", mayImport: ["sql/words"], typesFrom: ["sql/contract"] },
  // Bytes of protocols, whatever the server.
  { below: "sql/drivers/wire", mayImport: [] },
  ...dialects.map((dialect) => ({
    below: `sql/drivers/${dialect}`,
    mayImport: [
      "core",
      ...inSql("contract", "dialect/grammar", `dialect/${dialect}`, "driver-errors", "drivers/wire", "words"),
    ],
  })),
  {
    below: "sql/drivers",
    mayImport: [
      "core",
      ...inSql("contract", "door", "driver-errors", "words"),
      ...inDialects("sql/dialect"),
      ...inDialects("sql/drivers"),
    ],
  },
  // Migrations: from what a database says of itself to the steps, and from the steps to a run of them.
  {
    below: "sql/migrate/words",
    mayImport: ["core", ...inSql("declare", "words")],
    typesFrom: inSql("door", "types"),
    packages: ["zod"],
  },
  { below: "sql/migrate/text", mayImport: ["core", "sql/words", ...inMigrate("words")] },
  ...migrated.map((dialect) => ({
    below: `sql/migrate/catalog/${dialect}`,
    mayImport: [
      "core",
      ...inSql("dialect/grammar", `dialect/${dialect}`, "words"),
      ...inMigrate("catalog", "text", "words"),
    ],
    typesFrom: ["sql/declare"],
    packages: ["zod"],
  })),
  // The catalog of Oracle is not read.
  {
    below: "sql/migrate/catalog/oracle",
    mayImport: [...inSql("dialect/oracle"), ...inMigrate("catalog")],
  },
  {
    below: "sql/migrate/catalog",
    mayImport: [
      "core",
      ...inSql("ddl", "declare", "dialect/grammar", "door", "words"),
      ...inMigrate("text", "words"),
    ],
    packages: ["zod"],
  },
  {
    below: "sql/migrate/diff",
    mayImport: [
      "core",
      ...inSql("declare", "dialect/grammar", "words"),
      ...inMigrate("catalog", "text", "words"),
    ],
  },
  {
    below: "sql/migrate/write",
    mayImport: [
      "core",
      ...inSql("ddl", "dialect/grammar", "words"),
      ...inMigrate("catalog", "diff", "text", "words"),
    ],
    typesFrom: ["sql/declare"],
  },
  ...migrated.map((dialect) => ({
    below: `sql/migrate/write/${dialect}`,
    mayImport: [
      "core",
      ...inSql("ddl", "dialect/grammar", `dialect/${dialect}`),
      ...inMigrate("catalog", `catalog/${dialect}`, "diff", "text", "words", "write"),
    ],
    typesFrom: ["sql/declare"],
    packages: ["zod"],
  })),
  {
    below: "sql/migrate/run",
    mayImport: [
      "core",
      ...inSql("declare", "dialect/grammar", "door", "words"),
      ...inMigrate("catalog", "text", "words"),
    ],
    packages: ["zod"],
  },
  ...dialects.map((dialect) => ({
    below: `sql/migrate/run/${dialect}`,
    mayImport: [
      ...inSql("dialect/grammar", `dialect/${dialect}`, "door"),
      ...inMigrate(`catalog/${dialect}`, "run", "text"),
    ],
    packages: ["zod"],
  })),
  {
    below: "sql/migrate/pull",
    mayImport: ["core", ...inMigrate("catalog", "words")],
    typesFrom: ["sql/dialect/grammar"],
  },
  ...migrated.map((dialect) => ({
    below: `sql/migrate/pull/${dialect}`,
    mayImport: [
      ...inSql("dialect/grammar", `dialect/${dialect}`),
      ...inMigrate("catalog", `catalog/${dialect}`, "pull"),
    ],
    typesFrom: inMigrate("words"),
  })),
  // One record for each dialect.
  {
    below: "sql/migrate/dialects",
    mayImport: [
      "core",
      ...inSql("dialect/grammar", "words"),
      ...inMigrate(...inDialects("run"), ...inDialects("write", migrated), ...inDialects("pull", migrated)),
    ],
    typesFrom: inMigrate("pull", "run", "write"),
  },
  // What `rowtype/migrate` does, a file each: it gives the rooms what they need of each other.
  {
    below: "sql/migrate",
    mayImport: [
      "core",
      ...inSql("ddl", "declare", "dialect", "door", "words"),
      ...inMigrate("catalog", "dialects", "diff", "pull", "run", "text", "words", "write"),
      ...inMigrate(...inDialects("catalog", migrated), ...inDialects("write", migrated)),
    ],
    typesFrom: ["sql/dialect/grammar"],
    packages: ["zod"],
  },
  {
    below: "sql/migrate/cli",
    mayImport: ["core", ...inSql("ddl", "declare", "migrate", "words"), ...inMigrate("run", "words")],
    typesFrom: ["sql/door"],
  },
  {
    below: "sql/driver",
    mayImport: [
      "core",
      ...inSql("contract", "dialect", "dialect/postgres", "door", "driver-errors", "words"),
    ],
    typesFrom: inSql("dialect/grammar", "types"),
  },
  {
    below: "sql/driver-test",
    mayImport: ["core", ...inSql("contract", "declare", "driver", "words")],
    typesFrom: inSql("door"),
    packages: ["zod"],
  },
  {
    below: "sql/testing",
    mayImport: ["core", ...inSql("contract", "dialect", "door", "driver-errors", "words")],
    typesFrom: ["sql/value"],
  },

  {
    below: "http",
    mayImport: inHttp("contract", "engine"),
    typesFrom: ["core", ...inHttp("express", "outside", "pipeline")],
  },
  {
    below: "http/contract",
    mayImport: ["core", "schema", ...inSchema("json-schema", "reader")],
    typesFrom: ["openapi"],
    packages: zod,
    typesOf: ["express"],
  },
  { below: "http/outside", mayImport: ["core", "http/contract"] },
  // What requests bring: it is read, and nothing is answered.
  {
    below: "http/input",
    mayImport: ["core", "schema", "schema/reader", "http/contract"],
    typesFrom: ["http/pipeline"],
    typesOf: ["express"],
  },
  {
    below: "http/pipeline",
    mayImport: ["core", "schema", "schema/reader", ...inHttp("contract", "input", "outside")],
    packages: zod,
    typesOf: ["express"],
  },
  {
    below: "http/describe",
    mayImport: [
      "core",
      "openapi",
      "schema",
      ...inSchema("components", "json-schema", "reader"),
      "http/contract",
    ],
    typesOf: ["express"],
  },
  { below: "http/express", mayImport: inHttp("contract", "pipeline"), packages: ["express"] },
  {
    below: "http/engine",
    mayImport: ["core", ...inHttp("contract", "describe", "express", "outside", "pipeline")],
    typesFrom: ["openapi"],
    typesOf: ["express"],
  },
  // What a browser gets: of the server no more than types.
  { below: "http/client", mayImport: ["core"], typesFrom: ["http/contract"] },
  // What a browser gets beside it: values to and from their wire form, by the schemas of both sides.
  { below: "http/wire", mayImport: ["core", "schema"], typesFrom: ["http/contract"], packages: zod },
  { below: "http/jwt", mayImport: ["core", ...inHttp("contract", "outside")], packages: ["jose"] },
  {
    below: "http/oauth",
    mayImport: ["core", ...inHttp("contract", "outside")],
    packages: ["jose", "oauth4webapi"],
  },
  {
    below: "http/session",
    mayImport: ["core", ...inHttp("contract", "oauth", "outside", "pipeline")],
    packages: ["zod", "oauth4webapi"],
    typesOf: ["express"],
  },
  // The one place where the halves meet.
  {
    below: "http/session/sql",
    mayImport: ["index.ts", "http/contract"],
    typesFrom: ["http/session"],
    packages: ["zod"],
  },
  // It knows errors of the other half by their mark.
  { below: "http/sql", mayImport: ["core", "http/contract"] },
  { below: "http/testing", mayImport: ["core", ...inHttp("client", "contract", "engine", "express")] },
];

/** A room of `resolve`, and the other rooms that it may import. */
function resolving(room: string, ...rooms: readonly string[]): Floor {
  return {
    below: `sql/resolve/${room}`,
    mayImport: ["core", ...inSql("ast", "dialect/grammar", "kind", "value", "words"), ...inResolve(...rooms)],
    typesFrom: ["sql/declare"],
  };
}

function inResolve(...rooms: readonly string[]): string[] {
  return rooms.map((room) => `sql/resolve/${room}`);
}

function inMigrate(...rooms: readonly string[]): string[] {
  return rooms.map((room) => `sql/migrate/${room}`);
}

/** The rooms of a folder that belong to one database each. */
function inDialects(folder: string, names: readonly string[] = dialects): string[] {
  return names.map((dialect) => `${folder}/${dialect}`);
}

function inSchema(...rooms: readonly string[]): string[] {
  return rooms.map((room) => `schema/${room}`);
}

function inSql(...folders: readonly string[]): string[] {
  return folders.map((folder) => `sql/${folder}`);
}

function inHttp(...folders: readonly string[]): string[] {
  return folders.map((folder) => `http/${folder}`);
}

describe("the floors", () => {
  test("a file imports only what its floor allows", () => {
    expect(violations(graph, floors)).toEqual([]);
  });

  test("imports have no cycle, type imports included", () => {
    expect(cycles(graph).map((files) => files.join(" → "))).toEqual([]);
  });

  test("run-time imports have no cycle of folders", () => {
    expect(folderCycles(graph).map((folders) => folders.join(" → "))).toEqual([]);
  });

  test("drivers and Express files are imported by entry points only", () => {
    const outsiders = [...graph].filter(([file]) => !file.startsWith("sql/drivers/"));
    const reached = outsiders.flatMap(([file, imports]) =>
      imports
        .filter(({ target }) => target.startsWith("sql/drivers/"))
        .map(({ target }) => `${file} → ${target}`),
    );
    expect(reached).toEqual([]);
  });

  test("a folder has at most 35 files", () => {
    const folders = new Map<string, number>();
    for (const file of graph.keys()) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    expect([...folders].filter(([, files]) => files > 35)).toEqual([]);
  });

  test("no file is longer than 400 lines", () => {
    const lines = (file: string) => readFileSync(join(source, file), "utf8").split("\n").length - 1;
    expect([...graph.keys()].filter((file) => lines(file) > 400)).toEqual([]);
  });

  test("every file begins with a comment that describes it", () => {
    const silent = [...graph.keys()].filter(
      (file) => !readFileSync(join(source, file), "utf8").startsWith("/**"),
    );
    expect(silent).toEqual([]);
  });
});

describe("the gate itself", () => {
  const planted: Graph = new Map([
    ["core/a.ts", [{ target: "sql/render/b.ts", isPackage: false, typeOnly: true }]],
    [
      "sql/render/b.ts",
      [
        { target: "core/a.ts", isPackage: false, typeOnly: false },
        { target: "express", isPackage: true, typeOnly: false },
      ],
    ],
    [
      "http/pipeline/c.ts",
      [
        { target: "express", isPackage: true, typeOnly: true },
        { target: "sql/render/b.ts", isPackage: false, typeOnly: false },
      ],
    ],
    ["elsewhere.ts", []],
  ]);

  test("detects an upward import, a foreign package, an import between families and a file without a floor", () => {
    expect(violations(planted, floors)).toEqual([
      "core/a.ts imports sql/render/b.ts (types), which core may not",
      "sql/render/b.ts imports core/a.ts, which sql/render may not",
      "sql/render/b.ts imports express, which sql/render may not",
      "http/pipeline/c.ts imports sql/render/b.ts, which http/pipeline may not",
      "elsewhere.ts stands on no floor",
    ]);
  });

  test("detects a cycle of folders without a cycle of files", () => {
    const knot: Graph = new Map([
      ["core/a.ts", [{ target: "sql/b.ts", isPackage: false, typeOnly: false }]],
      ["sql/c.ts", [{ target: "core/d.ts", isPackage: false, typeOnly: false }]],
    ]);
    expect(cycles(knot)).toEqual([]);
    expect(folderCycles(knot)).toEqual([["core", "sql", "core"]]);
  });

  test("detects a cycle of type imports", () => {
    expect(cycles(planted)).toEqual([["core/a.ts", "sql/render/b.ts", "core/a.ts"]]);
  });
});

test("a module of the tests that is not a test file has no hooks of its own: only the first file would have them", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  expect(modules).toContain("at-end.ts");
  const hooked = modules.filter((path) =>
    /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(join(folder, path), "utf8")),
  );
  expect(hooked).toEqual([]);
});
