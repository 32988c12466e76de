/**
 * Values that the caller changes after a call and before it is sent: dates, lists and JSON are stored as they were, by
 * one statement or by several steps. Bytes are not copied, so that a large file does not stand in memory twice.
 */
import { column, json, many, table, value } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true });
const things = table(
  "changed_later",
  z.object({ id, at: z.date(), more: json(z.object({ of: z.array(z.int()) })), tags: z.array(z.string()) }),
  { relations: { parts: many("parts", "thingId") } },
);
const parts = table("changed_later_parts", z.object({ id, thingId: z.int(), at: z.date() }));
const tables = { things, parts };

const thing = (key: number) => ({ id: key, at: new Date(1_000), more: { of: [1] }, tags: ["a"] });
const other = (key: number) => ({ id: key, at: new Date(7_000), more: { of: [7] }, tags: ["z"] });
const part = () => ({ id: 1, at: new Date(1_000) });

/** Changes whatever can be changed in a value. */
function spoil(one: unknown): void {
  if (one instanceof Date) one.setTime(5);
  else if (typeof one === "object" && one !== null) {
    for (const inside of Object.values(one)) spoil(inside);
    if (Array.isArray(one)) one.pop();
  }
}

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(things, parts);
    });
    afterAll(() => lent.close());

    const of = () => lent.db.repositories(tables);
    const changes = () =>
      of().things.modify().set("at", "at").set("more", "more").set("tags", "tags").where("id", "=", "id");
    const upsert = () => of().things.insert().onConflict("id");
    const calls: Readonly<
      Record<string, readonly [given: () => object, run: (given: never) => Promise<unknown>]>
    > = {
      exec: [() => thing(3), (one) => of().things.insert().exec(one)],
      execMany: [() => [thing(3), thing(4)], (list) => of().things.insert().execMany(list)],
      execBatch: [() => [thing(3), thing(4)], (list) => of().things.insert().execBatch(list)],
      "exec with doNothing": [() => thing(3), (one) => upsert().doNothing().exec(one)],
      "execMany with doNothing": [() => [thing(1), thing(3)], (list) => upsert().doNothing().execMany(list)],
      "exec of an upsert": [() => thing(1), (one) => upsert().doUpdate().exec(one)],
      "execMany of upserts": [() => [thing(1), thing(3)], (list) => upsert().doUpdate().execMany(list)],
      "exec of a nested insert": [
        () => ({ ...thing(3), parts: [part()] }),
        (one) => of().things.insert().with("parts").exec(one),
      ],
      "exec of a change": [() => thing(1), (one) => changes().exec(one)],
      "execMany of a change": [() => thing(1), (one) => changes().execMany(one)],
      "execBatch of changes": [() => [thing(1), thing(2)], (list) => changes().execBatch(list)],
      "execEach of changes": [() => [thing(1), thing(2)], (list) => changes().execEach(list)],
      "execBatch of changes one by one": [
        () => [1, 2].map((key) => ({ ...thing(key), least: new Date(1) })),
        (list) => changes().where("at", ">", "least").execBatch(list),
      ],
      execPatch: [
        () => ({ at: new Date(1_000), more: { of: [1] }, tags: ["a"] }),
        (one) => of().things.modify().where("id", "=", value(1)).execPatch(one),
      ],
    };

    test.each(Object.entries(calls))("%s", async (name, [given, run]) => {
      const { things: all, parts: inside } = of();
      await all.remove().where("id", ">", value(0)).exec();
      await inside.remove().where("id", ">", value(0)).exec();
      await all.insert().execBatch([other(1), other(2)]);
      const one = given();
      const running = run(one as never);
      spoil(one);
      await running;
      const keys = [one].flat().map((each) => (each as { id?: number }).id ?? 1);
      const isKept = (key: number) => name === "execMany with doNothing" && key === 1;
      const stored = await all.query().where("id", "IN", value(keys)).orderBy("id", "asc").exec();
      expect(stored).toEqual(keys.map((key) => (isKept(key) ? other(key) : thing(key))));
      for (const { at } of await inside.query().exec()) expect(at).toEqual(new Date(1_000));
    });
  });
