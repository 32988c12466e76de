/** Sessions of MariaDB: by their name, other runners see that a runner lives. */
import { z } from "zod";
import type { Database } from "../../../door/database.js";
import type { Transaction } from "../../../door/repository.js";
import type { Life } from "../dialect.js";

const Session = z.object({ session: z.string() });
const Alive = z.object({ n: z.int() });

// The ids of connections start again with the server, so its start time, in minutes, is part of the name; other users
// see only their own processes.
const SERVER_START =
  "(SELECT ROUND((UNIX_TIMESTAMP() - variable_value) / 60) FROM information_schema.global_status WHERE variable_name = 'UPTIME')";
const SESSION = `CONCAT(CONNECTION_ID(), ' ', ${SERVER_START}, ' ', CURRENT_USER())`;

/** The server's name of a transaction's session. */
export async function sessionOfMariadb(tx: Transaction): Promise<string | null> {
  const [row] = await tx.sql(`SELECT ${SESSION} AS session`, Session).exec({});
  return row?.session ?? null;
}

/** Whether the session of an owner lives, or one of its statements. */
export async function lifeOnMariadb(db: Database, session: string | null, tag: string): Promise<Life> {
  if (session === null) return "unknown";
  const [id = "", start = "", user = ""] = session.split(" ");
  const now = `SELECT CONCAT(${SERVER_START}, ' ', CURRENT_USER()) AS session`;
  const [mine] = await db.sql(now, Session).exec({});
  const [started = "", me = ""] = mine?.session.split(" ") ?? [];
  if (me !== user) return "unknown";
  // It is rounded, so two readings of one start may differ by a minute.
  if (Math.abs(Number(started) - Number(start)) > 1) return "gone";
  const text =
    "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE id = :id OR (id <> CONNECTION_ID() AND INSTR(info, :tag) > 0)";
  const [row] = await db.sql(text, Alive, { params: { id: z.int() } }).exec({ id: Number(id), tag });
  return row?.n === 0 ? "gone" : "lives";
}
