/** The permissions of clients on a table: the options of `specs()`, checked. */
import { describeType, listed, quoted, readParts } from "../../core/errors.js";
import type { RelatedTables } from "../ast/statement.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { isOperator } from "../resolve/expression/operators.js";
import type { ClientView } from "../resolve/scope/view.js";
import { DeclarationError } from "../words/errors.js";
import { type AggregateFunction, aggregateFunctions } from "../words/functions.js";
import { readOptions } from "../words/known-options.js";
import { itemsOf } from "../words/lists.js";
import type { NullTest, Operator, RangeTest } from "../words/operators.js";
import { isReadOnly } from "../words/rules.js";

/** The permissions of a client. */
export interface SpecOptions<F extends string = string> {
  /** The fields that a spec may name; default all. */
  readonly fields?: readonly F[] | undefined;
  /** The maximum depth of groups; a group is one level. Default 8, at most 100. */
  readonly maxDepth?: number | undefined;
  /** The maximum number of conditions in the whole spec, including those in groups and in `having`. Default 64. */
  readonly maxConditions?: number | undefined;
  /**
   * The maximum limit, and the default limit unless `defaultLimit` is given. A greater value of a limit
   * parameter is reduced to it.
   */
  readonly maxLimit?: number | undefined;
  readonly defaultLimit?: number | undefined;
  /** Allows row locks. Default false: a client could hold locks for any length of time. */
  readonly locks?: boolean | undefined;
  /** Allows the regular expression operators. Default false: a pattern can take hours to run. */
  readonly regex?: boolean | undefined;
  /**
   * The allowed operators of conditions and `having`; other operators are refused. Default all, except regular
   * expressions.
   */
  readonly operators?: readonly ConditionOperator[] | undefined;
  /** The allowed aggregates in `fields` and `having_agg`: a list, all (the default) or none. */
  readonly aggregates?: boolean | readonly AggregateFunction[] | undefined;
  /** The maximum number of joins in the whole spec. Default 4. */
  readonly maxJoins?: number | undefined;
  /**
   * The maximum number of rows including all nested ones: the product of the limits along each chain of nested lists,
   * added up. Default 10,000.
   */
  readonly maxRows?: number | undefined;
}

/** The fields and rows that a client may request through a relation. */
interface RelationPermission<F extends string = string> {
  /** The fields of the related table that a spec may name. */
  readonly fields: readonly F[];
  /** The maximum limit of a nested list, and its limit if a spec gives none. Default 100. */
  readonly maxLimit?: number | undefined;
  /**
   * In the specs of a scope: whether the table is whole. Otherwise a related table with fields of the scope, of the
   * same kinds, is narrowed to their values. Default false.
   */
  readonly whole?: boolean | undefined;
}

/** A relation as an option, of any table. */
interface AnyRelationPermission extends RelationPermission {
  readonly relations?: Readonly<Record<string, AnyRelationPermission>> | undefined;
}

/** The options of `specs()`, of any table. */
export interface AnySpecOptions extends SpecOptions {
  readonly relations?: Readonly<Record<string, AnyRelationPermission>> | undefined;
}

/** The allowed operators of conditions in a spec. */
export type ConditionOperator = Operator | NullTest | RangeTest;

/** The checked options. */
export interface Permissions {
  readonly grammar: Grammar;
  readonly table: AnyTable;
  /** The columns that a client may name. */
  readonly columns: readonly ColumnInfo[];
  /** The names that a client may use: the fields, if some are hidden, and the relations. */
  readonly view: ClientView;
  /** The client's permissions in each relation. */
  readonly relations: ReadonlyMap<string, Permissions>;
  readonly tables: RelatedTables;
  /** Whether this is a related table that a scope does not narrow. */
  readonly isWhole: boolean;
  readonly maxJoins: number;
  readonly maxRows: number;
  readonly maxDepth: number;
  readonly maxConditions: number;
  readonly maxLimit: number | undefined;
  readonly defaultLimit: number | undefined;
  readonly locks: boolean;
  readonly regex: boolean;
  /** The allowed operators; undefined for all except regular expressions. */
  readonly operators: ReadonlySet<string> | undefined;
  readonly aggregates: readonly AggregateFunction[];
}

