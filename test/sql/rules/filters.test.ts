/** Conditions of a table that hold wherever it is read or changed, and the way out of them. */
import {
  c,
  column,
  type Database,
  distance,
  field,
  isNull,
  many,
  min,
  notNull,
  one,
  or,
  type Repository,
  table,
  value,
  vector,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { type Recording, recording } from "rowtype/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true });
const members = table(
  "filtered_members",
  z.object({
    id,
    name: z.string(),
    bossId: z.int().nullable(),
    points: z.int(),
    bannedAt: z.date().nullable(),
    version: column(z.int(), { auto: "version" }),
    updatedAt: column(z.date(), { auto: "updated" }),
    deletedAt: column(z.date().nullable(), { auto: "deleted" }),
  }),
  {
    filters: { allowed: isNull("bannedAt") },
    relations: { posts: many("posts", "memberId"), boss: one("members", "bossId") },
  },
);
const posts = table(
  "filtered_posts",
  z.object({ id, memberId: z.int(), title: z.string(), points: z.int() }),
  { relations: { member: one("members", "memberId") } },
);
const tables = { members, posts };

const on3 = servers.filter(({ name }) => name === "sqlite" || name === "postgres" || name === "mariadb");

const world = (db: Database<"sqlite">) => db.repositories(tables);
type World = ReturnType<typeof world>;
type Members = World["members"];

/** Every form of every builder that reads or changes members, by name: what it gives. */
const reads: Readonly<Record<string, (w: World, m: Members) => Promise<unknown>>> = {
  select: (_, m) =>
    m
      .select()
      .where("id", "=", "id")
      .exec({ id: 2 })
      .catch(() => []),
  query: (_, m) => m.query().exec(),
  "query of fields": (_, m) => m.query().fields("name").orderBy("id", "asc").exec(),
  stream: async (_, m) => {
    const rows: unknown[] = [];
    for await (const row of m.query().stream()) rows.push(row);
    return rows;
  },
  page: async (_, m) => (await m.query().orderBy("id", "asc").page(10).exec()).rows,
  union: (_, m) => m.query().union(m.query()).exec(),
  or: (_, m) =>
    m
      .query()
      .whereOr(c("id", ">", "a"), c("name", "=", "b"))
      .exec({ a: 0, b: "" }),
  "in a query": (w, m) => w.posts.query().whereQuery("memberId", "IN", m.query().fields("id")).exec(),
  "as a table": (w, m) => w.members.query() && joinedTo(w, m),
  nested: (w, m) => w.posts.query().with("member", m.query()).fields("points").exec(),
  "nested by fields": (w, m) =>
    w.posts.query().withOn("ms", m.query(), "memberId", "id").fields("points").exec(),
  exists: (w, m) => w.posts.query().whereExists("member", m.query()).exec(),
  "exists by fields": (w, m) => w.posts.query().whereExistsOn(m.query(), "memberId", "id").exec(),
  "joined by fields": (w, m) => w.posts.query().joinOn("m", m, "memberId", "id").exec(),
  "of the spec": (_, m) => m.queryFromSpec({}).exec(),
};

async function joinedTo(w: World, m: Members): Promise<unknown> {
  return w.posts.query().joinQuery(m.query().fields("id", "name").as("m"), "memberId", "id").exec();
}

for (const server of on3)
  describe.skipIf(!server.available)(`filters on ${server.name}`, () => {
    let lent: Lent;
    let w: World;
    beforeAll(async () => {
      lent = await server.lend();
      const db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(members, posts);
      w = world(db);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      for (const name of ["filtered_members", "filtered_posts"]) await lent.run(`DELETE FROM ${name}`);
      const all = w.members.without("deletedAt", "allowed", "version");
      const at = new Date("2026-01-01T00:00:00Z");
      const row = (n: number, name: string) => ({ id: n, name, bossId: 2, points: n, bannedAt: null });
      await all.insert().execBatch([
        { ...row(1, "seen"), deletedAt: null },
        { ...row(2, "hidden"), deletedAt: at },
        { ...row(3, "hidden"), bannedAt: at, deletedAt: null },
      ]);
      await w.posts
        .insert()
        .execBatch(
          [1, 2, 3].map((n) => ({ id: n, memberId: n, title: n === 1 ? "seen" : "hidden", points: n })),
        );
    });

    const stored = () => w.members.without("deletedAt", "allowed").query().orderBy("id", "asc").exec();

    test.each(Object.keys(reads))("%s reads no hidden row, unless without is said", async (name) => {
      const read = reads[name];
      if (read === undefined) throw new Error(name);
      const whole = JSON.stringify(await read(w, w.members));
      expect(whole).not.toContain("hidden");
      const found = await read(w, w.members.without("deletedAt", "allowed") as unknown as Members);
      expect(JSON.stringify(found)).toContain("hidden");
    });

    test("aggregates and counts", async () => {
      expect(await w.members.count().exec()).toBe(1);
      expect(await w.members.sum("points").exec()).toBe(1);
      expect(await w.members.max("points").exec()).toBe(1);
      expect(await w.members.without("deletedAt").count().exec()).toBe(2);
      expect(await w.members.without("deletedAt", "allowed").sum("points").exec()).toBe(6);
    });

    test("joined by relation: an inner join drops the row, a left join gives null", async () => {
      const inner = await w.posts.query().join("member").fields("id", "member.name").exec();
      expect(inner).toEqual([{ id: 1, member: { name: "seen" } }]);
      const left = await w.posts
        .query()
        .leftJoin("member")
        .fields("id", "member.name")
        .orderBy("id", "asc")
        .exec();
      expect(left.map(({ member }) => member)).toEqual([{ name: "seen" }, null, null]);
      const nested = await w.posts.query().with("member").orderBy("id", "asc").exec();
      expect(nested.map(({ member }) => member?.name ?? null)).toEqual(["seen", null, null]);
      expect(await w.posts.count().where("id", ">", "id").exec({ id: 0 })).toBe(3);
      expect(await w.posts.query().whereExists("member").exec()).toHaveLength(1);
      expect(await w.posts.query().whereNotExists("member").exec()).toHaveLength(2);
      const boss = await w.members.query().with("boss").exec();
      expect(boss).toMatchObject([{ name: "seen", boss: null }]);
      // Nested rows keep the rules of their own repository.
      const all = await w.members
        .without("deletedAt", "allowed")
        .query()
        .with("boss")
        .orderBy("id", "asc")
        .exec();
      expect(all.map((row) => row.boss)).toEqual([null, null, null]);
    });

    test("no change reaches a hidden row, and with without it does", async () => {
      const before = await stored();
      const by = w.members.modify().set("name", "to").where("id", "=", "id");
      expect((await sqlErrorOf(by.exec({ id: 2, to: "x", version: 1 }))).code).toBe("NO_ROWS");
      expect(await by.execMany({ id: 3, to: "x", version: 1 })).toEqual([]);
      expect(await by.execBatch([2, 3].map((n) => ({ id: n, to: "x", version: 1 })))).toBe(0);
      expect(await by.execEach([2, 3].map((n) => ({ id: n, to: "x", version: 1 })))).toEqual([null, null]);
      const patch = w.members.modify().where("id", "=", "id");
      expect((await sqlErrorOf(patch.execPatch({ name: "x" }, { id: 2, version: 1 }))).code).toBe("NO_ROWS");
      expect((await sqlErrorOf(patch.execPatch({}, { id: 2, version: 1 }))).code).toBe("NO_ROWS");
      const gone = w.members.remove().where("id", "=", "id");
      expect(await gone.exec({ id: 2, version: 1 })).toBe(0);
      expect(await gone.execMany({ id: 3, version: 1 })).toEqual([]);
      expect(await gone.execBatch([2, 3].map((n) => ({ id: n, version: 1 })))).toBe(0);
      expect(await stored()).toEqual(before);

      const open = w.members.without("deletedAt", "version");
      const restored = await open
        .modify()
        .set("deletedAt", "at")
        .where("id", "=", "id")
        .exec({ id: 2, at: null });
      expect(restored).toMatchObject({ deletedAt: null, version: 2 });
      expect((await w.members.query().exec()).map((row) => row.id).sort()).toEqual([1, 2]);
      expect(await open.remove().where("id", "=", "id").exec({ id: 1 })).toBe(1);
      expect((await stored()).map((row) => row.id)).toEqual([2, 3]);
    });

    test("without the time an insert and a change may give it; without the version none is demanded", async () => {
      const at = new Date("2020-02-02T00:00:00Z");
      const open = w.members.without("updatedAt", "version");
      const row = { id: 9, name: "old", bossId: null, points: 0, bannedAt: null };
      expect((await open.insert().exec({ ...row, updatedAt: at })).updatedAt).toEqual(at);
      const kept = await open
        .modify()
        .set("name", "name")
        .where("points", "=", "points")
        .execMany({ name: "b", points: 0 });
      expect(kept).toMatchObject([{ updatedAt: at, version: 2 }]);
      const set = await open
        .modify()
        .set("updatedAt", "at")
        .where("id", "=", "id")
        .exec({ id: 9, at: new Date(0) });
      expect(set).toMatchObject({ updatedAt: new Date(0), version: 3 });
      const upsert = open.insert().onConflict("id").doUpdate().set("name", "name");
      expect(await upsert.exec({ ...row, name: "c" })).toMatchObject({ name: "c", version: 4 });
    });

    test("a conflict with a hidden row is a violated key, in every form, and nobody's row is changed", async () => {
      const open = w.members.without("version");
      const row = (n: number) => ({ id: n, name: "new", bossId: null, points: 0, bannedAt: null });
      const update = open.insert().onConflict("id").doUpdate();
      const nothing = w.members.insert().onConflict("id").doNothing();
      const anyKey = w.members.insert().onConflict().doNothing();
      const before = await stored();
      for (const n of [2, 3])
        for (const failing of [
          () => update.exec(row(n)),
          () => update.set("name", "name").exec(row(n)),
          () => update.where("points", ">=", "least").exec(row(n), { least: 0 }),
          () => update.execMany([row(7), row(n)]),
          () => update.execBatch([row(7), row(n)]),
          () => nothing.exec(row(n)),
          () => nothing.execMany([row(7), row(n)]),
          () => nothing.execBatch([row(7), row(n)]),
          () => anyKey.exec(row(n)),
          () => anyKey.execBatch([row(7), row(n)]),
        ]) {
          expect((await sqlErrorOf(failing())).code).toBe("UNIQUE_VIOLATION");
          expect(await stored()).toEqual(before);
        }
      expect(await nothing.exec(row(1))).toBeNull();
      expect(await anyKey.exec(row(1))).toBeNull();
      expect(await nothing.execBatch([row(1), row(7)])).toBe(1);
      expect(await nothing.execMany([row(1), row(8)])).toMatchObject([null, { id: 8 }]);
      expect(await update.where("points", ">=", "least").exec(row(1), { least: 5 })).toBeNull();
      expect(await update.exec(row(1))).toMatchObject({ name: "new", version: 2 });
      expect(await update.execBatch([row(1), row(9)])).toBe(2);
      expect(await update.execMany([row(1), row(10)])).toMatchObject([{ version: 4 }, { version: 1 }]);
    });

    test("a scope keeps the rules, in either order", async () => {
      const scoped = w.members.scope({ bossId: 2 });
      expect(await scoped.query().exec()).toHaveLength(1);
      expect(await scoped.without("deletedAt", "allowed").query().exec()).toHaveLength(3);
      const other = w.members.without("deletedAt").scope({ bossId: 2 });
      expect(await other.query().exec()).toHaveLength(2);
      expect(await w.members.without("deletedAt").without("allowed").query().exec()).toHaveLength(3);
      const tx = await (lent.db as unknown as Database<"sqlite">).transaction(async (inside) =>
        inside.repositories(tables).members.without("deletedAt").query().exec(),
      );
      expect(tx).toHaveLength(2);
    });
  });

describe("declarations and specs of filters", () => {
  const declared = (filters: object) =>
    sqlErrorIn(() => table("ruled", z.object({ id, at: z.date().nullable() }), { filters } as never)).message;

  test.each([
    ["a parameter", { live: c("id", "=", "x") }, /"live".*"ruled".*parameter "x"/],
    ["an unknown field", { live: isNull("ta") }, /"live".*field "ta".*fields: id, at/],
    ["an unknown field in a group", { live: or(notNull("at"), isNull("ta")) }, /field "ta"/],
    ["the name of a field", { at: isNull("at") }, /"at" of table "ruled" cannot have that name: a field/],
    ["no condition", { live: "at IS NULL" }, /"live".*must be a condition/],
    ["no name", { "a b": isNull("at") }, /cannot have that name/],
  ])("%s is refused", (_, filters, message) => {
    expect(declared(filters)).toMatch(message);
  });

  test("an unknown rule is refused, and a table without rules has none", () => {
    const db = lentNothing();
    const repository: Repository<object, never> = db.members as never;
    const without = (repository as unknown as { without(...names: unknown[]): unknown }).without;
    expect(sqlErrorIn(() => without("deleted")).message).toMatch(
      /unknown rule "deleted".*rules: .*deletedAt/,
    );
    expect(sqlErrorIn(() => without()).code).toBe("INVALID_FIELD");
    const none = (db.posts as unknown as { without(...names: unknown[]): unknown }).without;
    expect(sqlErrorIn(() => none("version")).message).toMatch(/has none/);
  });

  test("an upsert of the rows of a query cannot say which of them met a row that nobody sees", async () => {
    for (const dialect of ["postgres", "mariadb", "sqlite", "oracle"] as const) {
      const db = recording(dialect) as unknown as Recording<"sqlite">;
      const w = world(db);
      const rows = w.posts.query().fields("id", field("title").as("name"), "points");
      const from = rows as never;
      const open = w.members.without("version");
      const upserts = {
        "doNothing of a key": open.insert().onConflict("id").doNothing(),
        "doNothing of any key": open.insert().onConflict().doNothing(),
        doUpdate: open.insert().onConflict("id").doUpdate(),
        "doUpdate of a field": open.insert().onConflict("id").doUpdate().set("name", "name"),
      };
      for (const [name, upsert] of Object.entries(upserts)) {
        const error = await sqlErrorOf(upsert.execFrom(from));
        expect([dialect, name, error.code]).toEqual([dialect, name, "UNSUPPORTED"]);
        expect(error.message).toMatch(/filters hide rows/);
      }
      expect(db.statements).toEqual([]);
      // Where nothing is hidden it is as of any table.
      const all = w.members.without("version", "allowed", "deletedAt").insert();
      await all
        .onConflict("id")
        .doUpdate()
        .set("name", "name")
        .execFrom(from)
        .catch(() => undefined);
      expect(db.statements.map(({ sql }) => sql).join()).toMatch(/INSERT|MERGE/);
    }
  });

  test("distances between vectors leave hidden rows hidden", () => {
    const places = table(
      "ruled_places",
      z.object({
        id,
        at: vector(3),
        state: z.enum(["draft", "live"]),
        gone: column(z.date().nullable(), { auto: "deleted" }),
      }),
      { filters: { live: c("state", "=", value("live")) } },
    );
    const db = postgres().repositories({ places });
    const near = ["at", "<->", "here"] as const;
    const texts = (rows: Pick<typeof db.places, "query" | "select">) => {
      return [
        rows.query().whereDistance(...near, "<", "most"),
        rows.query().whereDistance("at", "<=>", value([1, 2, 3]), "<=", value(1)),
        rows.query().orderByExpr(...near, "asc"),
        rows.select().whereDistance(...near, "<", "most"),
        rows.select().orderByExpr(...near, "asc"),
        rows
          .query()
          .fields("id", distance(...near).as("far"))
          .orderBy("far", "asc"),
        rows.query().fields(min(distance(...near)).as("least")),
      ].map((builder) => builder.render().sql);
    };
    for (const text of texts(db.places))
      expect(text).toMatch(/ WHERE "state" = :value_\d AND "gone" IS NULL/);
    // The compiler takes the same repository without rules for another.
    for (const text of texts(db.places.without("live", "gone") as unknown as typeof db.places))
      expect(text).not.toMatch(/"state" =|"gone" IS NULL/);
  });

  test("a spec has no rules, and a query without them cannot stand in one", () => {
    const db = lentNothing();
    expect(db.members.query().toSpec()).toEqual({});
    expect(db.members.without("allowed").query().toSpec()).toEqual({});
    const inside = db.posts.query().with("member", db.members.without("allowed").query());
    expect(sqlErrorIn(() => inside.toSpec()).code).toBe("INVALID_SPEC");
    const exists = db.posts.query().whereExists("member", db.members.without("allowed").query());
    expect(sqlErrorIn(() => exists.toSpec()).code).toBe("INVALID_SPEC");
    expect(db.posts.query().with("member", db.members.query()).toSpec()).toEqual({ with: { member: {} } });
  });
});

function lentNothing(): World {
  return world(sqlite() as unknown as Database<"sqlite">);
}
