/** Parameters of a query that are written in a style of their own: lists in one text, objects by their fields, JSON. */
import { z } from "zod";
import { DeclarationError, isReadable, quoted } from "../../core/errors.js";
import { isZod4, peel } from "../../schema/inspect.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isSchema } from "./any-schema.js";
import { isKind, kindInside, kindOf, misplaced, type ParameterShape } from "./kind.js";
import type { Carried, InputOf, OutputOf, SchemaLike, ValuesOf } from "./schema-types.js";
import { readShape } from "./shape.js";

/** A parameter of a query, in the place of its schema. */
export interface QueryStyle<out Input = unknown, out Output = unknown> {
  readonly _zod: { readonly input: Input; readonly output: Output };
  readonly "~style": true;
}

/**
 * A list in one text: `?ids=1,2`. A comma inside an item is percent-encoded.
 * @throws DeclarationError for what is no list of values that text can carry
 * @example
 * import { commaSeparated, GET } from "rowtype/http";
 * import { z } from "zod";
 * const some = GET("/users", { query: { ids: commaSeparated(z.array(z.int())) } }, ({ params }) => params.query.ids);
 */
export function commaSeparated<S extends SchemaLike>(list: S): QueryStyle<InputOf<S>, OutputOf<S>> {
  const schema = schemaOf("commaSeparated", list);
  if (readerOf(schema).textReader()?.many !== true)
    throw new DeclarationError("commaSeparated() takes the schema of a list of values that text can carry");
  return kindOf({ name: "commaSeparated", schema });
}

/**
 * An object of one level by the names of its fields: `?price[min]=1&price[max]=5`.
 * @param fields a shape of schemas, or a Zod object, which may be optional.
 * @throws DeclarationError for a field that text cannot carry
 */
export function deepObject<S extends SchemaLike>(fields: S): QueryStyle<InputOf<S>, OutputOf<S>>;
export function deepObject<F extends { readonly [name: string]: SchemaLike }>(
  fields: F & Carried<F>,
): QueryStyle<FieldInputs<F>, ValuesOf<F>>;
export function deepObject(fields: unknown): QueryStyle {
  const refuse = (problem: string): never => {
    throw new DeclarationError(`deepObject(): ${problem}`);
  };
  const schema = isSchema(fields) ? schemaOf("deepObject", fields) : objectOf(fields, refuse);
  const shape: ParameterShape = readShape(inner(schema), refuse, {
    of: "the object",
    one: "field",
    isOpen: false,
  });
  return kindOf({ name: "deepObject", schema, shape });
}

/** Fields as a client gives them; the object may be left out where each of them may. */
type FieldInputs<F> = Record<never, never> extends Fields<F> ? Fields<F> | undefined : Fields<F>;

type Fields<F> = {
  readonly [Name in keyof F as undefined extends InputOf<F[Name]> ? never : Name]: InputOf<F[Name]>;
} & {
  readonly [Name in keyof F as undefined extends InputOf<F[Name]> ? Name : never]?:
    | InputOf<F[Name]>
    | undefined;
};

/**
 * A value as JSON: `?filter={"a":[1]}`, percent-encoded. It has the wire form of bodies.
 * @throws DeclarationError for what is no schema
 */
export function jsonParameter<S extends SchemaLike>(value: S): QueryStyle<InputOf<S>, OutputOf<S>> {
  return kindOf({ name: "jsonParameter", schema: schemaOf("jsonParameter", value) });
}

function schemaOf(of: string, given: unknown): AnySchema {
  if (isKind(given)) throw new DeclarationError(misplaced(given, `inside ${of}()`));
  if (!isSchema(given)) throw new DeclarationError(`${of}() takes a Zod schema`);
  const inside = kindInside(given);
  if (inside !== undefined) throw new DeclarationError(misplaced(inside, `inside ${of}()`));
  return given;
}

function objectOf(fields: unknown, refuse: (problem: string) => never): AnySchema {
  if (!isReadable(fields) || Array.isArray(fields))
    return refuse("it takes schemas by name, or a Zod object");
  for (const [name, field] of Object.entries(fields)) {
    if (isKind(field)) refuse(`field ${quoted(name)}: ${misplaced(field, "inside deepObject()")}`);
    if (!isZod4(field))
      refuse(`field ${quoted(name)} is no schema of Zod 4; fields of Zod 3 are given as an object`);
  }
  // Each was checked above.
  return z.object(fields as Record<string, z.ZodType>);
}

/** The object of an optional one. */
function inner(schema: AnySchema): AnySchema {
  if (isZod4(schema)) return peel(schema).inner;
  const def: unknown = Reflect.get(schema, "_def");
  const within: unknown = isReadable(def) && "innerType" in def ? def.innerType : undefined;
  return isSchema(within) ? inner(within) : schema;
}
