/**
 * The laws of `diff`, on every server: nothing to do after `createTables`; after its own steps the database is what
 * `createTables` would have made; rows stay, and a step that fails has said that it may.
 */
import * as fc from "fast-check";
import type { AnyDeclared, AnyTable } from "rowtype";
import {
  type Catalog,
  type CatalogTable,
  type Change,
  diff,
  introspect,
  MigrationError,
} from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience, rounds } from "../../rounds.js";
import { type Lent, type Server, servers } from "../../servers.js";
import {
  edited,
  edits,
  propertyOf,
  rowsOf,
  type SchemaModel,
  schemas,
  tablesOf,
  viewsOf,
} from "./random-tables.js";

const count = rounds({ small: 6, full: 2_000 });
// To shrink a failure takes longer than the test may: its seed and path are shown, and a run with them shrinks it.
const endOnFailure = process.env["ROWTYPE_ROUNDS"] === undefined;

for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(`diff on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());

    test(
      "is empty after createTables, whatever is declared",
      async () => {
        const property = fc.asyncProperty(schemas, async (model) => {
          const tables = [...viewsOf(model, server.dialect), ...tablesOf(model, server.dialect)];
          await lent.db.createTables(...tables);
          try {
            expect((await diff(tables, lent.db, { types: "exact", drop: "tables" })).text()).toBe("");
          } finally {
            await dropAll(lent, server, tables);
          }
        });
        await fc.assert(property, { numRuns: count, endOnFailure });
      },
      patience(60_000, 1_500, count),
    );

    test(
      "leads to what createTables makes, loses no row, and fails only where it says that it may",
      async () => {
        const property = fc.asyncProperty(schemas, edits, async (before, changes) => {
          const after = changes.reduce(edited, before);
          await leadsTo(lent, server, before, after);
        });
        await fc.assert(property, { numRuns: count, endOnFailure });
      },
      patience(60_000, 4_000, count),
    );
  });

async function leadsTo(lent: Lent, server: Server, before: SchemaModel, after: SchemaModel): Promise<void> {
  const { db } = lent;
  const old = tablesOf(before, server.dialect);
  const now = tablesOf(after, server.dialect);
  const oldViews = viewsOf(before, server.dialect);
  const wanted = [...viewsOf(after, server.dialect), ...now];
  try {
    await db.createTables(...oldViews, ...old);
    for (const [i, table] of old.entries()) {
      const model = before[i];
      const rows = model === undefined ? undefined : rowsOf(model, before);
      for (const row of rows ?? [])
        await db
          .repository(table)
          .insert()
          .exec(row as never)
          .catch((error: unknown) => {
            // Two rows of one value in a key.
            if (Object(error).code !== "UNIQUE_VIOLATION") throw error;
          });
    }
    const held = await values(lent, old, before, after);
    const change = await diff(wanted, db, { types: "exact", drop: "tables" }).catch(refusedType);
    if (change === undefined) return;
    const failed = await apply(lent, server, change);
    if (failed) return;
    expect((await diff(wanted, db, { types: "exact", drop: "tables" })).text(), change.text()).toBe("");
    const kept = await values(lent, now, after, before);
    for (const [key, value] of kept)
      if (held.has(key)) expect(value, `${key}\n${change.text()}`).toEqual(held.get(key));
    const reached = await introspect(db);
    await dropAll(lent, server, [...oldViews, ...old, ...wanted]);
    await db.createTables(...wanted);
    expect(said(reached), change.text()).toEqual(said(await introspect(db)));
  } finally {
    await dropAll(lent, server, [...oldViews, ...old, ...wanted]);
  }
}

/** No change: values of one kind do not become values of the other. Any other failure fails the test. */
function refusedType(error: unknown): undefined {
  if (!(error instanceof MigrationError) || error.code !== "MIGRATION_REFUSED") throw error;
  expect(error.step).toMatch(/^change type /);
}

/** Whether a step failed that had said that it may; any other failure fails the test. */
async function apply(lent: Lent, server: Server, change: Change): Promise<boolean> {
  if (server.dialect === "sqlite") await lent.run("PRAGMA foreign_keys = OFF");
  for (const { risks, sql, kind } of change.steps)
    for (const statement of sql)
      try {
        await lent.db.sql(statement).exec();
      } catch (error) {
        if (risks.includes("may-fail") || risks.includes("loses-data")) return true;
        throw new Error(`${kind} failed, and did not say that it may: ${statement}\n${change.text()}`, {
          cause: error,
        });
      }
  if (server.dialect === "sqlite") {
    expect(await lent.run("PRAGMA foreign_key_check"), change.text()).toEqual([]);
    await lent.run("PRAGMA foreign_keys = ON");
  }
  return false;
}

/** The values of each column that both versions have with one type, by what they are of. */
async function values(
  lent: Lent,
  tables: readonly AnyTable[],
  model: SchemaModel,
  other: SchemaModel,
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const [i, table] of tables.entries()) {
    const one = model[i];
    const twin = other.find(({ id }) => id === one?.id);
    if (one === undefined || twin === undefined) continue;
    const both = one.columns.filter(({ id, kind }) =>
      twin.columns.some((it) => it.id === id && it.kind === kind),
    );
    const rows: readonly Record<string, unknown>[] = await lent.db
      .repository(table)
      .query()
      .fields(...(["id", ...both.map(propertyOf)] as ["id"]))
      .orderBy("id", "asc")
      .exec();
    found.set(`rows of ${one.id}`, rows.length);
    for (const column of both)
      found.set(
        `${one.id}.${column.id}`,
        rows.map((row) => row[propertyOf(column)]),
      );
  }
  return found;
}

/** A catalog without names of constraints and indexes, which are not compared. */
function said({ tables, views }: Catalog): unknown {
  const text = (list: readonly object[]) => list.map((one) => JSON.stringify({ ...one, name: null })).sort();
  const said = tables.map(({ keys, foreignKeys, checks, indexes, primaryKey, ...table }: CatalogTable) => ({
    ...table,
    primaryKey: primaryKey?.columns,
    keys: text(keys),
    foreignKeys: text(foreignKeys),
    checks: text(checks),
    indexes: text(indexes),
  }));
  return [said, views];
}

async function dropAll({ db, run }: Lent, { dialect }: Server, known: readonly AnyDeclared[]): Promise<void> {
  const { tables } = await introspect(db);
  await db.dropTables(...known.filter((one) => "view" in one && one.view !== undefined));
  const off = { sqlite: "PRAGMA foreign_keys = OFF", mariadb: "SET FOREIGN_KEY_CHECKS = 0" }[String(dialect)];
  for (const { name, foreignKeys } of tables) {
    const quoted =
      dialect === "mariadb" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
    if (dialect === "sqlite") await run(off ?? "");
    if (dialect === "mariadb")
      for (const key of foreignKeys)
        await run(`ALTER TABLE ${quoted} DROP FOREIGN KEY \`${(key.name ?? "").replaceAll("`", "``")}\``);
  }
  for (const { name } of tables) {
    const quoted =
      dialect === "mariadb" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
    await run(`DROP TABLE ${quoted}${dialect === "postgres" ? " CASCADE" : ""}`);
  }
  if (dialect === "sqlite") await run("PRAGMA foreign_keys = ON");
  // Names are free again for createTables.
  await db.dropTables(...known);
}
