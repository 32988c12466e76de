/** How the caller's SQL text is read: the parts that are not code, for each dialect. */

/** The parts of an SQL text that are not code, and so do not contain parameters. */
export interface ScanGrammar {
  /** String literals, quoted names and comments that do not nest, as a regular expression. */
  readonly skipped: string;
  /** Whether comments nest. */
  readonly nestsComments: boolean;
  /** The beginning of a comment whose content the server may execute, if the dialect has such comments. */
  readonly executed?: RegExp;
  /** The dialect's own placeholders, as a regular expression. */
  readonly own: string;
  /** Whether the server itself reads `:name` as a parameter. */
  readonly readsNames: boolean;
  /** The first word or two, in lower case, of statements that begin or end a transaction or a savepoint. */
  readonly transactionWords: ReadonlySet<string>;
  /** The first words of statements that hold others, and the words of such a text that are refused. */
  readonly holding?: { readonly first: ReadonlySet<string>; readonly refused: ReadonlySet<string> };
}

// A doubled quote ends one literal and begins the next, with the same result. An unclosed literal extends to the
// end; the server refuses it.
export const TEXT = "'[^']*(?:'|$)";
export const NAME = '"[^"]*(?:"|$)';
export const BACKTICKS = "`[^`]*(?:`|$)";
export const DASHES = "--[^\\n]*";
export const COMMENT = "/\\*[\\s\\S]*?(?:\\*/|$)";
