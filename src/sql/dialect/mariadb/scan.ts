/** The parts of an SQL text of MariaDB that are not code. */
import type { ScanGrammar } from "../grammar/grammar.js";
import { BACKTICKS, COMMENT } from "../grammar/scan.js";

const withBackslashes = (quote: string) => `${quote}(?:[^${quote}\\\\]|\\\\[\\s\\S]|\\\\$)*(?:${quote}|$)`;

export const mariadbScan: ScanGrammar = {
  // In the default mode of a session, a backslash escapes the next character.
  skipped: [
    withBackslashes("'"),
    withBackslashes('"'),
    BACKTICKS,
    "#[^\\n]*",
    "--(?=\\s|$)[^\\n]*",
    COMMENT,
  ].join("|"),
  nestsComments: false,
  executed: /^\/\*M?!\d*/,
  own: "\\?",
  readsNames: false,
  transactionWords: new Set(["begin", "start", "commit", "rollback", "savepoint", "release", "xa"]),
};
