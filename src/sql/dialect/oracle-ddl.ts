/** How Oracle declares tables: types that keys, order and `=` work on, and what there is no `IF NOT EXISTS` for. */
import type { AnyTable, Storage } from "../declare/declaration.js";
import type { DdlGrammar, Indexing, NameTaken } from "./grammar.js";
import { isSameKey } from "./names.js";

/**
 * An identifier in quotes, which keeps its case. Oracle takes no quote in one, so such names are refused before; what
 * is written here would still be no more than a name.
 */
export function quoteOracle(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export const oracleDdl: DdlGrammar = {
  type: columnType,
  // A collation of a column's own needs MAX_STRING_SIZE=EXTENDED; that of the session is binary unless told otherwise.
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

/** The name of a key, by which an error tells which one it is; none where it would be too long. */
export function oracleKeyName(
  table: string,
  columns: readonly string[],
  isPrimary: boolean,
): string | undefined {
  const name = isPrimary ? `${table}_pkey` : `${table}_${columns.join("_")}_key`;
  return Buffer.byteLength(name) > MOST_NAME_BYTES ? undefined : name;
}

// A key is an index by the name of its constraint.
function keyNames({ name, primaryKey, keys, columns }: AnyTable): NameTaken[] {
  return keys.flatMap((key) => {
    const names = key.map((property) => columns[property]?.name ?? property);
    const taken = oracleKeyName(name, names, isSameKey(key, primaryKey));
    return taken === undefined ? [] : [{ name: taken }];
  });
}

const types: { readonly [K in Exclude<Storage["kind"], "number" | "date" | "text" | "vector">]: string } = {
  bigint: "NUMBER(19)",
  boolean: "NUMBER(1)",
  bytes: "BLOB",
  json: "CLOB",
  array: "CLOB",
};

// An index takes about 6,400 bytes in a block of 8 KiB, and a character up to four of them.
const LENGTHS: { readonly [I in Indexing]: number } = { none: 4000, alone: 1000, "with others": 255 };

function columnType(storage: Storage, indexing: Indexing): string {
  const length = LENGTHS[indexing];
  switch (storage.kind) {
    case "number":
      return storage.integer === true ? "NUMBER(19)" : "BINARY_DOUBLE";
    case "text":
      return `VARCHAR2(${length} CHAR)`;
    case "date":
      // One with an offset of its own cannot be a key; one without is kept in the time zone of the database.
      return `TIMESTAMP(3) WITH ${indexing === "none" ? "" : "LOCAL "}TIME ZONE`;
    case "vector":
      return `VECTOR(${storage.dimensions})`;
    case "bytes":
      return indexing === "none" ? types.bytes : `RAW(${length})`;
    case "json":
    case "array":
      return indexing === "none" ? types[storage.kind] : `VARCHAR2(${length} CHAR)`;
    default:
      return types[storage.kind];
  }
}

const NAME_IN_USE = -955;
const NO_SUCH_TABLE = -942;

// `IF NOT EXISTS` came with version 23ai; a block that ignores one error does the same on every version.
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
 * A condition with the columns that it names in quotes, as they were created: Oracle reads `age` as `AGE`. Words in
 * text, in quotes and in comments stay, and so do those that call a function or stand before text (`DATE '…'`).
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
