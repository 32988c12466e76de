/** A signal that is not one is refused before anything is sent, and no connection is lost to it. */
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const Point = table("signal_points", z.object({ id: column(z.int(), { primaryKey: true }) }));

for (const server of servers)
  describe.skipIf(!server.available)(`signals on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Point);
    });
    afterAll(() => lent.close());

    test("nonsense is PARAM_TYPE by every call, and the next ones find a connection", async () => {
      const { db } = lent;
      const points = db.repository(Point);
      const read = async (signal: never) => {
        for await (const _ of points.query().stream({ signal })) expect.unreachable();
      };
      const calls: readonly ((signal: never) => Promise<unknown>)[] = [
        (signal) => points.count().exec({ signal }),
        (signal) => points.query().exec({ signal }),
        (signal) => points.insert().exec({ id: 1 }, { signal }),
        (signal) => points.insert().execBatch([{ id: 1 }, { id: 2 }], {}, { signal }),
        (signal) => points.insert().execMany([{ id: 1 }, { id: 2 }], {}, { signal }),
        (signal) => points.remove().where("id", "=", "id").execMany({ id: 1 }, { signal }),
        (signal) => points.query().explain({ signal }),
        (signal) => db.sql("SELECT 1").exec({}, { signal }),
        (signal) => db.transaction(() => points.count().exec({ tx: null }), { signal }),
        (signal) => db.transaction((tx) => points.count().exec({ tx, signal })),
        async (signal) => db.ping({ signal }),
        read,
      ];
      for (const call of calls)
        for (const nonsense of [null, 5, "now", {}, new AbortController()])
          await expect(call(nonsense as never)).rejects.toMatchObject({
            code: "PARAM_TYPE",
            message: expect.stringContaining("signal is an AbortSignal, not "),
          });
      expect(await points.count().exec()).toBe(0);
    });
  });
