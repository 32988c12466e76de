/** How tables of MariaDB are written as declarations. */
import { mariadbCatalog } from "../../catalog/mariadb/dialect.js";
import type { PullDialect, PulledRule } from "../dialect.js";

const types: readonly PulledRule[] = [
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
];

export const mariadbPull: PullDialect = {
  ...mariadbCatalog,
  types,
  typeOf: ({ type, collation }) => (collation === null ? type : `${type} COLLATE ${collation}`),
  defaultIn: (text) => {
    const [said = "", onUpdate] = text.split(/(?= ON UPDATE )/);
    return onUpdate === undefined ? [said] : [said, onUpdate.trim()];
  },
  keepsNow: (type) => /^timestamp/.test(type),
};
