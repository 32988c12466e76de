/**
 * The relations of a pulled file, from its foreign keys: a `one` for each of them, a `many` for the other side, and on both
 * sides of a table that only connects two others a `many` through it.
 */
import { type Catalog, type CatalogForeignKey, type CatalogTable, targetOf } from "../words/catalog.js";
import type { PulledNames } from "./names.js";
import { sourceList, sourceText, sourceWord } from "./text.js";

/** The relations of a table as the option says them, and what they import from `rowtype`. */
export interface PulledRelations {
  readonly lines: readonly string[];
  readonly uses: ReadonlySet<"one" | "many">;
}

/** What the relations of a file depend on. */
interface Related {
  readonly catalog: Catalog;
  readonly names: PulledNames;
  /** The Zod schema of a column, as text; `undefined` for one whose values are not compared. */
  readonly schemaOf: (table: CatalogTable, column: string) => string | undefined;
}

/** The two fields of a pair, and the names of their columns. */
interface Pair {
  readonly field: string;
  readonly key: string;
  readonly column: string;
}

/** A foreign key that relates two tables of the file. */
interface Link {
  readonly holder: CatalogTable;
  readonly held: CatalogTable;
  /** In the order of the primary key, if they refer to it. */
  readonly pairs: readonly Pair[];
  /** The fields of the key, where they must be named. */
  readonly key: readonly string[] | undefined;
}

/** The relations of the tables of a catalog. */
export function pulledRelations(related: Related): ReadonlyMap<CatalogTable, PulledRelations> {
  const { catalog, names } = related;
  const named = new Map(catalog.tables.map((table) => [table, new Named(table, names)]));
  const to = (table: CatalogTable) => names.table(table.schema, table.name) ?? "";
  const links = catalog.tables.flatMap((table) => linksOf(table, related));
  const ones = new Map<Link, string>();
  for (const link of links) {
    const fields = link.pairs.map(({ field }) => field);
    const wanted = (fields.at(-1) ?? "").replace(/(?<=.)(?:I[Dd]|_[Ii][Dd])$/, "");
    const text = `one(${sourceText(to(link.held))}, ${fieldsText(fields)}${keyText(link)})`;
    const name = named.get(link.holder)?.add("one", wanted, fields, text);
    if (name !== undefined) ones.set(link, name);
  }
  for (const link of ones.keys()) {
    const fields = link.pairs.map(({ field }) => field);
    const other = to(link.holder);
    named
      .get(link.held)
      ?.add("many", other, fields, `many(${sourceText(other)}, ${fieldsText(fields)}${keyText(link)})`);
  }
  for (const table of catalog.tables) {
    const [first, second] = connectionOf(table, links) ?? [];
    if (first === undefined || second === undefined) continue;
    for (const [from, far] of [
      [first, second],
      [second, first],
    ] as const) {
      const [near, next] = [ones.get(from), ones.get(far)];
      if (near === undefined || next === undefined) continue;
      const ways = from.held === far.held ? `, from: ${sourceText(near)}, to: ${sourceText(next)}` : "";
      const target = to(far.held);
      const text = `many(${sourceText(target)}, { through: ${sourceText(to(table))}${ways} })`;
      const fields = far.pairs.map(({ field }) => field);
      named.get(from.held)?.add("many", target, fields, text);
    }
  }
  return named;
}

/** The relations of a table by their names. */
class Named implements PulledRelations {
  readonly lines: string[] = [];
  readonly uses = new Set<"one" | "many">();
  /** In small letters: a name differs from those of fields in more than their case. */
  readonly #taken: Set<string>;

  constructor(table: CatalogTable, names: PulledNames) {
    this.#taken = new Set(table.columns.map(({ name }) => names.property(table, name).toLowerCase()));
  }

