/** `defineConfig`: the settings of the command line, in `rowtype.config.ts`. */
import { describeType, isList, listed, quoted } from "../../../core/errors.js";
import type { Database } from "../../door/database.js";
import { type Dialect, dialects } from "../../words/dialect.js";
import { DeclarationError } from "../../words/errors.js";
import { readOptions } from "../../words/known-options.js";

/** A database that the command line opens, and how it is closed. */
export interface OpenedDatabase {
  readonly db: Database;
  readonly close?: (() => unknown) | undefined;
}

/** The settings of the command line. */
export interface MigrateConfig {
  /** The modules that export the tables, from the folder of the configuration: `src/tables/*.ts`, or a list. */
  readonly tables: string | readonly string[];
  /** Opens the database. */
  readonly database: () => OpenedDatabase | Promise<OpenedDatabase>;
  /** The folder of the migrations. */
  readonly folder: string;
  /** The dialects of the folder's files, if there are several: each file name then contains its dialect. */
  readonly dialects?: readonly Dialect[] | undefined;
  /** Names of tables that are left alone, `*` for any characters. */
  readonly ignore?: readonly string[] | undefined;
  /** SQL schemas that `pull` reads; by default the one that unqualified names refer to. */
  readonly schemas?: readonly string[] | undefined;
  /** Whether `reset` may drop everything in the database. */
  readonly disposable?: boolean | undefined;
  /** Opens an empty database for `check`; by default one next to `database`, which it creates and drops. */
  readonly scratch?: (() => OpenedDatabase | Promise<OpenedDatabase>) | undefined;
}

const KEYS = [
  "tables",
  "database",
  "folder",
  "dialects",
  "ignore",
  "schemas",
  "disposable",
  "scratch",
] as const;

/**
 * Checks a configuration and returns its settings.
 * @throws {DeclarationError} for one that cannot work.
 * @example
 * import { defineConfig } from "rowtype/migrate";
 * export default defineConfig({
 *   tables: "src/tables/*.ts",
 *   database: () => ({ db: postgres(pool), close: () => pool.end() }),
 *   folder: "migrations",
 * });
 */
export function defineConfig(given: MigrateConfig): MigrateConfig {
  const caller = "defineConfig";
  const config = readOptions(given, KEYS, caller);
  const { tables, database, folder, dialects: several, ignore, schemas, disposable, scratch } = config;
  const isTexts = (value: unknown) => isList(value) && value.every((one) => typeof one === "string");
  const check = (isRight: boolean, name: string, wanted: string, value: unknown) => {
    if (!isRight)
      throw new DeclarationError(`${name} of ${caller} must be ${wanted}, not ${describeType(value)}`);
  };
  check(typeof tables === "string" || isTexts(tables), "tables", "a path with * or a list of them", tables);
  check(typeof database === "function", "database", "a function that opens the database", database);
  check(typeof folder === "string" && folder !== "", "folder", "the path of a folder", folder);
  check(ignore === undefined || isTexts(ignore), "ignore", "a list of names", ignore);
  check(schemas === undefined || isTexts(schemas), "schemas", "a list of names", schemas);
  check(
    disposable === undefined || typeof disposable === "boolean",
    "disposable",
    "true or false",
    disposable,
  );
  check(
    scratch === undefined || typeof scratch === "function",
    "scratch",
    "a function that opens a database",
    scratch,
  );
  check(several === undefined || isTexts(several), "dialects", "a list of dialects", several);
  const other = several?.find((one) => !dialects.includes(one));
  if (other !== undefined)
    throw new DeclarationError(`unknown dialect ${quoted(other)} in dialects; dialects: ${listed(dialects)}`);
  return config;
}
