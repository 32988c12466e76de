/** The names of pulled declarations: constants for tables, properties for columns. Each is unique, and no keyword. */
import { type Catalog, type CatalogTable, keyOf } from "../words/catalog.js";

const RESERVED: ReadonlySet<string> = new Set(
  "abstract any arguments as async await boolean break case catch class const constructor continue debugger default delete do else enum eval export extends false finally for from function get if implements import in instanceof interface let module namespace never new null number object of package private protected public return set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield column decimal enumType json many one table vector view z Anytable AnyTable Array Date Error Infinity JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8Array".split(
    " ",
  ),
);

/** The names of tables and columns in the file. */
export class PulledNames {
  readonly #tables = new Map<string, string>();
  readonly #columns = new Map<string, ReadonlyMap<string, string>>();

  readonly #enums = new Map<string, string>();

  constructor({ tables, views, enums }: Catalog, names: "camel" | "same") {
    const taken = new Set<string>();
    for (const table of [...tables, ...views]) {
      const wanted = upperFirst(camel(table.schema === null ? table.name : `${table.schema}_${table.name}`));
      this.#tables.set(keyOf(table.schema, table.name), free(identifier(wanted, "Table"), taken));
      const properties = new Map<string, string>();
      const mine = new Set<string>();
      for (const { name } of table.columns) {
        const called = names === "camel" ? camel(name) : name;
        // A property cannot contain the dot, nor have this name.
        const safe = called === "" || called === "__proto__" ? "column" : called.replaceAll(".", "_");
        properties.set(name, free(safe, mine));
      }
      this.#columns.set(keyOf(table.schema, table.name), properties);
    }
    for (const { schema, name } of enums) {
      const wanted = upperFirst(camel(schema === null ? name : `${schema}_${name}`));
      this.#enums.set(keyOf(schema, name), free(identifier(wanted, "Enum"), taken));
    }
  }

  /** The constant of a table or a view; undefined for one that was not read. */
  table(schema: string | null, name: string): string | undefined {
    return this.#tables.get(keyOf(schema, name));
  }

  /** The constant of an enum type. */
  enum(schema: string | null, name: string): string {
    return this.#enums.get(keyOf(schema, name)) ?? "";
  }

  /** The property of a column. */
  property({ schema, name }: Pick<CatalogTable, "schema" | "name">, column: string): string {
    return this.#columns.get(keyOf(schema, name))?.get(column) ?? column;
  }
}

function free(name: string, taken: Set<string>): string {
  let one = name;
  for (let i = 2; taken.has(one); i++) one = `${name}${i}`;
  taken.add(one);
  return one;
}

/** `created_at`, `Created-At` → `createdAt`. */
function camel(name: string): string {
  const words = name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== "");
  const isUpper = name === name.toUpperCase();
  return words
    .map((word) => (isUpper ? word.toLowerCase() : word))
    .map((word, i) => (i === 0 ? lowerFirst(word) : upperFirst(word)))
    .join("");
}

function identifier(name: string, otherwise: string): string {
  const plain = name.replace(/[^\p{ID_Continue}$]/gu, "_");
  const safe = /^[\p{ID_Start}_$]/u.test(plain) ? plain : `${otherwise}${plain}`;
  return RESERVED.has(safe) ? `${safe}Table` : safe;
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// `ID` → `id`, `AlbumId` → `albumId`.
function lowerFirst(text: string): string {
  const begin = /^\p{Lu}+(?=\p{Lu}\p{Ll}|$)/u.exec(text)?.[0] ?? text.slice(0, 1);
  return begin.toLowerCase() + text.slice(begin.length);
}
