/** `one` and `many` declare relations of a table; `relationsOf` checks the parts of them that need no other table. */
import { describeType, isList, isReadable, listed, quoted, readParts } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { kinds } from "../words/kinds.js";
import { itemsOf } from "../words/lists.js";
import { isName } from "../words/names.js";
import {
  asList,
  type Many,
  type One,
  type Relation,
  type Relations,
  type Through,
  type Ways,
} from "../words/relations.js";
import { readKnown } from "./checked.js";
import type { AnyTable, ColumnInfo } from "./declaration.js";

/** Options of `one`. */
export interface OneOptions<Optional extends true = true, W extends string = string> {
  /** The field of the other table that is a key by itself, or the fields of a key in the order of ours; default its primary key. */
  readonly key?: string | readonly string[];
  /** Whether the row may be missing although our fields are not null: it is then a row or `null`. */
  readonly optional?: Optional;
  /** The rules of the other table that are not in force for this relation, by the names of filters and columns. */
  readonly without?: readonly W[];
}

/** Options of `many`. */
export interface ManyOptions {
  /** The fields of a key of ours, in the order of theirs; default our primary key. */
  readonly key?: string | readonly string[];
  /** The rules of the other table that are not in force for this relation, by the names of filters and columns. */
  readonly without?: readonly string[];
}

/** How a `many` leads through a table between. */
export interface ThroughOptions {
  /** The export that the table between is. It has a `one` to this table, and a `one` to the other. */
  readonly through: string;
  /** The relation of that table to this one; default its only one. */
  readonly from?: string;
  /** The relation of that table to the other one; default its only one. */
  readonly to?: string;
  /** The rules of the other table that are not in force for this relation, by the names of filters and columns. */
  readonly without?: readonly string[];
}

/**
 * Relates each row to one of another table: `fields` of this table, one or a list, hold its primary key, or another
 * declared key.
 * @param name the export that the other table is, in the module given to `db.repositories`.
 * @throws {DeclarationError} for what is not a name. The relation itself is checked by `table` and `db.repositories`.
 * @example
 * import { one, table } from "rowtype";
 * const orders = table("orders", z.object({ id: z.int(), customerId: z.int() }), {
 *   relations: { customer: one("customers", "customerId") },
 * });
 */
export function one<
  const To extends string,
  const F extends string,
  N extends true = never,
  const W extends string = never,
>(
  name: To,
  fields: F | readonly [F, ...F[]],
  options?: OneOptions<N, W>,
): One<To, F, N extends true ? null : never, NoInfer<W>> {
  checkTexts("one", name, fields);
  const { key, optional, without }: OneOptions<N, W> =
    options === undefined ? {} : readKnown(options, ["key", "optional", "without"], "the options of one()");
  checkKey("one", key);
  if (optional !== undefined && typeof optional !== "boolean")
    throw new DeclarationError(`optional of one() must be true, not ${describeType(optional)}`);
  // The option says what its type does.
  const absent = (optional === true ? null : undefined) as (N extends true ? null : never) | undefined;
  return frozen({ kind: "one", to: name, field: fields, key, absent, without: namesOf("one", without) });
}

/**
 * Relates each row to those of another table whose `fields` hold our primary key, or another declared key; or to those
 * that a table between leads to.
 * @param name the export that the other table is, in the module given to `db.repositories`.
 * @throws {DeclarationError} for what is not a name. The relation itself is checked by `table` and `db.repositories`.
 * @example
 * import { many, table } from "rowtype";
 * const customers = table("customers", z.object({ id: column(z.int(), { primaryKey: true }) }), {
 *   relations: { orders: many("orders", "customerId"), tags: many("tags", { through: "customerTags" }) },
 * });
 */
export function many<const To extends string, const F extends string>(
  name: To,
  fields: F | readonly [F, ...F[]],
  options?: ManyOptions,
): Many<To, F>;
export function many<const To extends string>(name: To, by: ThroughOptions): Through<To>;
export function many(
  name: string,
  by: string | readonly [string, ...string[]] | ThroughOptions,
  options?: ManyOptions,
): Many | Through {
  if (isThrough(by)) return through(name, by, options);
  checkTexts("many", name, by);
  const { key, without }: ManyOptions =
    options === undefined ? {} : readKnown(options, ["key", "without"], "the options of many()");
  checkKey("many", key);
  const field = by as string | readonly string[];
  return frozen({
    kind: "many",
    to: name,
    field,
    key,
    through: undefined,
    without: namesOf("many", without),
  });
}

function isThrough(by: string | readonly string[] | ThroughOptions): by is ThroughOptions {
  return typeof by === "object" && by !== null && !isList(by);
}

function through(name: string, by: ThroughOptions, more: unknown): Through {
  checkTexts("many", name, "by");
  if (more !== undefined)
    throw new DeclarationError(
      `many(${quoted(name)}, { through }) takes two arguments: give its options in the object that names through`,
    );
  const known = ["through", "from", "to", "without"];
  const { through: table, from, to, without } = readKnown(by, known, "the options of many()");
  for (const [option, given] of Object.entries({ through: table, from, to }))
    if (!isText(given) && (given !== undefined || option === "through"))
      throw new DeclarationError(
        `${option} of many(${quoted(name)}, …) must be a name, not ${describeType(given)}`,
      );
  const ways: Ways = Object.freeze({ table, from, to });
  const left = namesOf("many", without);
  return frozen({ kind: "many", to: name, field: undefined, key: undefined, through: ways, without: left });
}

