/** The compile cost of handlers, streams and their client, in instantiations of TypeScript 5.9. */
export interface ClientTypeCost {
  /** The cost of one of 100 handlers, every fourth a stream, including their schemas. */
  readonly perHandler: number;
  /** `createClient` for the engine of the 100 handlers, without a call. */
  readonly client: number;
  /** The first call of each kind, including the look-up among all handlers, which happens once. */
  readonly firstCalls: number;
  /** One more call, and a use of its result. */
  readonly perCall: number;
}

/** Measures the built package. Takes a few seconds. */
export function clientTypeCost(): ClientTypeCost;

/** The sources of an engine, and of the engine with a client that calls all its routes, by file. */
export function clientPrograms(): {
  readonly served: Readonly<Record<string, string>>;
  readonly called: Readonly<Record<string, string>>;
  readonly routes: number;
};
