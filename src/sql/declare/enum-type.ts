/** `enumType` declares an enum of the database's own, which PostgreSQL has: columns name it by their `type`. */
import { isList, quoted, safely } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { checkName, isText, readKnown } from "./checked.js";
import type { EnumType } from "./declaration.js";

// Enums of another copy of this package are recognised too.
const ENUM: unique symbol = Symbol.for("rowtype.enum");

/**
 * Declares an enum type. It may stand among the tables of `createTables` and `dropTables`; dialects without such types
 * leave it out.
 * @throws {DeclarationError} for members that are not different texts.
 * @example
 * import { z } from "zod";
 * import { column, enumType, table } from "rowtype";
 * const Mood = enumType("mood", ["sad", "happy"]);
 * const Person = table("people", z.object({ mood: column(z.enum(Mood.values), { type: { postgres: "mood" } }) }));
 */
export function enumType<const V extends string>(
  name: string,
  values: readonly [V, ...V[]],
  options: { readonly schema?: string } = {},
): EnumType<V> & { readonly values: readonly [V, ...V[]] } {
  checkName(name, "enum type");
  const { schema } = readKnown(options, ["schema"], "enum options");
  if (schema !== undefined) checkName(schema, "schema of enum type");
  if (!isList(values) || values.length === 0 || !values.every(isText) || new Set(values).size < values.length)
    throw new DeclarationError(`enum type ${quoted(name)} needs a list of different texts`);
  const [first, ...others] = values;
  const members: readonly [V, ...V[]] = [first, ...others];
  const declared = { name, namespace: schema, values: Object.freeze(members) };
  Object.defineProperty(declared, ENUM, { value: true });
  return Object.freeze(declared);
}

/** Whether `enumType()` made a value. */
export function isEnumType(value: unknown): value is EnumType {
  return typeof value === "object" && value !== null && safely(() => Reflect.get(value, ENUM) === true);
}
