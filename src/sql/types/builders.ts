/**
 * The builders that methods shared by several of them return, by name: each file of a builder declares its own. So
 * interfaces with such methods can stand in files of their own, and no file imports another that imports it.
 */
import type { Selection } from "./grouping.js";
import type { AnyModel } from "./model.js";
import type { Fewer } from "./nesting.js";
import type { WithLeaves, WithTest } from "./operands.js";
import type { AnyParam } from "./params.js";

/** A look-up costs the compiler less than a type parameter for the builder itself. */
export interface Builders<R, P extends AnyParam, M extends AnyModel, S extends Selection> {
  /** The parts that a builder is made of. */
  readonly parts: readonly [R, P, M, S];
}

/** The same of updates, removals and aggregates. */
export interface Bounded<R, P extends AnyParam, M extends AnyModel> {
  /** The parts that a builder is made of. */
  readonly parts: readonly [R, P, M];
}

/**
 * The result of `where` of an expression. One conditional type: until it is used it costs the compiler next to nothing.
 */
export type Tested<
  K extends "select" | "query",
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
  A,
  O,
  N extends string,
> = A extends WithLeaves ? Builders<R, WithTest<P, M, A, O, N>, M, S | Fewer>[K] : never;
