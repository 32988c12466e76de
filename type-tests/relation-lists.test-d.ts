// What the compiler knows of relations of several columns, through a table, and of references that may be missing.
import { column, isNull, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const members = table(
  "members",
  z.object({ tenantId: z.int(), userId: z.int(), name: z.string(), bannedAt: z.date().nullable() }),
  {
    primaryKey: ["tenantId", "userId"],
    filters: { allowed: isNull("bannedAt") },
    relations: { posts: many("posts", ["tenantId", "authorId"]) },
  },
);
const posts = table("posts", z.object({ id, tenantId: z.int(), authorId: z.int(), title: z.string() }), {
  relations: {
    author: one("members", ["tenantId", "authorId"]),
    anyAuthor: one("members", ["tenantId", "authorId"], { without: ["allowed"] }),
    twin: one("posts", "authorId", { optional: true }),
    same: one("posts", "authorId"),
    tags: many("tags", { through: "postTags" }),
    links: many("postTags", "postId"),
  },
});
const tags = table("tags", z.object({ id, name: z.string() }), {
  relations: { posts: many("posts", { through: "postTags", from: "tag", to: "post" }) },
});
const postTags = table("post_tags", z.object({ postId: z.int(), tagId: z.int() }), {
  primaryKey: ["postId", "tagId"],
  relations: { post: one("posts", "postId"), tag: one("tags", "tagId") },
});
const db = sqlite().repositories({ members, posts, tags, postTags });
type Whole<B extends { exec: (...given: never[]) => Promise<readonly unknown[]> }> = Awaited<
  ReturnType<B["exec"]>
>[number];

// Rows inside of rows: a list through a table, a row, and one that may be missing.
const q = db.posts.query().fields("id");
const named = db.tags.query().fields("name");
const withTags = q.with("tags", named);
expectType<{ id: number; tags: { name: string }[] }>({} as Whole<typeof withTags>);
const withTwin = q.with("twin");
expectType<null>(null as Extract<Whole<typeof withTwin>["twin"], null>);
const withSame = q.with("same");
expectType<never>({} as Extract<Whole<typeof withSame>["same"], null>);
const withAuthor = q.with("author");
expectType<null>(null as Extract<Whole<typeof withAuthor>["author"], null>);
const withAny = q.with("anyAuthor");
expectType<never>({} as Extract<Whole<typeof withAny>["anyAuthor"], null>);
const byMember = db.members.query().fields("name").with("posts", q);
expectType<{ name: string; posts: { id: number }[] }>({} as Whole<typeof byMember>);

// Joins and paths.
const joined = db.posts.query().join("tags").leftJoin("author").fields("title", "tags.name", "author.name");
expectType<{ title: string; tags: { name: string }; author: { name: string } | null }>(
  {} as Whole<typeof joined>,
);
void db.tags.query().whereExists("posts", q).whereNotExists("posts");
void db.postTags.query().join("post").join("post.author").fields("tagId", "author.name");

// @ts-expect-error no such field of the table
void table("t", z.object({ id }), { relations: { a: one("members", ["id", "userId"]) } });
// @ts-expect-error no fields
void one("members", []);
// @ts-expect-error through is the name of a table
void many("tags", { through: 1 });
// @ts-expect-error no such field of the joined table
db.posts.query().join("tags").fields("tags.title");
