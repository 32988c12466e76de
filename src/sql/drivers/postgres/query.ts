/** The shapes of a query and a result of `pg` that rowtype uses. */

/** A query as `pg` takes it. */
export interface PostgresQuery {
  readonly text: string;
  /** The connection keeps the text prepared under this name. */
  readonly name?: string;
  readonly values: unknown[];
  readonly rowMode: "array";
  readonly types: { getTypeParser(): (value: string) => string };
  /** A text without values is prepared too: it must be a single statement. */
  readonly queryMode: "extended";
}

/** A query of the caller's own: the client's settings decide the form of its result. */
export interface PostgresNativeQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly queryMode: "extended";
}

/** A result as `pg` gives it. */
export interface PostgresResult {
  readonly rows: unknown[];
  readonly fields: readonly { readonly name: string }[];
  readonly rowCount: number | null;
  readonly command: string;
}
