/** The handles that `postgres` takes, each recognised by what it has. */
import { describeType, hasMethods } from "../../../core/errors.js";
import { DeclarationError } from "../../words/errors.js";
import { type PgliteHandle, PgliteSource } from "./pglite.js";
import { PoolSource, type PostgresPool } from "./pool.js";
import { type PostgresJsHandle, PostgresJsSource } from "./postgresjs.js";
import type { PostgresSource } from "./source.js";

/**
 * A `Pool` of `pg` and what has its interface, the `sql` of postgres.js 3.4, or a `PGlite` 0.5: the parts of them that
 * rowtype uses.
 */
export type PostgresHandle = PostgresPool | PostgresJsHandle | PgliteHandle;

/**
 * The source over a handle.
 * @throws {DeclarationError} for a handle of no client that rowtype knows
 */
export function sourceOf(handle: PostgresHandle): PostgresSource {
  if (isPglite(handle)) return new PgliteSource(handle);
  if (isPostgresJs(handle)) return new PostgresJsSource(handle);
  if (hasMethods(handle, ["query", "connect"])) return new PoolSource(handle as PostgresPool);
  throw new DeclarationError(
    `a Pool of pg, the sql of postgres.js or a PGlite was expected, not ${describeType(handle)}`,
  );
}

function isPglite(handle: PostgresHandle): handle is PgliteHandle {
  return hasMethods(handle, ["execProtocol", "runExclusive", "_runExclusiveTransaction"]);
}

function isPostgresJs(handle: PostgresHandle): handle is PostgresJsHandle {
  return hasMethods(handle, ["unsafe", "typed", "reserve"]);
}
