/** What a failure of the server means for the caller: whether trying again may help, and whether it is known what was done. */
import { isSqlError, type SqlErrorCode } from "./errors.js";

/** The server has undone the transaction, and the same statements may succeed. */
export const UNDONE: ReadonlySet<SqlErrorCode> = new Set(["DEADLOCK", "SERIALIZATION_FAILURE"]);

/** Another transaction was in the way: the same work, from its beginning, may succeed. */
export const TRANSIENT: ReadonlySet<SqlErrorCode> = new Set([...UNDONE, "LOCK_TIMEOUT"]);

/** Whether another transaction was in the way. */
export function isTransient(error: unknown): boolean {
  return isSqlError(error) && TRANSIENT.has(error.code);
}

/** Whether the connection is lost, so that the server may still be working. */
export function isLost(error: unknown): boolean {
  return isSqlError(error) && (error.code === "CONNECTION_LOST" || error.code === "UNKNOWN_OUTCOME");
}
