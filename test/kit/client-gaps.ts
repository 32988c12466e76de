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
const parsers = "native gives what the client's own parsers read: bigint is a number with PGlite";

const gaps: Readonly<Record<PostgresClientName, readonly Gap[]>> = {
  pg: [],
  postgresjs: [],
  pglite: [
    ["drivers/postgres-prepared", /./, byPg],
    ["drivers/session-settings", /PostgreSQL/, byPg],
    ["change/batches", /on postgres doNothing in a transaction uses the current rows/, alone],
    ["change/nested-insert-failures", /on postgres an abort and a cut connection/, alone],
    ["door/native", /on postgres sends the client's text/, parsers],
    ["door/native", /on postgres a signal ends a statement that runs/, running],
    ["door/native", /on postgres, by pg/, byPg],
  ],
};

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
