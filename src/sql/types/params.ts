/**
 * How a builder's type collects its parameters: as a union of `Param<name, type>`, which costs the compiler
 * little while a chain grows, and becomes the argument of `exec` only where `exec` is called.
 */
import type { ExecOptions } from "../words/options.js";
import type { SqlTypeError } from "./sentences.js";

/** Whether a parameter is required, optional, or a limit or offset that a later one replaces. */
export type Presence = "required" | "optional" | "limit" | "offset";

/** A parameter and the type of its value. An interface costs the compiler less than a tuple, and reads better. */
export interface Param<out Name extends string, out Type, out P extends Presence = "required"> {
  readonly name: Name;
  readonly type: Type;
  readonly presence: P;
}

declare const constant: unique symbol;

/** A value in the place of a parameter. `Constant<300>` serves where `Constant<number>` is asked. */
export interface Constant<out T> {
  readonly [constant]: T;
}

/** A value of a type as `value` keeps it: its lists cannot be changed. */
export type Kept<T> = T extends string | number | bigint | boolean | null | Date | Uint8Array
  ? T
  : T extends readonly (infer E)[]
    ? readonly Kept<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Kept<T[K]> }
      : T;

/** Ends an overload that takes a constant. Where none is given, an argument more is asked, so that it is out. */
export type OfConstants<C> = C extends Constant<unknown> ? never[] : [never];

/** The parameter of the end of a range that is a name; none of a constant. */
export type ParamOr<L, V> = L extends string ? Param<L, V> : never;

/** The same for a range: at least one of its ends is a constant. */
export type OfEnds<L> = [L] extends [string]
  ? [never]
  : [L] extends [string | Constant<unknown>]
    ? never[]
    : [never];

/** Any parameter. */
export type AnyParam = Param<string, unknown, Presence>;
/** A parameter that `exec` demands. */
export type RequiredParam = Param<string, unknown, "required" | "limit" | "offset">;
/** A parameter of `whereOptional`: its condition applies if it is given. */
export type OptionalParam = Param<string, unknown, "optional">;
/** A parameter that a later `limit` or `offset` replaces. */
export type PagingParam<P extends "limit" | "offset"> = Param<string, unknown, P>;

/** The parameters of a condition that counts only where all of them are given. */
export type OptionalOf<P> = P extends Param<infer N, infer T, Presence> ? Param<N, T, "optional"> : never;

/** The object that `exec` takes for the collected parameters. A name used twice has the intersection of its types. */
export type ParamsObject<P extends AnyParam> = [P] extends [RequiredParam]
  ? Merged<P>
  : WithOptional<Extract<P, RequiredParam>, Extract<P, OptionalParam>>;

/** The arguments before `options` of an executing method: none if there are no parameters. */
export type ParamsArgument<P extends AnyParam> = [P] extends [never]
  ? [params?: NoParams]
  : [P] extends [RequiredParam]
    ? [params: Merged<P>]
    : [Extract<P, RequiredParam>] extends [never]
      ? [params?: ParamsObject<P>]
      : [params: ParamsObject<P>];

/**
 * The last arguments of an executing method: parameters and options. Without parameters the options take their
 * place, or follow an empty object.
 */
export type ExecArguments<P extends AnyParam> = [P] extends [never]
  ? [params?: NoParams | ExecOptions, options?: ExecOptions]
  : [P] extends [RequiredParam]
    ? [params: Merged<P>, options?: ExecOptions]
    : [Extract<P, RequiredParam>] extends [never]
      ? [params?: ParamsObject<P>, options?: ExecOptions]
      : [params: ParamsObject<P>, options?: ExecOptions];

/** The argument of a builder without parameters, in their place. */
export type NoParams = Record<string, SqlTypeError<"this builder has no parameters">>;

// Two parameters of one name meet in one property as a union of functions, and inferring their parameter gives
// the intersection of the types; a union such as boolean stays whole on the way. `infer` in the last step makes
// the editor show the object that comes out instead of the names of these types.
type Merged<P extends AnyParam> = {
  [Each in P as Each["name"]]: Each extends unknown ? (type: Each["type"]) => void : never;
} extends infer Sinks
  ? { [Name in keyof Sinks]: Sinks[Name] extends (type: infer T) => void ? T : never }
  : never;

type WithOptional<Required extends AnyParam, Optional extends AnyParam> = Merged<Required> &
  Partial<Merged<Exclude<Optional, Param<Required["name"], unknown, "optional">>>> extends infer Both
  ? { [Name in keyof Both]: Both[Name] | (Name extends Required["name"] ? never : undefined) }
  : never;
