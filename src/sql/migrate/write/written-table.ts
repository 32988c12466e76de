/** Tables of a catalog in the form of declarations: `generate --revert` returns a database to them. */
import type { AnyTable } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import { readCreateText } from "../text/create-text.js";
import type { CatalogColumn, CatalogForeignKey, CatalogIndex, CatalogTable } from "../words/catalog.js";
import type { WriteDialect } from "./dialect.js";
import { tableName } from "./plan.js";

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
  dialect: WriteDialect,
  names: FormerNames,
): DeclaredTable {
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
    create: readCreateText(createTable(catalog, dialect), dialect),
    indexes: new Map(catalog.indexes.map((index) => [index.name, createIndex(index, catalog, dialect)])),
  };
}

function createTable(table: CatalogTable, { grammar, written }: WriteDialect): string {
  const { quote, ddl } = grammar;
  const list = (columns: readonly string[]) => columns.map(quote).join(", ");
  const named = (name: string | null) => (name === null ? "" : `CONSTRAINT ${quote(name)} `);
  const { primaryKey } = table;
  const isKey = ({ name, generated }: CatalogColumn) =>
    ddl.identityIsKey && generated !== false && primaryKey?.columns.join("\0") === name;
  const keyInColumn = table.columns.some(isKey);
  const lines = [
    ...table.columns.map((column) => `${quote(column.name)} ${written.column(column, isKey(column))}`),
    ...(primaryKey === null || keyInColumn
      ? []
      : [
          `${written.namesPrimaryKey ? named(primaryKey.name) : ""}PRIMARY KEY (${list(primaryKey.columns)})`,
        ]),
    ...table.keys.map(({ name, columns }) => `${named(name)}UNIQUE (${list(columns)})`),
    ...table.checks.map(({ name, expression }) => `${named(name)}CHECK (${expression})`),
    ...table.foreignKeys.map((key) => `${named(key.name)}${referenceOf(key, grammar)}`),
  ];
  const tail = written.tail?.(table) ?? "";
  return `CREATE TABLE ${tableName(table.schema, table.name, grammar)} (\n  ${lines.join(",\n  ")}\n)${tail}`;
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

function createIndex(
  index: CatalogIndex,
  { schema, name }: CatalogTable,
  { grammar, written }: WriteDialect,
): string {
  const { quote, ddl } = grammar;
  const { columns, expression, where, using, unique } = index;
  const parts = columns.map((column) =>
    typeof column === "string" ? quote(column) : `${quote(column[0])} DESC`,
  );
  const of = expression === null ? parts.join(", ") : `(${expression})`;
  const { word = "", clause = "" } = (using === null ? undefined : written.method?.(using)) ?? {};
  const called = ddl.qualifies.index ? tableName(schema, index.name, grammar) : quote(index.name);
  const on = ddl.qualifies.indexed ? tableName(schema, name, grammar) : quote(name);
  const end = where === null ? "" : ` WHERE ${where}`;
  return `CREATE ${unique ? "UNIQUE " : word}INDEX ${called} ON ${on}${clause} (${of})${end}`;
}
