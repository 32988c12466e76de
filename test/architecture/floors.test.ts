/** The floors of the house: which folder may import which. Arrows go down; nobody widens this table to pass. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cycles, type Floor, type Graph, readGraph, violations } from "./imports.js";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const graph = readGraph(source);

const zod = ["zod", "zod/v4/core"];
const floors: readonly Floor[] = [
  { below: "core", mayImport: [] },
  { below: "openapi", mayImport: ["core"], packages: ["yaml"] },
  { below: "schema", mayImport: ["core"], packages: zod },

  { below: "index.ts", mayImport: ["sql"] },
  // What a browser gets of a declaration: no more of the SQL half than this.
  {
    below: "table.ts",
    mayImport: inSql("column.ts", "declaration.ts", "dialect/dialect.ts", "errors.ts", "table.ts", "types"),
  },
  // The files beside the folders are the declaration and the door; the gate on cycles keeps the two apart.
  {
    below: "sql",
    mayImport: [
      "core",
      "schema",
      ...inSql("ast", "builder", "ddl", "dialect", "exec", "resolve", "types", "value"),
    ],
    packages: zod,
  },
  {
    below: "sql/types",
    mayImport: inSql("ast", "dialect", "exec/options.ts", "render/rendered.ts"),
    typesOf: zod,
  },
  { below: "sql/dialect", mayImport: inSql("types", "declaration.ts") },
  { below: "sql/ast", mayImport: inSql("types", "declaration.ts", "errors.ts") },
  {
    below: "sql/resolve",
    mayImport: ["core", ...inSql("ast", "types", "dialect", "value", "declaration.ts", "errors.ts")],
  },
  {
    below: "sql/value",
    mayImport: ["core", "schema", ...inSql("dialect", "declaration.ts", "errors.ts")],
    packages: zod,
  },
  {
    below: "sql/render",
    mayImport: inSql("resolve", "types", "dialect", "value", "declaration.ts", "errors.ts"),
  },
  { below: "sql/ddl", mayImport: ["core", ...inSql("dialect", "declaration.ts", "errors.ts")] },
  {
    below: "sql/exec",
    mayImport: ["core", ...inSql("dialect", "render", "value", "declaration.ts", "errors.ts", "events.ts")],
  },
  {
    below: "sql/builder",
    mayImport: [
      "core",
      ...inSql(
        "ast",
        "resolve",
        "render",
        "exec",
        "dialect",
        "condition.ts",
        "declaration.ts",
        "errors.ts",
        "events.ts",
      ),
    ],
  },
  {
    below: "sql/drivers",
    mayImport: [
      // What is kept prepared is bounded by the one piece that bounds everything.
      "core/lru.ts",
      ...inSql(
        "database.ts",
        "dialect",
        "driver-errors",
        "errors.ts",
        "exec/abort.ts",
        "exec/driver.ts",
        "exec/queue.ts",
      ),
    ],
  },
  // What drivers throw, as ours: it knows the shape of their errors, and nothing else of them.
  { below: "sql/driver-errors", mayImport: inSql("dialect", "errors.ts", "exec/driver.ts") },
  {
    below: "sql/testing",
    mayImport: [
      "core",
      ...inSql("database.ts", "dialect", "driver-errors", "errors.ts", "exec/driver.ts", "value/output.ts"),
    ],
  },

  {
    below: "http",
    mayImport: ["core", "schema", "openapi", "http/express"],
    packages: zod,
    typesOf: ["express"],
  },
  { below: "http/express", mayImport: ["core", "http"], packages: ["express"] },
  // What a browser gets: of the server no more than two files of types.
  {
    below: "http/client",
    mayImport: ["core/errors.ts", "http/path.ts", "http/schema-types.ts"],
  },
  { below: "http/jwt", mayImport: ["core", "schema", "http"], packages: ["jose"], typesOf: ["express"] },
  {
    below: "http/oauth",
    mayImport: ["core", "schema", "http"],
    packages: ["jose", "oauth4webapi"],
  },
  {
    below: "http/session",
    mayImport: ["core", "schema", "http", "http/oauth"],
    packages: [...zod, "oauth4webapi"],
    typesOf: ["express"],
  },
  // The one place where the halves meet.
  { below: "http/session/sql", mayImport: ["core", "schema", "http", "index.ts"], packages: zod },
  // It knows errors of the other half by their mark.
  { below: "http/sql", mayImport: ["core", "http"] },
  { below: "http/testing", mayImport: ["core", "http", "http/client"], typesOf: ["express"] },
];

function inSql(...places: readonly string[]): string[] {
  return places.map((place) => `sql/${place}`);
}

describe("the floors", () => {
  test("no file imports what its floor may not", () => {
    expect(violations(graph, floors)).toEqual([]);
  });

  test("no cycle, not even of types", () => {
    expect(cycles(graph).map((files) => files.join(" → "))).toEqual([]);
  });

  test("nobody but a door is reached from a driver or an express file", () => {
    const outsiders = [...graph].filter(([file]) => !file.startsWith("sql/drivers/"));
    const reached = outsiders.flatMap(([file, imports]) =>
      imports
        .filter(({ target }) => target.startsWith("sql/drivers/"))
        .map(({ target }) => `${file} → ${target}`),
    );
    expect(reached).toEqual([]);
  });

  test("no file is longer than 400 lines", () => {
    const lines = (file: string) => readFileSync(join(source, file), "utf8").split("\n").length - 1;
    expect([...graph.keys()].filter((file) => lines(file) > 400)).toEqual([]);
  });

  test("every file begins with a comment that says what it is", () => {
    const silent = [...graph.keys()].filter(
      (file) => !readFileSync(join(source, file), "utf8").startsWith("/**"),
    );
    expect(silent).toEqual([]);
  });
});

describe("the gate itself", () => {
  const planted: Graph = new Map([
    ["core/a.ts", [{ target: "sql/b.ts", isPackage: false, typeOnly: true }]],
    [
      "sql/b.ts",
      [
        { target: "core/a.ts", isPackage: false, typeOnly: false },
        { target: "express", isPackage: true, typeOnly: false },
      ],
    ],
    [
      "http/c.ts",
      [
        { target: "express", isPackage: true, typeOnly: true },
        { target: "sql/b.ts", isPackage: false, typeOnly: false },
      ],
    ],
    ["elsewhere.ts", []],
  ]);

  test("sees an arrow upwards, a foreign package, an arrow between families and a file without a floor", () => {
    expect(violations(planted, floors)).toEqual([
      "core/a.ts imports sql/b.ts (types), which core may not",
      "sql/b.ts imports express, which sql may not",
      "http/c.ts imports sql/b.ts, which http may not",
      "elsewhere.ts stands on no floor",
    ]);
  });

  test("sees a cycle of types", () => {
    expect(cycles(planted)).toEqual([["core/a.ts", "sql/b.ts", "core/a.ts"]]);
  });
});
