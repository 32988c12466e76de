/** The parts of an SQL text of PostgreSQL that are not code. */
import type { ScanGrammar } from "../grammar/grammar.js";
import { DASHES, NAME, TEXT } from "../grammar/scan.js";

export const postgresScan: ScanGrammar = {
  skipped: [
    "[eE]'(?:[^'\\\\]|\\\\[\\s\\S]|\\\\$|'')*(?:'|$)",
    TEXT,
    NAME,
    "\\$(?<tag>[A-Za-z_\\u0080-\\uffff][\\w\\u0080-\\uffff]*)?\\$[\\s\\S]*?(?:\\$\\k<tag>\\$|$)",
    DASHES,
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
