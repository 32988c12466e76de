/** What the compiler counts for one request. */
export interface Counts {
  readonly instantiations: number;
  readonly types: number;
  readonly symbols: number;
}

/** What an editor asks after an edit. */
export interface EditorCounts {
  /** The columns of a table, in a query that is being written. */
  readonly completion: Counts;
  /** The errors of a file with five queries and one that names a missing column. */
  readonly errors: Counts;
}

/**
 * Asks the language service of TypeScript 5.9, or of 6.0 by its package's name `typescript`, over the large program of one of the
 * libraries of `type-sources.mjs`.
 */
export function editorCounts(library: string, compiler?: "typescript59" | "typescript"): EditorCounts;
