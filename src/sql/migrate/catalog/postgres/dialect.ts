/** How databases of PostgreSQL are read. */
import { postgres } from "../../../dialect/postgres/grammar.js";
import { postgresText } from "../../text/postgres.js";
import type { CatalogDialect } from "../dialect.js";
import { type HoldingTypes, holdsBy } from "../holds.js";
import { currentSchema, readPostgres } from "./catalog.js";
import { readDeclaredOnPostgres } from "./declared.js";
import { lookOnPostgres } from "./rows.js";
import { readViewLinks } from "./view-links.js";

const types: HoldingTypes = {
  text: /^(?:text|character varying(?:\(\d+\))?|citext|uuid|name)$/,
  bigint: /^(?:bigint|integer|smallint|numeric\(\d+,0\))$/,
  boolean: /^boolean$/,
  date: /^timestamp(?:\(\d\))? with time zone$/,
  bytes: /^bytea$/,
  json: /^jsonb?$/,
};

export const postgresCatalog: CatalogDialect = {
  ...postgresText,
  grammar: postgres,
  read: readPostgres,
  home: currentSchema,
  readDeclared: readDeclaredOnPostgres,
  viewLinks: (_, runs, home) => readViewLinks(runs, home),
  holds: holdsBy(types, /^(?:double precision|real|numeric(?:\(\d+,\d+\))?)$/, (name) => name === "C"),
  nullInKeys: false,
  lookAt: lookOnPostgres,
  oneRow: "LIMIT 1",
};
