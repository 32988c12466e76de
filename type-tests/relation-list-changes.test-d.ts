// What the compiler knows of changes over relations of several columns: records inside of records, and fields set from rows.
import { column, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const members = table(
  "members",
  z.object({ tenantId: z.int(), userId: z.int(), name: z.string(), level: z.int() }),
  { primaryKey: ["tenantId", "userId"], relations: { posts: many("posts", ["tenantId", "authorId"]) } },
);
const posts = table(
  "posts",
  z.object({ id, tenantId: z.int(), authorId: z.int(), title: z.string(), weight: z.int() }),
  {
    relations: {
      author: one("members", ["tenantId", "authorId"]),
      tags: many("tags", { through: "postTags" }),
      links: many("postTags", "postId"),
    },
  },
);
const tags = table("tags", z.object({ id, name: z.string() }));
const postTags = table("post_tags", z.object({ postId: z.int(), tagId: z.int() }), {
  primaryKey: ["postId", "tagId"],
  relations: { post: one("posts", "postId"), tag: one("tags", "tagId") },
});
const db = sqlite().repositories({ members, posts, tags, postTags });

async function nests() {
  // All fields of the list are filled, and absent from the record.
  const member = await db.members
    .insert()
    .with("posts")
    .exec({ tenantId: 1, userId: 2, name: "Ann", level: 1, posts: [{ title: "a", weight: 1 }] });
  expectType<number>(member.posts[0]?.authorId ?? 0);
  const post = await db.posts
    .insert()
    .with("author")
    .exec({ title: "a", weight: 1, author: { tenantId: 1, userId: 2, name: "Ann", level: 1 } });
  expectType<string>(post.author.name);
  // Through: the table between, with its relation inside.
  await db.posts
    .insert()
    .with("links", db.postTags.insert().with("tag"))
    .exec({ tenantId: 1, authorId: 2, title: "a", weight: 1, links: [{ tag: { name: "x" } }] });
  await db.posts.modify().setFrom("weight", "author", "level").where("id", "=", "id").exec({ id: 1 });
}

function refuses() {
  // @ts-expect-error a relation through a table
  db.posts.insert().with("tags");
  // @ts-expect-error a relation through a table, beside another one
  db.posts.insert().with("links").with("tags");
  const create = db.members.insert().with("posts");
  create.exec({
    tenantId: 1,
    userId: 2,
    name: "a",
    level: 1,
    // @ts-expect-error the first field of the key is filled
    posts: [{ tenantId: 1, title: "a", weight: 1 }],
  });
  create.exec({
    tenantId: 1,
    userId: 2,
    name: "a",
    level: 1,
    // @ts-expect-error the second field of the key is filled
    posts: [{ authorId: 1, title: "a", weight: 1 }],
  });
  const up = db.posts.insert().with("author");
  // @ts-expect-error a field of the list is filled
  up.exec({ tenantId: 1, title: "a", weight: 1, author: { tenantId: 1, userId: 2, name: "a", level: 1 } });
  // @ts-expect-error a text is no number
  db.posts.modify().setFrom("weight", "author", "name");
  // @ts-expect-error a many
  db.posts.modify().setFrom("weight", "links", "postId");
  // @ts-expect-error a relation through a table
  db.posts.modify().setFrom("weight", "tags", "id");
}

export const all = [nests, refuses];
