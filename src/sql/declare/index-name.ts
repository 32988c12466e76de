/** What an index is called whose column gives it no name: read by `table`, which runs in browsers too, and by `ddl`. */

/** The name of an index of one column; a dialect may have to shorten it. */
export function generatedIndexName(table: string, column: string): string {
  return `${table}_${column}_idx`;
}
