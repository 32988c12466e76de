/**
 * Judges of SQL text who know nothing of rowtype: the server of a dialect, which prepares a text and runs nothing. A
 * test file gives them every text that it expects, so that no text is expected which no server would take.
 */
import type { AnyTable } from "rowtype";
import { servers } from "../servers.js";

/** What is wrong with a text in the words of the judge; undefined where nothing is. */
export type Judge = (sql: string) => Promise<string | undefined>;

/** A dialect that has a judge here. */
export interface Court {
  readonly dialect: "sqlite" | "postgres" | "mariadb";
  readonly available: boolean;
  /** Calls the judge, who sees these tables. */
  open(...tables: readonly AnyTable[]): Promise<{ readonly judge: Judge; close(): Promise<void> }>;
}

/** The dialects that have a judge, with whether it is there. */
export const courts: readonly Court[] = servers.map(({ name, available, lend }) => ({
  dialect: name,
  available,
  open: async (...tables) => {
    const lent = await lend();
    await lent.db.createTables(...tables);
    const judge: Judge = (sql) =>
      lent.prepare(sql).then(
        () => undefined,
        (error: unknown) => `${error instanceof Error ? error.message : String(error)}: ${sql}`,
      );
    return { judge, close: () => lent.close() };
  },
}));
