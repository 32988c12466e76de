/** The names that a client may use after relations: the `relations` of `specs()`. */

import type { AnyModel, KindOfValue } from "./model.js";
import type { SqlTypeError } from "./sentences.js";
import type { RelationTarget } from "./target.js";

/** The relations of a table that specs from clients may use, each with its own list of fields. */
export type RelationsSeen<M extends AnyModel> = {
  readonly [K in keyof M["relations"]]?: RelationSeen<RelationTarget<M, K>>;
};

/** The names that a client may use after one relation. */
interface RelationSeen<M extends AnyModel> {
  /** The fields of the related table. */
  readonly fields: readonly M["field"][];
  /** The maximum limit of a nested list, and its limit if a spec gives none. Default 100. */
  readonly maxLimit?: number | undefined;
  /** In the specs of a scope: the table is whole, and not narrowed to the values of the scope. Default false. */
  readonly whole?: boolean | undefined;
  /** The relations that lead on from it. */
  readonly relations?: RelationsSeen<M> | undefined;
}

/** The option: names that are not relations of the table are refused, and in a scope the fields that it fixes. */
export interface SeenRelations<M extends AnyModel, Rel> {
  /** The relations that a spec may join, look into and nest. Any other does not exist. Default none. */
  readonly relations?: Rel & {
    readonly [K in keyof Rel]: K extends keyof M["relations"]
      ? "outside of the scope" extends M["missing"]
        ? SeenInScope<RelationTarget<M, K>, Rel[K], M>
        : unknown
      : SqlTypeError<"this table has no such relation">;
  };
}

// A table that the scope narrows shows the fields that it fixes as little as the scope's own table does.
type SeenInScope<T extends AnyModel, Seen, Scope extends AnyModel> = (Seen extends { readonly whole: true }
  ? unknown
  : { readonly fields: readonly Exclude<T["field"], FixedIn<T, Scope>>[] }) &
  (Seen extends { readonly relations: infer Inner }
    ? {
        readonly relations: {
          readonly [K in keyof Inner]: SeenInScope<RelationTarget<T, K>, Inner[K], Scope>;
        };
      }
    : unknown);

// The fields that the scope fixes, of another table: of the same name and kind. The tests of a column tell a decimal
// from a text, whose values are both strings.
type FixedIn<T extends AnyModel, Scope extends AnyModel> = {
  readonly [F in Exclude<Scope["own"], Scope["shown"]> & T["field"]]: KindedBy<
    T["columns"][F]
  > extends KindedBy<Scope["columns"][F]>
    ? F
    : never;
}[Exclude<Scope["own"], Scope["shown"]> & T["field"]];

// A list of two types, and no interface: of interfaces the compiler would compare the columns.
type KindedBy<C extends { readonly value: unknown; readonly tests: unknown }> = readonly [
  KindOfValue<C["value"]>,
  C["tests"],
];
