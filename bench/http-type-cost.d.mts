/**
 * What a route whose function reads parameters, body and identity costs the compiler over its Zod schemas, in
 * instantiations of TypeScript 5.9.
 */
export interface HttpTypeCost {
  /** One of 300. */
  readonly of300: number;
  /** One of 1,000. */
  readonly of1000: number;
  /** One of 300, with a client of their engine that calls one of them by each method. */
  readonly of300WithClient: number;
}

/** Measures the built package. Takes about ten seconds. */
export function httpTypeCost(): HttpTypeCost;
