/** How the caller's SQL text is searched for `:name`: the parts that are not code, for each dialect. */
import type { ScanGrammar } from "./grammar.js";

// A doubled quote ends one literal and begins the next, with the same result. An unclosed literal extends to the
// end; the server refuses it.
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
  readsNames: false,
  transactionWords: new Set(["begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"]),
};

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
  own: "\\?",
  readsNames: false,
  transactionWords: new Set(["begin", "start", "commit", "rollback", "savepoint", "release", "xa"]),
};

export const sqliteScan: ScanGrammar = {
  skipped: [TEXT, NAME, BACKTICKS, "\\[[^\\]]*(?:\\]|$)", DASHES, COMMENT].join("|"),
  nestsComments: false,
  own: "\\?\\d*|[@$][A-Za-z_]\\w*|:\\d+",
  readsNames: true,
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
  readsNames: true,
  // BEGIN begins a PL/SQL block here.
  transactionWords: new Set(["commit", "rollback", "savepoint"]),
};
