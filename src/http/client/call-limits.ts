/** How often a call is repeated and how long it may take: options of a client and of each call. Types only. */
export interface CallLimits {
  /**
   * How often GET, HEAD, QUERY and OPTIONS are repeated after a lost connection, 502, 503, 504, and 429 with `Retry-After`.
   * The waits are 200 ms, doubled each time, or as long as `Retry-After` says, at most 30 s. A body that is a stream is
   * sent once.
   */
  readonly retries?: number | undefined;
  /** The limit of the whole call in milliseconds: waits, retries and the body. Then it is rejected with `TIMEOUT`. */
  readonly timeoutMs?: number | undefined;
}
