/** How tables of SQLite are written as declarations. */
import { sqliteCatalog } from "../../catalog/sqlite/dialect.js";
import type { PullDialect, PulledRule } from "../dialect.js";
import { pulledKind } from "./kind.js";

const types: readonly PulledRule[] = [
  { pattern: /BOOL/, schema: "z.boolean()", isDefault: /^BOOLEAN$/ },
  { pattern: /INT/, schema: "z.int()", isDefault: /^INTEGER$/ },
  { pattern: /CHAR|CLOB|TEXT/, schema: "z.string()", isDefault: /^TEXT$/ },
  { pattern: /BLOB/, schema: "z.instanceof(Uint8Array)", isDefault: /^BLOB$/ },
  { pattern: /REAL|FLOA|DOUB/, schema: "z.number()", isDefault: /^REAL$/ },
  { pattern: /^(?:DATE|TIME)/, schema: "z.string()" },
  { pattern: /^(?:NUMERIC|DECIMAL)/, schema: "z.number()" },
  { pattern: /JSON/, schema: "json(z.unknown())", uses: ["json"] },
];

export const sqlitePull: PullDialect = {
  ...sqliteCatalog,
  types,
  typeOf: ({ type, collation }) => (collation === null ? type : `${type} COLLATE ${collation}`),
  kindOf: pulledKind,
  defaultIn: (text) => [text],
  keepsNow: (type) => / with time zone$/.test(type),
};
