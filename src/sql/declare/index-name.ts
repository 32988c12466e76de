/** The default name of the index of a column: used by `table`, which also runs in browsers, and by `ddl`. */

/** The name of an index of one column; a dialect may have to shorten it. */
export function generatedIndexName(table: string, column: string): string {
  return `${table}_${column}_idx`;
}
