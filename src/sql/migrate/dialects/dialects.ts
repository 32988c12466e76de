/** The dialects of migrations by name: the only place that imports all of them. */
import { listed, quoted } from "../../../core/errors.js";
import { isMissing, type Missing } from "../../dialect/grammar/grammar.js";
import type { Dialect } from "../../words/dialect.js";
import { DeclarationError, UnsupportedError } from "../../words/errors.js";
import type { MigrationDialect, SchemaDialect } from "./dialect.js";
import { mariadb } from "./mariadb.js";
import { oracle } from "./oracle.js";
import { postgres } from "./postgres.js";
import { sqlite } from "./sqlite.js";

const records: { readonly [D in Dialect]: MigrationDialect } = { postgres, mariadb, sqlite, oracle };

// Names come from outside, so this is a map, not an object.
const dialects: ReadonlyMap<string, MigrationDialect> = new Map(Object.entries(records));

/**
 * The record of a dialect.
 * @throws {DeclarationError} for a name that is no dialect.
 */
export function migrationDialect(name: Dialect): MigrationDialect {
  const dialect = dialects.get(name);
  if (dialect !== undefined) return dialect;
  throw new DeclarationError(`unknown dialect ${quoted(name)}; dialects: ${listed(dialects.keys())}`);
}

/**
 * How schemas of a dialect are compared and changed.
 * @throws {UnsupportedError} for a dialect whose catalog is not read.
 */
export function schemaDialect(name: Dialect): SchemaDialect {
  return supported(name, migrationDialect(name).schema);
}

/**
 * A member of the record of a dialect.
 * @throws {UnsupportedError} for one that the dialect lacks.
 */
export function supported<T extends object>(name: Dialect, member: T | Missing): T {
  if (isMissing(member)) throw new UnsupportedError(name, member.feature, member.hint);
  return member;
}
