/** Reads the options of a table about several columns, and about the table as a whole, into frozen data. */
import { describeType, isList, listed, quoted, readParts } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { itemsOf } from "../words/lists.js";
import {
  checkName,
  isAction,
  isByDialect,
  isFlag,
  isNames,
  isText,
  namesOf,
  type Readers,
  readEntries,
} from "./checked.js";
import type {
  ByDialect,
  CheckInfo,
  ColumnInfo,
  Constraints,
  ForeignKeyInfo,
  IndexedColumn,
  IndexInfo,
} from "./declaration.js";
import type { ForeignKeyOptions, IndexOptions, TableOptions } from "./options.js";

type Columns = Readonly<Record<string, ColumnInfo>>;

/**
 * The options that a declaration keeps.
 * @throws {DeclarationError} for an option that cannot work.
 */
export function constraintsOf(table: string, columns: Columns, options: TableOptions): Constraints {
  const { foreignKeys, checks, indexes, comment, renamedFrom, external } = options;
  const about = (what: string) => `${what} of table ${quoted(table)}`;
  if (comment !== undefined && !isText(comment))
    throw new DeclarationError(`${about("comment")} must be text, not ${describeType(comment)}`);
  if (external !== undefined && !isFlag(external))
    throw new DeclarationError(`${about("external")} must be true or false, not ${describeType(external)}`);
  if (renamedFrom !== undefined && !isNames(renamedFrom))
    throw new DeclarationError(`${about("renamedFrom")} must be a name, or a list of names`);
  const former = namesOf(renamedFrom);
  if (former.includes(table))
    throw new DeclarationError(`table ${quoted(table)} was renamed from its own name`);
  const declared = {
    foreignKeys: Object.freeze(
      listOf(foreignKeys, about("foreignKeys")).map((one) => foreignKeyOf(one, table, columns)),
    ),
    checks: checksOf(checks, table),
    indexes: Object.freeze(listOf(indexes, about("indexes")).map((one) => indexOf(one, table, columns))),
    comment,
    renamedFrom: former,
    external: external ?? false,
  };
  checkNames(table, declared);
  return declared;
}

/** @throws {DeclarationError} unless it is a list of different columns. */
export function checkKey(table: string, columns: Columns, key: unknown, what = "a key"): void {
  if (!isList(key) || key.length === 0 || new Set(key).size < key.length)
    throw new DeclarationError(`${what} of table ${quoted(table)} must be a list of different columns`);
  for (const property of key)
    if (typeof property !== "string" || columns[property] === undefined)
      throw new DeclarationError(
        `unknown column ${quoted(property)} in ${what} of table ${quoted(table)}; columns: ${listed(Object.keys(columns))}`,
      );
}

const isFunction = (value: unknown) => typeof value === "function";

const foreignKeyReaders: Readers = new Map([
  ["columns", isList],
  ["references", isFunction],
  ["target", isList],
  ["onDelete", isAction],
  ["onUpdate", isAction],
  ["deferrable", (value: unknown) => value === "initially immediate" || value === "initially deferred"],
  ["name", isText],
]);

function foreignKeyOf(options: ForeignKeyOptions, table: string, columns: Columns): ForeignKeyInfo {
  const where = `a foreign key of table ${quoted(table)}`;
  const given = readEntries(options, foreignKeyReaders, where);
  checkKey(table, columns, given.columns, "a foreign key");
  const { references, target } = given;
  if (!isFunction(references))
    throw new DeclarationError(`${where} needs references: a function that returns a table`);
  const isFitting = target === undefined || (target.length === given.columns.length && target.every(isText));
  if (!isFitting || new Set(target).size < (target?.length ?? 0))
    throw new DeclarationError(`${where} needs as many different properties in target as it has columns`);
  if (given.name !== undefined) checkName(given.name, `foreign key of table ${quoted(table)}`);
  return Object.freeze({
    ...given,
    columns: Object.freeze([...given.columns]),
    target: target === undefined ? undefined : Object.freeze([...target]),
  });
}

