/**
 * Whether a column that rowtype did not create can hold the values of a declaration without a type: then its type is
 * not a difference. A column that rowtype created is recognised by its collation, and compared exactly.
 */
import type { Storage } from "../../declare/declaration.js";
import { MARIADB_BY_CODE_POINT } from "../../dialect/mariadb/collation.js";
import type { Dialect } from "../../words/dialect.js";
import type { Kind } from "../../words/kinds.js";
import type { CatalogColumn } from "../words/catalog.js";

/** Whether rowtype reads and writes such values in a column of that type. */
export function holds(column: CatalogColumn, storage: Storage, dialect: Dialect): boolean {
  if (isOfOurMaking(column, dialect)) return false;
  return typesOf[dialect](storage)?.test(column.type) ?? false;
}

function isOfOurMaking({ collation }: CatalogColumn, dialect: Dialect): boolean {
  if (collation === null) return false;
  return dialect === "postgres" ? collation === "C" : MARIADB_BY_CODE_POINT.endsWith(collation);
}

type Types = Readonly<Partial<Record<Kind, RegExp>>>;
const NONE: RegExp | undefined = undefined;

const postgresTypes: Types = {
  text: /^(?:text|character varying(?:\(\d+\))?|citext|uuid|name)$/,
  bigint: /^(?:bigint|integer|smallint|numeric\(\d+,0\))$/,
  boolean: /^boolean$/,
  date: /^timestamp(?:\(\d\))? with time zone$/,
  bytes: /^bytea$/,
  json: /^jsonb?$/,
};

const mariadbTypes: Types = {
  text: /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum|uuid)\b/,
  bigint: /^(?:tinyint|smallint|mediumint|int|bigint)\b/,
  // Another number type may hold a number that is no boolean.
  boolean: /^tinyint\(1\)/,
  date: /^datetime(?:\(\d\))?$/,
  bytes: /^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob)\b/,
  json: /^(?:text|mediumtext|longtext)$/,
  array: /^(?:text|mediumtext|longtext)$/,
};

// Types with the affinity that such values need (https://sqlite.org/datatype3.html#determination_of_column_affinity).
const sqliteTypes: Types = {
  text: /CHAR|CLOB|TEXT|^$/,
  bigint: /INT/,
  boolean: /INT|BOOL/,
  date: /TEXT|CHAR|DATE|TIME/,
  bytes: /BLOB|^$/,
  json: /TEXT|CHAR|JSON/,
  array: /TEXT|CHAR|JSON/,
};

function typesFor(types: Types, floats: RegExp): (storage: Storage) => RegExp | undefined {
  return ({ kind, integer, item }) => {
    if (kind === "number") return integer === true ? types.bigint : floats;
    if (kind !== "array" || types.array !== undefined) return types[kind];
    const inner = item === undefined ? undefined : typesFor(types, floats)(item);
    return inner === undefined ? NONE : new RegExp(`(?=.*\\[\\]$)${inner.source.replace(/\$$/, "\\[\\]$")}`);
  };
}

const typesOf: { readonly [D in Dialect]: (storage: Storage) => RegExp | undefined } = {
  postgres: typesFor(postgresTypes, /^(?:double precision|real|numeric(?:\(\d+,\d+\))?)$/),
  mariadb: typesFor(mariadbTypes, /^(?:double|float|decimal)\b/),
  sqlite: typesFor(sqliteTypes, /REAL|FLOA|DOUB|NUMERIC|DECIMAL/),
  oracle: () => NONE,
};
