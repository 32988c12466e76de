/** How MariaDB declares tables: text by code point, times in UTC, and lengths for what is indexed. */
import type { AnyTable, Storage } from "../declare/declaration.js";
import { MARIADB_BY_CODE_POINT, mariadbByCodePoint } from "./collation.js";
import { existence } from "./forms.js";
import type { DdlGrammar, Indexing, NameTaken } from "./grammar.js";
import { isSameKey } from "./names.js";

export const mariadbDdl: DdlGrammar = {
  type: columnType,
  byCodePoint: (type, { kind }) =>
    kind === "text" || kind === "array" || kind === "json" ? mariadbByCodePoint(type) : type,
  decimal: undefined,
  identity: () => "AUTO_INCREMENT",
  identityIsKey: false,
  // The time of the session's zone would be stored without it.
  defaultExpression: (expression) => (NOW.test(expression) ? "(UTC_TIMESTAMP(3))" : `(${expression})`),
  checkExpression: (expression) => expression,
  kindCheck: () => undefined,
  keyName: () => undefined,
  qualifies: { index: false, indexed: true, referenced: true },
  indexNamesOf: "table",
  namesTaken: keyIndexNames,
  ...existence,
};

// A key, a foreign one too, is an index by the name of its first column.
function keyIndexNames({ primaryKey, keys, columns }: AnyTable): NameTaken[] {
  const first = keys.flatMap((key) => (isSameKey(key, primaryKey) ? [] : key.slice(0, 1)));
  const foreign = Object.values(columns).filter(({ references }) => references !== undefined);
  return [...first, ...foreign.map(({ property }) => property)].map((property) => {
    const column = columns[property]?.name ?? property;
    return { name: column, column };
  });
}

const NOW = /^\s*\(?\s*(?:current_timestamp|localtimestamp|localtime|now)(?:\s*\(\s*\d?\s*\))?\s*\)?\s*$/i;

const types: { readonly [K in Exclude<Storage["kind"], "number" | "text" | "bytes">]: string } = {
  bigint: "bigint",
  boolean: "tinyint(1)",
  date: "datetime(3)",
  // No `json`, which refuses more than 32 levels.
  json: `longtext ${MARIADB_BY_CODE_POINT}`,
  array: `longtext ${MARIADB_BY_CODE_POINT}`,
  vector: "longtext",
};

// An index holds 3,072 bytes, and a character is up to four of them: so long, three columns make a key.
const INDEXED = 255;

function columnType(storage: Storage, indexing: Indexing): string {
  switch (storage.kind) {
    case "number":
      return storage.integer === true ? "bigint" : "double";
    case "text":
      return indexing === "none" ? "longtext" : `varchar(${INDEXED})`;
    case "bytes":
      return indexing === "none" ? "longblob" : `varbinary(${INDEXED})`;
    case "json":
    case "array":
      return indexing === "none" ? types[storage.kind] : `varchar(${INDEXED}) ${MARIADB_BY_CODE_POINT}`;
    default:
      return types[storage.kind];
  }
}
