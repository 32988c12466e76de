/**
 * `column` attaches database metadata to a Zod schema; `json` and `vector` make schemas of their own kinds. The
 * metadata ("mark") is stored separately from the schema, not on it, and is found through chained methods.
 */

import type { ZodArray, ZodCustomStringFormat, ZodNumber } from "zod";
import * as z from "zod";
import { type $ZodType, globalRegistry } from "zod/v4/core";
import { canonicalDecimal, decimalPattern } from "../../schema/decimal.js";
import { innerOf, isZod4 } from "../../schema/inspect.js";
import type { Column, SomeSchema } from "../types/model.js";
import { DeclarationError } from "../words/errors.js";
import type { MarkedKind } from "../words/kinds.js";
import { mergedMeta } from "./column-meta.js";
import type { AnyTable, Auto, ByDialect, CheckedMeta, ColumnMeta, Storage } from "./declaration.js";

type GeneratedTrait<Generated> = Generated extends true
  ? "generated"
  : Generated extends "byDefault"
    ? "byDefault"
    : never;
// The compiler treats what the database computes, or only a trigger or a rule sets, as it treats what it generates.
type ReadOnlyTrait<Computed, ReadOnly> =
  | (Computed extends undefined ? never : "generated")
  | (ReadOnly extends true ? "generated" : ReadOnly extends Auto ? "generated" | ReadOnly : never);
type DefaultTrait<Default> = Default extends undefined ? never : "default";
type KeyTrait<Primary, Unique> = Primary extends true ? "key" : Unique extends true ? "key" : never;

/** The metadata of a marked schema: the user's, and the storage of a kind that a mark declares. */
export interface Mark extends CheckedMeta {
  readonly storage?: Storage & { readonly kind: MarkedKind };
}

const marks = new WeakMap<$ZodType, Mark>();

/**
 * Attaches column metadata to a Zod schema. Returns a copy of the same type; the given schema stays unmarked.
 * @throws {DeclarationError} for an unknown key of `meta`, or a value of the wrong type.
 * @example
 * import { column } from "rowtype";
 * const email = column(z.email(), { name: "email_address", unique: true });
 */
export function column<
  S extends SomeSchema,
  Generated extends boolean | "byDefault" = false,
  Default extends ByDialect | undefined = undefined,
  Primary extends boolean = false,
  Unique extends boolean = false,
  Computed extends ByDialect | undefined = undefined,
  ReadOnly extends boolean | Auto = false,
  Refers extends string | (() => AnyTable) | undefined = undefined,
>(
  schema: S,
  meta: ColumnMeta<Generated, Default, Primary, Unique, Computed, ReadOnly, Refers, S>,
): S &
  Column<
    | GeneratedTrait<Generated>
    | ReadOnlyTrait<Computed, ReadOnly>
    | DefaultTrait<Default>
    | KeyTrait<Primary, Unique>
  > {
  if (!isZod4(schema)) throw new DeclarationError("column needs a Zod 4 schema");
  const mark = mergedMeta<Mark>(markOf(schema), meta);
  const copy = marked(schema, mark);
  describe(copy, mark.comment);
  // The copy has the methods of the schema; the mark is a type only.
  return copy as unknown as ReturnType<
    typeof column<S, Generated, Default, Primary, Unique, Computed, ReadOnly, Refers>
  >;
}

/**
 * A column that stores any Zod-typed value as JSON.
 * @example
 * import { json } from "rowtype";
 * const settings = json(z.object({ theme: z.string(), tags: z.array(z.string()) }));
 */
export function json<S extends SomeSchema>(schema: S): S & Column<"json"> {
  if (!isZod4(schema)) throw new DeclarationError("json needs a Zod 4 schema");
  return marked(schema, { ...markOf(schema), storage: { kind: "json" } }) as unknown as S & Column<"json">;
}

/**
 * A column of vectors with `dimensions` numbers, of SQL type `vector(dimensions)`.
 * @throws {DeclarationError} if `dimensions` is not a whole number from 1 to 16,000 (the limit of pgvector).
 */
export function vector(dimensions: number): ZodArray<ZodNumber> & Column<"vector"> {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 16_000)
    throw new DeclarationError("vector needs a whole number of dimensions from 1 to 16000");
  const schema = z.array(z.number()).length(dimensions);
  return marked(schema, { storage: { kind: "vector", dimensions } }) as typeof schema & Column<"vector">;
}

/**
 * The Zod schema of an exact decimal: text of digits, in rows always with `scale` digits after the point. It is stored
 * as `numeric(precision, scale)`, and compared, ordered and summed exactly.
 * @param precision all digits, from 1 to 38; SQLite has up to 18.
 * @param scale those after the point, from 0 to `precision`.
 * @throws {DeclarationError} for other numbers of digits.
 * @example
 * import { decimal, table } from "rowtype";
 * const Item = table("items", z.object({ price: decimal(10, 2) }));
 */
export function decimal(
  precision: number,
  scale: number,
): ZodCustomStringFormat<"decimal"> & Column<"decimal"> {
  if (!Number.isInteger(precision) || precision < 1 || precision > MOST_DIGITS)
    throw new DeclarationError(`decimal needs a whole number of digits from 1 to ${MOST_DIGITS}`);
  if (!Number.isInteger(scale) || scale < 0 || scale > precision)
    throw new DeclarationError("decimal needs a scale from 0 to its number of digits");
  const digits = { precision, scale };
  const schema = z
    .stringFormat("decimal", decimalPattern(digits), {
      error: `a decimal of at most ${precision} digits, ${scale} of them after the point`,
    })
    .overwrite((text) => canonicalDecimal(text, digits) ?? text);
  return marked(schema, { storage: { kind: "decimal", ...digits } }) as typeof schema & Column<"decimal">;
}

// The most that every server has.
const MOST_DIGITS = 38;

/** The mark of a schema, found through chained methods; empty if there is none. */
export function markOf(schema: $ZodType): Mark {
  for (let at: $ZodType | undefined = schema; at !== undefined; at = parentOf(at)) {
    const mark = marks.get(at);
    if (mark !== undefined) return mark;
  }
  return {};
}

// The clone gets the mark; the callers' casts add it to the type.
function marked(schema: $ZodType, mark: Mark): $ZodType {
  const copy = z.clone(schema);
  marks.set(copy, Object.freeze(mark));
  return copy;
}

// `.describe()`, `.min()`, `.refine()` make a copy that knows its parent; `.nullable()`, `.default()` wrap the
// schema.
function parentOf(schema: $ZodType): $ZodType | undefined {
  return schema._zod.parent ?? innerOf(schema);
}

/** A comment becomes the description of a schema that has none: this very object, nothing that is derived from. */
export function describe(schema: $ZodType, comment: string | undefined): void {
  const known = globalRegistry.get(schema);
  if (comment === undefined || known?.description !== undefined) return;
  globalRegistry.add(schema, { ...globalRegistry._map.get(schema), description: comment });
}
