/**
 * Judges of SQL text who know nothing of rowtype: the server of a dialect, which prepares a text and runs nothing, and
 * for Oracle its grammar. A test file gives them every text that it expects, so that no text is expected which no
 * server would take.
 */
import type { AnyTable, Dialect } from "rowtype";
import { missingInH2 } from "../oracle/h2/translate.js";
import { ORACLE_WARM_UP_MS, oracleFaults, warmUpOracle } from "../oracle/judge.js";
import { type Server, servers } from "../servers.js";

/** What is wrong with a text in the words of the judge; undefined where nothing is. */
export type Judge = (sql: string) => Promise<string | undefined>;

/** A dialect that has a judge here. */
export interface Court {
  readonly dialect: Dialect;
  readonly available: boolean;
  /** Whether the judge knows which columns the tables have. */
  readonly knowsColumns: boolean;
  /** Calls the judge, who sees these tables. */
  open(...tables: readonly AnyTable[]): Promise<{ readonly judge: Judge; close(): Promise<void> }>;
}

/** How long a judge may take to come. */
export const COURT_MS: number = ORACLE_WARM_UP_MS;

/** The dialects that have a judge, with whether it is there. */
export const courts: readonly Court[] = [
  ...servers
    .filter(({ dialect }) => dialect !== "oracle")
    .map((server) => ({
      dialect: server.dialect,
      available: server.available,
      knowsColumns: true,
      open: (...tables: readonly AnyTable[]) => openServer(server, tables),
    })),
  oracleCourt(servers.find(({ dialect, available }) => dialect === "oracle" && available)),
];

async function openServer({ lend }: Server, tables: readonly AnyTable[]) {
  const lent = await lend();
  await lent.db.createTables(...tables);
  const judge: Judge = (sql) =>
    lent.prepare(sql).then(
      () => undefined,
      (error: unknown) => `${error instanceof Error ? error.message : String(error)}: ${sql}`,
    );
  return { judge, close: () => lent.close() };
}

// The grammar is always there and has the word on syntax; of columns only a server knows, or one in its place.
function oracleCourt(server: Server | undefined): Court {
  return {
    dialect: "oracle",
    available: true,
    knowsColumns: server !== undefined,
    open: async (...tables) => {
      await warmUpOracle();
      const behind = server === undefined ? undefined : await openServer(server, tables);
      const judge: Judge = async (sql) => {
        const faults = await oracleFaults(sql, namesIn(sql));
        if (faults.length > 0) return `${faults.join("; ")}: ${sql}`;
        return missingInH2(sql) === undefined ? behind?.judge(sql) : undefined;
      };
      return { judge, close: async () => behind?.close() };
    },
  };
}

// A name for each placeholder up to the last; one that is not there is found missing.
function namesIn(sql: string): string[] {
  const positions = [...sql.matchAll(/:p(\d+)/g)].map(([, position]) => Number(position));
  return Array.from({ length: Math.max(-1, ...positions) + 1 }, (_, i) => `p${i}`);
}
