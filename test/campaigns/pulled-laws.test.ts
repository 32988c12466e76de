/**
 * The law of `diff` over the schemas of programs that people run, after `pull`: what was pulled is no difference, an edit
 * is no difference once it is applied, and nothing that worked stops working. A row stands in each table before, and is
 * read after every edit. Each schema gets random edits; a failure names the edit and the seed.
 */
import { rmSync } from "node:fs";
import type { AnyDeclared, Database, Dialect } from "rowtype";
import { type Catalog, diff, generate, introspect, MigrationError, migrate, pull } from "rowtype/migrate";
import { describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { reportServers, servers } from "../servers.js";
import { makeFolder } from "../sql/migrate/folders.js";
import { type PulledFile, runPulled } from "../sql/migrate/pulled-file.js";
import { type Program, programs, type SchemaDialect, schemaOf } from "./real-schemas.js";
import { type SchemaEdit, schemaEdits } from "./schema-edits.js";
import { openPlace, type Place } from "./schema-places.js";
import { insertsOf, quotedName } from "./schema-rows.js";

const EDITS = rounds({ small: 2, full: 20 });
const isFull = rounds({ small: 1, full: 2 }) > 1;
const SEED = Number(process.env["ROWTYPE_SEED"] ?? 1);

/** Numbers by chance that come again with the seed (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A row as texts, by the columns that it has. */
type Row = ReadonlyMap<string, string>;

class World {
  readonly #place: Place;
  readonly #dialect: Dialect;
  /** The statement that inserted the first row of a table, and a second one that the server takes. */
  readonly inserts = new Map<string, string>();
  readonly #rows = new Map<string, Row>();

  constructor(place: Place) {
    this.#place = place;
    this.#dialect = place.db.dialect;
  }

  async fill({ tables, enums }: Catalog): Promise<void> {
    // What others refer to is found at the second or third time.
    for (let tries = 0; tries < 4; tries++)
      for (const table of tables) {
        const [row] = await this.read(table.name);
        if (row === undefined)
          for (const sql of insertsOf(table, 1, { dialect: this.#dialect, enums }))
            if (await this.#takes(sql)) break;
      }
    for (const table of tables) {
      const [row] = await this.read(table.name);
      if (row === undefined) continue;
      this.#rows.set(table.name, row);
      // Some engines of MariaDB take nothing back: there the second one finds the first.
      for (const sql of insertsOf(table, 2, { dialect: this.#dialect, enums }))
        if ((await this.#probe(sql)) === true && (await this.#probe(sql)) === true) {
          this.inserts.set(table.name, sql);
          break;
        }
    }
  }

  get filled(): number {
    return this.#rows.size;
  }

  async #takes(sql: string): Promise<boolean> {
    return this.#place.run(sql).then(
      () => true,
      () => false,
    );
  }

  /** Whether an insert works; it is taken back. */
  async #probe(sql: string): Promise<string | true> {
    const undone = new Error("undone");
    const failed: unknown = await this.#place.db
      .transaction(async (tx) => {
        await tx.sql(sql).exec();
        throw undone;
      })
      .catch((error: unknown) => error);
    return failed === undone ? true : String(Object(failed).cause ?? failed);
  }

  async works(table: string): Promise<void> {
    const sql = this.inserts.get(table);
    if (sql === undefined) return;
    expect(await this.#probe(sql), sql).toBe(true);
  }

  async read(table: string): Promise<Row[]> {
    const rows = await this.#place.run(`SELECT * FROM ${quotedName(table, this.#dialect)}`);
    const text = (value: unknown) =>
      value instanceof Uint8Array
        ? Buffer.from(value).toString("hex")
        : typeof value === "object" && !(value instanceof Date)
          ? JSON.stringify(value)
          : String(value);
    return rows.map(
      (row) => new Map(Object.entries(Object(row)).map(([name, value]) => [name, text(value)])),
    );
  }

  /** Follows an edit: which table and which columns are called otherwise, and which are gone. */
  follow(from: string, to: string, columns: ReadonlyMap<string, string>): void {
    const row = this.#rows.get(from);
    if (row === undefined) return;
    this.#rows.delete(from);
    this.#rows.set(
      to,
      new Map(
        [...row].flatMap(([name, value]) => (columns.has(name) ? [[columns.get(name) ?? "", value]] : [])),
      ),
    );
    const insert = this.inserts.get(from);
    this.inserts.delete(from);
    if (insert === undefined) return;
    // Its columns are known only by the text: one that is gone takes the probe with it.
    const named = insert.replace(quotedName(from, this.#dialect), quotedName(to, this.#dialect));
    // A column may have the name of its table.
    const at = named.indexOf("(");
    let text = named.slice(at);
    for (const [old, now] of columns)
      text = text.replace(quotedName(old, this.#dialect), quotedName(now, this.#dialect));
    text = named.slice(0, at) + text;
    if ([...row.keys()].every((name) => columns.has(name))) this.inserts.set(to, text);
  }

  async check(about: string): Promise<void> {
    for (const [table, row] of this.#rows) {
      // A table that is written again gives its rows in another order.
      const found = await this.read(table);
      const isIt = (one: Row) => [...row].every(([column, value]) => one.get(column) === value);
      if (!found.some(isIt))
        expect(
          found.map((one) => [...one]),
          `${about} ${table}`,
        ).toContainEqual([...row]);
    }
  }
}

/** Columns of a table by their former names, as the parts of a file say. */
function namesOf(file: PulledFile, constant: string): Map<string, string> {
  return new Map(
    Object.entries(file.parts.get(constant)?.shape ?? {}).map(([property, schema]) => [
      property,
      String(file.columnParts(schema).meta["name"] ?? property),
    ]),
  );
}

async function applied(
  db: Database,
  folder: string,
  declared: readonly AnyDeclared[],
  nth: number,
): Promise<string> {
  const allow: string[] = [];
  for (;;)
    try {
      const path = await generate(declared, db, { folder, name: `edit-${nth}`, allow });
      if (path === null) return "nothing";
      await migrate(db, { folder });
      return "applied";
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      const isStep =
        error.code === "MIGRATION_REFUSED" && error.step !== undefined && !allow.includes(error.step);
      if (!isStep || error.message.includes("the step ")) throw error;
      allow.push(error.step ?? "");
    }
}

const CANNOT: ReadonlySet<string> = new Set(["UNSUPPORTED", "DECLARATION", "MIGRATION_REFUSED"]);

async function edit(
  {
    place,
    file,
    world,
    folder,
    about,
  }: { place: Place; file: PulledFile; world: World; folder: ReturnType<typeof makeFolder>; about: string },
  nth: number,
  below: (n: number) => number,
): Promise<string> {
  const { db } = place;
  const catalog = await introspect(db);
  const constants = [...file.parts.keys()];
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const constant = pick(constants) ?? "";
  const parts = file.parts.get(constant);
  const one: SchemaEdit | undefined = pick(schemaEdits);
  if (parts === undefined || one === undefined) return "nothing";
  const before = namesOf(file, constant);
  const next = one.make({ file, constant, parts, dialect: db.dialect, catalog, nth, pick });
  if (next === undefined) return "nothing";
  const said = `${about}, ${one.what} of ${parts.name}, edit ${nth}, seed ${SEED}`;
  let outcome: string;
  try {
    file.replace(constant, next);
    outcome = await applied(db, folder.path, file.declared(), nth);
  } catch (error) {
    const code = String(Object(error).code);
    const isByRows = code === "MIGRATION_FAILED" && one.tightens === true;
    if (!CANNOT.has(code) && !isByRows) throw new Error(said, { cause: error });
    file.replace(constant, parts);
    if (isByRows) folder.remove(String(Object(error).file).split("/").at(-1) ?? "");
    expect((await diff(file.declared(), db)).text(), `${said}: ${code}`).toBe("");
    await world.check(said);
    return code;
  }
  expect((await diff(file.declared(), db)).text(), said).toBe("");
  const after = namesOf(file, constant);
  const columns = [...before].flatMap(([property, name]) => {
    const now = after.get(property);
    return now === undefined ? [] : [[name, now] as const];
  });
  world.follow(parts.name, next.name, new Map(columns));
  if (one.tightens === true) world.inserts.delete(next.name);
  await world.check(said);
  await world.works(next.name);
  return outcome;
}

async function lawsOf(
  program: Program,
  dialect: SchemaDialect,
  sql: string,
  seed: number,
): Promise<Map<string, number>> {
  const place = await openPlace(dialect);
  const folder = makeFolder(dialect);
  const below = chance(seed);
  const outcomes = new Map<string, number>();
  try {
    await place.load(sql);
    const world = new World(place);
    const catalog = await introspect(place.db);
    await world.fill(catalog);
    expect(world.filled, "tables with a row").toBeGreaterThan(
      catalog.tables.length * (program.filled ?? 0.8),
    );
    const { source } = await pull(place.db, { names: "same" });
    const file = runPulled(source);
    const about = `${program.name} on ${dialect}`;
    const broken = program.brokenReferences?.[dialect] ?? [];
    const silent = (await diff(file.declared(), place.db)).steps.filter(
      ({ table }) => !broken.includes(table),
    );
    expect(silent, about).toEqual([]);
    for (let done = 0, nth = 1; done < EDITS && nth < 20 * EDITS; nth++) {
      const outcome = await edit({ place, file, world, folder, about }, nth, below);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== "nothing") done++;
    }
    return outcomes;
  } finally {
    rmSync(folder.path, { recursive: true });
    await place.close();
  }
}

// A server that is required and does not answer is an error, not programs that are skipped.
reportServers();

describe.each(["sqlite", "postgres", "mariadb"] as const)("on %s", (dialect) => {
  const isThere = servers.some(({ name, available }) => name === dialect && available);
  // A small number: small schemas, and one on each server.
  const some = programs.filter(
    ({ on, isLarge, name }) =>
      on[dialect] !== undefined &&
      (isFull || (isLarge !== true && (dialect === "sqlite" || name === "PowerDNS"))),
  );
  for (const [i, program] of some.entries())
    test.skipIf(!isThere)(
      `${program.name}: pulled and edited, its rows stay and it goes on working`,
      async ({ skip }) => {
        const sql = schemaOf(program, dialect);
        if (sql === undefined) return skip(`no package here carries the schema of ${program.name}`);
        if (program.brokenReferences?.[dialect] !== undefined)
          return skip("a table of it refers to what is not there");
        const outcomes = await lawsOf(program, dialect, sql, SEED * 1_000 + i);
        // Most are applied: the others a dialect lacks, or the rows refuse.
        expect(outcomes.get("applied") ?? 0, JSON.stringify([...outcomes])).toBeGreaterThanOrEqual(EDITS / 2);
      },
      patience(120_000, 30_000, EDITS),
    );
});
