/** How PostgreSQL declares tables: text by code point, times in UTC, and blocks where IF NOT EXISTS is missing. */
import type { DdlGrammar } from "../grammar/ddl-grammar.js";
import { everyAction, existence, quotedText } from "../grammar/forms.js";
import { postgresByCodePoint } from "./collation.js";
import { isZoneless } from "./dates.js";

export const postgresDdl: DdlGrammar = {
  byCodePoint: (type, { kind, item }) =>
    kind === "text" || item?.kind === "text" ? postgresByCodePoint(type) : type,
  decimal: undefined,
  identity: (always) => `GENERATED ${always ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`,
  identityIsKey: false,
  // A column without a time zone would get the local time of the session.
  defaultExpression: (expression, storage) =>
    isZoneless(storage) && NOW.test(expression) ? "(CURRENT_TIMESTAMP AT TIME ZONE 'UTC')" : expression,
  checkExpression: (expression) => expression,
  kindCheck: () => undefined,
  text: quotedPostgres,
  flag: String,
  // Computed columns that are not stored are new in version 18.
  computed: (expression, stored = true) =>
    `GENERATED ALWAYS AS (${expression}) ${stored ? "STORED" : "VIRTUAL"}`,
  unstored: { since: 180_000, version: "SHOW server_version_num" },
  computedNotNull: true,
  onDelete: everyAction,
  onUpdate: everyAction,
  defers: true,
  refersAhead: false,
  dropReference: (table, name) => `ALTER TABLE IF EXISTS ${table} DROP CONSTRAINT IF EXISTS ${name}`,
  comments: "statements",
  index: {
    where: true,
    expression: true,
    method: (method) => (/^\w+$/.test(method) ? { word: "", clause: ` USING ${method}` } : undefined),
    // `json` has no order and no equality.
    takes: (_, type) => !/^\s*json\s*$/i.test(type ?? ""),
  },
  qualifies: { index: false, indexed: true, referenced: true },
  commentedView: "VIEW",
  enums: true,
  nameSpaces: [
    { of: "schema", parts: ["table", "primary key", "key", "index"] },
    { of: "table", parts: ["primary key", "key", "foreign key", "check"] },
  ],
  unlessExists: (create, ...more) =>
    more.length === 0 && /^CREATE (?:TABLE|INDEX|UNIQUE INDEX) /.test(create)
      ? existence.unlessExists(create)
      : ignoringDuplicates([create, ...more]),
  ifExists: (drop) => drop.replace(/^DROP (TABLE|VIEW|TYPE) /, "DROP $1 IF EXISTS "),
};

// If the first statement fails, the others are not sent.
function ignoringDuplicates(statements: readonly string[]): string {
  const text = statements.map((statement) => `  ${statement};`).join("\n");
  let tag = "$rowtype$";
  for (let i = 1; text.includes(tag); i++) tag = `$rowtype${i}$`;
  return `DO ${tag} BEGIN\n${text}\nEXCEPTION WHEN duplicate_table OR duplicate_object THEN NULL;\nEND ${tag}`;
}

// In a plain literal a backslash is one or two characters, by a setting of the session.
function quotedPostgres(value: string): string {
  return value.includes("\\") ? `E${quotedText(value.replaceAll("\\", "\\\\"))}` : quotedText(value);
}

const NOW = /^\s*\(?\s*(?:(?:current_timestamp|localtimestamp)(?:\s*\(\s*\d\s*\))?|now\s*\(\s*\))\s*\)?\s*$/i;
