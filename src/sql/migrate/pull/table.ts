/** One table of a pulled file: its columns with their types, its keys, references, checks and indexes. */
import { visible } from "../../../core/errors.js";
import type { Domains } from "../catalog/postgres/domains.js";
import { keysSaidTwice } from "../catalog/same-keys.js";
import { isRowId } from "../catalog/sqlite/row-id.js";
import type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
} from "../words/catalog.js";
import { type PulledKind, pulledKind } from "./kind.js";
import type { PulledNames } from "./names.js";
import { sourceOf, sourceText, sourceWord } from "./text.js";
import { type PulledType, pulledType } from "./types.js";

/** The text of a table, and the parts of the table that it cannot say. */
interface PulledTable {
  readonly source: string;
  readonly notCarried: readonly string[];
  /** Its imports from `rowtype`. */
  readonly uses: ReadonlySet<string>;
}

/** Writes a table. */
export function pulledTable(
  table: CatalogTable,
  catalog: Catalog,
  { names, domains }: { readonly names: PulledNames; readonly domains: Domains },
): PulledTable {
  const uses = new Set(["table"]);
  const lost: string[] = [];
  const property = (column: string) => names.property(table, column);
  const single = (key: { readonly columns: readonly string[] }) =>
    key.columns.length === 1 ? key.columns[0] : undefined;
  const twice = keysSaidTwice(table);
  for (const { name, columns } of twice) lost.push(`unique ${name ?? columns.join(", ")} of ${table.name}`);
  const keys = table.keys.filter((key) => !twice.has(key));
  const unique = new Set(keys.flatMap((key) => single(key) ?? []));
  const references = new Map<string, CatalogForeignKey>();
  const several: CatalogForeignKey[] = [];
  for (const key of checked("reference", table.foreignKeys, table, lost)) {
    const column = single(key);
    const isPlain = column !== undefined && key.deferrable === false && !references.has(column);
    if (isPlain && refersToKey(key, catalog)) references.set(column, key);
    else several.push(key);
  }
  const kinds = new Map<CatalogColumn, PulledKind>();
  if (catalog.dialect === "sqlite")
    for (const column of table.columns) {
      const kind = pulledKind(table, column);
      if (kind !== undefined) kinds.set(column, kind);
    }
  const rows = table.columns.map((column) => {
    const kind = kinds.get(column);
    const type: PulledType = kind?.type ?? pulledType(column, catalog, { names, domains });
    if (type.lost !== undefined) lost.push(`${type.lost} of ${table.name}.${column.name}`);
    for (const use of type.uses) uses.add(use);
    const isKey = table.primaryKey?.columns.includes(column.name) === true;
    const { kept, onUpdate } =
      kind === undefined ? defaultOf(column, catalog) : { kept: kind.default, onUpdate: [] };
    if (isSerial(column)) lost.push(`default ${column.default} of ${table.name}.${column.name}`);
    const numbersRows = catalog.dialect === "sqlite" && isRowId(table, column, catalog.unknown);
    if (numbersRows && column.generated === false)
      lost.push(`INTEGER PRIMARY KEY without AUTOINCREMENT of ${table.name}.${column.name}`);
    else if (isKey && column.nullable && !numbersRows)
      lost.push(`NULL in the primary key of ${table.name}.${column.name}`);
    const key = references.get(column.name);
    const meta = [
      ...(property(column.name) === column.name ? [] : [["name", sourceText(column.name)]]),
      ...(type.type === undefined ? [] : [["type", sourceText(type.type)]]),
      ...(table.primaryKey !== null && single(table.primaryKey) === column.name
        ? [["primaryKey", "true"]]
        : []),
      ...generatedOf(column, numbersRows),
      ...(unique.has(column.name) ? [["unique", "true"]] : []),
      ...(kept === null ? [] : [["default", sourceText(kept)]]),
      ...(column.computed === null
        ? []
        : [
            ["computed", sourceText(column.computed.expression)],
            ["stored", String(column.computed.stored)],
          ]),
      ...(key === undefined ? [] : referenceOf(key, names)),
      ...(column.comment === null ? [] : [["comment", sourceText(column.comment)]]),
    ];
    if (key !== undefined) uses.add("AnyTable");
    if (meta.length > 0) uses.add("column");
    // A schema that accepts anything accepts null too, so the column itself refuses null.
    const isAnything = type.schema.includes("z.unknown()");
    const constraints = [...(isAnything && !column.nullable && !isKey ? ["NOT NULL"] : []), ...onUpdate];
    if (constraints.length > 0) meta.push(["constraints", sourceText(constraints.join(" "))]);
    // A schema that accepts null cannot be that of a key.
    const plain = isAnything && isKey ? "z.string()" : type.schema;
    const schema = column.nullable && !isKey ? `${plain}.nullable()` : plain;
    const value =
      meta.length === 0
        ? schema
        : `column(${schema}, { ${meta.map(([name, said]) => `${name}: ${said}`).join(", ")} })`;
    const note = type.lost === undefined ? "" : ` // not carried: ${visible(type.lost)}`;
    return `    ${sourceWord(property(column.name))}: ${value},${note}`;
  });
  const written = new Set(Array.from(kinds.values(), ({ check }) => check));
  const isSaid = (check: CatalogCheck) => !written.has(check);
  const options = [
    ...(table.schema === null ? [] : [`schema: ${sourceText(table.schema)}`]),
    ...(table.primaryKey === null || table.primaryKey.columns.length < 2
      ? []
      : [`primaryKey: ${list(table.primaryKey.columns.map(property))}`]),
    ...uniques(keys, property),
    ...foreignKeys(several, { table, catalog, names, uses, lost }),
    ...checks(table, checked("check", table.checks.filter(isSaid), table, lost)),
    ...indexes(table, property, { catalog, lost }),
    ...(table.comment === null ? [] : [`comment: ${sourceText(table.comment)}`]),
  ];
  const own = catalog.unknown.filter((one) => one.table === table.name && one.schema === table.schema);
  const parts = own.filter(({ kind }) => kind === "partition");
  if (parts.length > 0) lost.push(`partitions (${parts.length}) of ${table.name}`);
  for (const one of own) if (one.kind !== "partition") lost.push(`${one.kind} ${one.name} of ${table.name}`);
  const notes = lost.map((one) => `// Not carried: ${visible(one)}\n`);
  const constant = names.table(table.schema, table.name) ?? "";
  const source = notes.join("") + sourceOf("table", { constant, name: table.name }, rows, options);
  return { source, notCarried: lost, uses };
}

