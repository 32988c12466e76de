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
  { below: "schema", mayImport: ["core"], packages: [...zod, "zod-to-json-schema"] },

  { below: "index.ts", mayImport: ["sql"] },
  // The files beside the folders are the declaration and the door; the gate on cycles keeps the two apart.
  {
    below: "sql",
    mayImport: [
      "core",
      "schema",
      ...["ast", "builder", "check", "ddl", "dialect", "exec", "types"].map((name) => `sql/${name}`),
    ],
    packages: zod,
  },
  { below: "sql/dialect", mayImport: ["sql/types", "sql/declaration.ts"] },
  {
    below: "sql/types",
    mayImport: ["sql/ast", "sql/dialect", "sql/exec/options.ts", "sql/render/rendered.ts"],
    typesOf: zod,
  },
  { below: "sql/ast", mayImport: ["sql/types", "sql/declaration.ts", "sql/errors.ts"] },
  {
    below: "sql/check",
    mayImport: ["core", "sql/ast", "sql/types", "sql/dialect", "sql/declaration.ts", "sql/errors.ts"],
  },
  {
    below: "sql/render",
    mayImport: [
      "sql/ast",
      "sql/check/operators.ts",
      "sql/types",
      "sql/dialect",
      "sql/declaration.ts",
      "sql/errors.ts",
    ],
  },
  { below: "sql/ddl", mayImport: ["core", "sql/dialect", "sql/declaration.ts", "sql/errors.ts"] },
  {
    below: "sql/exec",
    mayImport: [
      "core",
      "schema",
      "sql/dialect",
      "sql/render",
      "sql/declaration.ts",
      "sql/errors.ts",
      "sql/events.ts",
    ],
    packages: zod,
  },
  {
    below: "sql/builder",
    mayImport: [
      "core",
      "sql/ast",
      "sql/check",
      "sql/render",
      "sql/exec",
      "sql/dialect",
      "sql/condition.ts",
      "sql/declaration.ts",
      "sql/errors.ts",
      "sql/events.ts",
    ],
    packages: zod,
  },
  {
    below: "sql/drivers",
    mayImport: ["sql/database.ts", "sql/dialect", "sql/errors.ts", "sql/exec/driver.ts"],
  },

  {
    below: "http",
    mayImport: ["core", "schema", "openapi", "http/express"],
    packages: zod,
    typesOf: ["express"],
  },
  { below: "http/express", mayImport: ["core", "http"], packages: ["express"] },
  { below: "http/testing", mayImport: ["core", "http"], typesOf: ["express"] },
];

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
