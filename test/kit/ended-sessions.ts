/** Makes calls in a process of its own while their sessions are ended, and tells how they ended. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Lent, Server } from "../servers.js";
import { makeFolder } from "../sql/migrate/folders.js";

/** How the calls of a process ended. */
export interface Ended {
  /** By kind of call and code, or `resolved`: how many. */
  readonly ends: { readonly [Call: string]: { readonly [How: string]: number } };
  /** The errors that nobody caught. */
  readonly uncaught: readonly string[];
}

/** What the process is asked to do: every kind of call once, or by workers until it is told to stop. */
export interface Asked {
  readonly url: string;
  /** A folder of migrations. */
  readonly folder: string;
  readonly workers: number;
}

/** A process that makes calls. */
export interface Caller {
  /** Makes every kind of call once, each over a pool of its own. */
  once(url: string): Promise<Ended>;
  /** Makes calls by eight workers, which share a pool, while `work` runs. */
  during(url: string, work: () => Promise<void>): Promise<Ended>;
  end(): void;
}

const program = fileURLToPath(new URL("ended-sessions-process.ts", import.meta.url));

export function startCaller(dialect: "postgres" | "mariadb"): Caller {
  const folder = makeFolder(dialect);
  folder.put("20260101_000000_more.sql", "-- step make it\nCREATE TABLE ended_more (id int)\n");
  const child = fork(program, { execArgv: ["--import", "tsx"] });
  const gone = once(child, "exit").then(([code]) => {
    throw new Error(`the process ended with ${code}`);
  });
  gone.catch(() => undefined);
  const told = async (): Promise<unknown> => (await Promise.race([once(child, "message"), gone]))[0];
  const ask = (url: string, workers: number) =>
    child.send({ url, folder: folder.path, workers } satisfies Asked);
  // The program sends nothing else.
  const ended = async () => (await told()) as Ended;
  return {
    once: (url) => {
      ask(url, 0);
      return ended();
    },
    during: async (url, work) => {
      ask(url, 8);
      await told();
      await work();
      child.send("stop");
      return ended();
    },
    end: () => {
      child.kill();
      rmSync(folder.path, { recursive: true });
    },
  };
}

/** How a call may end whose session is ended while others work on the same rows. */
const known = new Set([
  "resolved",
  "CONNECTION_LOST",
  "UNKNOWN_OUTCOME",
  "ABORTED",
  "DEADLOCK",
  "SERIALIZATION_FAILURE",
  "MIGRATION_FAILED",
  "MIGRATION_LOCKED",
  "MIGRATION_INTERRUPTED",
]);

/** The calls that ended in another way. */
export function unknownEnds({ ends }: Ended): readonly string[] {
  return Object.entries(ends).flatMap(([call, hows]) =>
    Object.keys(hows)
      .filter((how) => !known.has(how))
      .map((how) => `${call}: ${how}`),
  );
}

/** The kinds of calls of which one at least ended so. */
export function kindsThat(how: string, { ends }: Ended): readonly string[] {
  return Object.keys(ends).filter((kind) => how in (ends[kind] ?? {}));
}

/** Ends every other session of the database. */
const ending: { readonly [Name: string]: (lent: Lent) => Promise<unknown> } = {
  postgres: ({ run }) =>
    run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    ),
  mariadb: async ({ run }) => {
    const sessions = await run(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    );
    // One may have ended meanwhile.
    for (const { id } of sessions as readonly { id: number }[])
      await run(`KILL ${id}`).catch(() => undefined);
  },
};

/** Ends every session of eight workers again and again, 5 to 45 ms after the last time. */
export async function endedDuring(caller: Caller, server: Server, times: number): Promise<Ended> {
  const lent = await server.lend();
  try {
    return await caller.during(lent.url ?? "", async () => {
      for (let left = times; left > 0; left--) {
        await wait(5 + Math.random() * 40);
        await ending[server.name]?.(lent);
      }
    });
  } finally {
    await lent.close();
  }
}
