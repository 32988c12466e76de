/** The parts of an SQL text of PostgreSQL that are not code. */
import { NAME, type ScanGrammar, TEXT } from "../grammar/scan.js";

export const postgresScan: ScanGrammar = {
  skipped: [
    "[eE]'(?:[^'\\\\]|\\\\[\\s\\S]|\\\\$|'')*(?:'|$)",
    TEXT,
    NAME,
    "\\$(?<tag>[A-Za-z_\\u0080-\\uffff][\\w\\u0080-\\uffff]*)?\\$[\\s\\S]*?(?:\\$\\k<tag>\\$|$)",
    // A carriage return ends a comment too.
    "--[^\\n\\r]*",
  ].join("|"),
  nestsComments: true,
  own: "\\$\\d+",
  readsNames: false,
  transactionWords: new Set([
    "begin",
    "start",
    "commit",
    "end",
    "rollback",
    "abort",
    "savepoint",
    "release",
    "prepare transaction",
  ]),
};
