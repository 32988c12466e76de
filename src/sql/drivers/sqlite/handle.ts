/** The handles that `sqlite` takes, each recognised by what it has. */
import { describeType, hasMethods, safely } from "../../../core/errors.js";
import { DeclarationError } from "../../words/errors.js";
import { type BunSqliteHandle, bunClient } from "./bun.js";
import type { SqliteClient } from "./client.js";
import { type NodeSqliteHandle, nodeClient } from "./node.js";

/**
 * A `Database` of better-sqlite3, a `DatabaseSync` of `node:sqlite` (Node 22.16, Deno 2.2) or a `Database` of
 * `bun:sqlite` (Bun 1.4): the parts of them that rowtype uses.
 */
export type SqliteHandle = SqliteClient | NodeSqliteHandle | BunSqliteHandle;

/**
 * The client over a handle; a handle of better-sqlite3 is one.
 * @throws {DeclarationError} for a handle of no client that rowtype knows
 */
export function clientOf(handle: SqliteHandle): SqliteClient {
  if (hasMethods(handle, ["prepare", "exec"])) {
    if (isNodes(handle)) return nodeClient(handle);
    if (isBuns(handle)) return bunClient(handle);
    if (isClient(handle)) return handle;
  }
  throw new DeclarationError(
    `a Database of better-sqlite3, a DatabaseSync of node:sqlite or a Database of bun:sqlite was expected, not ${describeType(handle)}`,
  );
}

// D1, sql.js and the builds in WASM have methods of these names too, which do other things.
function isClient(handle: object): handle is SqliteClient {
  return safely(() => typeof (handle as Partial<SqliteClient>).inTransaction === "boolean");
}

// `createSession` tells the handles of the versions that are too old.
function isNodes(handle: SqliteHandle): handle is NodeSqliteHandle {
  return safely(() => "isTransaction" in handle) || hasMethods(handle, ["createSession"]);
}

function isBuns(handle: SqliteHandle): handle is BunSqliteHandle {
  return hasMethods(handle, ["query", "clearQueryCache"]);
}
