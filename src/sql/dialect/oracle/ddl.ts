/** How Oracle declares tables: types that keys, order and `=` support, and replacements for `IF NOT EXISTS`. */
import type { ReferentialAction } from "../../declare/declaration.js";
import type { DdlGrammar } from "../grammar/ddl-grammar.js";
import { quotedText } from "../grammar/forms.js";

/**
 * A quoted identifier, which keeps its case. Oracle does not allow a quote in it, so such names are refused
 * earlier; the text written here is always a single name.
 */
export function quoteOracle(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export const oracleDdl: DdlGrammar = {
  // A collation on a column needs MAX_STRING_SIZE=EXTENDED; that of the session is binary by default.
  byCodePoint: (type) => type,
  decimal: undefined,
  identity: (always) => `GENERATED ${always ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`,
  identityIsKey: false,
  defaultExpression: (expression, { kind }) => {
    const flag = kind === "boolean" ? /^\s*(true|false)\s*$/i.exec(expression)?.[1] : undefined;
    return flag === undefined ? expression : flag.toLowerCase() === "true" ? "1" : "0";
  },
  checkExpression: quoteColumns,
  kindCheck: ({ kind }, name) => {
    if (kind === "boolean") return `${name} IN (0, 1)`;
    return kind === "json" || kind === "array" ? `${name} IS JSON` : undefined;
  },
  text: quotedText,
  flag: (value) => (value ? "1" : "0"),
  // VIRTUAL is optional; Oracle has no stored ones.
  computed: (expression, stored = false) => (stored ? undefined : `GENERATED ALWAYS AS (${expression})`),
  computedNotNull: true,
  onDelete: new Set<ReferentialAction>(["cascade", "set null"]),
  onUpdate: new Set(),
  defers: true,
  refersAhead: false,
  dropReference: (table, name) =>
    ignoring([NO_SUCH_TABLE, NO_SUCH_CONSTRAINT], [`ALTER TABLE ${table} DROP CONSTRAINT ${name}`]),
  comments: "statements",
  index: {
    where: false,
    expression: true,
    method: (method) => (/^bitmap$/i.test(method) ? { word: "BITMAP ", clause: "" } : undefined),
    takes: ({ kind }, type) =>
      kind !== "json" && kind !== "array" && !/^\s*(?:N?CLOB|BLOB|LONG|JSON)\b/i.test(type ?? ""),
  },
  qualifies: { index: true, indexed: true, referenced: true },
  // The index of a key has the name of its constraint.
  commentedView: "TABLE",
  enums: false,
  nameSpaces: [
    { of: "schema", parts: ["primary key", "key", "index"] },
    { of: "schema", parts: ["primary key", "key", "foreign key", "check"] },
  ],
  unlessExists: (...statements) =>
    ignoring(statements[0]?.startsWith("ALTER TABLE") ? SUCH_REFERENCE : [NAME_IN_USE], statements),
  ifExists: (drop) => ignoring([NO_SUCH_TABLE], [drop.startsWith("DROP TABLE") ? `${drop} PURGE` : drop]),
};

const NAME_IN_USE = -955;
// The errors for a foreign key on the same columns, and for a constraint of the same name.
const SUCH_REFERENCE = [-2275, -2264];
const NO_SUCH_TABLE = -942;
const NO_SUCH_CONSTRAINT = -2443;

// `IF NOT EXISTS` is new in 23ai; a block that ignores some errors has the same effect on every version. If the first
// statement fails, the others are not sent.
function ignoring(sqlCodes: readonly number[], statements: readonly string[]): string {
  const lines = statements.map((one) => `  EXECUTE IMMEDIATE '${one.replaceAll("'", "''")}';`);
  const [only, ...others] = sqlCodes;
  const isOther = others.length === 0 ? `<> ${only}` : `NOT IN (${sqlCodes.join(", ")})`;
  return `BEGIN
${lines.join("\n")}
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE ${isOther} THEN RAISE; END IF;
END;`;
}

const TOKEN =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<![\p{L}\p{N}_$#.:])[\p{L}_][\p{L}\p{N}_$#]*(?![\p{L}\p{N}_$#]|\s*[('])/gu;
const WORDS: ReadonlySet<string> = new Set(
  "and or not in is null like between case when then else end escape".split(" "),
);

/**
 * Quotes the columns in a condition, as they were created: Oracle reads `age` as `AGE`. Words in string
 * literals, quotes and comments are not changed, nor are function names and words before a literal (`DATE '…'`).
 */
function quoteColumns(condition: string, columns: readonly string[]): string {
  return condition.replace(TOKEN, (token) => {
    if (/^['"/-]/.test(token) || WORDS.has(token.toLowerCase())) return token;
    const [column, ...others] = columns.includes(token)
      ? [token]
      : columns.filter((name) => name.toLowerCase() === token.toLowerCase());
    return column === undefined || others.length > 0 ? token : quoteOracle(column);
  });
}
