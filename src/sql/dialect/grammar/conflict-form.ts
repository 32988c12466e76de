/** The clauses in which an insert says what to do with existing rows, as a dialect writes them. */

/** The conflict clause of an insert. Its column names are quoted. */
export interface ConflictForm {
  /**
   * Keeps the existing row, of any key if none is named; absent if the dialect has no clause for a single key.
   * @param among the text of the rows among which it is a key, or the empty text.
   */
  readonly nothing: ((key: readonly string[], among: string) => string) | undefined;
  /** The same for the rows of a query, if `nothing` is absent. */
  readonly keeping?: KeepingForm;
  /** The text before the assignments of an update. */
  readonly update: (key: readonly string[], among: string) => string;
  /** The row of an insert without values before the clause, if the usual one is not allowed before it. */
  readonly defaultRow?: (column: string, value: string) => string;
  /** A condition that is always met, if the clause after the tables of a query would be read as that of a join. */
  readonly afterFrom?: string;
  /** A column of the proposed row. */
  readonly proposed: (column: string) => string;
  /**
   * Whether the clauses apply to the named key only. If not, they make the statement fail on a conflict of
   * another key (as `QUERY_FAILED`), and further steps determine the violated key.
   */
  readonly namesKey: boolean;
}

/** A clause that keeps the existing rows, in a statement that cannot say by its count which rows it stored. */
interface KeepingForm {
  /** @param column a column of the table, if no key is named. */
  readonly clause: (key: readonly string[], column: string) => string;
  /** The value that the statement returns for each row: 1 if it was stored, 0 if another existed. */
  readonly stored: string;
}
