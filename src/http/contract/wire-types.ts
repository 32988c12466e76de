/**
 * The wire form of a value, by its type: dates, bigints and bytes are text, sets are lists, maps are lists of pairs,
 * and codecs have their input. Types only.
 */
import type { InputOf, OutputOf } from "./schema-types.js";

/** A value in its JSON form. */
export type Wire<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends Date | bigint | Uint8Array
      ? string
      : // Before ES2025 a map has all members of a set. Therefore maps are tested first.
        T extends ReadonlyMap<infer Key, infer Value>
        ? [Wire<Key>, Wire<Value>][]
        : T extends ReadonlySet<infer Item>
          ? Wire<Item>[]
          : { [Key in keyof T]: Wire<T[Key]> };

/** The wire form of a schema's input. */
export type WireInput<S> = Wire<InputOf<S>>;

/**
 * The wire form of a schema's output: codecs have their input. It is resolved field by field where it is looked at. To
 * compare the input and the output of a schema first would resolve all of both.
 */
export type WireOutput<S> = S extends { readonly _zod: { readonly def: unknown; readonly output: unknown } }
  ? WireParts<S["_zod"]["def"], S["_zod"]["output"]>
  : Wire<OutputOf<S>>;

type WireParts<Def, Out> = Def extends { readonly shape: infer Shape }
  ? // The keys, and which of them are optional, come from the output type.
    { [Key in keyof Out]: Key extends keyof Shape ? WireOutput<Shape[Key]> : Wire<Out[Key]> }
  : Def extends { readonly element: infer Element }
    ? WireOutput<Element>[]
    : Def extends { readonly innerType: infer Inner }
      ? WireOutput<Inner> | Extract<Out, null | undefined>
      : Def extends { readonly options: readonly (infer Option)[] }
        ? WireOption<Option>
        : Def extends { readonly reverseTransform: unknown; readonly in: infer In }
          ? WireInput<In>
          : Wire<Out>;

type WireOption<S> = S extends unknown ? WireOutput<S> : never;
