/** Sessions of PostgreSQL: by their name, other runners see that a runner lives. */
import { z } from "zod";
import type { Database } from "../../../door/database.js";
import type { Transaction } from "../../../door/repository.js";
import type { Life } from "../dialect.js";

const Session = z.object({ session: z.string() });
const Seen = z.object({ n: z.int(), isOurs: z.boolean() });

// As a text it would depend on the time zone and the date style of the session that asks.
const BEGAN = "(extract(epoch FROM backend_start) * 1000000)::bigint";

/** The server's name of a transaction's session. */
export async function sessionOfPostgres(tx: Transaction): Promise<string | null> {
  const text = `SELECT concat(pid, ' ', ${BEGAN}, ' ', session_user) AS session FROM pg_stat_get_activity(pg_backend_pid())`;
  const [row] = await tx.sql(text, Session).exec({});
  return row?.session ?? null;
}

/**
 * Keeps the session of a long transaction alive. The statement needs no snapshot and replaces the last one, whose
 * snapshot would live as long: CREATE INDEX CONCURRENTLY waits for it, also the one of this runner.
 */
export const KEEP_ALIVE = "SET LOCAL application_name = 'rowtype migrate'";

/** Whether the session of an owner lives, or one of its statements. */
export async function lifeOnPostgres(db: Database, session: string | null, tag: string): Promise<Life> {
  const [, pid = "0", start = "", user = ""] = /^(\d+) (\d+) (.*)$/s.exec(session ?? "") ?? [];
  // We may not see the start of another role's session; it may be this one. Nor may we see its statements.
  const text = `SELECT count(*) AS n, session_user = :user AND pg_has_role(session_user, 'USAGE') AS "isOurs"
FROM pg_stat_activity WHERE (pid = :pid AND (backend_start IS NULL OR ${BEGAN}::text = :start))
OR (state <> 'idle' AND pid <> pg_backend_pid() AND position(:tag IN query) > 0)`;
  const [row] = await db
    .sql(text, Seen, { params: { pid: z.int() } })
    .exec({ pid: Number(pid), start, tag, user });
  if (row?.n !== 0) return "lives";
  return session !== null && row.isOurs ? "gone" : "unknown";
}
