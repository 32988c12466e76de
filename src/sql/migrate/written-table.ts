/** Tables of a catalog in the form of declarations: `generate --revert` returns a database to them. */
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { DeclaredTable } from "./catalog/declared-table.js";
import type { CatalogDialect } from "./catalog/dialect.js";
import { readCreateText } from "./text/create-text.js";
import type { CatalogColumn, CatalogForeignKey, CatalogIndex, CatalogTable } from "./words/catalog.js";
import { definitionOf, textOf } from "./write/mariadb/columns.js";
import { tableName } from "./write/plan.js";

/** New names by old ones, of a table and its columns. */
export interface FormerNames {
  readonly tables: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * A table of a catalog as the wanted one.
 * @param names its current names, if a rename is undone.
 */
export function writtenTable(
  catalog: CatalogTable,
  dialect: CatalogDialect,
  names: FormerNames,
): DeclaredTable {
  const { grammar } = dialect;
  const { schema, name } = catalog;
  const columnsNow = names.columns.get(name);
  const columns = Object.fromEntries(
    catalog.columns.map((column) => {
      const now = columnsNow?.get(column.name);
      return [
        column.name,
        { name: column.name, property: column.name, renamedFrom: now === undefined ? [] : [now] },
      ];
    }),
  );
  const now = names.tables.get(name);
  const table = {
    name,
    namespace: schema ?? undefined,
    columns,
    renamedFrom: now === undefined ? [] : [now],
  };
  return {
    // Types are compared exactly then, so only these properties of it are used.
    table: table as unknown as AnyTable,
    schema,
    catalog,
    create: readCreateText(createTable(catalog, grammar), dialect),
    indexes: new Map(catalog.indexes.map((index) => [index.name, createIndex(index, catalog, grammar)])),
  };
}

function createTable(table: CatalogTable, grammar: Grammar): string {
  const { quote, dialect } = grammar;
  const list = (columns: readonly string[]) => columns.map(quote).join(", ");
  const named = (name: string | null) => (name === null ? "" : `CONSTRAINT ${quote(name)} `);
  const { primaryKey } = table;
  const isRowId = (column: CatalogColumn) =>
    dialect === "sqlite" && column.generated !== false && primaryKey?.columns.join("\0") === column.name;
  const keyInColumn = table.columns.some(isRowId);
  const lines = [
    ...table.columns.map((column) => `${quote(column.name)} ${columnOf(column, isRowId(column), grammar)}`),
    ...(primaryKey === null || keyInColumn
      ? []
      : [`${dialect === "mariadb" ? "" : named(primaryKey.name)}PRIMARY KEY (${list(primaryKey.columns)})`]),
    ...table.keys.map(({ name, columns }) => `${named(name)}UNIQUE (${list(columns)})`),
    ...table.checks.map(({ name, expression }) => `${named(name)}CHECK (${expression})`),
    ...table.foreignKeys.map((key) => `${named(key.name)}${referenceOf(key, grammar)}`),
  ];
  const comment = dialect === "mariadb" && table.comment !== null ? ` COMMENT ${textOf(table.comment)}` : "";
  return `CREATE TABLE ${tableName(table.schema, table.name, grammar)} (\n  ${lines.join(",\n  ")}\n)${comment}`;
}

function columnOf(column: CatalogColumn, isRowId: boolean, { dialect, quote }: Grammar): string {
  if (dialect === "mariadb") return definitionOf(column);
  const { type, collation, nullable, default: said, generated, computed } = column;
  if (isRowId) return `INTEGER PRIMARY KEY AUTOINCREMENT${nullable ? "" : " NOT NULL"}`;
  const stored = computed?.stored === true ? "STORED" : "VIRTUAL";
  return [
    type,
    ...(collation === null ? [] : [`COLLATE ${quote(collation)}`]),
    ...(generated === false
      ? []
      : [`GENERATED ${generated === "always" ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`]),
    ...(computed === null ? [] : [`GENERATED ALWAYS AS (${computed.expression}) ${stored}`]),
    ...(said === null ? [] : [`DEFAULT ${dialect === "sqlite" ? sqliteDefault(said) : said}`]),
    ...(nullable ? [] : ["NOT NULL"]),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

// A literal needs no parentheses, anything else does.
function sqliteDefault(said: string): string {
  return /^(?:'(?:[^']|'')*'|[-+]?\d[\w.]*|null|true|false|x'[0-9a-f]*'|\(.*\))$/is.test(said)
    ? said
    : `(${said})`;
}

function referenceOf(key: CatalogForeignKey, grammar: Grammar): string {
  const { quote } = grammar;
  const { columns, target, onDelete, onUpdate, deferrable } = key;
  const list = (names: readonly string[]) => names.map(quote).join(", ");
  return [
    `FOREIGN KEY (${list(columns)})`,
    `REFERENCES ${tableName(target.schema, target.table, grammar)} (${list(target.columns)})`,
    ...(onDelete === "no action" ? [] : [`ON DELETE ${onDelete.toUpperCase()}`]),
    ...(onUpdate === "no action" ? [] : [`ON UPDATE ${onUpdate.toUpperCase()}`]),
    ...(deferrable === false ? [] : [`DEFERRABLE ${deferrable.toUpperCase()}`]),
  ].join(" ");
}

function createIndex(index: CatalogIndex, { schema, name }: CatalogTable, grammar: Grammar): string {
  const { quote, dialect } = grammar;
  const { columns, expression, where, using, unique } = index;
  const parts = columns.map((column) =>
    typeof column === "string" ? quote(column) : `${quote(column[0])} DESC`,
  );
  const of = expression === null ? parts.join(", ") : `(${expression})`;
  const isWord = dialect === "mariadb" && using !== null && /^(?:fulltext|spatial)$/.test(using);
  const word = unique ? "UNIQUE " : isWord ? `${using.toUpperCase()} ` : "";
  const method = using !== null && !isWord && dialect === "postgres" ? ` USING ${using}` : "";
  // SQLite names the schema of the index, and PostgreSQL that of the table.
  const inSchema = dialect === "sqlite" && schema !== null ? `${quote(schema)}.` : "";
  const on = dialect === "sqlite" ? quote(name) : tableName(schema, name, grammar);
  const end = where === null ? "" : ` WHERE ${where}`;
  return `CREATE ${word}INDEX ${inSchema}${quote(index.name)} ON ${on}${method} (${of})${end}`;
}