  /** Adds a relation under the name that is wanted; if that is taken, with its fields, and then with a number. */
  add(kind: "one" | "many", wanted: string, fields: readonly string[], text: string): string {
    const longer = `${wanted}By${fields.map((field) => field.slice(0, 1).toUpperCase() + field.slice(1)).join("")}`;
    const isFree = (one: string) => !this.#taken.has(one.toLowerCase());
    let name = [wanted, longer].map((one) => relationName(one)).find(isFree);
    for (let i = 2; name === undefined; i++) name = [relationName(longer, String(i))].find(isFree);
    this.#taken.add(name.toLowerCase());
    this.uses.add(kind);
    this.lines.push(`${sourceWord(name)}: ${text}`);
    return name;
  }
}

/** A text as the name of a relation can be: letters, digits and _, at most 63. */
function relationName(text: string, end = ""): string {
  const plain = text.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d|__proto__$)/, "_");
  return plain.slice(0, 63 - end.length) + end;
}

/** The foreign keys of a table that relate it to another, each once. */
function linksOf(holder: CatalogTable, related: Related): readonly Link[] {
  const links = new Map<string, Link>();
  // By their columns and targets: names of constraints mean nothing.
  const order = ({ columns, target }: CatalogForeignKey) => JSON.stringify([columns, target]);
  for (const foreign of holder.foreignKeys.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const held = targetOf(foreign, related.catalog);
    if (held === undefined || !foreign.validated || !isKey(foreign.target.columns, held)) continue;
    if (!isCompared(foreign, holder, held, related)) continue;
    const link = linkOf(foreign, holder, held, related);
    links.set(JSON.stringify([held.schema, held.name, link.pairs]), link);
  }
  return [...links.values()];
}

/** Whether the fields of each pair have one kind, and values that can be compared. */
function isCompared(
  { columns, target }: CatalogForeignKey,
  holder: CatalogTable,
  held: CatalogTable,
  { schemaOf }: Related,
): boolean {
  return columns.every((column, i) => {
    const schema = schemaOf(holder, column);
    return schema !== undefined && schema === schemaOf(held, target.columns[i] ?? "");
  });
}

function linkOf(
  { columns, target }: CatalogForeignKey,
  holder: CatalogTable,
  held: CatalogTable,
  { names }: Related,
): Link {
  const primary = held.primaryKey?.columns ?? [];
  const isPrimary = isSame(target.columns, primary);
  const pairs = columns.map((column, i) => {
    const other = target.columns[i] ?? "";
    return { column: other, field: names.property(holder, column), key: names.property(held, other) };
  });
  if (isPrimary) pairs.sort((a, b) => primary.indexOf(a.column) - primary.indexOf(b.column));
  const key = pairs.map((pair) => pair.key);
  // A field that is paired with another one of its name is taken for a mistake unless the key says the order.
  const crosses = pairs.some((pair) => pair.field !== pair.key && key.includes(pair.field));
  return { holder, held, pairs, key: isPrimary && !crosses ? undefined : key };
}

// A unique index is no declared key.
function isKey(columns: readonly string[], { primaryKey, keys }: CatalogTable): boolean {
  return [...(primaryKey === null ? [] : [primaryKey]), ...keys].some((key) => isSame(key.columns, columns));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

/** The two links of a table whose primary key is exactly its two foreign keys. */
function connectionOf(table: CatalogTable, links: readonly Link[]): readonly [Link, Link] | undefined {
  const [first, second, ...more] = links.filter(({ holder }) => holder === table);
  const [one, two] = table.foreignKeys;
  if (first === undefined || second === undefined || one === undefined || two === undefined) return undefined;
  const columns = [...new Set([...one.columns, ...two.columns])];
  if (more.length > 0 || table.foreignKeys.length > 2 || table.primaryKey === null) return undefined;
  return isSame(columns, table.primaryKey.columns) ? [first, second] : undefined;
}

function fieldsText(fields: readonly string[]): string {
  const [only, ...more] = fields;
  return only !== undefined && more.length === 0 ? sourceText(only) : sourceList(fields);
}

function keyText({ key }: Link): string {
  return key === undefined ? "" : `, { key: ${fieldsText(key)} }`;
}
