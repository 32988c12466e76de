/** Rows of a query as an answer: a client that leaves, and an answer that fails, give the connection back to its pool. */
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import { csv, GET, ndjson, rows } from "../../src/http/index.js";
import { testEngine } from "../../src/http/testing/index.js";
import { allReturned, type Two, twoOf } from "../kit/pool-of-two.js";
import { type Lent, servers } from "../servers.js";
import { listening } from "./serve.js";

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string(), at: z.date() }),
);
const COUNT = 20_000;

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`rows of a query on ${server.name}`, () => {
    let lent: Lent;
    let two: Two;
    beforeAll(async () => {
      lent = await server.lend();
      two = twoOf(lent);
      await two.db.createTables(Item);
      const at = new Date("2026-01-02T03:04:05.000Z");
      const all = Array.from({ length: COUNT }, (_, id) => ({ id, name: `name ${id}`.padEnd(200, "."), at }));
      await two.db.repository(Item).insert().execBatch(all);
    });
    afterAll(async () => {
      await two.close();
      await lent.close();
    });

    const served = () => {
      const items = two.db.repository(Item).query().orderBy("id", "asc");
      return testEngine(
        GET("/lines", { output: ndjson(Item.schema) }, ({ signal }) => items.stream({}, { signal })),
        GET("/unsignalled", { output: csv(Item.schema) }, () => items.stream()),
        GET("/asked", { output: rows(Item.schema) }, () => items.stream()),
      );
    };

    test("are all there, in each form", async () => {
      const engine = served();
      const url = await listening(engine as never);
      const client = createClient<typeof engine>(url);
      // Nothing here takes long: a busy test would leave the connection idle until the server ends it.
      let next = 0;
      let isRight = true;
      for await (const { id, at } of (await client.GET("/lines")).data)
        isRight &&= id === next++ && at === "2026-01-02T03:04:05.000Z";
      expect([isRight, next]).toEqual([true, COUNT]);
      const file = (await client.GET("/unsignalled")).data;
      expect(file.split("\r\n")).toHaveLength(COUNT + 2);
      expect((await client.GET("/asked")).data).toHaveLength(COUNT);
      await allReturned(two, "after all rows");
    });

    test("give the connection back when the client leaves, with and without the signal", async () => {
      const url = await listening(served() as never);
      for (const path of ["/lines", "/unsignalled", "/asked"])
        for (let round = 0; round < 5; round++) {
          const reader = (await fetch(`${url}${path}`)).body?.getReader();
          await reader?.read();
          await reader?.cancel();
        }
      const stop = new AbortController();
      await fetch(`${url}/lines`, { signal: stop.signal });
      stop.abort();
      await allReturned(two, "after clients left");
      // A writer that a forgotten cursor would hold up.
      expect(await two.db.repository(Item).count().exec()).toBe(COUNT);
      await two.db.repository(Item).insert().exec({ id: COUNT, name: "x", at: new Date() });
      expect(await two.db.repository(Item).remove().where("id", "=", "id").exec({ id: COUNT })).toBe(1);
    });

    test("give it back for HEAD, which reads nothing", async () => {
      const url = await listening(served() as never);
      for (let round = 0; round < 5; round++)
        expect((await fetch(`${url}/lines`, { method: "HEAD" })).status).toBe(200);
      await allReturned(two, "after HEAD");
    });
  });
