/** A query of postgres.js, as rowtype sends it. */

/** A query of postgres.js. It is sent when it is first awaited. */
export interface SentQuery extends Promise<SentResult> {
  raw(): unknown;
  /** Opens a connection that asks the server to cancel the query; resolves when the server has closed it. */
  readonly canceller?: ((query: SentQuery) => Promise<unknown>) | null;
}

/** What a query resolves to; of a COPY it is a stream. */
export interface SentResult extends Array<unknown> {
  readonly count: number | null;
  readonly command: string | null;
  readonly columns?: readonly { readonly name: string }[];
}

/** A handle, or a reservation, as it is called here. */
export interface Sends {
  unsafe(text: string, values: readonly unknown[], options: object): SentQuery;
}
