/**
 * The indexes that the foreign keys of a MariaDB table need. A foreign key needs one that begins with its columns, and
 * the server refuses to drop the last of them: the step that would drop it creates another first. The steps ask in the
 * order in which they run.
 */
import type { TableDelta } from "../../diff/compare.js";
import type { CatalogForeignKey, CatalogIndex } from "../../words/catalog.js";
import type { MariadbContext } from "./context.js";

type Columns = readonly string[];

/** The indexes of one table, while its steps are written. */
export class KeyIndexes {
  readonly #quote: (name: string) => string;
  /** Indexes that still stand, by name; the primary key too. */
  readonly #standing = new Map<string, Columns>();
  /** Indexes that the server created for foreign keys. */
  readonly #own: ReadonlySet<string>;
  readonly #kept: readonly CatalogForeignKey[];
  /** Foreign keys that are dropped by later steps. */
  readonly #going: Set<CatalogForeignKey>;
  /** Indexes of dropped foreign keys, which others that are dropped later still need. */
  readonly #loose = new Set<string>();
  /** Names of indexes, which no new one may have. */
  readonly #taken: Set<string>;

  /** Without a primary key the server orders the rows by one of these keys, which take no NULL. */
  readonly #rowKeys = new Set<string>();

  constructor({ actual, foreignKeys, keys, indexes }: TableDelta, context: MariadbContext) {
    this.#quote = context.grammar.quote;
    for (const { name, columns } of [...actual.keys, ...actual.indexes])
      if (name !== null) this.#standing.set(name, columns.map(String));
    const own = context.ownIndexes(actual);
    for (const { name, columns } of own) this.#standing.set(name, columns);
    const nullable = new Set(actual.columns.flatMap((one) => (one.nullable ? [one.name] : [])));
    if (actual.primaryKey === null)
      for (const { name, columns } of actual.keys)
        if (name !== null && !columns.some((column) => nullable.has(column))) this.#rowKeys.add(name);
    if (actual.primaryKey !== null) this.#standing.set(PRIMARY, actual.primaryKey.columns);
    this.#own = new Set(own.map(({ name }) => name));
    // The longest first: the index of one may serve a shorter one.
    this.#kept = foreignKeys.kept
      .map(([key]) => key)
      .sort((one, other) => other.columns.length - one.columns.length);
    this.#going = new Set(foreignKeys.drop);
    const coming = [...keys.add, ...indexes.add].map(({ name }) => name ?? "");
    this.#taken = new Set([...this.#standing.keys(), ...coming].map(lower));
  }

  /** Drops a foreign key, and the index that the server created for it. Gives what the step says of indexes. */
  dropKey(key: CatalogForeignKey): readonly string[] {
    this.#going.delete(key);
    for (const [name, columns] of this.#standing)
      if (this.#own.has(name) && isSame(columns, key.columns) && !this.#isOfKept(name, columns))
        this.#loose.add(name);
    return [...this.#loose].flatMap((name) => {
      const columns = this.#standing.get(name) ?? [];
      if ([...this.#going].some((other) => begins(columns, other))) return [];
      this.#loose.delete(name);
      return [...this.dropIndex(name), `DROP INDEX ${this.#quote(name)}`];
    });
  }

  /** Drops an index. Gives what creates others in its place. */
  dropIndex(name: string): readonly string[] {
    this.#standing.delete(name);
    return this.#created((columns) => columns);
  }

  /** How an index is dropped: the table is written anew by another such key, and copied if there is none. */
  dropAlgorithm(name: string): "COPY" | "INPLACE" | "NOCOPY" {
    if (!this.#rowKeys.delete(name)) return "NOCOPY";
    return this.#rowKeys.size === 0 ? "COPY" : "INPLACE";
  }

  /** Whether a new unique key becomes the first one that orders the rows: the table is written anew. */
  makesRowKey(columns: Columns, { declared: { catalog } }: TableDelta): boolean {
    const nullable = catalog.columns.some((one) => one.nullable && columns.includes(one.name));
    if (catalog.primaryKey !== null || nullable || this.#rowKeys.size > 0) return false;
    this.#rowKeys.add("");
    return true;
  }

  /** Whether an index is there, as the server's own of a foreign key. */
  has({ name, unique, columns }: CatalogIndex): boolean {
    const standing = this.#own.has(name) ? this.#standing.get(name) : undefined;
    return standing !== undefined && !unique && isSame(standing, columns.map(String));
  }

  /** Replaces the primary key, if there is a new one. Gives what creates indexes in its place. */
  dropPrimary(come: Columns | undefined, { renames }: TableDelta): readonly string[] {
    this.#standing.delete(PRIMARY);
    const former = new Map([...renames].map(([from, to]) => [to, from]));
    if (come !== undefined)
      this.#standing.set(
        PRIMARY,
        come.map((name) => former.get(name) ?? name),
      );
    // Columns have their new names before a primary key is replaced.
    return this.#created((columns) =>
      come === undefined ? columns : columns.map((name) => renames.get(name) ?? name),
    );
  }

  #created(called: (columns: Columns) => Columns): readonly string[] {
    const created: string[] = [];
    for (const key of this.#kept) {
      if ([...this.#standing.values()].some((columns) => begins(columns, key))) continue;
      const name = this.#freeName(key);
      this.#standing.set(name, key.columns);
      created.push(`ADD INDEX ${this.#quote(name)} (${called(key.columns).map(this.#quote).join(", ")})`);
    }
    return created;
  }

  // A name by which the catalog knows the index as the foreign key's own: its name, or that of its first column.
  #freeName({ name, columns: [first = ""] }: CatalogForeignKey): string {
    let free = name ?? first;
    for (let i = 1; this.#taken.has(lower(free)); i++) free = i === 1 ? first : `${first}_${i}`;
    this.#taken.add(lower(free));
    return free;
  }

  // Whether the catalog still leaves the index out once the dropped key is gone.
  #isOfKept(name: string, columns: Columns): boolean {
    return this.#kept.some(
      (key) =>
        isSame(columns, key.columns) && (name === key.name || name.replace(/_\d+$/, "") === key.columns[0]),
    );
  }
}

const PRIMARY = "PRIMARY";
const lower = (name: string): string => name.toLowerCase();
const begins = (columns: Columns, key: CatalogForeignKey): boolean =>
  key.columns.every((name, i) => columns[i] === name);
const isSame = (one: Columns, other: Columns): boolean =>
  one.length === other.length && one.every((name, i) => name === other[i]);
