/** The transaction in which declarations are read in the server's words: it is always rolled back. */
import { z } from "zod";
import type { Database } from "../../door/database.js";
import { runPlain } from "../../door/plain.js";
import type { Dialect } from "../../words/dialect.js";
import { isSqlError } from "../../words/errors.js";
import { type Runs, runsOf } from "../words/reading.js";

/** The tools for reading declarations. */
export interface DeclarationScratch {
  readonly runs: Runs;
  /** Runs a statement unchanged, and returns whether the server accepted it; the transaction goes on. */
  readonly tries: (sql: string) => Promise<boolean>;
}

// Ends the transaction; no other error has this class.
class RolledBack extends Error {}

/** Does some work in a transaction, and rolls it back. */
export async function rolledBack<D extends Dialect>(
  db: Database<D>,
  work: (scratch: DeclarationScratch) => Promise<void>,
): Promise<void> {
  const end = new RolledBack("rolled back");
  await db
    .transaction(async (tx) => {
      const tries = (sql: string) => isTaken(tx.transaction((inner) => runPlain(inner, sql)));
      // A transaction runs SQL text as its database does.
      await work({ runs: runsOf(tx as unknown as Pick<Database<D>, "sql">), tries });
      throw end;
    })
    .catch((error: unknown) => {
      if (error !== end) throw error;
    });
}

/** The same outside a transaction, for statements that end one: nothing is rolled back. */
export function scratchOf<D extends Dialect>(db: Database<D>): DeclarationScratch {
  return { runs: runsOf(db), tries: (sql) => isTaken(runPlain(db, sql)) };
}

async function isTaken(run: Promise<void>): Promise<boolean> {
  try {
    await run;
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

// A missing right to create views differs from a view that cannot be created: 1044, 1142, 1143, 1227, 1370.
const ACCESS_DENIED: ReadonlySet<unknown> = new Set([1044, 1142, 1143, 1227, 1370]);
const Numbered = z.object({ errno: z.unknown() });

function isRefused(error: unknown): boolean {
  if (!isSqlError(error) || error.code !== "QUERY_FAILED") return false;
  const cause = Numbered.safeParse(error.cause);
  return !(cause.success && ACCESS_DENIED.has(cause.data.errno));
}
