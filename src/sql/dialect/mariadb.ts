/**
 * MariaDB, from 10.6. Text of the server's own making is avoided wherever a mode of the session would read it in
 * another way: no backslash in a literal, no `||`, no double quotes.
 */
import { mariadbDates, plainDates } from "./dates.js";
import {
  comparisons,
  explainedBy,
  infix,
  limitOffset,
  noArrayOperators,
  noDistinctOn,
  noRegex,
  noVectors,
  writtenOutLists,
} from "./forms.js";
import type { Direction, Grammar, Missing, OperatorForm, ValueCodec } from "./grammar.js";
import { jsonArray } from "./json-array.js";
import { mariadbDdl } from "./mariadb-ddl.js";
import { LOWERED, mariadbCompound, mariadbExpressions } from "./mariadb-expressions.js";
import { jsonTable } from "./mariadb-lists.js";
import { mariadbScan } from "./scan.js";
import { decimalText, jsonText, numberCodec, textCodec } from "./values.js";

const noSuchLock: Missing = {
  feature: "row locks other than FOR UPDATE and LOCK IN SHARE MODE",
  hint: "use forUpdate() or forShare()",
};

const json: ValueCodec = {
  encode: jsonText,
  decode: (value) => (typeof value === "string" ? JSON.parse(value) : undefined),
};

// Case counts whatever the collation of the column, and one that rowtype made keeps its index. 0x5C is the backslash:
// in a literal it would be one or two characters by the mode of the session.
const EXACTLY = " COLLATE utf8mb4_nopad_bin ESCAPE 0x5C";

export const mariadb: Grammar = {
  dialect: "mariadb",
  quote,
  placeholder: () => "?",
  sharesPlaceholders: false,
  maxParams: 65_535,
  // Well below `max_allowed_packet`, which is 16 MiB unless told otherwise.
  mostBytes: 8 * 2 ** 20,
  maxNameBytes: 64,
  foldsNames: true,
  quotesInNames: true,
  emptyTextIsNull: false,
  operators: {
    ...comparisons,
    // Written out: as a table of JSON a list would keep the server from its indexes in updates and removals.
    ...writtenOutLists(Number.POSITIVE_INFINITY),
    LIKE: like("LIKE"),
    "NOT LIKE": like("NOT LIKE"),
    ILIKE: foldedLike("LIKE"),
    "NOT ILIKE": foldedLike("NOT LIKE"),
    "~": noRegex,
    "~*": noRegex,
    "!~": noRegex,
    "!~*": noRegex,
    "@>": noArrayOperators,
    "<@": noArrayOperators,
    "&&": noArrayOperators,
  },
  largeObjects: undefined,
  orderTerm,
  paging: limitOffset,
  noLimit: "18446744073709551615",
  locks: {
    update: " FOR UPDATE",
    no_key_update: noSuchLock,
    share: " LOCK IN SHARE MODE",
    key_share: noSuchLock,
  },
  rowIdentity: undefined,
  distinctOn: noDistinctOn,
  noVectors,
  noDecimalOrder: undefined,
  defaultRow: () => "() VALUES ()",
  severalRows: true,
  expressions: mariadbExpressions,
  compound: mariadbCompound,
  // The clause is about every key. Where the row that is there has not the named one, the first assignment fails; where
  // it has, that changes nothing.
  onConflict: {
    nothing: undefined,
    leaving: {
      // How many rows were left alone the server does not tell: it counts them like those that it stores.
      clause: (key) => onDuplicate(key, " AND (@rowtype_left := @rowtype_left + 1) > 0"),
      begin: "SET @rowtype_left = 0",
      count: "SELECT @rowtype_left",
    },
    update: (key) => `${onDuplicate(key)}, `,
    proposed: (column) => `VALUES(${column})`,
    namesKey: false,
  },
  updateReturns: false,
  returningInto: undefined,
  values: {
    text: textCodec,
    number: numberCodec,
    // As text: a number of the driver's is a double.
    bigint: { encode: (value: bigint) => value.toString(), decode: decimalText },
    boolean: {
      encode: (value: boolean) => (value ? 1 : 0),
      decode: (value) =>
        value === 1 || value === "1" ? true : value === 0 || value === "0" ? false : undefined,
    },
    date: plainDates.mariadb,
    bytes: {
      encode: ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength),
      decode: (value) => (value instanceof Uint8Array ? new Uint8Array(value) : undefined),
    },
    json,
    array: jsonArray(() => mariadb),
    vector: { encode: jsonText, decode: json.decode },
  },
  dates: mariadbDates,
  listTable: jsonTable,
  encodeList: (values) => values,
  explain: explainedBy("EXPLAIN FORMAT=JSON "),
  scan: mariadbScan,
  ddl: mariadbDdl,
};

function quote(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

function like(operator: string): OperatorForm {
  return { ...infix(operator), close: EXACTLY };
}

function foldedLike(operator: string): OperatorForm {
  const [before = "", after = ""] = LOWERED.split("{f}");
  return { open: before, between: `${after} ${operator} ${before}`, close: `${after} ESCAPE 0x5C` };
}

function onDuplicate(key: readonly string[], more = ""): string {
  const isSame = key.map((column) => `${column} = VALUES(${column})`).join(" AND ");
  const [first = ""] = key;
  // Two rows where there may be one.
  const failing = `(SELECT ${first} UNION ALL SELECT ${first})`;
  return ` ON DUPLICATE KEY UPDATE ${first} = IF(${isSame}${more}, ${first}, ${failing})`;
}

// NULL is the least value here, and there are no words to say where it goes: a term of its own says so.
function orderTerm(column: string, direction: Direction, nulls: "first" | "last" | undefined): string {
  const term = `${column} ${direction === "desc" ? "DESC" : "ASC"}`;
  const natural = direction === "asc" ? "first" : "last";
  if (nulls === undefined || nulls === natural) return term;
  return `${column} IS NULL${nulls === "first" ? " DESC" : ""}, ${term}`;
}
