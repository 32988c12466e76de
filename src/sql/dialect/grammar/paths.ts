/**
 * How each dialect reads a value inside a JSON value. A value of another type than it is read as is NULL, as is a null
 * of JSON.
 */
import type { Dialect } from "../../words/dialect.js";
import type { PathKey } from "../../words/paths.js";

/** What a value inside JSON is read as; as `json` it is the JSON text, of any type. */
export type MemberForm = "text" | "number" | "integer" | "boolean" | "json";

/** How a dialect reads paths. */
export interface PathGrammar {
  /** A JSON column `{f}` of a declared type, or another JSON value, as what paths lead into. */
  readonly document: (type: string | undefined) => string;
  /** The text of a path, for the places `{0}` of the templates. */
  readonly steps: (keys: readonly PathKey[]) => string;
  /** The value in the document `{f}`. */
  readonly member: { readonly [F in MemberForm]: string };
  /**
   * The document `{f}` with another value in it: `{0}` is the path, `{1}` the value as JSON text, `{2}` the path of what
   * holds it, in the document `{3}` as it is stored. Nothing changes where that is not an object, for a name, or not a list
   * with such a place, for a place.
   */
  readonly set: { readonly name: string; readonly place: string };
  /** The text of the path to a value that is set, if it is another than that of a value that is read. */
  readonly target?: (keys: readonly PathKey[]) => string;
  /** A document `{f}` as a column of a declared type keeps it. */
  readonly stored: (type: string | undefined) => string;
  /** The names that the server does not find. */
  readonly misses?: {
    readonly name: (name: string) => boolean;
    readonly feature: string;
    readonly hint: string;
  };
  /** Whether the value in the document `{f}` is a list, if a place in a list could lead to what is none. */
  readonly isList?: string;
}

const MOST = Number.MAX_SAFE_INTEGER;

const postgres: PathGrammar = {
  document: (type) => (type === undefined || /^\s*jsonb\b/i.test(type) ? "{f}" : "CAST({f} AS jsonb)"),
  target: (keys) => `ARRAY[${keys.map((key) => postgresText(String(key))).join(", ")}]`,
  set: {
    name: `(SELECT CASE WHEN jsonb_typeof(v{2}) = 'object' THEN jsonb_set(v, {0}, CAST({1} AS jsonb)) ELSE v END FROM (SELECT {f} AS v) AS s)`,
    place: `(SELECT CASE WHEN jsonb_typeof(v{2}) = 'array' THEN jsonb_set(v, {0}, CAST({1} AS jsonb), false) ELSE v END FROM (SELECT {f} AS v) AS s)`,
  },
  stored: (type) =>
    type === undefined || /^\s*jsonb\b/i.test(type)
      ? "{f}"
      : `CAST({f} AS ${/^\s*json\b/i.test(type) ? "json" : "text"})`,
  // A place in a value that is neither list nor object is that value.
  isList: "jsonb_typeof({f}{0}) = 'array'",
  steps: (keys) => keys.map((key) => ` -> ${typeof key === "number" ? key : postgresText(key)}`).join(""),
  member: {
    text: `(CASE jsonb_typeof({f}{0}) WHEN 'string' THEN ({f}{0}) #>> '{}' END) COLLATE "C"`,
    number: "CASE jsonb_typeof({f}{0}) WHEN 'number' THEN CAST({f}{0} AS double precision) END",
    integer: `CASE jsonb_typeof({f}{0}) WHEN 'number' THEN CASE WHEN CAST({f}{0} AS numeric) % 1 = 0 AND abs(CAST({f}{0} AS numeric)) <= ${MOST} THEN CAST({f}{0} AS bigint) END END`,
    boolean: "CASE jsonb_typeof({f}{0}) WHEN 'boolean' THEN CAST({f}{0} AS boolean) END",
    json: "CASE WHEN jsonb_typeof({f}{0}) <> 'null' THEN {f}{0} END",
  },
};

// Backslashes have their meaning in an escape text, whatever the session says.
function postgresText(key: string): string {
  const text = key.replaceAll("'", "''");
  return key.includes("\\") ? `E'${text.replaceAll("\\", "\\\\")}'` : `'${text}'`;
}

const TYPE_OF = "JSON_TYPE(JSON_EXTRACT({f}, {0}))";
const AS_NUMBER = "CAST(JSON_VALUE({f}, {0}) AS DOUBLE)";

