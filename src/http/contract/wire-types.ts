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

/** The wire form of a schema's output. Most schemas return their input; only the others are searched for codecs. */
export type WireOutput<S> = [InputOf<S>] extends [OutputOf<S>]
  ? [OutputOf<S>] extends [InputOf<S>]
    ? Wire<OutputOf<S>>
    : WireParts<S>
  : WireParts<S>;

type WireParts<S> =
  S extends Defined<{ readonly reverseTransform: unknown; readonly in: infer In }>
    ? WireInput<In>
    : S extends Defined<{ readonly shape: infer Shape }>
      ? // The keys, and which of them are optional, come from the output type.
        {
          [Key in keyof OutputOf<S>]: Key extends keyof Shape
            ? WireOutput<Shape[Key]>
            : Wire<OutputOf<S>[Key]>;
        }
      : S extends Defined<{ readonly element: infer Element }>
        ? WireOutput<Element>[]
        : S extends Defined<{ readonly innerType: infer Inner }>
          ? WireOutput<Inner> | Extract<OutputOf<S>, null | undefined>
          : S extends Defined<{ readonly options: readonly (infer Option)[] }>
            ? WireOption<Option>
            : Wire<OutputOf<S>>;

type WireOption<S> = S extends unknown ? WireOutput<S> : never;

/** A Zod schema by its definition. */
interface Defined<Def> {
  readonly _zod: { readonly def: Def };
}
