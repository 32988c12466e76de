/**
 * Sessions that the server ends as it accepts them, or at any other moment: every call resolves, or rejects with a
 * code, and no error is left that nobody catches, which would end the process.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behindPooler } from "../../availability.js";
import { type Caller, endedDuring, kindsThat, startCaller, unknownEnds } from "../../kit/ended-sessions.js";
import { endingServer, manners, moments, words } from "../../kit/ending-servers.js";
import { servers } from "../../servers.js";

const KILLS = 60;

describe.each(["postgres", "mariadb"] as const)("sessions of %s that are ended", (name) => {
  let caller: Caller;
  beforeAll(() => {
    caller = startCaller(name);
  });
  afterAll(() => caller.end());

  const cases = moments.flatMap((moment) =>
    manners.flatMap((manner) => words.map((word) => ({ moment, manner, word }))),
  );
  // A server that says nothing and stays is one that is slow.
  const ending = cases.filter(({ manner, word }) => manner !== "stay" || word === "fatal");
  test.each(ending)("$moment their acceptance, then: $manner, $word", async (how) => {
    const server = await endingServer(name, how);
    const ended = await caller.once(server.url);
    await server.close();
    expect(ended.uncaught).toEqual([]);
    expect(unknownEnds(ended)).toEqual([]);
    expect(kindsThat("CONNECTION_LOST", ended).length).toBeGreaterThan(10);
  });

  const server = servers.find((one) => one.name === name);
  // The sessions that are ended are those of a pooler, which answers in its own words.
  test.skipIf(server?.available !== true || (behindPooler && name === "postgres"))(
    `${KILLS} times under eight workers`,
    async () => {
      if (server === undefined) throw new Error(`there is no server of ${name}`);
      const ended = await endedDuring(caller, server, KILLS);
      expect(ended.uncaught).toEqual([]);
      expect(unknownEnds(ended)).toEqual([]);
      expect(kindsThat("CONNECTION_LOST", ended).length).toBeGreaterThan(5);
      expect(kindsThat("resolved", ended).length).toBeGreaterThan(5);
    },
  );
});
