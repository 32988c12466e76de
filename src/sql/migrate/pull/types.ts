/** The Zod schema of a pulled column, from its type in the database; `z.unknown()` for a type unknown to rowtype. */
import { AS_IT_IS } from "../../dialect/grammar/collation.js";
import type { Dialect } from "../../words/dialect.js";
import { enumOfType } from "../catalog/enum-types.js";
import type { Domains } from "../catalog/postgres/domains.js";
import type { Catalog, CatalogColumn } from "../words/catalog.js";
import type { PulledNames } from "./names.js";

/** The declaration of a column. */
export interface PulledType {
  /** The Zod schema, as text. */
  readonly schema: string;
  /** The SQL type, if the schema alone would give a different one. */
  readonly type?: string;
  readonly uses: readonly string[];
  /** The part of the type that the declaration does not say. */
  readonly lost?: string;
}

/** The declaration of a column's type. */
export function pulledType(
  column: CatalogColumn,
  { dialect, enums }: Catalog,
  { names, domains }: { readonly names: Pick<PulledNames, "enum">; readonly domains: Domains },
): PulledType {
  // The values of a domain are those of its base type.
  const type = domains.get(column.type) ?? column.type;
  const ownEnum = dialect === "postgres" ? enumOfType(type, enums) : undefined;
  if (ownEnum !== undefined) {
    const member = `z.enum(${names.enum(ownEnum.schema, ownEnum.name)}.values)`;
    return { schema: type.endsWith("[]") ? `z.array(${member})` : member, type: column.type, uses: [] };
  }
  const found = rules[dialect]?.find(({ pattern }) => pattern.test(type));
  const said = withCollation(column, dialect);
  if (found === undefined)
    return { schema: "z.unknown()", type: said, uses: [], lost: `type ${column.type}` };
  const { schema, isDefault, uses = [] } = found;
  const isOwn = isDefault?.test(said) === true;
  return { schema, ...(isOwn ? {} : { type: said }), uses };
}

// A text without its own collation would get rowtype's: to keep the database's, a comment in the type says so.
function withCollation({ type, collation }: CatalogColumn, dialect: Dialect): string {
  if (collation !== null) return `${type} COLLATE ${dialect === "postgres" ? `"${collation}"` : collation}`;
  const isText = dialect === "postgres" && /^(?:text|character|varchar|bpchar)/.test(type);
  return isText ? `${type} ${AS_IT_IS}` : type;
}

interface Rule {
  readonly pattern: RegExp;
  readonly schema: string;
  /** The types that a declaration without a type makes. */
  readonly isDefault?: RegExp;
  readonly uses?: readonly string[];
}

const JSON_USES = ["json"];

const rules: { readonly [D in Dialect]?: readonly Rule[] } = {
  postgres: [
    { pattern: /^(?:smallint|integer|bigint)$/, schema: "z.int()", isDefault: /^bigint$/ },
    { pattern: /^(?:real|double precision)$/, schema: "z.number()", isDefault: /^double precision$/ },
    { pattern: /^numeric/, schema: "z.string()" },
    { pattern: /^boolean$/, schema: "z.boolean()", isDefault: /^boolean$/ },
    {
      pattern: /^(?:text|character varying(?:\(\d+\))?|character(?:\(\d+\))?|bpchar|citext|uuid|name)$/,
      schema: "z.string()",
      isDefault: /^text COLLATE "C"$/,
    },
    { pattern: /^timestamp/, schema: "z.date()", isDefault: /^timestamp\(3\) with time zone$/ },
    { pattern: /^date$/, schema: "z.date()" },
    // Their text is the form that the server sends and accepts.
    {
      pattern:
        /^(?:time|interval|inet|cidr|macaddr8?|bit|xml|tsvector|tsquery|point|box|circle|polygon|\w+range)\b(?!.*\[\])/,
      schema: "z.string()",
    },
    { pattern: /^bytea$/, schema: "z.instanceof(Uint8Array)", isDefault: /^bytea$/ },
    { pattern: /^jsonb?$/, schema: "json(z.unknown())", isDefault: /^jsonb$/, uses: JSON_USES },
    { pattern: /^text\[\]$/, schema: "z.array(z.string())", isDefault: /^text\[\] COLLATE "C"$/ },
    { pattern: /^bigint\[\]$/, schema: "z.array(z.int())", isDefault: /^bigint\[\]$/ },
  ],
  mariadb: [
    { pattern: /^tinyint\(1\)$/, schema: "z.boolean()", isDefault: /^tinyint\(1\)$/ },
    {
      pattern: /^(?:tinyint|smallint|mediumint|int|bigint)\b/,
      schema: "z.int()",
      isDefault: /^bigint\(20\)$/,
    },
    { pattern: /^(?:float|double)/, schema: "z.number()", isDefault: /^double$/ },
    { pattern: /^decimal/, schema: "z.string()" },
    {
      pattern: /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum|set|uuid|inet4|inet6|time)\b/,
      schema: "z.string()",
      isDefault: /^longtext COLLATE utf8mb4_nopad_bin$/,
    },
    { pattern: /^(?:datetime|timestamp|date)\b/, schema: "z.date()", isDefault: /^datetime\(3\)$/ },
    { pattern: /^year/, schema: "z.int()" },
    {
      pattern: /^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob)/,
      schema: "z.instanceof(Uint8Array)",
      isDefault: /^longblob$/,
    },
  ],
  sqlite: [
    { pattern: /BOOL/, schema: "z.boolean()", isDefault: /^BOOLEAN$/ },
    { pattern: /INT/, schema: "z.int()", isDefault: /^INTEGER$/ },
    { pattern: /CHAR|CLOB|TEXT/, schema: "z.string()", isDefault: /^TEXT$/ },
    { pattern: /BLOB/, schema: "z.instanceof(Uint8Array)", isDefault: /^BLOB$/ },
    { pattern: /REAL|FLOA|DOUB/, schema: "z.number()", isDefault: /^REAL$/ },
    { pattern: /^(?:DATE|TIME)/, schema: "z.string()" },
    { pattern: /^(?:NUMERIC|DECIMAL)/, schema: "z.number()" },
    { pattern: /JSON/, schema: "json(z.unknown())", uses: JSON_USES },
  ],
};
