/** How text of a caller's own is read in search of `:name`: what in it is no code, dialect by dialect. */
import type { ScanGrammar } from "./grammar.js";

// A doubled quote inside is the end of one and the beginning of the next, which comes to the same. What is not
// closed goes on to the end: the server refuses it.
const TEXT = "'[^']*(?:'|$)";
const NAME = '"[^"]*(?:"|$)';
const BACKTICKS = "`[^`]*(?:`|$)";
const DASHES = "--[^\\n]*";
const COMMENT = "/\\*[\\s\\S]*?(?:\\*/|$)";
const withBackslashes = (quote: string) => `${quote}(?:[^${quote}\\\\]|\\\\[\\s\\S]|\\\\$)*(?:${quote}|$)`;

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
  transactionWords: new Set(["begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"]),
};

export const mariadbScan: ScanGrammar = {
  // In the usual mode of a session, where a backslash takes away the meaning of what is behind it.
  skipped: [
    withBackslashes("'"),
    withBackslashes('"'),
    BACKTICKS,
    "#[^\\n]*",
    "--(?=\\s|$)[^\\n]*",
    COMMENT,
  ].join("|"),
  nestsComments: false,
  own: "\\?",
  transactionWords: new Set(["begin", "start", "commit", "rollback", "savepoint", "release", "xa"]),
};

export const sqliteScan: ScanGrammar = {
  skipped: [TEXT, NAME, BACKTICKS, "\\[[^\\]]*(?:\\]|$)", DASHES, COMMENT].join("|"),
  nestsComments: false,
  own: "\\?\\d*|[@$][A-Za-z_]\\w*|:\\d+",
  transactionWords: new Set(["begin", "commit", "end", "rollback", "savepoint", "release"]),
};

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
  // BEGIN begins a block of PL/SQL here.
  transactionWords: new Set(["commit", "rollback", "savepoint"]),
};
