/** Callbacks of a login that race for its state: one wins, and only one asks the provider for tokens. */
import { expect, test } from "vitest";
import { begin, kit } from "../http/session-kit.js";
import { patience, rounds } from "../rounds.js";

const races = rounds({ small: 60, full: 1_000 });

test(
  "row 97: exactly one of fifty concurrent callbacks takes a state, every time",
  async () => {
    const { browser, server } = await kit();
    for (let round = 0; round < races; round++) {
      const ann = browser();
      const state = await begin(ann);
      server.asked.length = 0;
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => ann.get(`/callback?code=c&state=${state}`)),
      );
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect(statuses).toEqual([302, ...Array.from({ length: 49 }, () => 400)]);
      expect(server.asked).toHaveLength(1);
    }
  },
  patience(60_000, 500, races),
);