const mariadb: PathGrammar = {
  document: () => "{f}",
  steps: (keys) => mariadbText(jsonPath(keys, JSON.stringify)),
  isList: `${TYPE_OF} = 'ARRAY'`,
  stored: () => "{f}",
  set: {
    name: "JSON_SET({f}, {0}, JSON_EXTRACT({1}, '$'))",
    // A place in what is not a list is that value, which is set to itself then.
    place:
      "JSON_REPLACE({f}, {0}, JSON_EXTRACT(CASE JSON_TYPE(JSON_EXTRACT({3}, {2})) WHEN 'ARRAY' THEN {1} ELSE JSON_EXTRACT({3}, {0}) END, '$'))",
  },
  // Written out or escaped, the server does not find them.
  misses: {
    name: (name) => name.startsWith("-") || [...name].some((character) => character < " "),
    feature: "names with a dash at their start, or with control characters, in paths",
    hint: "rename the member, or read the column",
  },
  member: {
    text: `CONVERT(CASE ${TYPE_OF} WHEN 'STRING' THEN JSON_VALUE({f}, {0}) END USING utf8mb4) COLLATE utf8mb4_nopad_bin`,
    number: `CASE WHEN ${TYPE_OF} IN ('INTEGER', 'DOUBLE') THEN ${AS_NUMBER} END`,
    integer: `CASE WHEN ${TYPE_OF} IN ('INTEGER', 'DOUBLE') THEN CASE WHEN ${AS_NUMBER} % 1 = 0 AND ABS(${AS_NUMBER}) <= ${MOST} THEN CAST(${AS_NUMBER} AS SIGNED) END END`,
    // A boolean is read as 1 or 0.
    boolean: `CASE ${TYPE_OF} WHEN 'BOOLEAN' THEN JSON_VALUE({f}, {0}) = '1' END`,
    json: `CASE WHEN ${TYPE_OF} <> 'NULL' THEN JSON_EXTRACT({f}, {0}) END`,
  },
};

// In a literal a backslash would be one or two characters, by the mode of the session.
function mariadbText(text: string): string {
  if (!text.includes("\\")) return `'${text.replaceAll("'", "''")}'`;
  return `CONVERT(0x${Buffer.from(text).toString("hex")} USING utf8mb4)`;
}

const sqlite: PathGrammar = {
  document: () => "{f}",
  steps: (keys) => `'${jsonPath(keys, JSON.stringify).replaceAll("'", "''")}'`,
  stored: () => "{f}",
  set: {
    name: "(SELECT CASE json_type(v, {2}) WHEN 'object' THEN json_set(v, {0}, json({1})) ELSE v END FROM (SELECT {f} AS v))",
    place:
      "(SELECT CASE json_type(v, {2}) WHEN 'array' THEN json_replace(v, {0}, json({1})) ELSE v END FROM (SELECT {f} AS v))",
  },
  member: {
    text: "CASE json_type({f}, {0}) WHEN 'text' THEN json_extract({f}, {0}) END",
    number:
      "CASE WHEN json_type({f}, {0}) IN ('integer', 'real') THEN CAST(json_extract({f}, {0}) AS REAL) END",
    integer: `CASE WHEN json_type({f}, {0}) IN ('integer', 'real') THEN CASE WHEN json_extract({f}, {0}) = CAST(json_extract({f}, {0}) AS INTEGER) AND json_extract({f}, {0}) BETWEEN -${MOST} AND ${MOST} THEN CAST(json_extract({f}, {0}) AS INTEGER) END END`,
    boolean: "CASE json_type({f}, {0}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END",
    json: "CASE WHEN json_type({f}, {0}) <> 'null' THEN {f} -> {0} END",
  },
};

const TYPE = "JSON_VALUE({f}, '{0}.type()')";

const DIGITS = "JSON_VALUE({f}, '{0}' RETURNING NUMBER)";

const oracle: PathGrammar = {
  document: () => "{f}",
  // Without its quotes, because item methods follow.
  steps: (keys) => jsonPath(keys, JSON.stringify).replaceAll("'", "''"),
  isList: `${TYPE} = 'array'`,
  stored: () => "{f}",
  set: {
    name: "CASE JSON_VALUE({f}, '{2}.type()') WHEN 'object' THEN JSON_TRANSFORM({f}, SET '{0}' = {1} FORMAT JSON) ELSE {f} END",
    place:
      "CASE JSON_VALUE({f}, '{2}.type()') WHEN 'array' THEN JSON_TRANSFORM({f}, REPLACE '{0}' = {1} FORMAT JSON) ELSE {f} END",
  },
  member: {
    text: `CASE ${TYPE} WHEN 'string' THEN JSON_VALUE({f}, '{0}' RETURNING VARCHAR2(4000)) END`,
    number: `CASE ${TYPE} WHEN 'number' THEN JSON_VALUE({f}, '{0}' RETURNING BINARY_DOUBLE) END`,
    integer: `CASE ${TYPE} WHEN 'number' THEN CASE MOD(${DIGITS}, 1) WHEN 0 THEN ${DIGITS} END END`,
    boolean: `CASE ${TYPE} WHEN 'boolean' THEN CASE JSON_VALUE({f}, '{0}') WHEN 'true' THEN 1 ELSE 0 END END`,
    // A value that is neither object nor list comes in a list only, whose brackets are the first and the last character.
    json: `CASE WHEN ${TYPE} <> 'null' THEN REGEXP_REPLACE(JSON_QUERY({f}, '{0}' RETURNING CLOB WITH WRAPPER), '^\\[|\\]$') END`,
  },
};

// Names of other characters are quoted.
function jsonPath(keys: readonly PathKey[], quoted: (key: string) => string): string {
  const step = (key: PathKey) =>
    typeof key === "number" ? `[${key}]` : `.${PLAIN.test(key) ? key : quoted(key)}`;
  return `$${keys.map(step).join("")}`;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How each dialect reads paths. */
export const paths: { readonly [D in Dialect]: PathGrammar } = { postgres, mariadb, sqlite, oracle };
