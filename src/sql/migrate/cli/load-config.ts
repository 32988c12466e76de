/** Finds and loads the configuration, and the tables that it names. */
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { listed, quoted } from "../../../core/errors.js";
import type { AnyDeclared } from "../../declare/declaration.js";
import { isEnumType } from "../../declare/enum-type.js";
import { isTable } from "../../declare/table.js";
import { DeclarationError, isSqlError } from "../../words/errors.js";
import { loadModule } from "../run/load-module.js";
import { defineConfig, type MigrateConfig, type OpenedDatabase } from "../words/config.js";
import { filesOf } from "./glob.js";

/** A configuration, and where it is. */
export interface LoadedConfig {
  readonly config: MigrateConfig;
  /** The folder of its file, from which its paths begin. */
  readonly home: string;
  /** The path of the folder of migrations. */
  readonly folder: string;
}

const NAMES = ["ts", "mts", "js", "mjs"].map((ending) => `rowtype.config.${ending}`);

/**
 * Loads the configuration of a path, or the one in the current folder.
 * @throws {DeclarationError}
 */
export async function loadConfig(path: string | undefined, cwd: string): Promise<LoadedConfig> {
  const file = path === undefined ? await findConfig(cwd) : resolve(cwd, path);
  const loaded = await load(file);
  if (!("default" in loaded))
    throw new DeclarationError(
      `${quoted(file)} has no default export: write export default defineConfig({ … })`,
    );
  // Checked here, because the file may export anything.
  const config = defineConfig(loaded["default"] as MigrateConfig);
  const home = dirname(file);
  return { config, home, folder: resolve(home, config.folder) };
}

/**
 * The tables, views and enum types that the modules of a configuration export, by the names of their exports.
 * @throws {DeclarationError} if there is none.
 */
export async function loadTables({
  config,
  home,
}: LoadedConfig): Promise<Readonly<Record<string, AnyDeclared>>> {
  const patterns = typeof config.tables === "string" ? [config.tables] : config.tables;
  const files = await filesOf(patterns, home);
  const tables: Record<string, AnyDeclared> = Object.create(null);
  const seen = new Set<unknown>();
  for (const file of files.filter((one) => /\.[cm]?[jt]s$/.test(one) && !/\.d\.[cm]?ts$/.test(one)))
    for (const [name, value] of Object.entries(await load(file))) {
      if (!(isTable(value) || isEnumType(value)) || seen.has(value)) continue;
      seen.add(value);
      // Two modules may have exports of one name.
      let key = name;
      for (let n = 2; key in tables; n++) key = `${name}${n}`;
      tables[key] = value;
    }
  if (seen.size > 0) return tables;
  throw new DeclarationError(
    `no module of tables: ${listed(patterns)} export no table; files: ${files.length === 0 ? "none" : listed(files)}`,
  );
}

/** @throws {DeclarationError} */
export async function openDatabase({ config }: LoadedConfig): Promise<OpenedDatabase> {
  return checkOpened(await config.database(), "database");
}

/** @throws {DeclarationError} */
export function checkOpened(opened: unknown, name: string): OpenedDatabase {
  const { db, close } = Object(opened);
  if (typeof Object(db).transaction !== "function")
    throw new DeclarationError(`${name} of the configuration must give { db, close }`);
  if (close !== undefined && typeof close !== "function")
    throw new DeclarationError(`close of ${name} must be a function`);
  return { db, close };
}

async function findConfig(cwd: string): Promise<string> {
  for (const name of NAMES) {
    const path = resolve(cwd, name);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new DeclarationError(
    `there is no ${listed(NAMES)} here: write one with defineConfig, or say --config PATH`,
  );
}

async function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await loadModule(file);
  } catch (error) {
    if (isSqlError(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new DeclarationError(`${quoted(file)} cannot be loaded: ${text}`, { cause: error });
  }
}
