/**
 * Rows inside of rows, as each dialect writes them: one JSON array for each row, and one of these. What JSON would not
 * hold exactly stands in it as text, and is read back as the driver would have given it.
 */
import type { Storage } from "../../declare/declaration.js";

/** Where a nested value comes from: a column, one with a declared type, or an expression. */
export type NestedSource = "column" | "declared column" | "expression";

/** One value of a nested row. */
export interface NestedValue {
  /** The value `{f}` as JSON takes it. */
  readonly template: string;
  /** What JSON gives, as the driver gives it; absent where both are the same. */
  readonly read?: (value: unknown) => unknown;
}

/** Text before and after. */
type Around = readonly [before: string, after: string];

/** How a dialect writes rows inside of rows. */
export interface NestedGrammar {
  readonly value: (storage: Storage, source: NestedSource) => NestedValue;
  /** Rows `{f}` in the rows around them: where they are found, and read from a table in FROM. */
  readonly inside: string;
  readonly insideAgain: string;
  /** Around the values of a row, at most this number of them. */
  readonly row: Around;
  readonly mostValues?: number;
  /** Around a row that is alone: NULL says that there is none. */
  readonly one: Around;
  /** Around the row in the aggregate over all of them, behind which their order stands. */
  readonly list: Around;
  /** The list of the one row of an aggregate, if a table in FROM does not see the row around. */
  readonly single?: Around;
  /** Whether a list stands behind the number of its rows, because the server may cut it. */
  readonly counts?: true;
  /** Whether an aggregate takes an order; if not, it keeps that of a table in FROM. */
  readonly orders: boolean;
  /** Whether it takes a limit that is a number. */
  readonly limits?: true;
  /** Whether an aggregate keeps the order of a table in FROM. */
  readonly keepsOrder: boolean;
}

const asItIs: NestedValue = { template: "{f}" };

// Bytes have two digits each; any other text stands for what the server did not write.
function bytesFromHex(value: unknown): unknown {
  return typeof value === "string" && value.length % 2 === 0 ? Buffer.from(value, "hex") : value;
}

// ---- PostgreSQL

const postgresText: NestedValue = { template: "CAST({f} AS text)" };

// The server would write `true`, where the driver gives `t`.
const postgresBoolean: NestedValue = {
  template: "{f}",
  read: (value) => (value === true ? "t" : value === false ? "f" : value),
};

// A cast would take the blanks at the end of a `char(n)`.
const postgresDeclared: NestedValue = {
  template: "CASE WHEN {f} IS NOT NULL THEN format('%s', {f}) END",
};

/** As text a value is what the driver would have given. */
function postgresValue({ kind }: Storage, source: NestedSource): NestedValue {
  if (kind === "boolean") return postgresBoolean;
  if (kind === "number") return asItIs;
  if (kind !== "text" || source === "expression") return postgresText;
  return source === "column" ? asItIs : postgresDeclared;
}

export const postgresNested: NestedGrammar = {
  value: postgresValue,
  inside: "{f}",
  insideAgain: "{f}",
  row: ["json_build_array(", ")"],
  mostValues: 100,
  one: ["", ""],
  list: ["coalesce(json_agg(", "), '[]')"],
  orders: true,
  keepsOrder: true,
};

// ---- SQLite

// Values of any type may stand in any column: only doubles are written with all digits, and only bytes as hex.
const sqliteDouble: NestedValue = {
  template: "CASE typeof({f}) WHEN 'real' THEN printf('%!.17g', {f}) ELSE {f} END",
};
const sqliteBytes: NestedValue = {
  template: "CASE typeof({f}) WHEN 'blob' THEN hex({f}) WHEN 'null' THEN NULL ELSE 0 END",
  read: bytesFromHex,
};
const sqliteDigits: NestedValue = { template: "CAST({f} AS TEXT)" };
const sqliteUnits: NestedValue = {
  template: "CAST({f} AS TEXT)",
  read: (value) => (typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : value),
};
// What a JSON function gives would stand in other JSON as it is.
const sqliteText: NestedValue = { template: "({f} || '')" };

