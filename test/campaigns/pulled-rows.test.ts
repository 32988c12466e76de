/**
 * The schemas of programs that people run, pulled: a query through each relation gives the rows of a join that is written
 * from the foreign keys of the catalog. A schema that cannot be fetched, or that has no foreign keys, is a named skip.
 */
import type { AnyTable } from "rowtype";
import { type Catalog, type CatalogTable, introspect, pull } from "rowtype/migrate";
import { describe, expect, test } from "vitest";
import type { Untyped } from "../kit/spec-methods.js";
import { rounds } from "../rounds.js";
import { servers } from "../servers.js";
import { runPulled } from "../sql/migrate/pulled-file.js";
import { programs, type SchemaDialect, schemaOf } from "./real-schemas.js";
import { openPlace, type Place } from "./schema-places.js";
import { insertsOf, quotedName } from "./schema-rows.js";

const isFull = rounds({ small: 1, full: 2 }) > 1;
const ROWS = 3;

/** Equal columns of two tables, of which one may be renamed. */
type Pairs = readonly (readonly [mine: string, theirs: string])[];

/** Fills the tables as far as the server takes rows: what others refer to is found at the second or third time. */
async function fill({ tables, enums }: Catalog, place: Place, dialect: SchemaDialect): Promise<void> {
  for (let tries = 0; tries < 4; tries++)
    for (const table of tables)
      for (let n = 1; n <= ROWS; n++)
        for (const sql of insertsOf(table, n, { dialect, enums })) {
          const isTaken = await place.run(sql).then(
            () => true,
            () => false,
          );
          if (isTaken) break;
        }
}

/** Relations as the catalog has them. */
class Joins {
  readonly #tables: ReadonlyMap<string, AnyTable>;
  readonly #catalog: Catalog;
  readonly #dialect: SchemaDialect;

  constructor(tables: ReadonlyMap<string, AnyTable>, catalog: Catalog, dialect: SchemaDialect) {
    this.#tables = tables;
    this.#catalog = catalog;
    this.#dialect = dialect;
  }

  /** The rows of both sides of a relation, by the columns of their keys. */
  sqlOf(
    name: string,
    relation: Untyped,
    [mine, theirs]: readonly [readonly string[], readonly string[]],
  ): string {
    const quote = (one: string) => quotedName(one, this.#dialect);
    const [own, other] = [this.#table(name), this.#table(relation.to)];
    const columns = [...mine.map((one) => `a.${quote(one)}`), ...theirs.map((one) => `b.${quote(one)}`)];
    const listed = columns.map((one, at) => `${one} AS c${at}`).join(", ");
    const on = (left: string, right: string, pairs: Pairs) =>
      pairs.map(([a, b]) => `${left}.${quote(a)} = ${right}.${quote(b)}`).join(" AND ");
    const from = `SELECT ${listed} FROM ${quote(own.name)} a`;
    if (relation.through === undefined) {
      const pairs =
        relation.kind === "one"
          ? this.#reference(name, relation.field, relation.to)
          : this.#reference(relation.to, relation.field, name).map(([a, b]) => [b, a] as const);
      return `${from} JOIN ${quote(other.name)} b ON ${on("a", "b", pairs)}`;
    }
    const { table: between, ...ways } = relation.through;
    const relations: Untyped = this.#table(between).relations;
    const leads = (to: string, said: string | undefined) =>
      said === undefined ? Object.values(relations).find((one: Untyped) => one.to === to) : relations[said];
    const [near, far]: Untyped[] = [leads(name, ways.from), leads(relation.to, ways.to)];
    const first = on("l", "a", this.#reference(between, near.field, name));
    const second = on("l", "b", this.#reference(between, far.field, relation.to));
    return `${from} JOIN ${quote(this.#table(between).name)} l ON ${first} JOIN ${quote(other.name)} b ON ${second}`;
  }

  #table(name: string): AnyTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`no table ${name}`);
    return table;
  }

  /** The pairs of the foreign key of a table that has these fields. */
  #reference(name: string, field: string | readonly string[], to: string): Pairs {
    const table = this.#table(name);
    const columns = [field].flat().map((one) => table.columns[one]?.name ?? "");
    const found = this.#catalog.tables
      .find((one) => one.name === table.name)
      ?.foreignKeys.find(
        (key) =>
          key.target.table === this.#table(to).name &&
          JSON.stringify([...key.columns].sort()) === JSON.stringify([...columns].sort()),
      );
    if (found === undefined) throw new Error(`no foreign key of ${table.name} over ${columns}`);
    return found.columns.map((column, at) => [column, found.target.columns[at] ?? ""]);
  }
}

/** The properties of the primary key of a table; of one without, its first. */
function keyOf(table: AnyTable, catalog: Catalog): readonly string[] {
  const known: CatalogTable | undefined = catalog.tables.find(({ name }) => name === table.name);
  const names = known?.primaryKey?.columns ?? [known?.columns[0]?.name];
  return Object.values(table.columns).flatMap(({ name, property }) =>
    names.includes(name) ? [property] : [],
  );
}

const text = (row: readonly unknown[]) => JSON.stringify(row.map(String));

describe.each(["sqlite", "postgres", "mariadb"] as const)("on %s", (dialect) => {
  const isThere = servers.some(({ name, available }) => name === dialect && available);
  for (const program of programs.filter(({ on }) => on[dialect] !== undefined))
    test.skipIf(!isThere)(`the relations of ${program.name}`, { timeout: 300_000 }, async ({ skip }) => {
      if (program.isLarge === true && !isFull) return skip("large schemas are read at full numbers");
      const sql = schemaOf(program, dialect);
      if (sql === undefined) return skip(`there is no ${program.on[dialect]?.path}`);
      const place = await openPlace(dialect);
      try {
        await place.load(sql);
        const catalog = await introspect(place.db);
        if (catalog.tables.every(({ foreignKeys }) => foreignKeys.length === 0))
          return skip("it declares no foreign keys");
        await fill(catalog, place, dialect);
        const file = runPulled((await pull(place.db, { names: "camel" })).source);
        const tables = new Map([...file.parts.keys()].map((name) => [name, file.get(name) as AnyTable]));
        const of = place.db.repositories(Object.fromEntries(tables)) as unknown as Readonly<
          Record<string, Untyped>
        >;
        const joins = new Joins(tables, catalog, dialect);
        let found = 0;
        for (const [name, table] of tables)
          for (const [path, relation] of Object.entries<Untyped>(table.relations ?? {})) {
            const other = tables.get(relation.to) as AnyTable;
            const [mine, theirs] = [keyOf(table, catalog), keyOf(other, catalog)];
            const columnsOf = (one: AnyTable, keys: readonly string[]) =>
              keys.map((key) => one.columns[key]?.name ?? "");
            const rows = await place.run(
              joins.sqlOf(name, relation, [columnsOf(table, mine), columnsOf(other, theirs)]),
            );
            const meant = rows.map((row) => text(Object.values(row as object))).sort();
            const got = await of[name]
              .query()
              .join(path, "b_")
              .fields(...mine, ...theirs.map((key) => `b_.${key}`))
              .exec();
            const said = got
              .map((row: Untyped) =>
                text([...mine.map((key) => row[key]), ...theirs.map((key) => row.b_[key])]),
              )
              .sort();
            expect([name, path, said]).toEqual([name, path, meant]);
            if (meant.length > 0) found++;
          }
        // Of no rows all joins are alike.
        expect(found).toBeGreaterThan(0);
      } finally {
        await place.close();
      }
    });
});
