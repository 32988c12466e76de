/** The types of scopes: a part of a table in which some fields have one value. */
import type { AnyModel } from "./model.js";

/** The values of a scope: fields that an insert gives, each with a value of its column that is not null. */
export type ScopeValues<M extends AnyModel> = {
  readonly [F in keyof M["insert"] & M["field"]]?: M["columns"][F]["value"];
};

/** The model of a part of a table: reading as the whole, without the fields `K` in inserts and updates. */
export interface ScopedModel<M extends AnyModel, K extends string> {
  readonly dialect: M["dialect"];
  readonly row: M["row"];
  readonly insert: { [F in keyof M["insert"] as F extends K ? never : F]: M["insert"][F] };
  readonly update: { [F in keyof M["update"] as F extends K ? never : F]: M["update"][F] };
  readonly field: M["field"];
  readonly own: M["own"];
  readonly columns: M["columns"];
  readonly rangeField: M["rangeField"];
  readonly numberField: M["numberField"];
  readonly vectorField: M["vectorField"];
  /** The fixed fields join every key, so any field may be what is left of one. */
  readonly keyField: M["field"];
  readonly table: M["table"];
  readonly tables: M["tables"];
  readonly relations: M["relations"];
  readonly relation: M["relation"];
  readonly alias: M["alias"];
  readonly joins: M["joins"];
  readonly joined: M["joined"];
  /** A reference may lead to a row outside of the scope. */
  readonly missing: M["missing"] | "outside of the scope";
  readonly every: M["every"];
}
