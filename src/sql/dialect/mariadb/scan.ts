/** The parts of an SQL text of MariaDB that are not code. */
import { BACKTICKS, COMMENT, type ScanGrammar } from "../grammar/scan.js";

const withBackslashes = (quote: string) => `${quote}(?:[^${quote}\\\\]|\\\\[\\s\\S]|\\\\$)*(?:${quote}|$)`;

export const mariadbScan: ScanGrammar = {
  // In the default mode of a session, a backslash escapes the next character.
  skipped: [
    withBackslashes("'"),
    withBackslashes('"'),
    BACKTICKS,
    "#[^\\n]*",
    // A control character begins such a comment as a blank does.
    "--(?=[\\s\\x01-\\x1f\\x7f]|$)[^\\n]*",
    COMMENT,
  ].join("|"),
  nestsComments: false,
  executed: /^\/\*M?!\d*/,
  own: "\\?",
  readsNames: false,
  transactionWords: new Set(["begin", "start", "commit", "rollback", "savepoint", "release", "xa"]),
  // SET STATEMENT … FOR has a statement at its end.
  holding: {
    first: new Set(["if", "case", "loop", "while", "repeat", "for", "set", "statement"]),
    refused: new Set(["commit", "rollback", "savepoint", "xa", "start transaction"]),
  },
};
