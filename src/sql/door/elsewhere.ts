/** Opens another database on the same server as an open one, with the same driver and settings. */
import { type Database, makeDatabase } from "./database.js";
import { sessionOfDoor } from "./plain.js";

/** A database on the same server as another one. */
interface OpenedElsewhere {
  readonly db: Database;
  close(): Promise<void>;
}

/**
 * Opens another database of the same server, or a new one in memory.
 * @returns undefined if the handle does not show how.
 */
export function openElsewhere(db: Database, name: string): OpenedElsewhere | undefined {
  const session = sessionOfDoor(db);
  const opened = session?.driver.elsewhere?.(name);
  if (session === undefined || opened === undefined) return undefined;
  return { db: makeDatabase(db.dialect, session.grammar, opened.driver), close: opened.close };
}
