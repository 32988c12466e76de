/** The parts of an SQL text of Oracle that are not code. */
import { COMMENT, DASHES, NAME, type ScanGrammar, TEXT } from "../grammar/scan.js";

export const oracleScan: ScanGrammar = {
  skipped: [
    "[nN]?[qQ]'(?:\\[[\\s\\S]*?\\]'|\\{[\\s\\S]*?\\}'|\\([\\s\\S]*?\\)'|<[\\s\\S]*?>'|(?<quote>[^\\s[{(<])[\\s\\S]*?\\k<quote>')",
    TEXT,
    NAME,
    DASHES,
    COMMENT,
  ].join("|"),
  nestsComments: false,
  own: ':\\d+|:"[^"]*"',
  readsNames: true,
  // BEGIN begins a PL/SQL block here.
  transactionWords: new Set(["commit", "rollback", "savepoint"]),
};
