/**
 * Renames that are declared, of columns and of tables by one rule: whatever names go over into one another, each value is
 * afterwards where the declaration says, or is dropped by a step that says so, or nothing is done and the error says what
 * to do.
 */
import * as fc from "fast-check";
import { type AnyTable, column, table } from "rowtype";
import { type Change, diff, generate, migrate } from "rowtype/migrate";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";
import { onRunnerServers } from "./folders.js";
import {
  canBeSaid,
  type Graph,
  graphOf,
  type Move,
  moves,
  NAMES,
  originsIn,
  subsets,
} from "./rename-graphs.js";

const id = column(z.int(), { primaryKey: true });
const text = z.string().nullable();
const all = moves();

/** One table whose columns are renamed. */
function ofColumns(name: string, graph: Graph): AnyTable {
  const columns = [...graph].map(([one, renamedFrom]) => [
    one,
    renamedFrom.length === 0 ? text : column(text, { renamedFrom }),
  ]);
  return table(name, z.object({ id, ...Object.fromEntries(columns) }));
}

/** Tables that are renamed. */
function ofTables(graph: Graph): AnyTable[] {
  return [...graph].map(([name, renamedFrom]) =>
    table(name, z.object({ id, v: text }), renamedFrom.length === 0 ? {} : { renamedFrom }),
  );
}

const prefixed = (graph: Graph, prefix: string): Graph =>
  new Map([...graph].map(([name, former]) => [prefix + name, former.map((one) => prefix + one)]));
const thrownBy = (make: () => unknown): unknown => {
  try {
    make();
  } catch (error) {
    return error;
  }
  return undefined;
};
const lendSqlite = async (): Promise<Lent> => {
  const lent = await servers.find(({ name }) => name === "sqlite")?.lend();
  if (lent === undefined) throw new Error("SQLite is always there");
  return lent;
};
const dropsIn = ({ steps }: Change) =>
  steps.filter(({ kind }) => kind === "drop column" || kind === "drop table");

async function apply({ db, run }: Pick<Lent, "db" | "run">, change: Change): Promise<void> {
  if (db.dialect === "sqlite") await run("PRAGMA foreign_keys = OFF");
  for (const sql of change.sql()) await db.sql(sql).exec();
  if (db.dialect === "sqlite") await run("PRAGMA foreign_keys = ON");
}

test("there are shapes of all kinds among them", () => {
  const said = all.filter((move) => canBeSaid(graphOf(move)));
  expect(said.length).toBeGreaterThan(100);
  expect(all.length - said.length).toBeGreaterThan(30);
});

test("columns whose names are exchanged, or taken by new ones, are refused where they are declared", () => {
  for (const move of all) {
    const graph = graphOf(move);
    const error = thrownBy(() => ofColumns("t", graph));
    if (canBeSaid(graph)) expect(error, JSON.stringify([...graph])).toBeUndefined();
    else {
      expect(error, JSON.stringify([...graph])).toMatchObject({ code: "DECLARATION" });
      expect(String(error)).toContain("two migrations");
      expect(String(error).length).toBeLessThan(320);
    }
  }
});

