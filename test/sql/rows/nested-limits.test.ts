/** Nested rows of which a server could lose some without an error, references that lead nowhere, and callbacks. */
import { coalesce, column, type Database, field, many, nullIf, one, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const owners = table("owners", z.object({ id: column(z.int(), { primaryKey: true }), friendId: z.int() }), {
  relations: { things: many("things", "ownerId"), friend: one("owners", "friendId") },
});
const things = table(
  "things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    ownerId: z.int(),
    text: z.string(),
    bytes: z.instanceof(Uint8Array).nullable(),
  }),
  { relations: { owner: one("owners", "ownerId") } },
);

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`nested rows on ${server.name}`, () => {
    let lent: Lent;
    const world = () => (lent.db as unknown as Database<"sqlite">).repositories({ owners, things });
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(owners, things);
      const { owners: some, things: others } = world();
      await some.insert().execBatch([
        { id: 1, friendId: 2 },
        { id: 2, friendId: 9 },
        { id: 3, friendId: 1 },
      ]);
      for (let id = 1; id <= 20; id++)
        await others.insert().exec({ id, ownerId: 1, text: "x".repeat(100_000), bytes: null });
      await others.insert().exec({ id: 21, ownerId: 2, text: "", bytes: new Uint8Array(9_000_000) });
      for (const id of [22, 23])
        await others.insert().exec({ id, ownerId: 3, text: "y".repeat(9_000_000), bytes: null });
    }, 60_000);
    afterAll(() => lent.close());

    test("a list of two million characters comes back whole", async () => {
      const { owners: some } = world();
      const row = await some.select().with("things").where("id", "=", "id").exec({ id: 1 });
      expect(row.things).toHaveLength(20);
      expect(row.things.every(({ text }) => text.length === 100_000)).toBe(true);
    });

    test("what is too large for the server is an error, and never left out", async () => {
      const { owners: some } = world();
      const read = (id: number) => some.select().with("things").where("id", "=", "id").exec({ id });
      if (server.name === "mariadb") {
        await expect(read(2)).rejects.toMatchObject({ code: "DECODE_FAILED" });
        await expect(read(3)).rejects.toMatchObject({ code: "DECODE_FAILED" });
        return;
      }
      expect((await read(2)).things[0]?.bytes).toHaveLength(9_000_000);
      expect((await read(3)).things.map(({ text }) => text.length)).toEqual([9_000_000, 9_000_000]);
    }, 60_000);

    test("a reference that must lead to a row and leads to none is an error that names it", async () => {
      const { owners: some } = world();
      const query = some
        .query()
        .fields("id")
        .with("friend", some.query().fields("id"))
        .where("id", "=", "id");
      expect(await query.exec({ id: 1 })).toEqual([{ id: 1, friend: { id: 2 } }]);
      await expect(query.exec({ id: 2 })).rejects.toMatchObject({
        code: "DECODE_FAILED",
        table: "owners",
        field: "friend",
      });
    });

    test("a reference is not null because its query orders, tells apart or groups", async () => {
      const { owners: some } = world();
      const friends = some.query().fields("id");
      const outer = some.query().fields("id").where("id", "=", "own");
      for (const query of [
        outer.with("friend", friends.distinct()),
        outer.with("friend", friends.groupBy("id")),
        outer.with("friend", friends.orderBy("friendId", "desc")),
        outer.with("friend", some.select().fields("id")),
      ]) {
        expect(await query.exec({ own: 1 })).toEqual([{ id: 1, friend: { id: 2 } }]);
        await expect(query.exec({ own: 2 })).rejects.toMatchObject({
          code: "DECODE_FAILED",
          table: "owners",
          field: "friend",
        });
      }
      // The parameter of an order is taken, and one row needs none.
      const near = friends.orderBy(coalesce(nullIf("id", "not"), field("id")), "asc");
      const found = some.query().fields("id").with("friend", near).where("id", "=", "own");
      expect(await found.exec({ own: 1, not: 2 })).toEqual([{ id: 1, friend: { id: 2 } }]);
      await expect(found.exec({ own: 2, not: 2 })).rejects.toMatchObject({ code: "DECODE_FAILED" });
      // A query that may leave out rows gives null.
      const chosen = some
        .query()
        .fields("id")
        .with("friend", friends.where("id", "<", "most"));
      expect(await chosen.where("id", "=", "own").exec({ own: 2, most: 9 })).toEqual([
        { id: 2, friend: null },
      ]);
    });

    test("callbacks see nested rows first, and rows of a stream", async () => {
      const { owners: some, things: others } = world();
      const seen: string[] = [];
      some.onScan(({ id }) => seen.push(`owner ${id}`));
      others.onScan(({ id }) => seen.push(`thing ${id}`));
      const query = some
        .query()
        .fields("id")
        .with("things", others.query().fields("id").where("id", "<", "most").orderBy("id", "asc"))
        .where("id", "=", "id");
      await query.exec({ id: 1, most: 3 });
      expect(seen.splice(0)).toEqual(["thing 1", "thing 2", "owner 1"]);
      for await (const { things: inside } of query.stream({ id: 1, most: 2 }))
        expect(inside).toEqual([{ id: 1 }]);
      expect(seen.splice(0)).toEqual(["thing 1", "owner 1"]);
      some.onScan(null);
      await lent.db.transaction((tx) => query.exec({ id: 1, most: 2 }, { tx }));
      expect(seen).toEqual(["thing 1"]);
      others.onScan(null);
    });

    test("a spec of nested rows is that of the builder, and reads the same", async () => {
      const { owners: some, things: others } = world();
      const query = some
        .query()
        .fields("id")
        .with("things", others.query().fields("id").orderBy("id", "desc").limit(2))
        .orderBy("id", "asc");
      const spec = query.toSpec();
      expect(spec).toEqual({
        fields: ["id"],
        with: { things: { fields: ["id"], order_by: [{ field: "id", direction: "desc" }], limit: 2 } },
        order_by: [{ field: "id", direction: "asc" }],
      });
      expect(await some.queryFromSpec(spec).exec()).toEqual(await query.exec());
      expect(await query.explain()).not.toBe("");
      const wrong = some.queryFromSpec({ with: { thingz: {} } });
      await expect(async () => wrong.exec()).rejects.toMatchObject({ code: "INVALID_RELATION" });
      const refused = some.query().withOn("all", others.query(), "id", "ownerId");
      expect(() => refused.toSpec()).toThrow(expect.objectContaining({ code: "INVALID_SPEC" }));
    });
  });
