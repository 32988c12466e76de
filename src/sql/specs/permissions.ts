/** The permissions of clients on a table: the options of `specs()`, checked. */
import { describeType, isReadable, listed, quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { isOperator } from "../resolve/operators.js";
import { unknownField, type Visible } from "../resolve/scope.js";
import { DeclarationError } from "../words/errors.js";
import { type AggregateFunction, aggregateFunctions } from "../words/functions.js";
import type { NullTest, Operator, RangeTest } from "../words/operators.js";

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
}

/** The allowed operators of conditions in a spec. */
export type ConditionOperator = Operator | NullTest | RangeTest;

/** The checked options. */
export interface Permissions {
  readonly grammar: Grammar;
  readonly table: AnyTable;
  /** The columns that a client may name. */
  readonly columns: readonly ColumnInfo[];
  /** Their properties, if there are hidden ones. */
  readonly visible: Visible;
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
]);

/**
 * Checks the options of `specs()`.
 * @throws {DeclarationError} for an invalid option or an unknown field
 */
export function permissionsOf(table: AnyTable, grammar: Grammar, options: SpecOptions): Permissions {
  if (!isReadable(options))
    throw new DeclarationError(`the options of specs must be an object, not ${describeType(options)}`);
  for (const key of Object.keys(options))
    if (!known.has(key))
      throw new DeclarationError(`unknown option ${quoted(key)} of specs; options: ${listed(known)}`);
  const { fields, maxDepth = 8, maxConditions = 64, maxLimit, locks = false, regex = false } = options;
  const { defaultLimit = maxLimit } = options;
  checkCount("maxDepth", maxDepth, MAX_DEPTH);
  checkCount("maxConditions", maxConditions);
  if (maxLimit !== undefined) checkCount("maxLimit", maxLimit);
  if (defaultLimit !== undefined) checkCount("defaultLimit", defaultLimit, maxLimit);
  for (const [name, value] of Object.entries({ locks, regex }))
    if (typeof value !== "boolean") throw new DeclarationError(`${name} of specs must be a boolean`);
  const columns = columnsOf(fields, table);
  const hides = columns.length < Object.keys(table.columns).length;
  const visible = hides ? new Set(columns.map(({ property }) => property)) : undefined;
  return {
    grammar,
    table,
    columns,
    visible,
    maxDepth,
    maxConditions,
    maxLimit,
    defaultLimit,
    locks,
    regex,
    operators: operatorsOf(options.operators, regex),
    aggregates: aggregatesOf(options.aggregates),
  };
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
  // A copy: a hole becomes undefined, which is not an operator.
  return Array.from(list, (item: unknown) => {
    if (isOne(item)) return item;
    throw new DeclarationError(`${name} of specs has ${quoted(item)}, which is none`);
  });
}

function checkCount(name: string, value: unknown, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most) return;
  throw new DeclarationError(`${name} of specs must be a whole number from 0 to ${most}`);
}

function columnsOf(fields: unknown, table: AnyTable): readonly ColumnInfo[] {
  // What a scope fixes is not there for a client.
  const { fixed } = table;
  const all = Object.values(table.columns).filter(({ property }) => fixed?.has(property) !== true);
  if (fields === undefined) return all;
  if (!Array.isArray(fields)) throw new DeclarationError("fields of specs must be a list");
  for (const name of fields)
    if (typeof name !== "string" || table.columns[name] === undefined || fixed?.has(name) === true)
      throw new DeclarationError(unknownField(name, table));
  if (fields.length === 0) throw new DeclarationError("specs needs at least one allowed field");
  // In the order of the option.
  return [...new Set<string>(fields)].flatMap((name) => table.columns[name] ?? []);
}
