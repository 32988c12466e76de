/**
 * `table` turns a Zod object into a declaration: columns, keys, and the schemas of inserts and updates. It
 * checks the declaration once, here; one that cannot work never reaches a query.
 */
import type { ZodObject } from "zod";
import * as z from "zod";
import type { $ZodType } from "zod/v4/core";
import { describeType, isList, listed, quoted } from "../../core/errors.js";
import { innerOf, isZod4, peel } from "../../schema/inspect.js";
import { isComponentName, isOwnName, nameSchema, schemaName } from "../../schema/names.js";
import type { AnyShape, Column, Hides, InKeys, ObjectSchema, Schemas, Shape } from "../types/model.js";
import { DECLARED, isDeclared } from "../words/declared.js";
import { DeclarationError } from "../words/errors.js";
import type { NoRelations, Relations } from "../words/relations.js";
import { checkName, namesOf, readKnown } from "./checked.js";
import { describe, markOf } from "./column.js";
import { checkFitting } from "./column-meta.js";
import { checkKey, constraintsOf } from "./constraints.js";
import type { AnyReadable, AnyTable, ColumnInfo, Table } from "./declaration.js";
import { checkFormerNames, columnNaming } from "./former-names.js";
import { generatedIndexName } from "./index-name.js";
import type { TableOptions } from "./options.js";
import { readReference } from "./reference.js";
import { relationsOf } from "./relation.js";
import { autoDefault, checkVisible, rulesOf } from "./rules.js";
import { isNullable, storageOf } from "./storage.js";

/** Keys and filters that are declared here and not on a column: the types of their columns include them. */
export type Keyed<S extends AnyShape, O> = [
  keyof O & ("primaryKey" | "unique" | "filters" | "indexes"),
] extends [never]
  ? S
  : Filtered<WithKeys<S, KeysIn<O>>, O>;
type WithKeys<S extends AnyShape, L extends readonly string[]> = [L] extends [never]
  ? S
  : { [K in keyof S]: K extends L[number] ? S[K] & Marked<K, L> : S[K] };
type Filtered<S extends AnyShape, O> = O extends { readonly filters: infer F }
  ? { [K in keyof S]: S[K] & Hides<keyof F & string> }
  : S;
type KeysIn<O> =
  | (O extends { readonly primaryKey?: infer P } ? ListIn<P> : never)
  | (O extends { readonly unique?: infer U } ? (U extends readonly (infer L)[] ? ListIn<L> : never) : never)
  | (O extends { readonly indexes: readonly (infer I)[] } ? VisibleKey<I> : never);
type VisibleKey<I> = I extends { readonly unique: true; readonly visible: true; readonly columns: infer L }
  ? ListIn<L>
  : never;
type ListIn<L> = L extends readonly string[] ? L : never;
type Marked<K, L> = (K extends OnlyOne<L> ? Column<"key"> : unknown) &
  (K extends Several<L>[number] ? InKeys<Several<L>> : unknown);
type OnlyOne<L> = L extends readonly [infer K] ? K : never;
type Several<L> = L extends readonly [string] ? never : ListIn<L>;
/** The relations of the options. */
export type RelationsOf<O> = O extends { readonly relations: infer R extends Relations } ? R : NoRelations;

/**
 * Declares a table: its name and the Zod object of a row, whose columns may be marked by `column`.
 * @throws {DeclarationError} at once if the declaration cannot work.
 * @example
 * import { z } from "zod";
 * import { column, table } from "rowtype";
 * const User = table("users", z.object({
 *   id: column(z.int(), { primaryKey: true, generated: true }),
 *   email: column(z.email(), { unique: true }),
 * }));
 */
export function table<
  S extends Schemas,
  const O extends TableOptions<keyof S & string> = Record<never, never>,
>(name: string, schema: ObjectSchema<S>, given?: O): Table<Keyed<S, O>, RelationsOf<O>> {
  const options: TableOptions = given === undefined ? {} : readKnown(given, OPTIONS, "table options");
  const { columns, ...parts } = readableOf(name, schema, options, "table");
  const declared = {
    ...parts,
    columns,
    insertSchema: z.object(insertShape(columns)),
    updateSchema: z.object(updateShape(columns)),
  };
  markDeclared(declared);
  const row = schemaName(parts.schema);
  nameSchema(declared.insertSchema, `${row}Insert`);
  nameSchema(declared.updateSchema, `${row}Update`);
  // The shapes are built from `S` column by column, as the types of `Table` describe.
  return Object.freeze(declared) as unknown as Table<Keyed<S, O>, RelationsOf<O>>;
}

/**
 * The common parts of a table and a view.
 * @throws {DeclarationError}
 */
