/**
 * What a client of PostgreSQL cannot do that tests ask for: with `ROWTYPE_PG_CLIENT` these tests are skipped, with the
 * reason. Everything else runs on each client.
 */
import { beforeEach } from "vitest";
import { type PostgresClientName, postgresClient } from "./postgres-clients.js";

/** Tests of a file below `test/sql` whose full titles match, and why they are skipped. */
type Gap = readonly [file: string, title: RegExp, reason: string];

const alone = "PGlite has one connection, and the test needs a second one";
const byPg = "the test asks the pool of pg, which is not there";
const running = "a statement that runs in PGlite cannot be cancelled";
const noScratch =
  "a handle of postgres.js does not say how it was made, so that no database is opened beside it";
const parsers = "native gives what the client's own parsers read: bigint is a number with PGlite";

const gaps: Readonly<Record<PostgresClientName, readonly Gap[]>> = {
  pg: [],
  postgresjs: [
    ["door/native", /on postgres, by pg/, byPg],
    [
      "exec/young-garbage",
      /'postgres'/,
      "postgres.js leaves 500 to 700 bytes of a call for a full collection, and what holds these here 3 kB more",
    ],
    ["migrate/cli", /on 'postgres' checks the folder in a database that it makes/, noScratch],
    ["migrate/renames", /on postgres a migration that exchanged names is undone/, noScratch],
    ["migrate/revert", /on postgres/, noScratch],
  ],
  pglite: [
    ["drivers/postgres-prepared", /./, byPg],
    ["drivers/session-settings", /PostgreSQL/, byPg],
    ["change/batches", /on postgres doNothing in a transaction uses the current rows/, alone],
    ["change/nested-insert-failures", /on postgres an abort and a cut connection/, alone],
    ["door/native", /on postgres sends the client's text/, parsers],
    ["door/native", /on postgres a signal ends a statement that runs/, running],
    ["door/native", /on postgres, by pg/, byPg],
    ["exec/young-garbage", /'postgres'/, "PGlite itself leaves 2.8 kB of a call for a full collection"],
    ["exec/atomic", /^atomic on postgres a connection that is cut/, byPg],
    ["exec/connections", /^PostgreSQL/, byPg],
    ["exec/retries", /^on PostgreSQL, with snapshot isolation/, byPg],
    ["exec/side-by-side", /^a PostgreSQL client/, byPg],
    ["exec/stream-connections", /^on PostgreSQL/, byPg],
    ["exec/stream-connections", /^streams on postgres more streams than connections/, alone],
    ["exec/threats-transactions", /^on PostgreSQL/, byPg],
    ["exec/threats-transactions", /on '?postgres'? a deadlock is told/, alone],
    ["drivers/client-facts", /^pg-boss/, byPg],
    ["value/dates", /^dates of postgres .* in the zone/, byPg],
    [
      "value/date-forms",
      /on 'postgres' beside each other and beside values are the same in every zone/,
      byPg,
    ],
  ],
};

/** Whether a pool of `pg` reaches what the tests run on: PGlite is inside the process. */
export const hasPool = postgresClient !== "pglite";

/** Registers the hook that skips them. */
export function skipGaps(): void {
  const own = gaps[postgresClient] ?? [];
  if (own.length === 0) return;
  beforeEach(({ task, skip }) => {
    const { fullTestName, file } = task;
    for (const [path, title, reason] of own)
      if (file.name.endsWith(`test/sql/${path}.test.ts`) && title.test(fullTestName.replaceAll(" > ", " ")))
        skip(reason);
  });
}
