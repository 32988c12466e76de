/** Changes over relations of several columns: records inside of records, and fields that are set from a related row. */
import { column, type Database, many, on, one, table } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers, titleOf } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const members = table(
  "rc_members",
  z.object({ tenantId: z.int(), userId: z.int(), name: z.string(), level: z.int() }),
  {
    primaryKey: ["tenantId", "userId"],
    relations: {
      posts: many("posts", ["tenantId", "authorId"]),
      desks: many("desks", ["room", "tenantId", "userId"], { key: ["level", "tenantId", "userId"] }),
    },
    unique: [["level", "tenantId", "userId"]],
  },
);
const posts = table(
  "rc_posts",
  z.object({ id: id(), tenantId: z.int(), authorId: z.int().nullable(), title: z.string(), weight: z.int() }),
  {
    relations: {
      author: one("members", ["tenantId", "authorId"]),
      tags: many("tags", { through: "links" }),
      links: many("links", "postId"),
    },
  },
);
// A key of three columns.
const desks = table(
  "rc_desks",
  z.object({ id: id(), tenantId: z.int(), userId: z.int(), room: z.int(), note: z.string() }),
  {
    relations: {
      owner: one("members", ["tenantId", "userId", "room"], { key: ["tenantId", "userId", "level"] }),
    },
  },
);
const tags = table("rc_tags", z.object({ id: id(), name: z.string() }));
const links = table("rc_links", z.object({ postId: z.int(), tagId: z.int() }), {
  primaryKey: ["postId", "tagId"],
  relations: { post: one("posts", "postId"), tag: one("tags", "tagId") },
});
const module = { members, posts, desks, tags, links };
const all = Object.values(module);
const open = (db: Database) => (db as unknown as Database<"sqlite">).repositories(module);