export function readableOf(
  name: string,
  schema: unknown,
  options: TableOptions,
  what: "table" | "view",
): AnyReadable {
  checkName(name, what);
  if (name.includes("."))
    throw new DeclarationError(
      `the ${what} name ${quoted(name)} holds a ".": name its SQL schema by options.schema`,
    );
  if (options.schema !== undefined) checkName(options.schema, `schema of ${what}`);
  if (!isZodObject(schema)) throw new DeclarationError(`${what} ${quoted(name)} needs a Zod object`);
  if ((schema._zod.def.checks ?? []).length > 0)
    throw new DeclarationError(
      `the schema of ${what} ${quoted(name)} has a refinement of the whole object, which an insert or update of some columns cannot check: use check`,
    );

  const columns = columnsOf(name, schema._zod.def.shape);
  const primaryKey = primaryKeyOf(name, columns, options.primaryKey);
  const rules = rulesOf(name, columns, primaryKey, options.filters);
  const constraints = constraintsOf(name, columns, options);
  checkVisible(name, constraints.indexes, rules);
  const readable = {
    name,
    namespace: options.schema,
    schema: schema.clone(),
    columns,
    primaryKey,
    keys: keysOf(name, columns, primaryKey, options.unique ?? []),
    relations: relationsOf({ name, columns, primaryKey }, options.relations),
    ...constraints,
    ...(rules === undefined ? {} : { rules }),
  };
  describe(readable.schema, options.comment);
  nameSchema(readable.schema, modelName(name, schema, options.model));
  // The shape that models know it by is a type only.
  return readable as unknown as AnyReadable;
}

function isZodObject(schema: unknown): schema is ZodObject<Shape> {
  return isZod4(schema) && schema._zod.def.type === "object";
}

const OPTIONS = [
  ...["schema", "primaryKey", "unique", "relations", "foreignKeys", "checks", "indexes", "filters"],
  ...["comment", "model", "renamedFrom", "external"],
];

function columnsOf(table: string, shape: Shape): Readonly<Record<string, ColumnInfo>> {
  // Without a prototype, so that a look-up by a foreign name finds only columns.
  const columns: Record<string, ColumnInfo> = Object.create(null);
  const names = new Set<string>();
  const indexes = new Set<string>();
  for (const [property, schema] of Object.entries(shape)) {
    checkName(property, `property of table ${quoted(table)}`);
    // The dot qualifies a name in a query of several tables.
    if (property.includes("."))
      throw new DeclarationError(
        `property ${quoted(property)} of table ${quoted(table)} holds a ".": name the column by the name of its metadata`,
      );
    if (property === "*")
      throw new DeclarationError(
        `property "*" of table ${quoted(table)} would stand for all fields: name the column by the name of its metadata`,
      );
    const column = columnOf(table, property, schema);
    if (names.has(column.name))
      throw new DeclarationError(`table ${quoted(table)} has two columns named ${quoted(column.name)}`);
    names.add(column.name);
    const { index = false } = column;
    const indexName = index === true ? generatedIndexName(table, column.name) : index;
    if (indexName !== false && indexes.has(indexName))
      throw new DeclarationError(
        `table ${quoted(table)} has two indexes named ${quoted(indexName)}: an index covers one column`,
      );
    if (indexName !== false) indexes.add(indexName);
    columns[property] = Object.freeze(column);
  }
  checkFormerNames(Object.values(columns), columnNaming(table));
  if (names.size === 0) throw new DeclarationError(`table ${quoted(table)} has no columns`);
  return Object.freeze(columns);
}

function columnOf(table: string, property: string, schema: $ZodType): ColumnInfo {
  const where = `${quoted(property)} of table ${quoted(table)}`;
  const { storage: _, ...meta } = markOf(schema);
  const wrapped = peel(schema);
  if (wrapped.optional)
    throw new DeclarationError(
      `column ${where} cannot be optional: a missing value in a row is null, use .nullable()`,
    );
  const storage = storageOf(schema, where);
  const nullable = isNullable(schema);
  const name = meta.name ?? property;
  checkName(name, `column of table ${quoted(table)}`);
  if (typeof meta.index === "string") checkName(meta.index, `index of table ${quoted(table)}`);
  const generated = meta.generated ?? false;
  if (generated !== false) {
    if (storage.integer !== true)
      throw new DeclarationError(`column ${where} is generated and must be an integer`);
    if (meta.default !== undefined)
      throw new DeclarationError(`column ${where} is generated and has a default`);
    if (nullable) throw new DeclarationError(`column ${where} is generated and cannot be nullable`);
  }
  if (typeof meta.references === "string" && readReference(meta.references) === undefined)
    throw new DeclarationError(
      `references of column ${where} must be "table(column)" or a function that returns a table, not ${quoted(meta.references)}`,
    );
  if (meta.primaryKey === true && nullable)
    throw new DeclarationError(`column ${where} is a primary key and cannot be nullable`);
  checkFitting(meta, storage, where);
  const byRule = autoDefault(meta, storage, nullable, where);
  return {
    ...meta,
    ...(byRule === undefined ? {} : { default: byRule }),
    property,
    name,
    kind: storage.kind,
    schema,
    nullable,
    primaryKey: meta.primaryKey ?? false,
    generated,
    unique: meta.unique ?? false,
    optional:
      generated === "byDefault" || (meta.default ?? meta.auto) !== undefined || nullable || wrapped.defaulted,
    readOnly: generated === true || (meta.computed ?? meta.auto) !== undefined || meta.readOnly === true,
    renamedFrom: namesOf(meta.renamedFrom),
    storage: Object.freeze(storage),
  };
}