onRunnerServers("names that go over into one another", (place) => {
  const said = all
    .map((move, i) => ({ move, graph: graphOf(move), i }))
    .filter(({ graph }) => canBeSaid(graph));

  test("columns: each value is where the declaration says, or its drop says why", async () => {
    const { lent } = place();
    const tableOf = (i: number) => `t${i}`;
    const before = said.map(({ move, i }) =>
      ofColumns(tableOf(i), new Map(move.before.map((name) => [name, []]))),
    );
    await lent.db.createTables(...before);
    for (const { move, i } of said)
      await lent.run(
        `INSERT INTO ${tableOf(i)} (id, ${move.before.join(", ")}) VALUES (1, ${move.before.map((name) => `'${name}'`).join(", ")})`,
      );
    const now = said.map(({ graph, i }) => ofColumns(tableOf(i), graph));
    const change = await diff(now, lent.db);
    for (const { move, graph, i } of said) {
      const steps = change.steps.filter((step) => step.table === tableOf(i));
      const origins = new Set(originsIn(graph, move.before).values());
      const dropped = steps.filter(({ kind }) => kind === "drop column");
      expect(dropped.map(({ name }) => name).sort(), JSON.stringify([...graph])).toEqual(
        move.before.filter((name) => !origins.has(name)).sort(),
      );
      for (const { name = "", why, risks } of dropped) {
        expect(risks).toContain("loses-data");
        if ([...graph.values()].flat().includes(name)) expect(why).toContain("both are there");
      }
    }
    await apply(lent, change);
    expect((await diff(now, lent.db)).text()).toBe("");
    for (const { move, graph, i } of said) {
      const [row] = await lent.run(`SELECT ${[...graph.keys()].join(", ")} FROM ${tableOf(i)}`);
      const origins = originsIn(graph, move.before);
      const wanted = [...graph.keys()].map((name) => [name, origins.get(name) ?? null]);
      expect(row, JSON.stringify([move.before, ...graph])).toEqual(Object.fromEntries(wanted));
    }
  }, 120_000);

  test("tables: each row is where the declaration says, or the drop of its table says why", async () => {
    const { lent } = place();
    const prefix = (i: number) => `k${i}_`;
    const there = (move: Move, i: number) => move.before.map((name) => prefix(i) + name);
    await lent.db.createTables(
      ...said.flatMap(({ move, i }) => ofTables(new Map(there(move, i).map((name) => [name, []])))),
    );
    for (const { move, i } of said)
      for (const name of there(move, i)) await lent.run(`INSERT INTO ${name} (id, v) VALUES (1, '${name}')`);
    const now = said.flatMap(({ graph, i }) => ofTables(prefixed(graph, prefix(i))));
    const change = await diff(now, lent.db, { drop: "tables" });
    const dropped = new Map(dropsIn(change).map((step) => [step.table, step]));
    await apply(lent, change);
    expect((await diff(now, lent.db, { drop: "tables" })).text()).toBe("");
    for (const { move, graph, i } of said) {
      const called = prefixed(graph, prefix(i));
      const origins = originsIn(called, there(move, i));
      for (const name of called.keys()) {
        const rows = await lent.run(`SELECT v FROM ${name}`);
        const origin = origins.get(name);
        expect(rows, JSON.stringify([move.before, ...graph])).toEqual(
          origin === undefined ? [] : [{ v: origin }],
        );
      }
      for (const name of there(move, i)) {
        const step = dropped.get(name);
        expect(step === undefined, name).toBe([...origins.values()].includes(name));
        if (step !== undefined && [...called.values()].flat().includes(name))
          expect(step.why).toContain("both are there");
      }
    }
  }, 120_000);

  test("tables whose names are exchanged, or taken by new ones, are refused before anything is compared", async () => {
    const { lent } = place();
    for (const graph of all.map(graphOf).filter((one) => !canBeSaid(one))) {
      const error = await sqlErrorOf(diff(ofTables(graph), lent.db));
      expect(error, JSON.stringify([...graph])).toMatchObject({ code: "DECLARATION" });
      expect(error?.message).toContain("two migrations");
    }
  });

  test("names that differ in case only are one name where the dialect says so", async () => {
    const { lent, dialect } = place();
    await lent.db.createTables(table("t", z.object({ id, b: text })));
    const now = table("t", z.object({ id, x: column(text, { renamedFrom: "B" }), b: text }));
    const found = diff([now], lent.db).then(({ steps }) => steps.map(({ kind, name }) => `${kind} ${name}`));
    if (dialect === "postgres") expect(await found).toEqual(["add column x"]);
    else expect(await sqlErrorOf(found)).toMatchObject({ code: "DECLARATION" });
    const tables = [
      table("X", z.object({ id }), { renamedFrom: "T" }),
      table("t", z.object({ id, b: text })),
    ];
    const both = diff(tables, lent.db).then(({ steps }) =>
      steps.map(({ kind, table }) => `${kind} ${table}`),
    );
    if (dialect === "postgres") expect(await both).toEqual(["create table X"]);
    else expect(await sqlErrorOf(both)).toMatchObject({ code: "DECLARATION" });
    // The same name in other letters is no other name.
    const same = table("t", z.object({ id, b: column(text, { renamedFrom: "B" }) }));
    expect((await diff([same], lent.db)).text()).toBe("");
  });

  test("a table is the one that the server finds by its name, in this case of letters or in any", async () => {
    const { db, lent } = place();
    const named = (name: string, renamedFrom: readonly string[] = []): AnyTable =>
      table(name, z.object({ id, v: text }), renamedFrom.length === 0 ? {} : { renamedFrom });
    const rowsOf = (name: string) => db.repository(named(name)).query().fields("v").exec();
    const kindsOf = async (...tables: readonly AnyTable[]) =>
      (await diff(tables, db)).steps.map(({ kind }) => kind);
    await db.createTables(named("Events"));
    await lent.run(`INSERT INTO ${quoted("Events")} (id, v) VALUES (1, 'kept')`);
    for (const name of ["Events", "events", "EVENTS"]) {
      const isThere = await rowsOf(name).then(
        () => true,
        () => false,
      );
      expect(await kindsOf(named(name)), name).toEqual(isThere ? [] : ["create table"]);
      const other = isThere ? "rename table" : "create table";
      expect(await kindsOf(named("others", [name])), name).toEqual([other]);
      if (name !== "Events")
        expect(await kindsOf(named(name, ["Events"])), name).toEqual(isThere ? [] : ["rename table"]);
    }
    const both = [named("Events"), named("events")];
    await apply(lent, await diff(both, db));
    expect((await diff(both, db)).text()).toBe("");
    expect([await rowsOf("Events"), (await rowsOf("events")).length <= 1]).toEqual([[{ v: "kept" }], true]);
    const renamed = named("EVENTS", ["Events"]);
    await apply(lent, await diff([renamed], db));
    expect((await diff([renamed], db)).text()).toBe("");
    expect(await rowsOf("EVENTS")).toEqual([{ v: "kept" }]);
  });
  const quoted = (name: string) => (place().dialect === "mariadb" ? `\`${name}\`` : `"${name}"`);

  test("a table is archived, and another takes its name, in two migrations", async () => {
    const { db, lent, folder } = place();
    const shape = z.object({ id, v: text });
    const edit = async (name: string, tables: readonly AnyTable[]) => {
      await generate(tables, db, { folder: folder.path, name });
      await migrate(db, { folder: folder.path });
    };
    await edit("first", [table("ev", shape)]);
    await lent.run("INSERT INTO ev (id, v) VALUES (1, 'kept')");
    const old = table("ev_old", shape, { renamedFrom: "ev" });
    const both = edit("both", [old, table("ev", shape)]);
    expect(await sqlErrorOf(both)).toMatchObject({ code: "DECLARATION" });
    const external = edit("both", [old, table("ev", shape, { external: true })]);
    expect(await sqlErrorOf(external)).toMatchObject({ code: "DECLARATION" });
    await edit("second", [old]);
    await edit("third", [table("ev_old", shape), table("ev", shape)]);
    expect(await lent.run("SELECT v FROM ev_old")).toEqual([{ v: "kept" }]);
    expect(await lent.run("SELECT v FROM ev")).toEqual([]);
  });

  test("a migration that exchanged names is undone by exchanging them again", async () => {
    const { db, lent, folder } = place();
    const T = table("t", z.object({ id, a: text, b: text }));
    const U = table("u", z.object({ id, v: text }));
    const W = table("w", z.object({ id, v: text }));
    await generate([T, U, W], db, { folder: folder.path, name: "first" });
    await migrate(db, { folder: folder.path });
    for (const sql of [
      "INSERT INTO t (id, a, b) VALUES (1, 'a', 'b')",
      "INSERT INTO u (id, v) VALUES (1, 'u')",
      "INSERT INTO w (id, v) VALUES (1, 'w')",
    ])
      await lent.run(sql);
    const moved = (from: string, to: string, words: string) =>
      `-- step rename column t.${words}\nALTER TABLE t RENAME COLUMN ${from} TO ${to}\n`;
    const table_ = (from: string, to: string) =>
      `-- step rename table ${from}\nALTER TABLE ${from} RENAME TO ${to}\n`;
    folder.put(
      "29990101_000000_exchange.sql",
      [
        moved("a", "x", "a"),
        moved("b", "a", "b"),
        moved("x", "b", "x"),
        table_("u", "y"),
        table_("w", "u"),
        table_("y", "w"),
      ].join(""),
    );
    await migrate(db, { folder: folder.path });
    expect(await lent.run("SELECT a, b FROM t")).toEqual([{ a: "b", b: "a" }]);
    await generate([T, U, W], db, { folder: folder.path, name: "back", revert: "29990101_000000_exchange" });
    await migrate(db, { folder: folder.path });
    expect(await lent.run("SELECT a, b FROM t")).toEqual([{ a: "a", b: "b" }]);
    expect([...(await lent.run("SELECT v FROM u")), ...(await lent.run("SELECT v FROM w"))]).toEqual([
      { v: "u" },
      { v: "w" },
    ]);
  });
});

