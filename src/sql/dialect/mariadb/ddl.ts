/** How MariaDB declares tables: text by code point, times in UTC, and lengths for what is indexed. */
import type { ReferentialAction } from "../../declare/declaration.js";
import type { DdlGrammar } from "../grammar/ddl-grammar.js";
import { existence, quotedText } from "../grammar/forms.js";
import { mariadbByCodePoint } from "./collation.js";
import { isTimestamp } from "./settings.js";

// InnoDB accepts SET DEFAULT and ignores it.
const actions: ReadonlySet<ReferentialAction> = new Set<ReferentialAction>([
  "restrict",
  "cascade",
  "set null",
]);

export const mariadbDdl: DdlGrammar = {
  byCodePoint: (type, { kind }) =>
    kind === "text" || kind === "array" || kind === "json" ? mariadbByCodePoint(type) : type,
  decimal: undefined,
  identity: () => "AUTO_INCREMENT",
  identityIsKey: false,
  // A `datetime` would store a value in the time zone of the session, without the zone.
  defaultExpression: (expression, storage) =>
    NOW.test(expression) && !isTimestamp(storage) ? "(UTC_TIMESTAMP(3))" : `(${expression})`,
  checkExpression: (expression) => expression,
  kindCheck: () => undefined,
  text: quotedMariadb,
  flag: (value) => (value ? "1" : "0"),
  computed: (expression, stored = false) =>
    `GENERATED ALWAYS AS (${expression}) ${stored ? "STORED" : "VIRTUAL"}`,
  computedNotNull: false,
  onDelete: actions,
  onUpdate: actions,
  defers: false,
  refersAhead: false,
  dropReference: (table, name) => `ALTER TABLE IF EXISTS ${table} DROP FOREIGN KEY IF EXISTS ${name}`,
  comments: "in the table",
  index: {
    where: false,
    expression: false,
    method: (method) => {
      const word = method.toLowerCase();
      if (INDEX_WORDS.has(word)) return { word: `${word.toUpperCase()} `, clause: "" };
      return word === "btree" || word === "hash"
        ? { word: "", clause: ` USING ${word.toUpperCase()}` }
        : undefined;
    },
    takes: ({ kind }, type) => kind !== "json" && kind !== "array" && !WITHOUT_LENGTH.test(type ?? ""),
  },
  qualifies: { index: false, indexed: true, referenced: true },
  // A foreign key has an index of the same name.
  commentedView: "VIEW",
  enums: false,
  nameSpaces: [
    { of: "table", parts: ["key", "foreign key", "index"] },
    { of: "schema", parts: ["foreign key"] },
    { of: "table", parts: ["check"] },
  ],
  unlessExists: (create) =>
    /^ALTER TABLE /.test(create)
      ? create.replace(/ FOREIGN KEY \(/, " FOREIGN KEY IF NOT EXISTS (")
      : existence.unlessExists(create),
  ifExists: existence.ifExists,
};

// A backslash in a literal is one or two characters, by the mode of the session.
function quotedMariadb(value: string): string {
  if (!value.includes("\\")) return quotedText(value);
  return `CONVERT(X'${Buffer.from(value).toString("hex")}' USING utf8mb4)`;
}

const INDEX_WORDS: ReadonlySet<string> = new Set(["fulltext", "spatial"]);

// Types that an index takes only with a prefix length.
const WITHOUT_LENGTH = /^\s*(?:(?:tiny|medium|long)?(?:text|blob)|json|long)\b/i;

const NOW = /^\s*\(?\s*(?:current_timestamp|localtimestamp|localtime|now)(?:\s*\(\s*\d?\s*\))?\s*\)?\s*$/i;
