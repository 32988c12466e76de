/** Another database beside one that is open: on the same server, by the same driver, with the same settings. */
import { type Database, makeDatabase } from "./database.js";
import { sessionBehind } from "./plain.js";

/** A database beside another one. */
interface OpenedElsewhere {
  readonly db: Database;
  close(): Promise<void>;
}

/**
 * Opens another database of the same server, or a new one in memory.
 * @returns undefined where the handle does not tell how.
 */
export function openElsewhere(db: Database, name: string): OpenedElsewhere | undefined {
  const session = sessionBehind(db);
  const opened = session?.driver.elsewhere?.(name);
  if (session === undefined || opened === undefined) return undefined;
  return { db: makeDatabase(db.dialect, session.grammar, opened.driver), close: opened.close };
}
