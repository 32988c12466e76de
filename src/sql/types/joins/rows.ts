/**
 * Conditions over rows of a named query, written without a builder: what they ask of the rows is checked where they are
 * written, and what they ask of the statement around them is checked there.
 */
import type { Dialect } from "../../words/dialect.js";
import type { NoRelations } from "../../words/relations.js";
import type { AskLeaves, ValuesLeaf } from "../asks.js";
import type { Condition, FieldsOf, LeafOf } from "../conditions.js";
import type { Joined } from "../joined.js";
import type { AskLeaf, FieldLeaves } from "../leaves.js";
import type { ParamsOfLeaves } from "../results.js";
import type { SqlTypeError } from "../sentences.js";
import type { Derived } from "../source.js";

/** The columns of a named query and no other fields. */
type Only<A extends string, T, D extends Dialect> = Joined<Derived<NoRelations, D>, A, Derived<T, D>, never>;

/** The fields that a condition names of the statement around. */
export type OuterFields<A extends string, C extends Condition> = Exclude<FieldsOf<C>, `${A}.${string}`>;

/** What a condition asks of the statement around, and the parameters that it brings. */
export type OuterLeaves<A extends string, T, D extends Dialect, L> =
  | ValuesLeaf<never, never, D>
  | (L extends { readonly field: `${A}.${string}` }
      ? ParamsOfLeaves<Only<A, T, D>, L>
      : L extends AskLeaf<{ readonly alike: infer Pair }>
        ? OuterPair<A, Only<A, T, D>["columns"], D, keyof Pair & string, Pair[keyof Pair] & string, L>
        : L);

// A field of each side: ours is compared with a value of theirs.
type OuterPair<
  A extends string,
  Columns extends Readonly<Record<string, { readonly value: unknown }>>,
  D extends Dialect,
  F extends string,
  G extends string,
  L,
> = F extends `${A}.${string}`
  ? G extends `${A}.${string}`
    ? never
    : ValuesLeaf<G, Columns[F]["value"], D>
  : G extends `${A}.${string}`
    ? ValuesLeaf<F, Columns[G]["value"], D>
    : L;

/** Nothing more, or a sentence if the condition does not fit the columns of the query. */
export type FitsRows<A extends string, T, D extends Dialect, C extends Condition> = [
  Extract<FieldsOf<C>, `${A}.${string}`>,
] extends [`${A}.${keyof T & string}`]
  ? [Theirs<A, LeafOf<C>>] extends [FieldLeaves<Only<A, T, D>> | AskLeaves<Only<A, T, D>>]
    ? unknown
    : SqlTypeError<`the fields of ${A} do not take what the condition asks of them`>
  : SqlTypeError<`"${Exclude<Extract<FieldsOf<C>, `${A}.${string}`>, `${A}.${keyof T & string}`>}" is no field: ${A} has ${keyof T & string}`>;

/** The leaves that are of the rows alone. */
type Theirs<A extends string, L> = L extends { readonly field: `${A}.${string}` }
  ? L
  : L extends AskLeaf<{ readonly alike: infer Pair }>
    ? [keyof Pair, Pair[keyof Pair]] extends [`${A}.${string}`, `${A}.${string}`]
      ? L
      : never
    : never;
