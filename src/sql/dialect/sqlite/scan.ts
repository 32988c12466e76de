/** The parts of an SQL text of SQLite that are not code. */
import type { ScanGrammar } from "../grammar/grammar.js";
import { BACKTICKS, COMMENT, DASHES, NAME, TEXT } from "../grammar/scan.js";

export const sqliteScan: ScanGrammar = {
  skipped: [TEXT, NAME, BACKTICKS, "\\[[^\\]]*(?:\\]|$)", DASHES, COMMENT].join("|"),
  nestsComments: false,
  own: "\\?\\d*|[@$][A-Za-z_]\\w*|:\\d+",
  readsNames: true,
  transactionWords: new Set(["begin", "commit", "end", "rollback", "savepoint", "release"]),
};