function primaryKeyOf(
  table: string,
  columns: Readonly<Record<string, ColumnInfo>>,
  composite: readonly string[] | undefined,
): readonly string[] {
  const own = Object.values(columns).flatMap((column) => (column.primaryKey ? [column.property] : []));
  if (composite === undefined) {
    if (own.length > 1)
      throw new DeclarationError(
        `table ${quoted(table)} has several primary key columns (${listed(own)}): declare them as options.primaryKey`,
      );
    return Object.freeze(own);
  }
  if (own.length > 0) throw new DeclarationError(`table ${quoted(table)} declares its primary key twice`);
  checkKey(table, columns, composite);
  for (const property of composite)
    if (columns[property]?.nullable === true)
      throw new DeclarationError(
        `column ${quoted(property)} of table ${quoted(table)} is a primary key and cannot be nullable`,
      );
  return Object.freeze([...composite]);
}

function keysOf(
  table: string,
  columns: Readonly<Record<string, ColumnInfo>>,
  primaryKey: readonly string[],
  composite: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  if (!isList(composite))
    throw new DeclarationError(
      `unique of table ${quoted(table)} must be a list of keys, not ${describeType(composite)}`,
    );
  for (const key of composite) checkKey(table, columns, key);
  const single = Object.values(columns).flatMap((column) => (column.unique ? [[column.property]] : []));
  const keys = [...(primaryKey.length > 0 ? [primaryKey] : []), ...single, ...composite];
  return Object.freeze(keys.map((key) => Object.freeze([...key])));
}

function insertShape(columns: Readonly<Record<string, ColumnInfo>>): Record<string, $ZodType> {
  const shape: Record<string, $ZodType> = {};
  for (const { property, schema, readOnly, optional } of Object.values(columns)) {
    if (readOnly) continue;
    shape[property] = optional && !peel(schema).defaulted ? z.optional(schema) : schema;
  }
  return shape;
}

// A key that a patch leaves out stays unchanged, so Zod defaults must not fill it in.
function updateShape(columns: Readonly<Record<string, ColumnInfo>>): Record<string, $ZodType> {
  const shape: Record<string, $ZodType> = {};
  for (const { property, schema, readOnly } of Object.values(columns))
    if (!readOnly) shape[property] = z.optional(withoutDefault(schema));
  return shape;
}

function withoutDefault(schema: $ZodType): $ZodType {
  const wrapped = innerOf(schema);
  if (wrapped === undefined) return schema;
  const { type } = schema._zod.def;
  const inner = withoutDefault(wrapped);
  // Refinements after `.default()` are kept.
  const { checks = [] } = schema._zod.def;
  if (type === "default" || type === "prefault" || type === "catch")
    return checks.length === 0
      ? inner
      : z.clone(inner, { ...inner._zod.def, checks: [...(inner._zod.def.checks ?? []), ...checks] });
  if (inner === wrapped) return schema;
  return type === "nullable" ? z.nullable(inner) : inner;
}

/** The name of a row in documents: from the table, or else from its schema, or else the table's name. */
function modelName(table: string, schema: $ZodType, model: unknown): string {
  if (model === undefined) return (isOwnName(schema) ? schemaName(schema) : undefined) ?? pascalCase(table);
  if (isComponentName(model)) return model;
  throw new DeclarationError(
    `model of table ${quoted(table)} is a name of letters, digits, dots, dashes and underscores, not ${describeType(model)}`,
  );
}

/** `order_items` → `OrderItems`. */
function pascalCase(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Marks a checked table. */
export function markDeclared(table: object): void {
  Object.defineProperty(table, DECLARED, { value: true });
}

/** Whether `table()` or `view()` made a value: for code that only reads, both are tables. */
export function isTable(value: unknown): value is AnyTable {
  return isDeclared(value);
}

/** @throws {DeclarationError} for a value that `table()` did not make */
export function checkTable(value: unknown, taker: string): asserts value is AnyTable {
  if (isTable(value)) return;
  throw new DeclarationError(`${taker} takes a table made by table(), not ${describeType(value)}`);
}

/** The same for a list of tables. */
export function checkTables(
  values: readonly unknown[],
  taker: string,
): asserts values is readonly AnyTable[] {
  for (const value of values) checkTable(value, taker);
}
