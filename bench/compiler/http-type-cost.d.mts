/**
 * The compile cost of a route whose function reads parameters, body and identity, in addition to its Zod
 * schemas, in instantiations of TypeScript 5.9.
 */
export interface HttpTypeCost {
  /** One of 300. */
  readonly of300: number;
  /** The cost of one of 300 routes, with a client of their engine that makes one call by each method. */
  readonly of300WithClient: number;
}

/** Measures the built package. Takes about five seconds. */
export function httpTypeCost(): HttpTypeCost;

/** The cost of one of 1,000 routes. Takes about ten seconds. */
export function routeOfThousand(): number;
