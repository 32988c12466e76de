/** How tables of PostgreSQL are written as declarations. */
import { AS_IT_IS } from "../../../dialect/grammar/collation.js";
import { postgresCatalog } from "../../catalog/postgres/dialect.js";
import { readDomains } from "../../catalog/postgres/domains.js";
import type { PullDialect, PulledRule } from "../dialect.js";

const types: readonly PulledRule[] = [
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
  { pattern: /^jsonb?$/, schema: "json(z.unknown())", isDefault: /^jsonb$/, uses: ["json"] },
  { pattern: /^text\[\]$/, schema: "z.array(z.string())", isDefault: /^text\[\] COLLATE "C"$/ },
  { pattern: /^bigint\[\]$/, schema: "z.array(z.int())", isDefault: /^bigint\[\]$/ },
];

export const postgresPull: PullDialect = {
  ...postgresCatalog,
  types,
  // A text without its own collation would get rowtype's: to keep the database's, a comment in the type says so.
  typeOf: ({ type, collation }) => {
    if (collation !== null) return `${type} COLLATE "${collation}"`;
    return /^(?:text|character|varchar|bpchar)/.test(type) ? `${type} ${AS_IT_IS}` : type;
  },
  readDomains,
  defaultIn: (text) => [text],
  keepsNow: (type) => / with time zone$/.test(type),
};
