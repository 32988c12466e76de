/** The models of a module of tables, with the targets of its relations. Types only. */
import type { Table, View } from "../declare/declaration.js";
import type { Model } from "../types/model.js";
import type { Dialect } from "../words/dialect.js";

/**
 * The models of the tables of a module, by the names of its exports. TypeScript evaluates an export only when it is
 * used: a query costs only the tables that it names.
 */
export type ModelsOf<T, D extends Dialect> = {
  readonly [K in keyof T]: T[K] extends Table<infer S, infer Rel>
    ? Model<S, D, ModelsOf<T, D>, K, Rel>
    : T[K] extends View<infer S, infer Rel>
      ? Model<S, D, ModelsOf<T, D>, K, Rel>
      : never;
};
