/**
 * The schemas of programs that people run (Debian's packages): pulled, compiled, made again in an empty database. What is
 * there then is what was there, but for what `pull` says that it does not carry; the declarations are no difference to
 * either. Needs the built package, which `npm test` makes.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnyDeclared } from "rowtype";
import { type Catalog, diff, introspect, pull } from "rowtype/migrate";
import { afterAll, describe, expect, test } from "vitest";
import { rounds } from "../rounds.js";
import { servers } from "../servers.js";
import { runPulled } from "../sql/migrate/pulled-file.js";
import { neededBy, programs, schemaOf } from "./real-schemas.js";
import { openPlace } from "./schema-places.js";

const folder = mkdtempSync(join(fileURLToPath(new URL(".", import.meta.url)), "real-schemas-"));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript7/package.json")), "bin", "tsc");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tables that a file declares: it is compiled and run. */
function declared(source: string): AnyDeclared[] {
  return runPulled(source).declared();
}

/** The words before the name: `index x of t` → `index`. */
const kindOf = (one: string) =>
  /^(default nextval|table option ENGINE|INTEGER PRIMARY KEY|NULL in the primary key|(?:fulltext |primary key|[a-z]+)+)/
    .exec(one)?.[0]
    .trim();

/** A catalog as the declarations of `pull` would make it; names of constraints do not count. */
function said({ dialect, tables, views, enums }: Catalog, notCarried: readonly string[]): unknown[] {
  const lost = (words: string) => notCarried.includes(words);
  const text = (list: readonly object[]) => list.map((one) => JSON.stringify({ ...one, name: null })).sort();
  return [
    ...tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => {
        const place = `${table.name}.${column.name}`;
        const isSerial = lost(`default ${column.default} of ${place}`);
        const isRowId = lost(`INTEGER PRIMARY KEY without AUTOINCREMENT of ${place}`);
        // No key takes NULL, except on SQLite, where it is an old mistake.
        const isKey = dialect === "sqlite" && table.primaryKey?.columns.includes(column.name) === true;
        return {
          ...column,
          ...(isSerial || isRowId ? { default: null, generated: "byDefault" } : {}),
          ...(isKey ? { nullable: false } : {}),
        };
      }),
      primaryKey: table.primaryKey?.columns,
      keys: text(table.keys),
      foreignKeys: text(
        table.foreignKeys.filter(
          ({ name, columns, target }) =>
            !lost(`reference ${name ?? columns.join(", ")} to ${target.table} of ${table.name}`),
        ),
      ),
      checks: text(table.checks),
    })),
    ...views,
    ...enums,
  ];
}

const sources: string[] = [];
const isFull = rounds({ small: 1, full: 2 }) > 1;

describe.each(["sqlite", "postgres", "mariadb"] as const)("on %s", (dialect) => {
  const isThere = servers.some(({ name, available }) => name === dialect && available);
  for (const program of programs) {
    const { name, losesOn } = program;
    if (program.on[dialect] === undefined) continue;
    test.skipIf(!isThere)(
      `the schema of ${name} is pulled and made again`,
      async ({ skip }) => {
        if (program.isLarge === true && dialect !== "sqlite" && !isFull)
          return skip("large schemas are read on servers at full numbers");
        const sql = schemaOf(program, dialect);
        if (sql === undefined)
          return skip(
            program.isGiven === true
              ? `the folder of ROWTYPE_SCHEMAS has no ${program.on[dialect]?.path}`
              : `the package ${program.on[dialect]?.package} cannot be fetched`,
          );
        const [place, other] = [await openPlace(dialect), await openPlace(dialect)];
        try {
          await place.load(sql);
          const before = await introspect(place.db);
          const { source, notCarried } = await pull(place.db, { names: "camel" });
          const same = await pull(place.db, { names: "same" });
          for (const [i, text] of [source, same.source].entries()) {
            const file = `${name.replaceAll(" ", "-")}-${dialect}-${i}.ts`;
            writeFileSync(join(folder, file), text);
            sources.push(file);
          }
          const kinds = [...new Set(notCarried.map(kindOf))].sort();
          if (program.isGiven !== true)
            expect([name, kinds]).toEqual([name, [...(losesOn?.[dialect] ?? [])].sort()]);
          expect(same.notCarried).toEqual(notCarried);

          const tables = declared(source);
          const broken = program.brokenReferences?.[dialect] ?? [];
          const change = await diff(tables, place.db, { drop: "tables" });
          expect(change.steps.map(({ table }) => table).filter((table) => !broken.includes(table))).toEqual(
            [],
          );
          expect((await diff(declared(same.source), place.db, { drop: "tables" })).steps.length).toBe(
            change.steps.length,
          );
          if (program.isGiven === true && dialect === "postgres") await other.load(neededBy(sql));
          await other.db.createTables(...tables);
          const after = await introspect(other.db);
          expect(said(after, [])).toEqual(said(before, notCarried));
          expect((await diff(tables, other.db, { drop: "tables" })).text()).toBe("");
          expect(await introspect(place.db)).toEqual(before);
        } finally {
          await place.close();
          await other.close();
        }
      },
      180_000,
    );
  }
});

test("all of them compile strictly", ({ skip }) => {
  if (sources.length === 0) skip("no schema could be fetched");
  const compilerOptions = { noEmit: true, strict: true, module: "nodenext", target: "es2023", types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: sources }));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
}, 300_000);
