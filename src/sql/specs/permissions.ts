/** What clients may ask of a table: the options of `specs()`, checked. */
import { describeType, isReadable, listed, quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { unknownField, type Visible } from "../resolve/scope.js";
import { DeclarationError } from "../words/errors.js";

/** What a client may ask for. */
export interface SpecOptions<F extends string = string> {
  /** The fields that it may name; all when left out. */
  readonly fields?: readonly F[] | undefined;
  /** How deep groups nest; a group is one level. Default 8, at most 100. */
  readonly maxDepth?: number | undefined;
  /** How many conditions there may be in the whole spec, those in groups and of `having` included. Default 64. */
  readonly maxConditions?: number | undefined;
  /**
   * The largest limit, and the one used when none is given unless `defaultLimit` says another. A parameter of the
   * limit that is greater stands for this one.
   */
  readonly maxLimit?: number | undefined;
  readonly defaultLimit?: number | undefined;
  /** Allows row locks. Default false: a client could hold rows for as long as it likes. */
  readonly locks?: boolean | undefined;
  /** Allows the regular expression operators. Default false: a pattern can be made to run for hours. */
  readonly regex?: boolean | undefined;
}

/** The checked options. */
export interface Permissions {
  readonly grammar: Grammar;
  readonly table: AnyTable;
  /** The columns that a client may name. */
  readonly columns: readonly ColumnInfo[];
  /** Their properties, where there are others. */
  readonly visible: Visible;
  readonly maxDepth: number;
  readonly maxConditions: number;
  readonly maxLimit: number | undefined;
  readonly defaultLimit: number | undefined;
  readonly locks: boolean;
  readonly regex: boolean;
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
]);

/** Checks the options of `specs()`. @throws {DeclarationError} for one that is none, or a field that is none */
export function permissionsOf(table: AnyTable, grammar: Grammar, options: SpecOptions): Permissions {
  if (!isReadable(options))
    throw new DeclarationError(`the options of specs are an object, not ${describeType(options)}`);
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
    if (typeof value !== "boolean") throw new DeclarationError(`${name} of specs is a boolean`);
  const columns = columnsOf(fields, table);
  const hides = columns.length < Object.keys(table.columns).length;
  const visible = hides ? new Set(columns.map(({ property }) => property)) : undefined;
  return { grammar, table, columns, visible, maxDepth, maxConditions, maxLimit, defaultLimit, locks, regex };
}

function checkCount(name: string, value: unknown, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most) return;
  throw new DeclarationError(`${name} of specs is a whole number from 0 to ${most}`);
}

function columnsOf(fields: unknown, table: AnyTable): readonly ColumnInfo[] {
  const all = Object.values(table.columns);
  if (fields === undefined) return all;
  if (!Array.isArray(fields)) throw new DeclarationError("fields of specs is a list");
  for (const name of fields)
    if (typeof name !== "string" || table.columns[name] === undefined)
      throw new DeclarationError(unknownField(name, table));
  if (fields.length === 0) throw new DeclarationError("specs needs at least one allowed field");
  // In the order in which they are allowed.
  return [...new Set<string>(fields)].flatMap((name) => table.columns[name] ?? []);
}
