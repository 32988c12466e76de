/** Loads modules of the user: configurations, tables, data migrations; TypeScript too, by Node or by `jiti`. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { quoted } from "../../../core/errors.js";
import { isObject } from "../../../core/values.js";
import { DeclarationError } from "../../words/errors.js";

/** The used part of `jiti`. */
interface Jiti {
  import(path: string): Promise<unknown>;
}

/**
 * Imports a module by its path.
 * @param version a different version makes the file a different module.
 * @throws {DeclarationError} for TypeScript if neither Node nor `jiti` can read it.
 */
export async function loadModule(path: string, version = ""): Promise<Readonly<Record<string, unknown>>> {
  const url = pathToFileURL(path);
  if (version !== "") url.searchParams.set("v", version);
  try {
    return asModule(await import(url.href));
  } catch (error) {
    if (!isTypeScript(path) || !isUnread(error)) throw error;
    return asModule(await (await loadJiti(path)).import(path));
  }
}

function asModule(loaded: unknown): Readonly<Record<string, unknown>> {
  return isObject(loaded) ? loaded : {};
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

// The errors of Node before 22.18, which reads no TypeScript, and of later versions for more than types: enums, and
// imports of `./x.js` that stand for `./x.ts`.
const UNREAD: ReadonlySet<unknown> = new Set([
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
  "ERR_INVALID_TYPESCRIPT_SYNTAX",
  "ERR_MODULE_NOT_FOUND",
]);

function isUnread(error: unknown): boolean {
  return UNREAD.has(Object(error).code) || error instanceof SyntaxError;
}

// From the folder of the file: if `jiti` is installed, it is in that project.
async function loadJiti(path: string): Promise<Jiti> {
  try {
    const found = createRequire(path).resolve("jiti");
    const { createJiti } = await import(pathToFileURL(found).href);
    return createJiti(pathToFileURL(path).href);
  } catch (error) {
    if (Object(error).code !== "MODULE_NOT_FOUND") throw error;
    throw new DeclarationError(
      `Node ${process.versions.node} does not read ${quoted(path)}: npm i -D jiti, or write it in JavaScript`,
      { cause: error },
    );
  }
}
