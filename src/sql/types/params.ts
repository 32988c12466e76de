/**
 * How a builder's type collects its parameters: a union of `[name, type]` pairs, which costs the compiler next
 * to nothing while a chain grows, and becomes the object that `exec` takes only where `exec` is called.
 */

import type { SqlTypeError } from "./sentences.js";

/** A parameter and the type of its value; a third member marks one that may be left out. */
export type Param = RequiredParam | OptionalParam;
export type RequiredParam = readonly [name: string, type: unknown] | PagingParam<"limit" | "offset">;
/** A parameter that a later `limit` or `offset` takes the place of. */
export type PagingParam<Part> = readonly [name: string, type: unknown, part: Part];
export type OptionalParam = readonly [name: string, type: unknown, presence: "optional"];

/** The object that `exec` takes for the collected pairs. A name used twice has the intersection of its types. */
export type ParamsObject<P extends Param> = [P] extends [RequiredParam]
  ? Merged<P>
  : WithOptional<Extract<P, RequiredParam>, Extract<P, OptionalParam>>;

/** The arguments before `options` of an executing method: none where there are no parameters. */
export type ParamsArgument<P extends Param> = [P] extends [never]
  ? [params?: NoParams]
  : [P] extends [RequiredParam]
    ? [params: Merged<P>]
    : [Extract<P, RequiredParam>] extends [never]
      ? [params?: ParamsObject<P>]
      : [params: ParamsObject<P>];

/** What a builder without parameters takes in their place. */
export type NoParams = Readonly<Record<string, SqlTypeError<"this builder has no parameters">>>;

// Two pairs of one name meet in one property as a union of functions, and inferring their parameter gives the
// intersection of the types; a union such as boolean stays whole on the way. `infer` in the last step makes the
// editor show the object that comes out instead of the names of these types.
type Merged<P extends Param> = {
  [Pair in P as Pair[0]]: Pair extends unknown ? (type: Pair[1]) => void : never;
} extends infer Sinks
  ? { readonly [Name in keyof Sinks]: Sinks[Name] extends (type: infer T) => void ? T : never }
  : never;

type WithOptional<Required extends Param, Optional extends Param> = Merged<Required> &
  Partial<Merged<Exclude<Optional, readonly [Required[0], ...unknown[]]>>> extends infer Both
  ? { readonly [Name in keyof Both]: Both[Name] | (Name extends Required[0] ? never : undefined) }
  : never;
