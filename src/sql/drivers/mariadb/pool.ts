/** Takes the connections of a pool of mysql2, ends their statements, and opens pools like it. */

import { ignore } from "../../../core/values.js";
import { acquired as inTime } from "../../contract/abort.js";
import { corePool, directConnection } from "./direct.js";
import { coreOf, hear, type MariadbConnection, type MariadbPool } from "./handle.js";

/** A connection of the pool. If it arrives after the abort, it is returned to the pool. */
export function acquired(pool: MariadbPool, signal: AbortSignal | undefined): Promise<MariadbConnection> {
  const core = corePool(pool);
  const connecting = core === undefined ? aroundConnection(pool) : directConnection(core);
  return inTime(connecting, signal, (late) => late.release());
}

/** A connection of a pool that must be used through its own methods. */
async function aroundConnection(pool: MariadbPool): Promise<MariadbConnection> {
  const connection = await pool.getConnection();
  hear(coreOf(connection));
  return connection;
}

/** Closes a connection on which a statement runs. */
export function end(connection: MariadbConnection, pool: MariadbPool): void {
  const { threadId } = connection;
  connection.destroy();
  // Otherwise the server would continue until it has something to send.
  if (threadId !== null) void kill(pool, `KILL ${threadId}`);
}

/** Kills a query or connection through another connection. It may already have ended. */
export async function kill(pool: MariadbPool, sql: string, signal?: AbortSignal): Promise<void> {
  const killer = await acquired(pool, signal).catch(ignore);
  if (killer === undefined) return;
  // Not prepared, because each text is different.
  await killer.query(sql).catch(ignore);
  killer.release();
}

/** How a pool was made: the parts of `mysql2` that show it. */
interface PoolOrigin {
  readonly pool?: {
    readonly config?: { readonly connectionConfig?: object };
    readonly constructor: new (options: {
      readonly config: object;
    }) => {
      promise(): MariadbPool & { end(): Promise<void> };
    };
  };
}

/** A pool with the same settings for another database; undefined for a pool that does not show how it was made. */
export function poolElsewhere(
  pool: MariadbPool,
  database: string,
): (MariadbPool & { end(): Promise<void> }) | undefined {
  const { pool: core } = pool as PoolOrigin;
  const settings = core?.config?.connectionConfig;
  if (core === undefined || typeof settings !== "object") return undefined;
  const connectionConfig = Object.assign(Object.create(Object.getPrototypeOf(settings)), settings, {
    database,
  });
  return new core.constructor({ config: { ...core.config, connectionConfig } }).promise();
}
