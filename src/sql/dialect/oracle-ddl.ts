/** How Oracle declares tables: types that keys, order and `=` support, and replacements for `IF NOT EXISTS`. */

import type { AnyTable } from "../declare/declaration.js";
import { columnName } from "./declared.js";
import type { DdlGrammar, NameTaken } from "./grammar.js";
import { isSameKey } from "./names.js";

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
  keyName: oracleKeyName,
  qualifies: { index: true, indexed: true, referenced: true },
  indexNamesOf: "schema",
  namesTaken: keyNames,
  unlessExists: (create) => ignoring(NAME_IN_USE, create),
  ifExists: (drop) => ignoring(NO_SUCH_TABLE, `${drop} PURGE`),
};

const MOST_NAME_BYTES = 128;

/** The name of a key, by which an error identifies it; none if it would be too long. */
export function oracleKeyName(
  table: string,
  columns: readonly string[],
  isPrimary: boolean,
): string | undefined {
  const name = isPrimary ? `${table}_pkey` : `${table}_${columns.join("_")}_key`;
  return Buffer.byteLength(name) > MOST_NAME_BYTES ? undefined : name;
}

// The index of a key has the name of its constraint.
function keyNames(table: AnyTable): NameTaken[] {
  const { name, primaryKey, keys } = table;
  return keys.flatMap((key) => {
    const names = key.map((property) => columnName(table, property));
    const taken = oracleKeyName(name, names, isSameKey(key, primaryKey));
    return taken === undefined ? [] : [{ name: taken }];
  });
}

const NAME_IN_USE = -955;
const NO_SUCH_TABLE = -942;

// `IF NOT EXISTS` is new in 23ai; a block that ignores one error has the same effect on every version.
function ignoring(sqlCode: number, statement: string): string {
  const text = statement.replaceAll("'", "''");
  return `BEGIN
  EXECUTE IMMEDIATE '${text}';
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> ${sqlCode} THEN RAISE; END IF;
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