describe("a declaration over any database", () => {
  const names = fc.subarray([...NAMES], { minLength: 1 });
  const graphs = names
    .chain((declared) =>
      fc.tuple(
        ...declared.map((name) =>
          fc
            .shuffledSubarray(
              NAMES.filter((one) => one !== name),
              { maxLength: 2 },
            )
            .map((former) => [name, former] as const),
        ),
      ),
    )
    .map((entries): Graph => new Map(entries))
    .filter(canBeSaid);

  test("gives each column the values of a former one, or is refused: none is left beside an empty one", async () => {
    const lent = await lendSqlite();
    const { db, run } = lent;
    let refused = 0;
    let renamed = 0;
    for (const graph of fc.sample(graphs, { numRuns: rounds({ small: 20, full: 5_000 }), seed: 5 }))
      for (const before of subsets(NAMES).filter((one) => one.length > 0)) {
        await db.createTables(ofColumns("t", new Map(before.map((name) => [name, []]))));
        await run(`INSERT INTO t (id, ${before.join()}) VALUES (1, ${before.map((n) => `'${n}'`).join()})`);
        const now = ofColumns("t", graph);
        const about = JSON.stringify([before, ...graph]);
        const change = await diff([now], db).catch((error: unknown) => {
          expect(error, about).toMatchObject({ code: "DECLARATION" });
          return undefined;
        });
        if (change === undefined) refused++;
        else {
          await apply(lent, change);
          expect((await diff([now], db)).text(), about).toBe("");
          const [row] = await run("SELECT * FROM t");
          const values = new Map(Object.entries(Object(row)));
          const kept = new Set(values.values());
          for (const [name, former] of graph) {
            const origin = values.get(name);
            const had = former.find((one) => before.includes(one));
            if (had !== undefined && !before.includes(name)) expect(origin, about).toBe(had);
            if (origin !== null) expect([name, ...former], about).toContain(origin);
            if (origin !== null && origin !== name) renamed++;
          }
          const dropped = dropsIn(change).map(({ name }) => name);
          expect(before.filter((name) => !kept.has(name)).sort(), about).toEqual([...dropped].sort());
        }
        await db.dropTables(ofColumns("t", new Map()));
      }
    expect(refused).toBeGreaterThan(3);
    expect(renamed).toBeGreaterThan(50);
    await lent.close();
  }, 120_000);
});
