/** The types of scopes: a part of a table in which some fields have one value. */
import type { AnyModel, SameFields } from "./model.js";

/** The values of a scope: fields that an insert gives, each with a value of its column that is not null. */
export type ScopeValues<M extends AnyModel> = {
  readonly [F in keyof M["insert"] & M["field"]]?: M["columns"][F]["value"];
};

/** The model of a part of a table: reading as the whole, without the fields `K` in inserts and updates. */
export interface ScopedModel<M extends AnyModel, K extends string> extends SameFields<M> {
  readonly row: M["row"];
  readonly shown: Exclude<M["shown"], K>;
  readonly insert: { [F in keyof M["insert"] as F extends K ? never : F]: M["insert"][F] };
  readonly update: { [F in keyof M["update"] as F extends K ? never : F]: M["update"][F] };
  /** The fixed fields join every key, so any field may be what is left of one. */
  readonly keyField: M["field"];
  readonly ruled: ScopedRules<M["ruled"]>;
  readonly alias: M["alias"];
  /** A reference may lead to a row outside of the scope. */
  readonly missing: M["missing"] | "outside of the scope";
}

interface ScopedRules<R extends AnyModel["ruled"]> {
  readonly keys: SomeOf<R["keys"]>;
  readonly demanded: R["demanded"];
  readonly names: R["names"];
  readonly hiding: R["hiding"];
}

// Several fields, which are those of one key or what is left of it.
type SomeOf<K> = K extends readonly (infer F)[] ? [F, F, ...F[]] : never;
