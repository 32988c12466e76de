/** The `type` keyword of a schema: one name or a list of names, and functions that read it. */

import { describeType, safely } from "../core/errors.js";
import { invalidArgument } from "./source-text.js";

/**
 * The name of a JSON type.
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#name-type
 */
export type TypeName = "null" | "boolean" | "object" | "array" | "number" | "string" | "integer";

/** The value of `type`: one name, or several. A schema is nullable when `"null"` is among them. */
export type SchemaType = TypeName | TypeName[];

/** Makes a `SchemaType` and reads one, or `undefined`. A list of one name means the same as the name. */
export const SchemaType: {
  /** One name gives a string, several an array. */
  of(...names: [TypeName, ...TypeName[]]): SchemaType;
  /** Whether there is no type. */
  isEmpty(type: SchemaType | undefined): boolean;
  /** Whether there are several types; false for a list of one. */
  isArray(type: SchemaType | undefined): boolean;
  /** Whether `null` is among the types. */
  isNullable(type: SchemaType | undefined): boolean;
  /** Whether it contains the named type. */
  contains(type: SchemaType | undefined, name: TypeName): boolean;
  /** The first or only type; `""` without a type. */
  first(type: SchemaType | undefined): TypeName | "";
  /** All types, as a new list. */
  list(type: SchemaType | undefined): TypeName[];
} = {
  of: (...names) => (names.length === 1 ? names[0] : names),
  isEmpty: (type) => list(type).length === 0,
  isArray: (type) => list(type).length > 1,
  isNullable: (type) => list(type).includes("null"),
  contains: (type, name) => list(type).includes(name),
  first: (type) => list(type)[0] ?? "",
  list,
};

function list(type: SchemaType | undefined): TypeName[] {
  if (type === undefined) return [];
  if (typeof type === "string") return [type];
  if (safely(() => Array.isArray(type))) return [...type];
  throw invalidArgument(`a type is a name or a list of names, not ${describeType(type)}`);
}
