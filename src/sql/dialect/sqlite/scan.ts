/** The parts of an SQL text of SQLite that are not code. */
import { BACKTICKS, COMMENT, DASHES, NAME, type ScanGrammar, TEXT } from "../grammar/scan.js";

export const sqliteScan: ScanGrammar = {
  // A byte order mark before a token is a blank.
  skipped: [TEXT, NAME, BACKTICKS, "\\[[^\\]]*(?:\\]|$)", DASHES, COMMENT, "\\ufeff"].join("|"),
  nestsComments: false,
  own: "\\?\\d*|[@$][A-Za-z_]\\w*|:\\d+",
  readsNames: true,
  transactionWords: new Set(["begin", "commit", "end", "rollback", "savepoint", "release"]),
};
