/** One table of a pulled file: its columns with their types, its keys, references, checks and indexes. */
import { visible } from "../../../core/errors.js";
import { keysSaidTwice } from "../catalog/same-keys.js";
import {
  type Catalog,
  type CatalogCheck,
  type CatalogColumn,
  type CatalogForeignKey,
  type CatalogIndex,
  type CatalogKey,
  type CatalogTable,
  isSerial,
  targetOf,
} from "../words/catalog.js";
import type { PullDialect, PulledKind } from "./dialect.js";
import type { PulledNames } from "./names.js";
import type { PulledRelations } from "./relations.js";
import { sourceList, sourceOf, sourceText, sourceWord } from "./text.js";
import { type Pulling, pulledType } from "./types.js";

/** The text of a table, and the parts of the table that it cannot say. */
interface PulledTable {
  readonly source: string;
  readonly notCarried: readonly string[];
  /** Its imports from `rowtype`. */
  readonly uses: ReadonlySet<string>;
}

/** A table that is being written: what it uses, and what it loses, is gathered on the way. */
interface Place extends Pulling {
  readonly table: CatalogTable;
  readonly uses: Set<string>;
  readonly lost: string[];
}

/** Writes a table. */
export function pulledTable(
  table: CatalogTable,
  pulling: Pulling,
  relations: PulledRelations | undefined,
): PulledTable {
  const { names, catalog, dialect } = pulling;
  const uses = new Set(["table", ...(relations?.uses ?? [])]);
  const lost: string[] = [];
  const place: Place = { ...pulling, table, uses, lost };
  const property = (column: string) => names.property(table, column);
  const keys = keysOnce(place);
  const unique = new Set(keys.flatMap((key) => single(key) ?? []));
  const { ofColumns, others } = referencesOf(place);
  const kinds = new Map<CatalogColumn, PulledKind>();
  for (const column of table.columns) {
    const kind = dialect.kindOf?.(table, column);
    if (kind !== undefined) kinds.set(column, kind);
  }
  const rows = table.columns.map((column) =>
    columnLine(
      column,
      { kind: kinds.get(column), isUnique: unique.has(column.name), reference: ofColumns.get(column.name) },
      place,
    ),
  );
  const written = new Set(Array.from(kinds.values(), ({ check }) => check));
  const said = table.checks.filter((check) => !written.has(check));
  const options = [
    ...(table.schema === null ? [] : [`schema: ${sourceText(table.schema)}`]),
    ...(table.primaryKey === null || table.primaryKey.columns.length < 2
      ? []
      : [`primaryKey: ${sourceList(table.primaryKey.columns.map(property))}`]),
    ...uniques(keys, property),
    ...foreignKeys(others, place),
    ...checks(table, checked("check", said, place)),
    ...indexes(place),
    ...(table.comment === null ? [] : [`comment: ${sourceText(table.comment)}`]),
    ...(relations === undefined || relations.lines.length === 0
      ? []
      : [`relations: {\n${relations.lines.map((line) => `      ${line},\n`).join("")}    }`]),
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

/** The column of a key of one column. */
function single({ columns }: { readonly columns: readonly string[] }): string | undefined {
  return columns.length === 1 ? columns[0] : undefined;
}

/** The unique constraints, each of which a declaration says once. */
function keysOnce({ table, lost }: Place): readonly CatalogKey[] {
  const twice = keysSaidTwice(table);
  for (const { name, columns } of twice) lost.push(`unique ${name ?? columns.join(", ")} of ${table.name}`);
  return table.keys.filter((key) => !twice.has(key));
}

/** The references that a column says, by its name, and those that the table says. */
function referencesOf(place: Place): {
  readonly ofColumns: ReadonlyMap<string, CatalogForeignKey>;
  readonly others: readonly CatalogForeignKey[];
} {
  const ofColumns = new Map<string, CatalogForeignKey>();
  const others: CatalogForeignKey[] = [];
  for (const key of checked("reference", place.table.foreignKeys, place)) {
    const column = single(key);
    const isPlain = column !== undefined && key.deferrable === false && !ofColumns.has(column);
    if (isPlain && refersToKey(key, place.catalog)) ofColumns.set(column, key);
    else others.push(key);
  }
  return { ofColumns, others };
}

/** What a table says of a column. */
interface ColumnFacts {
  readonly kind: PulledKind | undefined;
  readonly isUnique: boolean;
  readonly reference: CatalogForeignKey | undefined;
}

function columnLine(column: CatalogColumn, facts: ColumnFacts, place: Place): string {
  const { table, names, uses, lost, dialect, catalog } = place;
  const type = facts.kind?.type ?? pulledType(column, place);
  if (type.lost !== undefined) lost.push(`${type.lost} of ${table.name}.${column.name}`);
  for (const use of type.uses) uses.add(use);
  const isKey = table.primaryKey?.columns.includes(column.name) === true;
  const { kept, onUpdate } =
    facts.kind === undefined ? defaultOf(column, dialect) : { kept: facts.kind.default, onUpdate: [] };
  if (isSerial(column)) lost.push(`default ${column.default} of ${table.name}.${column.name}`);
  const numbersRows = dialect.numbersRows?.(table, column, catalog.unknown) === true;
  if (numbersRows && column.generated === false)
    lost.push(`INTEGER PRIMARY KEY without AUTOINCREMENT of ${table.name}.${column.name}`);
  else if (isKey && column.nullable && !numbersRows)
    lost.push(`NULL in the primary key of ${table.name}.${column.name}`);
  const meta = metaOf(column, { ...facts, type: type.type, kept, numbersRows }, place);
  if (facts.reference !== undefined) uses.add("AnyTable");
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
  return `    ${sourceWord(names.property(table, column.name))}: ${value},${note}`;
}

/** The options of a column, as names and texts. */
function metaOf(
  column: CatalogColumn,
  {
    type,
    kept,
    numbersRows,
    isUnique,
    reference,
  }: Omit<ColumnFacts, "kind"> & {
    readonly type: string | undefined;
    readonly kept: string | null;
    readonly numbersRows: boolean;
  },
  { table, names }: Place,
): string[][] {
  const { primaryKey } = table;
  return [
    ...(names.property(table, column.name) === column.name ? [] : [["name", sourceText(column.name)]]),
    ...(type === undefined ? [] : [["type", sourceText(type)]]),
    ...(primaryKey !== null && single(primaryKey) === column.name ? [["primaryKey", "true"]] : []),
    ...generatedOf(column, numbersRows),
    ...(isUnique ? [["unique", "true"]] : []),
    ...(kept === null ? [] : [["default", sourceText(kept)]]),
    ...(column.computed === null
      ? []
      : [
          ["computed", sourceText(column.computed.expression)],
          ["stored", String(column.computed.stored)],
        ]),
    ...(reference === undefined ? [] : referenceOf(reference, names)),
    ...(column.comment === null ? [] : [["comment", sourceText(column.comment)]]),
  ];
}

// A reference on a column refers to the primary key of the other table.
function refersToKey(foreign: CatalogForeignKey, catalog: Catalog): boolean {
  const { target, columns } = foreign;
  const key = targetOf(foreign, catalog)?.primaryKey?.columns ?? [];
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

/**
 * The default of a column, and the value that the server sets at each update. In a declaration, the current time is in UTC
 * if a column has no zone, and has milliseconds; with a comment after it, it is the one of the database.
 */
function defaultOf(
  column: CatalogColumn,
  { defaultIn, keepsNow }: PullDialect,
): { readonly kept: string | null; readonly onUpdate: readonly string[] } {
  if (column.default === null || isSerial(column)) return { kept: null, onUpdate: [] };
  const [said, update] = defaultIn(column.default);
  const onUpdate = update === undefined ? [] : [update];
  if (update !== undefined && said === "NULL") return { kept: null, onUpdate };
  const isNow = /^\(?(?:current_timestamp|localtimestamp|now\(\))/i.test(said);
  return { kept: isNow && !keepsNow(column.type) ? `${said} /* as it is */` : said, onUpdate };
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
    : [`unique: [${several.map(({ columns }) => sourceList(columns.map(property))).join(", ")}]`];
}

function foreignKeys(
  keys: readonly CatalogForeignKey[],
  { table, catalog, names, uses, lost }: Place,
): string[] {
  const written = keys.flatMap((key) => {
    const to = names.table(key.target.schema, key.target.table);
    const other = targetOf(key, catalog);
    if (to === undefined || other === undefined) {
      lost.push(`reference ${key.name ?? key.columns.join(", ")} to ${key.target.table} of ${table.name}`);
      return [];
    }
    uses.add("AnyTable");
    const parts = [
      `columns: ${sourceList(key.columns.map((column) => names.property(table, column)))}`,
      `references: (): AnyTable => ${to}`,
      `target: ${sourceList(key.target.columns.map((column) => names.property(other, column)))}`,
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
  { table, lost }: Place,
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

function indexes({ table: owner, names, catalog: { dialect }, lost }: Place): string[] {
  const { indexes: all, name: table } = owner;
  const property = (column: string) => names.property(owner, column);
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
