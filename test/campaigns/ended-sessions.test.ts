/** Every session is ended again and again under eight workers, for a minute at the full number. */
import { expect, test } from "vitest";
import { endedDuring, kindsThat, startCaller, unknownEnds } from "../kit/ended-sessions.js";
import { patience, rounds } from "../rounds.js";
import { servers } from "../servers.js";

// Each is 5 to 45 ms after the last.
const KILLS = rounds({ small: 200, full: 2_400 });

for (const server of servers) {
  const { name } = server;
  if (name !== "postgres" && name !== "mariadb") continue;
  test.skipIf(!server.available)(
    `sessions of ${name} that are ended ${KILLS} times leave no call open and no error uncaught`,
    async () => {
      const caller = startCaller(name);
      try {
        const ended = await endedDuring(caller, server, KILLS);
        expect(ended.uncaught).toEqual([]);
        expect(unknownEnds(ended)).toEqual([]);
        expect(kindsThat("CONNECTION_LOST", ended).length).toBeGreaterThan(10);
        expect(kindsThat("resolved", ended).length).toBeGreaterThan(10);
      } finally {
        caller.end();
      }
    },
    patience(60_000, 200, KILLS),
  );
}
