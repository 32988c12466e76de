/**
 * `column` marks a Zod schema with what the database must know of it; `json` and `vector` make schemas of
 * their own kinds. The mark is kept beside the schema, not on it, and is read through whatever is chained on.
 */
import * as z from "zod";
import type { $ZodType } from "zod/v4/core";
import { describeType, isReadable, listed, quoted, safely } from "../../core/errors.js";
import { innerOf, isZod4 } from "../../schema/inspect.js";
import type { Column } from "../types/model.js";
import { DeclarationError } from "../words/errors.js";
import type { ByDialect, ColumnMeta } from "./declaration.js";

type GeneratedTrait<Generated> = Generated extends true
  ? "generated"
  : Generated extends "byDefault"
    ? "byDefault"
    : never;
type DefaultTrait<Default> = Default extends undefined ? never : "default";
type KeyTrait<Primary, Unique> = Primary extends true ? "key" : Unique extends true ? "key" : never;

/** What is known of a marked schema: the user's metadata, and what `json` and `vector` add. */
export interface Mark extends ColumnMeta {
  readonly kind?: "json" | "vector";
  readonly dimensions?: number;
}

const marks = new WeakMap<$ZodType, Mark>();

/**
 * Marks a Zod schema as a column with metadata. Gives a copy of the same type; the schema given stays unmarked.
 * @throws {DeclarationError} on an unknown key of `meta` or a value of the wrong type.
 * @example
 * import { column } from "rowtype";
 * const email = column(z.email(), { name: "email_address", unique: true });
 */
export function column<
  S extends $ZodType,
  Generated extends boolean | "byDefault" = false,
  Default extends ByDialect | undefined = undefined,
  Primary extends boolean = false,
  Unique extends boolean = false,
>(
  schema: S,
  meta: ColumnMeta<Generated, Default, Primary, Unique>,
): S & Column<GeneratedTrait<Generated> | DefaultTrait<Default> | KeyTrait<Primary, Unique>> {
  if (!isZod4(schema)) throw new DeclarationError("column needs a Zod 4 schema");
  checkMeta(meta);
  return marked(schema, { ...markOf(schema), ...meta }) as ReturnType<
    typeof column<S, Generated, Default, Primary, Unique>
  >;
}

/**
 * A column that stores any Zod-typed value as JSON.
 * @example
 * import { json } from "rowtype";
 * const settings = json(z.object({ theme: z.string(), tags: z.array(z.string()) }));
 */
export function json<S extends $ZodType>(schema: S): S & Column<"json"> {
  if (!isZod4(schema)) throw new DeclarationError("json needs a Zod 4 schema");
  return marked(schema, { ...markOf(schema), kind: "json" }) as S & Column<"json">;
}

/**
 * A column of vectors with `dimensions` numbers, of SQL type `vector(dimensions)`.
 * @throws {DeclarationError} when `dimensions` is not a whole number from 1 to 16,000 (the limit of pgvector).
 */
export function vector(dimensions: number): z.ZodArray<z.ZodNumber> & Column<"vector"> {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 16_000)
    throw new DeclarationError("vector needs a whole number of dimensions from 1 to 16000");
  const schema = z.array(z.number()).length(dimensions);
  return marked(schema, { kind: "vector", dimensions }) as typeof schema & Column<"vector">;
}

/** The mark of a schema, found through what was chained on it; empty where there is none. */
export function markOf(schema: $ZodType): Mark {
  for (let at: $ZodType | undefined = schema; at !== undefined; at = beneath(at)) {
    const mark = marks.get(at);
    if (mark !== undefined) return mark;
  }
  return {};
}

// The clone gets the mark; the casts of the callers add the type that says so.
function marked(schema: $ZodType, mark: Mark): $ZodType {
  const copy = z.clone(schema);
  marks.set(copy, Object.freeze(mark));
  return copy;
}

// `.describe()`, `.min()`, `.refine()` make a copy that knows its parent; `.nullable()`, `.default()` wrap.
function beneath(schema: $ZodType): $ZodType | undefined {
  return schema._zod.parent ?? innerOf(schema);
}

// What no server can be sent.
const written = (value: unknown): value is string =>
  typeof value === "string" && !value.includes("\0") && value.isWellFormed();
const textOrMap = (value: unknown): boolean =>
  written(value) ||
  (typeof value === "object" &&
    value !== null &&
    safely(() =>
      Object.entries(value).every(
        ([dialect, text]) => /^(postgres|mariadb|sqlite|oracle)$/.test(dialect) && written(text),
      ),
    ));
const flag = (value: unknown): boolean => typeof value === "boolean";
const text = (value: unknown): boolean => written(value) && value !== "";

const metaKeys: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["name", text],
  ["type", textOrMap],
  ["primaryKey", flag],
  ["generated", (value: unknown) => flag(value) || value === "byDefault"],
  ["unique", flag],
  ["default", textOrMap],
  ["check", textOrMap],
  ["index", (value: unknown) => flag(value) || text(value)],
  ["references", (value: unknown) => text(value) || typeof value === "function"],
  ["constraints", text],
]);

function checkMeta(meta: unknown): void {
  checkKeys(meta, [...metaKeys.keys()], "column metadata");
  for (const [key, value] of Object.entries(meta))
    if (value !== undefined && metaKeys.get(key)?.(value) !== true)
      throw new DeclarationError(`column metadata ${quoted(key)} has a value of the wrong type`);
}

/**
 * Refuses what is no object, and keys that it does not know.
 * @throws {DeclarationError} with the list of the keys.
 */
export function checkKeys(value: unknown, keys: readonly string[], what: string): asserts value is object {
  if (!isReadable(value)) throw new DeclarationError(`${what} must be an object, not ${describeType(value)}`);
  for (const key of Object.keys(value))
    if (!keys.includes(key))
      throw new DeclarationError(`unknown key ${quoted(key)} of ${what}; keys: ${listed(keys)}`);
}
