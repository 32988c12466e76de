/**
 * Random programs of all methods on two scopes of two tables: what a scope reads is its own, and what it changes
 * leaves the other as it is. After every step both tables are compared with a model.
 */
import { describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import { relatedSteps } from "./scope-related-steps.js";
import { steps } from "./scope-steps.js";
import { Model, maybe, plainNotes, plainTasks, scopesIn, tables, wholeOf } from "./scope-world.js";

const PROGRAMS = rounds({ small: 60, full: 10_000 });
const STEPS = 10;
const EVERY = Object.entries({ ...steps, ...relatedSteps });

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`two scopes on ${server.name}`, () => {
    test(
      `${PROGRAMS} programs`,
      async () => {
        const lent: Lent = await server.lend();
        try {
          const { db } = lent;
          await db.createTables(tables.tasks, tables.notes);
          const whole = wholeOf(db);
          for (let program = 0; program < PROGRAMS; program++) {
            const model = new Model();
            let last = 0;
            await whole.tasks.remove().where("id", ">", "least").exec({ least: -1 });
            await whole.notes.remove().where("id", ">", "least").exec({ least: -1 });
            let all = await whole.tasks.query().exec();
            for (let i = 0; i < STEPS; i++) {
              const [tenantId, other] = maybe() ? [1, 2] : [2, 1];
              const [name, step] = EVERY[Math.floor(Math.random() * EVERY.length)] ?? [];
              const scope = scopesIn(db, tenantId);
              const world = { db, whole, scope, tenantId, other, model, all, fresh: () => ++last };
              await step?.(world);
              all = await whole.tasks.query().exec();
              expect(plainTasks(all), name).toEqual(plainTasks([...model.tasks.values()]));
              const notes = await whole.notes.query().exec();
              expect(plainNotes(notes), name).toEqual(plainNotes([...model.notes.values()]));
            }
          }
        } finally {
          await lent.close();
        }
      },
      patience(120_000, 800, PROGRAMS),
    );
  });