/** The relation, with frozen copies of its lists. */
function frozen<R extends Relation>(relation: R): R {
  const copied = Object.entries(relation).map(([part, value]) => [
    part,
    isList(value) ? Object.freeze([...value]) : value,
  ]);
  return Object.freeze(Object.fromEntries(copied)) as R;
}

/**
 * The relations of a table as it declares them.
 * @throws {DeclarationError} for what is wrong whatever the other tables are.
 */
export function relationsOf(
  table: Pick<AnyTable, "name" | "columns" | "primaryKey">,
  given: unknown,
): Relations {
  // Without a prototype, so that a look-up by a foreign name finds only relations.
  const relations: Record<string, Relation> = Object.create(null);
  if (given === undefined) return Object.freeze(relations);
  const about = `the relations of table ${quoted(table.name)}`;
  const parts = readParts(given);
  if (parts === undefined)
    throw new DeclarationError(
      `${about} must be an object of one(…) and many(…), not ${describeType(given)}`,
    );
  const fields = new Set(Object.keys(table.columns).map((field) => field.toLowerCase()));
  for (const [name, held] of Object.entries(parts)) {
    const where = `relation ${quoted(name)} of table ${quoted(table.name)}`;
    if (!isName(name))
      throw new DeclarationError(`${where} cannot have that name: letters, digits and _, at most 63`);
    if (fields.has(name.toLowerCase()))
      throw new DeclarationError(`${where} cannot have that name: a field has it`);
    const value = readParts(held);
    if (!isRelation(value))
      throw new DeclarationError(`${where} must be one(…) or many(…), not ${describeType(held)}`);
    checkOwn(value, table, where);
    relations[name] = frozen(value);
  }
  return Object.freeze(relations);
}

/**
 * The field of a table that a relation names.
 * @throws {DeclarationError} with the list of its fields.
 */
export function fieldOf(
  field: string,
  { name, columns }: Pick<AnyTable, "name" | "columns">,
  where: string,
): ColumnInfo {
  const column = columns[field];
  if (column !== undefined) return column;
  throw new DeclarationError(
    `${where} names the field ${quoted(field)}, which table ${quoted(name)} does not have; fields: ${listed(Object.keys(columns))}`,
  );
}

/** The parts of a relation that need no other table. */
function checkOwn(
  relation: Relation,
  table: Pick<AnyTable, "name" | "columns" | "primaryKey">,
  where: string,
): void {
  if (relation.kind === "many" && relation.through !== undefined) return;
  const fields = asList(relation.field);
  const twice = fields.find((field, i) => fields.indexOf(field) !== i);
  if (twice !== undefined) throw new DeclarationError(`${where} names the field ${quoted(twice)} twice`);
  if (relation.kind === "one") {
    for (const field of fields) checkCompared(fieldOf(field, table, where), where);
    return;
  }
  const key = relation.key === undefined ? table.primaryKey : asList(relation.key);
  for (const field of key) fieldOf(field, table, where);
  if (key.length === fields.length) return;
  const count = fields.length === 1 ? "one field" : `${fields.length} fields`;
  throw new DeclarationError(
    relation.key === undefined
      ? `${where} is a many, so the table needs a primary key of ${count}`
      : `${where} names ${count}, and its key has ${key.length}`,
  );
}

function checkCompared({ property, kind }: ColumnInfo, where: string): void {
  if (kinds[kind].operators.some((operator) => operator === "=")) return;
  throw new DeclarationError(
    `${where} needs a field that can be compared, and ${quoted(property)} is ${kind}`,
  );
}

// Declarations of another copy of this package are relations too.
function isRelation(value: unknown): value is Relation {
  if (!isReadable(value)) return false;
  const { kind, to, field, key, through: ways, without }: Readonly<Record<string, unknown>> = { ...value };
  if (!isText(to) || !(key === undefined || isFields(key))) return false;
  if (without !== undefined && !isFields(without)) return false;
  if (kind === "many" && isReadable(ways)) return field === undefined && isText(Reflect.get(ways, "table"));
  return (kind === "one" || kind === "many") && ways === undefined && isFields(field);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A name, or a list of names. */
function isFields(value: unknown): value is string | readonly string[] {
  return isText(value) || (isList(value) && value.length > 0 && itemsOf(value).every(isText));
}

function checkTexts(taker: "one" | "many", name: unknown, fields: unknown): void {
  if (!isText(name))
    throw new DeclarationError(
      `${taker}() takes the name that a table is exported by, not ${describeType(name)}`,
    );
  if (isFields(fields)) return;
  const what = isList(fields)
    ? "takes names of fields, at least one"
    : `takes the name of a field, not ${describeType(fields)}`;
  throw new DeclarationError(`${taker}(${quoted(name)}, …) ${what}`);
}

function checkKey(taker: "one" | "many", key: unknown): void {
  if (key !== undefined && !isFields(key))
    throw new DeclarationError(
      `the key of ${taker}() must be the name of a field, or a list of them, not ${describeType(key)}`,
    );
}

function namesOf<W extends string>(
  taker: "one" | "many",
  without: readonly W[] | undefined,
): readonly W[] | undefined {
  if (without === undefined || (isList(without) && isFields(without))) return without;
  throw new DeclarationError(
    `without of ${taker}() must be a list of names of rules, not ${isList(without) ? "an empty one" : describeType(without)}`,
  );
}