const MAX_DEPTH = 100;
const known: ReadonlySet<string> = new Set([
  "fields",
  "maxDepth",
  "maxConditions",
  "maxLimit",
  "defaultLimit",
  "locks",
  "regex",
  "operators",
  "aggregates",
  "relations",
  "maxJoins",
  "maxRows",
]);
const knownOfRelation: ReadonlySet<string> = new Set(["fields", "maxLimit", "relations", "whole"]);

/**
 * Checks the options of `specs()`.
 * @param tables the targets of relations, by the names of exports.
 * @throws {DeclarationError} for an invalid option, or an unknown field or relation
 */
export function permissionsOf(
  { table, tables, grammar }: Pick<Permissions, "table" | "tables" | "grammar">,
  given: AnySpecOptions,
): Permissions {
  const options = readOptions(given, known, "specs");
  const { fields, maxDepth = 8, maxConditions = 64, maxLimit, locks = false, regex = false } = options;
  const { defaultLimit = maxLimit, maxJoins = 4, maxRows = 10_000 } = options;
  checkCount("maxDepth", maxDepth, MAX_DEPTH);
  checkCount("maxConditions", maxConditions);
  checkCount("maxJoins", maxJoins);
  checkCount("maxRows", maxRows);
  if (maxLimit !== undefined) checkCount("maxLimit", maxLimit);
  if (defaultLimit !== undefined) checkCount("defaultLimit", defaultLimit, maxLimit);
  for (const [name, value] of Object.entries({ locks, regex }))
    if (typeof value !== "boolean") throw new DeclarationError(`${name} of specs must be a boolean`);
  const columns = columnsOf(fields, table);
  const common = {
    grammar,
    tables,
    maxDepth,
    maxConditions,
    maxJoins,
    maxRows,
    isWhole: false,
    locks,
    regex,
    operators: operatorsOf(options.operators, regex),
    aggregates: aggregatesOf(options.aggregates),
  };
  return withRelations({ ...common, table, columns, maxLimit, defaultLimit }, options.relations, []);
}

type Alone = Omit<Permissions, "relations" | "view">;

// A client's spec cannot nest deeper than a builder's.
const MOST_LEVELS = 8;
const NESTED_LIMIT = 100;

/** A relation of an untyped caller. */
interface UncheckedRelation {
  readonly fields?: unknown;
  readonly maxLimit?: unknown;
  readonly relations?: unknown;
  readonly whole?: unknown;
}

/** @param path the names of the relations that lead to this table. */
function withRelations(alone: Alone, options: unknown, path: readonly string[]): Permissions {
  const relations = new Map<string, Permissions>();
  const { table, tables, columns } = alone;
  for (const [name, option] of options === undefined ? [] : entriesOf(options, path)) {
    const where = [...path, name].join(".");
    if (path.length >= MOST_LEVELS)
      throw new DeclarationError(`relations of specs nest at most ${MOST_LEVELS} levels: ${quoted(where)}`);
    const narrowed = targetOf(name, table, tables, where);
    const of = readOptions(option, knownOfRelation, `the relation ${quoted(where)} of specs`);
    const { fields, maxLimit = NESTED_LIMIT, relations: inner, whole = false }: UncheckedRelation = of;
    if (typeof whole !== "boolean")
      throw new DeclarationError(`whole of the relation ${quoted(where)} of specs must be a boolean`);
    const target = whole ? (narrowed.whole ?? narrowed) : narrowed;
    if (fields === undefined)
      throw new DeclarationError(`the relation ${quoted(where)} of specs needs its own list of fields`);
    checkCount("maxLimit", maxLimit);
    const part = {
      ...alone,
      table: target,
      columns: columnsOf(fields, target),
      locks: false,
      isWhole: whole,
    };
    // The check has shown that it is a whole number.
    const limits = { maxLimit: maxLimit as number, defaultLimit: maxLimit as number };
    relations.set(name, withRelations({ ...part, ...limits }, inner, [...path, name]));
  }
  const hides = columns.length < Object.keys(table.columns).length;
  const fields = hides ? new Set(columns.map(({ property }) => property)) : undefined;
  const views = new Map([...relations].map(([name, { view }]) => [name, view]));
  return { ...alone, relations, view: { fields, relations: views } };
}

