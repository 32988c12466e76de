import { and, c, column, isNull, many, one, table, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectAssignable, expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const members = table(
  "members",
  z.object({
    id,
    name: z.string(),
    bannedAt: z.date().nullable(),
    version: column(z.int(), { auto: "version" }),
    updatedAt: column(z.date(), { auto: "updated" }),
    deletedAt: column(z.date().nullable(), { auto: "deleted" }),
  }),
  { filters: { allowed: isNull("bannedAt") }, relations: { posts: many("posts", "memberId") } },
);
const posts = table("posts", z.object({ id, memberId: z.int(), title: z.string() }), {
  relations: { member: one("members", "memberId") },
});
const db = sqlite().repositories({ members, posts });
const renamed = db.members.modify().set("name", "name").where("id", "=", "id");

// What the compiler knows of the rules of a table.
// Nobody gives what a rule sets.
void (() => db.members.insert().exec({ id: 1, name: "a" }));
// @ts-expect-error refused by a rule
void (() => db.members.insert().exec({ id: 1, name: "a", version: 1 }));
// @ts-expect-error refused by a rule
void (() => db.members.insert().exec({ id: 1, name: "a", updatedAt: new Date() }));
// @ts-expect-error refused by a rule
void (() => db.members.modify().set("version", "v"));
// @ts-expect-error refused by a rule
void (() => db.members.modify().set("deletedAt", "at"));
// @ts-expect-error refused by a rule
void (() => column(z.int(), { auto: "count" }));

// Every change demands the version that was read.
void (() => renamed.exec({ id: 1, name: "b", version: 1 }));
// @ts-expect-error refused by a rule
void (() => renamed.exec({ id: 1, name: "b" }));
// @ts-expect-error refused by a rule
void (() => renamed.exec({ id: 1, name: "b", version: "1" }));
// @ts-expect-error refused by a rule
void (() => renamed.execMany({ id: 1, name: "b" }));
// @ts-expect-error refused by a rule
void (() => renamed.execBatch([{ id: 1, name: "b" }]));
// @ts-expect-error refused by a rule
void (() => renamed.execEach([{ id: 1, name: "b" }]));
// @ts-expect-error refused by a rule
void (() => db.members.modify().where("id", "=", "id").execPatch({ name: "b" }, { id: 1 }));
// @ts-expect-error refused by a rule
void (() => db.members.remove().where("id", "=", "id").exec({ id: 1 }));
void (() =>
  db.members
    .remove()
    .where("id", "=", "id")
    .execBatch([{ id: 1, version: 2 }]));
void (() => db.posts.remove().where("id", "=", "id").exec({ id: 1 }));

// Without a rule.
void (() =>
  db.members
    .without("version")
    .modify()
    .set("name", "name")
    .where("id", "=", "id")
    .exec({ id: 1, name: "b" }));
void (() =>
  db.members
    .without("deletedAt")
    .modify()
    .set("deletedAt", "at")
    .where("id", "=", "id")
    .exec({ id: 1, at: null, version: 1 }));
void (() => db.members.without("updatedAt").insert().exec({ id: 1, name: "a", updatedAt: new Date() }));
// @ts-expect-error refused by a rule
void (() => db.members.without("version").insert().exec({ id: 1, name: "a", version: 1 }));
// @ts-expect-error refused by a rule
void (() => db.members.without("updatedAt").insert().exec({ id: 1, name: "a", deletedAt: null }));
void (() => db.members.without("allowed", "deletedAt", "version").without("updatedAt"));
// @ts-expect-error refused by a rule
void (() => db.members.without("deleted"));
// @ts-expect-error refused by a rule
void (() => db.members.without());
// @ts-expect-error refused by a rule
void (() => db.posts.without("version"));
const scoped = db.members.scope({ name: "a" }).modify().set("bannedAt", "at").where("id", "=", "id");
// @ts-expect-error refused by a rule
void (() => scoped.exec({ id: 1, at: null }));

// A reference may lead to a hidden row.
type RowOf<B extends { exec: (...given: never[]) => unknown }> =
  Awaited<ReturnType<B["exec"]>> extends readonly (infer R)[] ? R : never;
const nested = db.posts.query().fields("id").with("member");
expectAssignable<RowOf<typeof nested>["member"]>(null);
const inside = db.posts.query().fields("id").with("member", db.members.query().fields("name"));
expectAssignable<RowOf<typeof inside>["member"]>(null);
const whole = db.posts
  .query()
  .fields("id")
  .with("member", db.members.without("allowed", "deletedAt").query().fields("name"));
expectType<RowOf<typeof whole>["member"]>({ name: "a" });
const half = db.posts
  .query()
  .fields("id")
  .with("member", db.members.without("allowed").query().fields("name"));
expectAssignable<RowOf<typeof half>["member"]>(null);
const lists = db.members.query().fields("id").with("posts");
expectType<{ id: number; memberId: number; title: string }[]>([] as RowOf<typeof lists>["posts"]);

// A key of the visible rows is one for onConflict.
const users = table(
  "users",
  z.object({ id, email: z.string(), name: z.string(), bannedAt: z.date().nullable() }),
  {
    filters: { allowed: isNull("bannedAt") },
    indexes: [
      { columns: ["email"], unique: true, visible: true },
      { columns: ["name", "email"], unique: true, visible: true },
      { columns: ["name"], unique: true },
      { columns: ["bannedAt"], visible: true },
    ],
  },
);
const { insert } = sqlite().repository(users);
void (() => insert().onConflict("email").doNothing());
void (() => insert().onConflict("name", "email").doNothing());
// @ts-expect-error an index of all rows is no key
void (() => insert().onConflict("name").doNothing());
// @ts-expect-error an index that is not unique is no key
void (() => insert().onConflict("bannedAt").doNothing());

// A filter names fields of its table.
const columns = z.object({ id, name: z.string() });
void table("named", columns, { filters: { one: isNull("name"), two: c("id", ">", value(1)) } });
// @ts-expect-error a misspelt field
void table("misspelt", columns, { filters: { one: isNull("nam") } });
// @ts-expect-error a misspelt field in a group
void table("misspelt", columns, { filters: { one: and(isNull("name"), c("ident", ">", value(1))) } });
// @ts-expect-error no condition
void table("none", columns, { filters: { one: {} } });

// A change by values alone takes no argument, whatever rules there are besides a version.
const rows = z.object({ id, name: z.string(), bannedAt: z.date().nullable() });
const plain = table("plain", rows);
const filtered = table("filtered", rows, { filters: { allowed: isNull("bannedAt") } });
const timed = table("timed", rows.extend({ at: column(z.date(), { auto: "updated" }) }));
const kept = table("kept", rows.extend({ at: column(z.date().nullable(), { auto: "deleted" }) }));
const counted = table("counted", rows.extend({ version: column(z.int(), { auto: "version" }) }));
const ruled = sqlite().repositories({ plain, filtered, timed, kept, counted });
const change = [
  ruled.plain.modify().set("name", value("b")).where("id", "=", value(1)),
  ruled.filtered.modify().set("name", value("b")).where("id", "=", value(1)),
  ruled.timed.modify().set("name", value("b")).where("id", "=", value(1)),
  ruled.kept.modify().set("name", value("b")).where("id", "=", value(1)),
  ruled.counted.without("version").modify().set("name", value("b")).where("id", "=", value(1)),
] as const;
void (() => [change[0].exec(), change[0].execMany(), change[0].execPatch({ name: "c" })]);
void (() => [change[1].exec(), change[1].execMany(), change[1].execPatch({ name: "c" })]);
void (() => [change[2].exec(), change[2].execMany(), change[2].execPatch({ name: "c" })]);
void (() => [change[3].exec(), change[3].execMany(), change[3].execPatch({ name: "c" })]);
void (() => [change[4].exec(), change[4].execMany(), change[4].execPatch({ name: "c" })]);
void (() => ruled.plain.remove().where("id", "=", value(1)).exec());
void (() => ruled.filtered.remove().where("id", "=", value(1)).exec());
void (() => ruled.timed.remove().where("id", "=", value(1)).exec());
void (() => ruled.kept.remove().where("id", "=", value(1)).execMany());
void (() => ruled.counted.without("version").remove().where("id", "=", value(1)).execMany());
// @ts-expect-error which version was read?
void (() => ruled.counted.modify().set("name", value("b")).where("id", "=", value(1)).exec());
// @ts-expect-error which version was read?
void (() => ruled.counted.remove().where("id", "=", value(1)).exec());
