/**
 * A transaction that does nothing but live as long as its process: by its session on the server, other runners see that
 * this one lives, and need not wait when it is gone. It holds no lock and no snapshot.
 */
import { z } from "zod";
import { ignore } from "../../../core/values.js";
import { runPlain } from "../../door/plain.js";
import type { RunTarget } from "./dialect.js";

/** A session of this runner on the server. */
export interface RunnerSession {
  readonly session: string;
  end(): Promise<void>;
}

const One = z.object({ n: z.int() });
const KEEP_MS = 5_000;
/** How long to wait for a connection before the pool is assumed to have no further one. */
const OPEN_MS = 3_000;

/**
 * Opens the session; undefined if the dialect does not distinguish sessions, or if the pool has no further connection.
 * @param onLost called when the server ends it.
 */
export async function openPresence(
  { db, dialect: { sessions } }: RunTarget,
  onLost: () => void,
): Promise<RunnerSession | undefined> {
  if (sessions === undefined) return undefined;
  const over = new AbortController();
  const opening = AbortSignal.timeout(OPEN_MS);
  const giveUp = () => over.abort(opening.reason);
  opening.addEventListener("abort", giveUp);
  let isClosed = false;
  let close: () => void = ignore;
  const closed = new Promise<void>((resolve) => {
    close = () => {
      isClosed = true;
      resolve();
    };
  });
  let running: Promise<void> = Promise.resolve();
  const session = await new Promise<string | null>((resolve) => {
    running = db
      .transaction(
        async (tx) => {
          const name = await sessions.nameOf(tx);
          await runPlain(tx, sessions.keepAlive);
          resolve(name);
          while (!isClosed) {
            await within(KEEP_MS, closed);
            // So that no limit for idle transactions ends it.
            if (!isClosed) await runPlain(tx, sessions.keepAlive);
          }
        },
        { signal: over.signal },
      )
      .catch(() => {
        if (!isClosed) onLost();
      })
      .finally(() => resolve(null));
  });
  const end = async () => {
    close();
    await running;
  };
  try {
    // The steps need a further connection.
    if (session !== null) await db.sql("SELECT 1 AS n", One).exec({}, { signal: opening });
    else await end();
  } catch {
    await end();
    return undefined;
  } finally {
    opening.removeEventListener("abort", giveUp);
  }
  return session === null ? undefined : { session, end };
}

function within(ms: number, ended: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void ended.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