// A reference on a column refers to the primary key of the other table.
function refersToKey({ target, columns }: CatalogForeignKey, { tables }: Catalog): boolean {
  const other = tables.find(({ name, schema }) => name === target.table && schema === target.schema);
  const key = other?.primaryKey?.columns ?? [];
  return columns.length === 1 && key.length === 1 && key[0] === target.columns[0];
}

function referenceOf({ target, onDelete, onUpdate }: CatalogForeignKey, names: PulledNames): string[][] {
  const to = names.table(target.schema, target.table);
  return [
    ["references", `(): AnyTable => ${to}`],
    ...(onDelete === "no action" ? [] : [["onDelete", sourceText(onDelete)]]),
    ...(onUpdate === "no action" ? [] : [["onUpdate", sourceText(onUpdate)]]),
  ];
}

function isSerial({ default: said }: CatalogColumn): boolean {
  return said !== null && /^nextval\(/.test(said);
}

/**
 * The default of a column, and the value that MariaDB sets at each update. In a declaration, the current time is in UTC
 * if a column has no zone, and has milliseconds; with a comment after it, it is the one of the database.
 */
function defaultOf(
  column: CatalogColumn,
  { dialect }: Catalog,
): { readonly kept: string | null; readonly onUpdate: readonly string[] } {
  if (column.default === null || isSerial(column)) return { kept: null, onUpdate: [] };
  const [said = "", update] =
    dialect === "mariadb" ? column.default.split(/(?= ON UPDATE )/) : [column.default];
  const onUpdate = update === undefined ? [] : [update.trim()];
  if (update !== undefined && said === "NULL") return { kept: null, onUpdate };
  const isNow = /^\(?(?:current_timestamp|localtimestamp|now\(\))/i.test(said);
  const isSaidSo =
    dialect === "mariadb" ? /^timestamp/.test(column.type) : / with time zone$/.test(column.type);
  return { kept: isNow && !isSaidSo ? `${said} /* as it is */` : said, onUpdate };
}

function generatedOf(column: CatalogColumn, numbersRows: boolean): string[][] {
  if (isSerial(column) || numbersRows) return [["generated", sourceText("byDefault")]];
  if (column.generated === false) return [];
  return [["generated", column.generated === "always" ? "true" : sourceText("byDefault")]];
}

function uniques(keys: readonly CatalogKey[], property: (column: string) => string): string[] {
  const several = keys.filter(({ columns }) => columns.length > 1);
  return several.length === 0
    ? []
    : [`unique: [${several.map(({ columns }) => list(columns.map(property))).join(", ")}]`];
}

interface Place {
  readonly table: CatalogTable;
  readonly catalog: Catalog;
  readonly names: PulledNames;
  readonly uses: Set<string>;
  readonly lost: string[];
}

function foreignKeys(
  keys: readonly CatalogForeignKey[],
  { table, catalog, names, uses, lost }: Place,
): string[] {
  const written = keys.flatMap((key) => {
    const to = names.table(key.target.schema, key.target.table);
    const other = catalog.tables.find(
      ({ name, schema }) => name === key.target.table && schema === key.target.schema,
    );
    if (to === undefined || other === undefined) {
      lost.push(`reference ${key.name ?? key.columns.join(", ")} to ${key.target.table} of ${table.name}`);
      return [];
    }
    uses.add("AnyTable");
    const parts = [
      `columns: ${list(key.columns.map((column) => names.property(table, column)))}`,
      `references: (): AnyTable => ${to}`,
      `target: ${list(key.target.columns.map((column) => names.property(other, column)))}`,
      ...(key.onDelete === "no action" ? [] : [`onDelete: ${sourceText(key.onDelete)}`]),
      ...(key.onUpdate === "no action" ? [] : [`onUpdate: ${sourceText(key.onUpdate)}`]),
      ...(key.deferrable === false ? [] : [`deferrable: ${sourceText(key.deferrable)}`]),
      ...(key.name === null ? [] : [`name: ${sourceText(key.name)}`]),
    ];
    return [`{ ${parts.join(", ")} }`];
  });
  return written.length === 0 ? [] : [`foreignKeys: [${written.join(", ")}]`];
}

/** Those whose rows were checked: a declaration says that all rows meet it. */
function checked<T extends CatalogKey | CatalogCheck>(
  kind: "check" | "reference",
  constraints: readonly (T & { readonly validated: boolean })[],
  table: CatalogTable,
  lost: string[],
): readonly T[] {
  for (const one of constraints)
    if (!one.validated) lost.push(`${kind} ${one.name ?? ""} NOT VALID of ${table.name}`);
  return constraints.filter(({ validated }) => validated);
}

function checks({ name }: CatalogTable, checks: readonly CatalogCheck[]): string[] {
  if (checks.length === 0) return [];
  const taken = new Set<string>();
  const written = checks.map((check) => {
    let called = check.name ?? `${name}_check`;
    for (let i = 1; taken.has(called); i++) called = `${check.name ?? `${name}_check`}${i}`;
    taken.add(called);
    return `${sourceWord(called)}: ${sourceText(check.expression)}`;
  });
  return [`checks: { ${written.join(", ")} }`];
}

function indexes(
  { indexes: all, name: table }: CatalogTable,
  property: (column: string) => string,
  { catalog: { dialect }, lost }: Pick<Place, "catalog" | "lost">,
): string[] {
  for (const { name, valid } of all) if (!valid) lost.push(`index ${name} INVALID of ${table}`);
  const indexes = all.filter(({ valid }) => valid);
  if (indexes.length === 0) return [];
  const column = (one: CatalogIndex["columns"][number]) =>
    typeof one === "string" ? sourceText(property(one)) : `[${sourceText(property(one[0]))}, "desc"]`;
  const written = indexes.map(({ name, unique, columns, expression, where, using }) => {
    const parts = [
      expression === null
        ? `columns: [${columns.map(column).join(", ")}]`
        : `expression: ${sourceText(expression)}`,
      ...(unique ? ["unique: true"] : []),
      ...(where === null ? [] : [`where: ${sourceText(where)}`]),
      ...(using === null ? [] : [`using: { ${dialect}: ${sourceText(using)} }`]),
      ...(name === "" ? [] : [`name: ${sourceText(name)}`]),
    ];
    return `{ ${parts.join(", ")} }`;
  });
  return [`indexes: [${written.join(", ")}]`];
}

function list(names: readonly string[]): string {
  return `[${names.map(sourceText).join(", ")}]`;
}
