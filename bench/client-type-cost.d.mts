/** What handlers, streams and their client cost the compiler, in instantiations of TypeScript 5.9. */
export interface ClientTypeCost {
  /** One of 100 handlers, every fourth a stream, their schemas included. */
  readonly perHandler: number;
  /** `createClient` for the engine of the 100, without a call. */
  readonly client: number;
  /** The first call of each kind: whatever has to be looked up among all handlers, once. */
  readonly firstCalls: number;
  /** One more call, and a look at its result. */
  readonly perCall: number;
}

/** Measures the built package. Takes a few seconds. */
export function clientTypeCost(): ClientTypeCost;
