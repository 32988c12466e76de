/**
 * Zod schemas as constraints: a few members, because to compare a schema with Zod's own type costs the compiler all of its
 * methods. An editor pays that after each edit.
 */
import type { $ZodLooseShape } from "zod/v4/core";

/**
 * The constraint of every type that takes columns, as in Zod itself: what is a schema, `table` has checked. To compare
 * a schema with Zod's own type costs the compiler all of its methods.
 */
export type AnyShape = Readonly<$ZodLooseShape>;

/** A Zod schema as the types of columns see it. */
export interface ColumnSchema {
  readonly _zod: { readonly output: unknown; readonly def: object; readonly optin?: string | undefined };
}

/** Any Zod schema, told by one member. */
export interface SomeSchema {
  readonly _zod: object;
}

/** What `table` takes as columns. */
export type Schemas = Readonly<Record<string, SomeSchema>>;

/** A Zod object of columns, told by two members. */
export interface ObjectSchema<out S> {
  readonly shape: S;
  readonly _zod: { readonly def: { readonly type: "object" } };
}
