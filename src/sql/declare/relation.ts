/** `one` and `many` declare relations of a table; `relationsOf` checks the parts of them that need no other table. */
import { describeType, isReadable, listed, quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { kinds } from "../words/kinds.js";
import { isName } from "../words/names.js";
import type { Many, One, Relation, Relations } from "../words/relations.js";
import { checkKeys } from "./checked.js";
import type { AnyTable, ColumnInfo } from "./declaration.js";

/** Options of `one`. */
export interface OneOptions {
  /** The field of the other table that is a key by itself; default its primary key. */
  readonly key?: string;
}

/**
 * Relates each row to one of another table: `field` of this table holds its primary key, or another declared key.
 * @param name the export that the other table is, in the module given to `db.repositories`.
 * @throws {DeclarationError} for what is not a name. The relation itself is checked by `table` and `db.repositories`.
 * @example
 * import { one, table } from "rowtype";
 * const orders = table("orders", z.object({ id: z.int(), customerId: z.int() }), {
 *   relations: { customer: one("customers", "customerId") },
 * });
 */
export function one<const To extends string, const F extends string>(
  name: To,
  field: F,
  options?: OneOptions,
): One<To, F> {
  checkTexts("one", name, field);
  if (options !== undefined) checkKeys(options, ["key"], "the options of one()");
  const key = options?.key;
  if (key !== undefined && !isText(key))
    throw new DeclarationError(`the key of one() must be the name of a field, not ${describeType(key)}`);
  return Object.freeze<One<To, F>>({ kind: "one", to: name, field, key });
}

/**
 * Relates each row to those of another table whose `field` holds our primary key.
 * @param name the export that the other table is, in the module given to `db.repositories`.
 * @throws {DeclarationError} for what is not a name. The relation itself is checked by `table` and `db.repositories`.
 * @example
 * import { many, table } from "rowtype";
 * const customers = table("customers", z.object({ id: column(z.int(), { primaryKey: true }) }), {
 *   relations: { orders: many("orders", "customerId") },
 * });
 */
export function many<const To extends string, const F extends string>(name: To, field: F): Many<To, F> {
  checkTexts("many", name, field);
  return Object.freeze<Many<To, F>>({ kind: "many", to: name, field, key: undefined });
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
  if (!isReadable(given) || Array.isArray(given))
    throw new DeclarationError(
      `${about} must be an object of one(…) and many(…), not ${describeType(given)}`,
    );
  const fields = new Set(Object.keys(table.columns).map((field) => field.toLowerCase()));
  for (const [name, value] of Object.entries(given)) {
    const where = `relation ${quoted(name)} of table ${quoted(table.name)}`;
    if (!isName(name))
      throw new DeclarationError(`${where} cannot have that name: letters, digits and _, at most 63`);
    if (fields.has(name.toLowerCase()))
      throw new DeclarationError(`${where} cannot have that name: a field has it`);
    if (!isRelation(value))
      throw new DeclarationError(`${where} must be one(…) or many(…), not ${describeType(value)}`);
    const { kind, to, field, key } = value;
    if (kind === "one") checkCompared(fieldOf(field, table, where), where);
    else if (table.primaryKey.length !== 1)
      throw new DeclarationError(`${where} is a many, so the table needs a primary key of one field`);
    relations[name] = Object.freeze(
      kind === "one" ? { kind, to, field, key } : { kind, to, field, key: undefined },
    );
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

function checkCompared({ property, kind }: ColumnInfo, where: string): void {
  if (kinds[kind].operators.some((operator) => operator === "=")) return;
  throw new DeclarationError(
    `${where} needs a field that can be compared, and ${quoted(property)} is ${kind}`,
  );
}

// Declarations of another copy of this package are relations too.
function isRelation(value: unknown): value is Relation {
  if (!isReadable(value)) return false;
  const { kind, to, field, key }: Partial<Record<keyof Relation, unknown>> = value;
  if (!isText(to) || !isText(field)) return false;
  return kind === "one" ? key === undefined || isText(key) : kind === "many" && key === undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function checkTexts(taker: "one" | "many", name: unknown, field: unknown): void {
  if (!isText(name))
    throw new DeclarationError(
      `${taker}() takes the name that a table is exported by, not ${describeType(name)}`,
    );
  if (!isText(field))
    throw new DeclarationError(
      `${taker}(${quoted(name)}, …) takes the name of a field, not ${describeType(field)}`,
    );
}