function checksOf(given: unknown, table: string): readonly CheckInfo[] {
  if (given === undefined) return Object.freeze([]);
  const parts = readParts(given);
  if (parts === undefined)
    throw new DeclarationError(
      `checks of table ${quoted(table)} must be an object of conditions by name, not ${describeType(given)}`,
    );
  const checks = Object.entries(parts).map(([name, held]) => {
    const condition: unknown = readParts(held) ?? held;
    checkName(name, `check of table ${quoted(table)}`);
    if (!isCondition(condition))
      throw new DeclarationError(
        `the check ${quoted(name)} of table ${quoted(table)} must be an SQL condition, or one by dialect`,
      );
    return Object.freeze({ name, condition: frozen(condition) });
  });
  return Object.freeze(checks);
}

const indexReaders: Readers = new Map([
  ["columns", isList],
  ["expression", isByDialect],
  ["unique", isFlag],
  ["visible", isFlag],
  ["where", isByDialect],
  ["using", isByDialect],
  ["name", isText],
]);

function indexOf(options: IndexOptions, table: string, columns: Columns): IndexInfo {
  const where = `an index of table ${quoted(table)}`;
  const given = readEntries(options, indexReaders, where);
  const { expression } = given;
  if ((given.columns === undefined) === (expression === undefined))
    throw new DeclarationError(`${where} needs columns, or an expression`);
  if (expression === "") throw new DeclarationError(`${where} has an empty expression`);
  const indexed = (given.columns ?? []).map((one: unknown) => indexedColumn(one, where));
  if (expression === undefined)
    checkKey(
      table,
      columns,
      indexed.map(({ property }) => property),
      "an index",
    );
  if (given.visible === true && given.where !== undefined)
    throw new DeclarationError(`${where} has where and visible: the filters say which rows it is of`);
  if (given.name !== undefined) checkName(given.name, `index of table ${quoted(table)}`);
  return Object.freeze({
    name: given.name,
    columns: Object.freeze(indexed),
    expression: frozen(expression),
    unique: given.unique ?? false,
    visible: given.visible ?? false,
    where: frozen(given.where),
    using: frozen(given.using),
  });
}

function indexedColumn(given: unknown, where: string): IndexedColumn {
  const [property, direction, ...more]: readonly unknown[] = isList(given) ? given : [given, "asc"];
  if (typeof property !== "string" || more.length > 0 || (direction !== "asc" && direction !== "desc"))
    throw new DeclarationError(`a column in ${where} must be a property, or [property, "asc" or "desc"]`);
  return Object.freeze({ property, descending: direction === "desc" });
}

// Two with one name would be one in the database, or an error of the server. Not every server lets an index have the
// name of a constraint: the statements for it are refused there.
function checkNames(table: string, { foreignKeys, checks, indexes }: Omit<Constraints, "view">): void {
  for (const [what, list] of [
    ["constraints", [...foreignKeys, ...checks]],
    ["indexes", indexes],
  ] as const) {
    const names = new Set<string>();
    for (const { name } of list) {
      if (name !== undefined && names.has(name))
        throw new DeclarationError(`table ${quoted(table)} names two ${what} ${quoted(name)}`);
      if (name !== undefined) names.add(name);
    }
  }
}

function listOf<T>(given: readonly T[] | undefined, what: string): readonly T[] {
  if (given === undefined) return [];
  if (!isList(given)) throw new DeclarationError(`${what} must be a list, not ${describeType(given)}`);
  // An item of an untyped caller is checked like one of a list without holes.
  return itemsOf(given) as T[];
}

function isCondition(value: unknown): value is ByDialect {
  return isByDialect(value) && value !== "";
}

function frozen(text: ByDialect): ByDialect;
function frozen(text: ByDialect | undefined): ByDialect | undefined;
function frozen(text: ByDialect | undefined): ByDialect | undefined {
  return typeof text === "object" ? Object.freeze({ ...text }) : text;
}
