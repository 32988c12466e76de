/**
 * The types of paths into JSON: what a path asks of each place on its way, and what stands at its end. Places are
 * known to the fifth step; beyond, values are `unknown`.
 */
import type { Dialect } from "../words/dialect.js";
import type { NeedsByKind } from "../words/kinds.js";
import type { NullTest, OperatorsByDialect } from "../words/operators.js";
import type { AnyModel } from "./model.js";
import type { SqlTypeError } from "./sentences.js";

/** A place in a JSON column, as a result. */
export interface At<out F, out K extends readonly unknown[]> {
  readonly json: F;
  readonly keys: K;
}

/** A step of a path, and the requirements after it. */
export interface Step<out K, out Then> {
  readonly key: K;
  readonly then: Then;
}

/** The requirements of a path on its column: its steps, and an operator or a need at their end. */
type Ask<K extends readonly unknown[], O> = K extends readonly [infer A]
  ? Step<A, O>
  : K extends readonly [infer A, infer B]
    ? Step<A, Step<B, O>>
    : K extends readonly [infer A, infer B, infer C]
      ? Step<A, Step<B, Step<C, O>>>
      : K extends readonly [infer A, infer B, infer C, infer D]
        ? Step<A, Step<B, Step<C, Step<D, O>>>>
        : K extends readonly [infer A, infer B, infer C, infer D, infer E]
          ? Step<A, Step<B, Step<C, Step<D, Step<E, O>>>>>
          : K extends readonly [infer A, infer B, infer C, infer D, infer E, ...unknown[]]
            ? Step<A, Step<B, Step<C, Step<D, Step<E, "a value">>>>>
            : Step<PathKeyOf<K>, O>;
type PathKeyOf<K extends readonly unknown[]> = K[number];

/** The requirements of a path on its column, as a leaf of an expression. */
export interface PathLeaf<out A> {
  readonly paths: A;
}

/** The leaf of a path into a field. */
export type PathInto<F extends string, K extends readonly unknown[], O> = PathLeaf<{
  readonly [P in F]: Ask<K, O>;
}>;

/** The leaves of paths that fit a table. An interface: the places are worked out only where a path is used. */
export interface PathLeaves<M extends AnyModel> {
  readonly paths: { readonly [F in M["field"]]?: PlacesOf<M, F> };
}

// Only JSON and vectors have no operators; the run time refuses vectors.
type PlacesOf<M extends AnyModel, F extends M["field"]> = [M["columns"][F]["operators"]] extends [never]
  ? Places<M["columns"][F]["type"], M["dialect"]>
  : never;

/** A place: an interface, so that the places after it are worked out only where a path goes on. */
export interface Place<out K, V, D extends Dialect> {
  readonly key: K;
  readonly then: Tests<Present<V>, D> | Places<V, D>;
}

type Places<V, D extends Dialect> = unknown extends V
  ? Place<string | number, unknown, D>
  : V extends Scalar | null | undefined
    ? never
    : V extends readonly unknown[]
      ? number extends V["length"]
        ? Place<number, V[number], D>
        : TuplePlaces<V, D>
      : { [K in keyof V & string]-?: Place<K, V[K], D> }[keyof V & string];
type TuplePlaces<V extends readonly unknown[], D extends Dialect> = {
  [I in keyof V]-?: I extends `${infer N extends number}` ? Place<N, V[I], D> : never;
}[number];

type Scalar = string | number | bigint | boolean | Date | Uint8Array;
type Present<V> = Exclude<V, null | undefined>;
type Tests<V, D extends Dialect> =
  | OperatorsByDialect<D>[KindOfMember<V>]
  | NeedsByKind[KindOfMember<V>]
  | NullTest
  | "a value";
type KindOfMember<V> = unknown extends V
  ? "json"
  : [V] extends [never]
    ? "json"
    : [V] extends [string]
      ? "text"
      : [V] extends [number]
        ? "number"
        : [V] extends [boolean]
          ? "boolean"
          : "json";

/** The value at the end of a path into values `V`; null where it can be absent. */
export type ValueAt<V, K extends readonly unknown[]> = K extends readonly [infer A]
  ? Ended<StepInto<V, A>>
  : K extends readonly [infer A, ...infer Rest]
    ? K extends readonly [unknown, unknown, unknown, unknown, unknown, unknown, ...unknown[]]
      ? unknown
      : ValueAt<StepInto<V, A>, Rest>
    : unknown;
type Ended<V> = unknown extends V ? unknown : V extends undefined ? null : V;
type StepInto<V, K> = unknown extends V
  ? unknown
  : V extends Scalar | null | undefined
    ? null
    : V extends readonly unknown[]
      ? K extends number
        ? number extends V["length"]
          ? V[number] | null
          : Item<V, `${K}`>
        : null
      : K extends keyof V
        ? string extends keyof V
          ? V[K] | null
          : V[K]
        : null;
type Item<V extends readonly unknown[], I> = I extends keyof V ? V[I] : null;

/** The steps of `setPath` in a table, or a sentence. */
export type Reaching<M extends AnyModel, F extends M["field"], K extends readonly unknown[]> =
  PathInto<F, K, "a value"> extends PathLeaves<M> ? unknown : SqlTypeError<`no such member of ${F}`>;

/** The value that `setPath` takes: that of the member's schema, without what is absent. */
export type SettableAt<V, K extends readonly unknown[]> = K extends readonly [infer A]
  ? Exclude<Own<V, A>, undefined>
  : K extends readonly [infer A, ...infer Rest]
    ? K extends readonly [unknown, unknown, unknown, unknown, unknown, unknown, ...unknown[]]
      ? unknown
      : SettableAt<Own<V, A>, Rest>
    : unknown;
type Own<V, K> = unknown extends V
  ? unknown
  : V extends Scalar | null | undefined
    ? never
    : V extends readonly unknown[]
      ? K extends number
        ? number extends V["length"]
          ? V[number]
          : Item<V, `${K}`>
        : never
      : K extends keyof V
        ? V[K]
        : never;