function sqliteValue({ kind, integer }: Storage, source: NestedSource): NestedValue {
  switch (kind) {
    case "number":
      return integer === true ? asItIs : sqliteDouble;
    case "bigint":
      return sqliteDigits;
    case "decimal":
      return sqliteUnits;
    case "bytes":
      return sqliteBytes;
    case "boolean":
    case "date":
      return asItIs;
    default:
      return source === "expression" ? sqliteText : asItIs;
  }
}

export const sqliteNested: NestedGrammar = {
  value: sqliteValue,
  inside: "{f}",
  insideAgain: "json({f})",
  row: ["json_array(", ")"],
  mostValues: 100,
  one: ["", ""],
  list: ["json_group_array(", ")"],
  orders: false,
  keepsOrder: true,
};

// ---- MariaDB

const mariadbText: NestedValue = { template: "CAST({f} AS CHAR)" };
// A `float` is read as the double that it is, and not in the digits that it is written with.
const mariadbDouble: NestedValue = { template: "CAST(CAST({f} AS DOUBLE) AS CHAR)" };
// What is declared as JSON would stand in other JSON as it is.
const mariadbPlain: NestedValue = { template: "CONCAT({f})" };
// Beyond `max_allowed_packet` the digits would be NULL.
const mariadbBytes: NestedValue = {
  template: "CASE WHEN {f} IS NOT NULL THEN COALESCE(HEX({f}), 0) END",
  read: bytesFromHex,
};

// What the server knows as a truth is one in JSON too; a column holds a number.
const mariadbTruth: NestedValue = {
  template: "{f}",
  read: (value) => (typeof value === "boolean" ? Number(value) : value),
};

function mariadbValue({ kind, integer }: Storage, source: NestedSource): NestedValue {
  switch (kind) {
    case "number":
      return integer === true ? asItIs : mariadbDouble;
    case "boolean":
      return source === "column" ? asItIs : mariadbTruth;
    case "text":
      return source === "column" ? asItIs : mariadbPlain;
    case "bytes":
      return mariadbBytes;
    case "json":
    case "array":
    case "vector":
      return mariadbPlain;
    default:
      return mariadbText;
  }
}

/**
 * Beyond `max_allowed_packet` the server cuts a list, and a row is NULL, both without an error: so a list stands behind
 * its length, and a row that is there is never NULL.
 */
export const mariadbNested: NestedGrammar = {
  value: mariadbValue,
  inside: "{f}",
  insideAgain: "{f}",
  row: ["JSON_ARRAY(", ")"],
  one: ["COALESCE(", ", JSON_ARRAY())"],
  list: ["JSON_ARRAY(COUNT(*), JSON_ARRAYAGG(", "))"],
  single: ["JSON_ARRAY(1, JSON_ARRAY(", "))"],
  counts: true,
  orders: true,
  limits: true,
  keepsOrder: false,
};

// ---- Oracle

const NLS = "'NLS_NUMERIC_CHARACTERS=''.,'''";
const oracleDigits: NestedValue = { template: `TO_CHAR({f}, 'TM9', ${NLS})` };
const oracleDouble: NestedValue = { template: `TO_CHAR({f}, 'TME', ${NLS})` };
const oracleDate: NestedValue = {
  template: "TO_CHAR(SYS_EXTRACT_UTC({f}), 'YYYY-MM-DD HH24:MI:SS.FF3')",
};
const oracleBytes: NestedValue = { template: "RAWTOHEX({f})", read: bytesFromHex };

function oracleValue({ kind, integer, decimal }: Storage): NestedValue {
  switch (kind) {
    case "number":
      return integer === true ? asItIs : oracleDouble;
    case "bigint":
    case "decimal":
      return oracleDigits;
    case "text":
      return decimal === true ? oracleDigits : asItIs;
    case "date":
      return oracleDate;
    case "bytes":
      return oracleBytes;
    default:
      return asItIs;
  }
}

export const oracleNested: NestedGrammar = {
  value: oracleValue,
  inside: "{f} FORMAT JSON",
  insideAgain: "{f} FORMAT JSON",
  row: ["JSON_ARRAY(", " NULL ON NULL RETURNING CLOB)"],
  one: ["", ""],
  list: ["COALESCE(JSON_ARRAYAGG(", " RETURNING CLOB), TO_CLOB('[]'))"],
  orders: true,
  keepsOrder: false,
};
