/** Relations of several fields and through a table give the same rows on every server. */
import { column, count, many, of, one, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true });
const members = table("rl_members", z.object({ tenantId: z.int(), userId: z.int(), name: z.string() }), {
  primaryKey: ["tenantId", "userId"],
  relations: { posts: many("posts", ["tenantId", "authorId"]) },
});
const posts = table(
  "rl_posts",
  z.object({ id, tenantId: z.int(), authorId: z.int().nullable(), title: z.string() }),
  {
    relations: {
      author: one("members", ["tenantId", "authorId"], { optional: true }),
      tags: many("tags", { through: "postTags" }),
      links: many("postTags", "postId"),
    },
  },
);
const tags = table("rl_tags", z.object({ id, name: z.string() }), {
  relations: { posts: many("posts", { through: "postTags" }) },
});
const postTags = table("rl_post_tags", z.object({ id, postId: z.int(), tagId: z.int() }), {
  relations: { post: one("posts", "postId"), tag: one("tags", "tagId") },
});
// H2 has no nested rows.
const module = { members, posts, tags, postTags };

describe.each(servers.filter(({ name }) => name !== "h2"))("on $name", (server) => {
  describe.skipIf(!server.available)("relations of lists and through a table", () => {
    let lent: Lent;
    const on = () => lent.db.repositories(module);
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(members, posts, tags, postTags);
      const all = on();
      await all.members.insert().execBatch([
        { tenantId: 1, userId: 1, name: "Ann" },
        { tenantId: 2, userId: 1, name: "Bob" },
      ]);
      // The second has no author, the third one that is not there.
      await all.posts.insert().execBatch([
        { id: 1, tenantId: 1, authorId: 1, title: "a" },
        { id: 2, tenantId: 1, authorId: null, title: "b" },
        { id: 3, tenantId: 2, authorId: 9, title: "c" },
        { id: 4, tenantId: 2, authorId: 1, title: "d" },
      ]);
      await all.tags.insert().execBatch([
        { id: 1, name: "x" },
        { id: 2, name: "y" },
        { id: 3, name: "z" },
      ]);
      // The pair is no key, and two rows lead to what is not there.
      await all.postTags.insert().execBatch([
        { id: 1, postId: 1, tagId: 1 },
        { id: 2, postId: 1, tagId: 2 },
        { id: 3, postId: 1, tagId: 1 },
        { id: 4, postId: 2, tagId: 9 },
        { id: 5, postId: 9, tagId: 2 },
      ]);
    });
    afterAll(() => lent.close());

    test("pages of a join through a table hold every row once, if the pair is a key; otherwise they are refused", async () => {
      const { posts: all } = on();
      const twice = all
        .query()
        .join("tags")
        .fields("id", "tags.name")
        .orderBy("id", "asc")
        .orderBy("tags.id", "asc");
      await expect(twice.page(2).exec()).rejects.toMatchObject({
        code: "UNSTABLE_ORDER",
        message: expect.stringContaining('rows of joined table "tags" may come twice'),
      });
      const keyed = table("rl_post_tags", z.object({ id, postId: z.int(), tagId: z.int() }), {
        unique: [["postId", "tagId"]],
        relations: { post: one("posts", "postId"), tag: one("tags", "tagId") },
      });
      const once = lent.db
        .repositories({ ...module, postTags: keyed })
        .posts.query()
        .join("tags")
        .fields("id", "tags.name");
      await expect(once.orderBy("id", "asc").page(2).exec()).rejects.toMatchObject({
        code: "UNSTABLE_ORDER",
      });
      const { rows } = await once.orderBy("id", "asc").orderBy("tags.id", "asc").page(2).exec();
      expect(rows.map((row) => row.id)).toEqual([1, 1]);
    });

    test("a list of fields in joins, nested rows, of and exists", async () => {
      const { posts: all, members: people } = on();
      expect(
        await all.query().leftJoin("author").fields("id", "author.name").orderBy("id", "asc").exec(),
      ).toEqual([
        { id: 1, author: { name: "Ann" } },
        { id: 2, author: null },
        { id: 3, author: null },
        { id: 4, author: { name: "Bob" } },
      ]);
      expect(await all.query().fields("id").with("author").orderBy("id", "asc").exec()).toEqual([
        { id: 1, author: { tenantId: 1, userId: 1, name: "Ann" } },
        { id: 2, author: null },
        { id: 3, author: null },
        { id: 4, author: { tenantId: 2, userId: 1, name: "Bob" } },
      ]);
      expect(
        await people
          .query()
          .fields("name", of("posts", count()).as("n"))
          .with("posts", all.query().fields("title").orderBy("id", "desc").limitParam("most"))
          .orderBy("name", "asc")
          .exec({ most: 5 }),
      ).toEqual([
        { name: "Ann", n: 1, posts: [{ title: "a" }] },
        { name: "Bob", n: 1, posts: [{ title: "d" }] },
      ]);
      expect(await all.query().fields("id").whereNotExists("author").orderBy("id", "asc").exec()).toEqual([
        { id: 2 },
        { id: 3 },
      ]);
    });

    test("through a table there is one row for each row between, in join, with and of alike", async () => {
      const { posts: all, tags: words } = on();
      const joined = all
        .query()
        .join("tags")
        .fields("id", "tags.name")
        .orderBy("id", "asc")
        .orderBy("tags.name", "asc");
      expect(await joined.exec()).toEqual([
        { id: 1, tags: { name: "x" } },
        { id: 1, tags: { name: "x" } },
        { id: 1, tags: { name: "y" } },
      ]);
      const nested = all
        .query()
        .fields("id", of("tags", count()).as("n"))
        .with("tags", words.query().fields("name").orderBy("id", "asc"))
        .orderBy("id", "asc");
      expect(await nested.exec()).toEqual([
        { id: 1, n: 3, tags: [{ name: "x" }, { name: "x" }, { name: "y" }] },
        { id: 2, n: 0, tags: [] },
        { id: 3, n: 0, tags: [] },
        { id: 4, n: 0, tags: [] },
      ]);
      expect(await all.query().fields("id").whereExists("tags").exec()).toEqual([{ id: 1 }]);
    });

    test("a left join gives one missing part, a right join each far row once", async () => {
      const { posts: all } = on();
      expect(
        await all.query().leftJoin("tags").fields("id", "tags.id").where("id", ">", "from").exec({ from: 1 }),
      ).toHaveLength(3);
      const right = all.query().rightJoin("tags").fields("id", "tags.name").orderBy("tags.name", "asc");
      expect(await right.exec()).toEqual([
        { id: 1, tags: { name: "x" } },
        { id: 1, tags: { name: "x" } },
        { id: 1, tags: { name: "y" } },
        { id: null, tags: { name: "z" } },
      ]);
    });
  });
});
