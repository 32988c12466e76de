/**
 * The builders that methods shared by several of them return, by name: each file of a builder declares its own. So
 * interfaces with such methods can stand in files of their own, and no file imports another that imports it.
 */
import type { Selection } from "./grouping.js";
import type { AnyModel } from "./model.js";
import type { AnyParam } from "./params.js";

/** A look-up costs the compiler less than a type parameter for the builder itself. */
export interface Builders<R, P extends AnyParam, M extends AnyModel, S extends Selection> {
  /** The parts that a builder is made of. */
  readonly parts: readonly [R, P, M, S];
}