function targetOf(name: string, table: AnyTable, tables: RelatedTables, where: string): AnyTable {
  const relations = table.relations ?? {};
  const relation = Object.hasOwn(relations, name) ? relations[name] : undefined;
  if (relation === undefined)
    throw new DeclarationError(
      `unknown relation ${quoted(where)} of specs; relations of ${quoted(table.name)}: ${listed(Object.keys(relations))}`,
    );
  const target = tables.get(relation.to);
  if (target === undefined)
    throw new DeclarationError(
      `the relation ${quoted(where)} of specs needs the other tables: make the repositories with db.repositories(module)`,
    );
  return target;
}

function entriesOf(options: unknown, path: readonly string[]): readonly (readonly [string, unknown])[] {
  const parts = readParts(options);
  if (parts !== undefined) return Object.entries(parts);
  const where = path.length === 0 ? "" : ` at ${quoted(path.join("."))}`;
  throw new DeclarationError(`relations of specs${where} must be an object, not ${describeType(options)}`);
}

function operatorsOf(operators: unknown, regex: boolean): ReadonlySet<string> | undefined {
  if (operators === undefined) return undefined;
  const allowed = new Set(listOf("operators", operators, isConditionOperator));
  for (const operator of allowed)
    if (isRegex(operator) && !regex)
      throw new DeclarationError(`operators of specs has ${operator}, which needs regex: true`);
  return allowed;
}

function aggregatesOf(aggregates: unknown): readonly AggregateFunction[] {
  if (aggregates === undefined || aggregates === true) return aggregateFunctions;
  if (aggregates === false) return [];
  return [...new Set(listOf("aggregates", aggregates, isAggregateFunction))];
}

const otherTests: ReadonlySet<unknown> = new Set(["IS NULL", "IS NOT NULL", "BETWEEN", "NOT BETWEEN"]);

function isConditionOperator(value: unknown): value is ConditionOperator {
  return isOperator(value) || otherTests.has(value);
}

function isAggregateFunction(value: unknown): value is AggregateFunction {
  return (aggregateFunctions as readonly unknown[]).includes(value);
}

/** Whether an operator takes a regular expression. */
export function isRegex(operator: unknown): operator is string {
  return typeof operator === "string" && operator.includes("~");
}

function listOf<T>(name: string, list: unknown, isOne: (item: unknown) => item is T): readonly T[] {
  if (!Array.isArray(list)) throw new DeclarationError(`${name} of specs is a list`);
  return itemsOf(list).map((item) => {
    if (isOne(item)) return item;
    throw new DeclarationError(`${name} of specs has ${quoted(item)}, which is none`);
  });
}

function checkCount(name: string, value: unknown, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most) return;
  throw new DeclarationError(`${name} of specs must be a whole number from 0 to ${most}`);
}

// The fields that a scope fixes are absent, and the message does not name them.
function unknownAmong(name: unknown, columns: readonly ColumnInfo[], { name: table }: AnyTable): string {
  const fields = listed(columns.map(({ property }) => property));
  return `unknown field ${quoted(name)} on table ${quoted(table)}; fields: ${fields}`;
}

function columnsOf(fields: unknown, table: AnyTable): readonly ColumnInfo[] {
  // For a client, the fields that a scope fixes do not exist.
  const { fixed } = table;
  const all = Object.values(table.columns)
    .filter(({ property }) => fixed?.has(property) !== true)
    .map((column) =>
      isReadOnly(column, table) === column.readOnly ? column : { ...column, readOnly: false },
    );
  if (fields === undefined) return all;
  if (!Array.isArray(fields)) throw new DeclarationError("fields of specs must be a list");
  for (const name of fields)
    if (typeof name !== "string" || table.columns[name] === undefined || fixed?.has(name) === true)
      throw new DeclarationError(unknownAmong(name, all, table));
  if (fields.length === 0) throw new DeclarationError("specs needs at least one allowed field");
  // In the order of the option.
  return [...new Set<string>(fields)].flatMap((name) => all.find(({ property }) => property === name) ?? []);
}
