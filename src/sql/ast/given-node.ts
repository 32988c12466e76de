/**
 * Constants in the place of parameters, as nodes. Chains that differ in their constants alone share one draft, so the
 * draft holds a hole in the place of each constant, and the builder holds the constants in the order of the holes.
 */

/** A constant of the program. It is bound, and is not a parameter of a call. */
export interface ConstantNode {
  readonly kind: "constant";
  readonly value: unknown;
}

/** The place of a constant in a draft. */
export interface HoleNode {
  readonly kind: "hole";
  /** The position of its constant among those of the builder, from 0. */
  readonly index: number;
}

/** A constant, or its place. */
export type GivenNode = ConstantNode | HoleNode;

/** Replaces constants and holes. */
export type GivenMap = (node: GivenNode) => GivenNode;

/** No constants. */
export const NO_CONSTANTS: readonly ConstantNode[] = Object.freeze([]);
