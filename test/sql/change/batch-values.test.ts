/**
 * Lists of changes whose conditions compare with values of the builder's own, beside the parameters of each record. The
 * server takes every text that it gets: one that it refuses might be taken elsewhere, and mean something else.
 */
import { column, type Database, on, table, value } from "rowtype";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, reportServers, servers } from "../../servers.js";

reportServers();

const Thing = table(
  "batch_values",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string(), size: z.int().nullable() }),
);

describe.each(servers)("on $name", (server) => {
  let lent: Lent;
  const db = () => lent.db as unknown as Database<"sqlite">;
  const things = () => db().repository(Thing);
  const refused: string[] = [];
  let off: () => void;
  beforeEach(async () => {
    if (!server.available) return;
    lent = await server.lend();
    await db().createTables(Thing);
    const rows = [1, 2, 3, 4, 5].map((id) => ({ id, name: `n${id}`, size: id === 5 ? null : id }));
    await things().insert().execBatch(rows);
    refused.length = 0;
    off = on("db.query.failed", ({ sql }) => refused.push(sql));
  });
  afterEach(async () => {
    if (!server.available) return;
    off();
    expect(refused).toEqual([]);
    await lent.close();
  });

  const ids = [{ id: 1 }, { id: 2 }, { id: 5 }, { id: 9 }];
  const left = async () =>
    (await things().query().fields("id").orderBy("id", "asc").exec()).map(({ id }) => id);
  const remove = () => things().remove();
  const removals = {
    "a value before the key": [
      () => remove().where("size", ">", value(1)).where("id", "=", "id"),
      [1, 3, 4, 5],
    ],
    "a value behind the key": [
      () => remove().where("id", "=", "id").where("size", ">", value(1)),
      [1, 3, 4, 5],
    ],
    "the key itself": [() => remove().where("id", "=", "id").where("id", "!=", value(2)), [2, 3, 4]],
    "a text": [() => remove().where("id", "=", "id").where("name", "!=", value("n2")), [2, 3, 4]],
    "a list": [
      () =>
        remove()
          .where("id", "=", "id")
          .where("name", "IN", value(["n2", "n3"])),
      [1, 3, 4, 5],
    ],
    "no value": [() => remove().where("id", "=", "id").whereNotNull("size"), [3, 4, 5]],
  } as const;

  test.skipIf(!server.available).each(Object.entries(removals))(
    "removals compare with %s",
    async (_, [make, kept]) => {
      expect(await make().execBatch(ids)).toBe(5 - kept.length);
      expect(await left()).toEqual(kept);
    },
  );

  test.skipIf(!server.available)("updates compare with a value", async () => {
    const change = things().modify().set("name", "to").where("id", "=", "id").where("size", ">", value(1));
    expect(await change.execBatch(ids.map((one) => ({ ...one, to: "x" })))).toBe(1);
    const named = things().query().fields("id").where("name", "=", value("x"));
    expect(await named.exec()).toEqual([{ id: 2 }]);
  });
});
