// What the compiler knows of joins, subqueries and nested rows that are connected by lists of fields.
import { and, column, existsOn, isNull, many, notExistsOn, one, or, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const members = table(
  "members",
  z.object({ tenantId: z.int(), userId: z.int(), name: z.string(), bannedAt: z.date().nullable() }),
  { primaryKey: ["tenantId", "userId"], relations: { posts: many("posts", ["tenantId", "authorId"]) } },
);
const posts = table(
  "posts",
  z.object({ id, tenantId: z.int(), authorId: z.int().nullable(), title: z.string() }),
  { relations: { author: one("members", ["tenantId", "authorId"]) } },
);
const database = sqlite();
const db = database.repositories({ members, posts });
type Row<B extends { exec: (...given: never[]) => Promise<readonly unknown[]> }> = Awaited<
  ReturnType<B["exec"]>
>[number];

const mine = ["tenantId", "authorId"] as const;
const theirs = ["tenantId", "userId"] as const;
const q = db.posts.query().fields("id");
const named = db.members.query().fields("name");
const source = db.members.query().as("m");

// A table, a repository and a query, in each kind of join.
const byTable = q.joinOn("m", members, ["tenantId", "authorId"], ["tenantId", "userId"]).fields("m.name");
expectType<{ id: number; m: { name: string } }>({} as Row<typeof byTable>);
const byRepository = q.leftJoinOn("m", db.members, mine, theirs).fields("m.name");
expectType<{ id: number; m: { name: string } | null }>({} as Row<typeof byRepository>);
const byQuery = q.joinQuery(source, mine, theirs).fields("m.name");
expectType<{ id: number; m: { name: string } }>({} as Row<typeof byQuery>);
const byLeftQuery = q.leftJoinQuery(source, mine, theirs).fields("m.name");
expectType<{ id: number; m: { name: string } | null }>({} as Row<typeof byLeftQuery>);
const all = db.posts.query();
const right = all.rightJoinOn("m", members, mine, theirs).fields("id", "m.name");
expectType<{ id: number | null; m: { name: string } }>({} as Row<typeof right>);
const full = all.fullJoinOn("m", db.members, mine, theirs).fields("id", "m.name");
expectType<{ id: number | null; m: { name: string } | null }>({} as Row<typeof full>);
const rightQuery = all.rightJoinQuery(source, mine, theirs).fields("id", "m.name");
expectType<{ id: number | null; m: { name: string } }>({} as Row<typeof rightQuery>);
const fullQuery = all.fullJoinQuery(source, mine, theirs).fields("id", "m.name");
expectType<{ id: number | null; m: { name: string } | null }>({} as Row<typeof fullQuery>);

// A list inside of each row, and conditions. One pair is a list too.
const withNames = q.withOn("names", named, mine, theirs);
expectType<{ id: number; names: { name: string }[] }>({} as Row<typeof withNames>);
void q.whereExistsOn(named.where("name", "=", "name"), mine, theirs).exec({ name: "a" });
void q.whereNotExistsOn(named, ["tenantId"], ["tenantId"]).exec();
void q.whereAnd(or(isNull("authorId"), existsOn(named.where("name", "=", "name"), mine, theirs))).exec({
  name: "a",
});
void q.whereAnd(and(notExistsOn(named, mine, theirs))).exec();
void db.posts.modify().set("title", "title").whereExistsOn(named, mine, theirs).exec({ title: "a" });
void db.posts.remove().whereNotExistsOn(named, mine, theirs).exec();
void q.dynamic().whereExistsOn(named, mine, theirs).whereNotExistsOn(named, mine, theirs);
// A field of what was joined before.
void q.joinOn("m", members, mine, theirs).withOn("names", named, ["m.tenantId", "m.userId"], theirs);

// Lists of two lengths, of other kinds, of no fields, an unknown name.
// @ts-expect-error the lists have two lengths
q.joinOn("m", members, ["tenantId", "authorId"], ["tenantId"]);
// @ts-expect-error the lists have two lengths
q.joinOn("m", members, ["tenantId"], ["tenantId", "userId"]);
// @ts-expect-error a number and a text
q.joinOn("m", members, ["tenantId", "authorId"], ["tenantId", "name"]);
// @ts-expect-error a text and a number
q.joinOn("m", members, ["tenantId", "title"], ["tenantId", "userId"]);
// @ts-expect-error no fields
q.joinOn("m", members, [], []);
// @ts-expect-error no such field
q.joinOn("m", members, ["tenantId", "nobody"], ["tenantId", "userId"]);
// @ts-expect-error a field beside a list
q.joinOn("m", members, "tenantId", ["tenantId"]);
// @ts-expect-error a list beside a field
q.joinOn("m", members, ["tenantId"], "tenantId");
// @ts-expect-error the second list does not fit
q.leftJoinOn("m", db.members, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
q.joinQuery(source, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
q.leftJoinQuery(source, mine, ["tenantId"]);
// @ts-expect-error the second list does not fit
all.rightJoinOn("m", members, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
all.fullJoinOn("m", members, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
all.rightJoinQuery(source, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
all.fullJoinQuery(source, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
q.withOn("names", named, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
q.withOn("names", named, mine, ["tenantId"]);
// @ts-expect-error the second list does not fit
q.whereExistsOn(named, mine, ["tenantId", "name"]);
// @ts-expect-error the second list does not fit
q.whereNotExistsOn(named, mine, ["tenantId"]);
// @ts-expect-error the second list does not fit
existsOn(named, mine, ["tenantId"]);
// @ts-expect-error the second list does not fit
existsOn(named, mine, ["tenantId", "nobody"]);
// @ts-expect-error the second list does not fit
q.whereAnd(existsOn(named, mine, ["tenantId", "name"]));
// @ts-expect-error the second list does not fit
q.whereAnd(notExistsOn(named, ["tenantId", "nobody"], theirs));
// @ts-expect-error the second list does not fit
db.posts.remove().whereExistsOn(named, mine, ["tenantId", "name"]);