for (const server of servers.filter(({ name }) => name !== "oracle" && name !== "h2"))
  describe.skipIf(!server.available)(`changes over lists of fields on ${titleOf(server)}`, () => {
    let lent: Lent;
    let db: ReturnType<typeof open>;
    beforeAll(async () => {
      lent = await server.lend();
      db = open(lent.db);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await lent.db.dropTables(...all);
      await lent.db.createTables(...all);
    });
    const counts = async () => [
      await db.members.count().exec(),
      await db.posts.count().exec(),
      await db.desks.count().exec(),
    ];

    test("a many by two and by three fields: each is filled from the stored row", async () => {
      const statements: string[] = [];
      const off = on("db.query.started", ({ sql }) => statements.push(sql));
      const stored = await db.members
        .insert()
        .with("posts", db.posts.insert().returning("tenantId", "authorId", "title"))
        .with("desks", db.desks.insert().returning("tenantId", "userId", "room", "note"))
        .execMany([
          {
            ...{ tenantId: 1, userId: 7, name: "Ann", level: 3 },
            posts: [
              { title: "a", weight: 1 },
              { title: "b", weight: 1 },
            ],
            desks: [{ note: "x" }],
          },
          { tenantId: 2, userId: 7, name: "Bob", level: 4, posts: [{ title: "a", weight: 1 }], desks: [] },
        ]);
      off();
      expect(statements.filter((sql) => sql.startsWith("INSERT"))).toHaveLength(3);
      expect(stored).toEqual([
        {
          ...{ tenantId: 1, userId: 7, name: "Ann", level: 3 },
          posts: [
            { tenantId: 1, authorId: 7, title: "a" },
            { tenantId: 1, authorId: 7, title: "b" },
          ],
          desks: [{ tenantId: 1, userId: 7, room: 3, note: "x" }],
        },
        {
          ...{ tenantId: 2, userId: 7, name: "Bob", level: 4 },
          posts: [{ tenantId: 2, authorId: 7, title: "a" }],
          desks: [],
        },
      ]);
    });

    test("a one by a list is stored before, and our fields are filled; null leaves them null", async () => {
      const author = { tenantId: 5, userId: 6, name: "Cid", level: 1 };
      const stored = await db.posts.insert().with("author").exec({ title: "a", weight: 2, author });
      expect(stored).toEqual({
        id: expect.any(Number),
        tenantId: 5,
        authorId: 6,
        title: "a",
        weight: 2,
        author,
      });
      const desk = await db.desks
        .insert()
        .with("owner")
        .exec({ note: "y", owner: { tenantId: 8, userId: 9, name: "Dan", level: 2 } });
      expect(desk).toMatchObject({ tenantId: 8, userId: 9, room: 2, owner: { name: "Dan" } });
      expect(await counts()).toEqual([2, 1, 1]);
    });

    test("the table between takes rows of both sides; a relation through it is refused by name", async () => {
      const stored = await db.posts
        .insert()
        .with("links", db.links.insert().with("tag"))
        .exec({
          ...{ tenantId: 1, authorId: null, title: "a", weight: 1 },
          links: [{ tag: { name: "x" } }, { tag: { name: "y" } }],
        });
      expect(stored.links.map(({ tag }) => tag.name)).toEqual(["x", "y"]);
      const read = await db.posts.query().fields("title").with("tags", db.tags.query().fields("name")).exec();
      expect(read).toEqual([{ title: "a", tags: expect.arrayContaining([{ name: "x" }, { name: "y" }]) }]);
      const through = db.posts.insert() as unknown as {
        with(to: string): { exec(record: object): Promise<unknown> };
      };
      const error = await sqlErrorOf(
        through.with("tags").exec({ tenantId: 1, title: "b", weight: 1, tags: [] }),
      );
      expect(error).toMatchObject({
        code: "INVALID_RELATION",
        message: expect.stringContaining('leads through table "rc_links": insert into that'),
      });
    });

    test("a failure at any record leaves nothing", async () => {
      await db.members.insert().exec({ tenantId: 1, userId: 1, name: "here", level: 1 });
      const before = await counts();
      const records = (taken: number) =>
        [0, 1, 2].map((i) => ({
          ...{ tenantId: 1, userId: i === taken ? 1 : 10 + i, name: "n", level: 1 },
          posts: [{ title: `${i}`, weight: 1 }],
        }));
      for (const taken of [0, 1, 2]) {
        const error = await sqlErrorOf(db.members.insert().with("posts").execMany(records(taken)));
        expect(error.code).toBe("UNIQUE_VIOLATION");
        expect(await counts()).toEqual(before);
      }
    });

    test("setFrom by a list: rows whose fields find nothing are not changed and not counted", async () => {
      await db.members.insert().execBatch([
        { tenantId: 1, userId: 1, name: "Ann", level: 10 },
        { tenantId: 2, userId: 1, name: "Bob", level: 20 },
      ]);
      const plain = [
        { tenantId: 1, authorId: 1, title: "a" },
        { tenantId: 2, authorId: 1, title: "b" },
        { tenantId: 2, authorId: 2, title: "c" },
        { tenantId: 1, authorId: null, title: "d" },
        { tenantId: 3, authorId: 1, title: "e" },
      ];
      await db.posts.insert().execBatch(plain.map((post) => ({ ...post, weight: 0 })));
      const set = db.posts.modify().setFrom("weight", "author", "level").setFrom("title", "author", "name");
      const changed = await set.whereNotNull("id").execMany({});
      expect(changed.map(({ tenantId, title, weight }) => [tenantId, title, weight]).sort()).toEqual([
        [1, "Ann", 10],
        [2, "Bob", 20],
      ]);
      const rows = await db.posts.query().fields("title", "weight").orderBy("id", "asc").exec();
      expect(rows.map(({ title, weight }) => [title, weight])).toEqual([
        ["Ann", 10],
        ["Bob", 20],
        ["c", 0],
        ["d", 0],
        ["e", 0],
      ]);
    });
  });
