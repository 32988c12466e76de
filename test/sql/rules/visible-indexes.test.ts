/** Indexes of the rows that the filters of a table leave: made, compared, violated, and as the key of an upsert. */
import { and, between, c, column, ddl, isNull, lower, notNull, or, table, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { diff } from "rowtype/migrate";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const members = table(
  "visible_members",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    tenantId: z.int(),
    email: z.string(),
    name: z.string(),
    state: z.enum(["draft", "live", "it's"]),
    deletedAt: column(z.date().nullable(), { auto: "deleted" }),
  }),
  {
    filters: { live: c("state", "IN", value(["live", "it's"])) },
    indexes: [
      { columns: ["tenantId", "email"], unique: true, visible: true },
      { columns: [["name", "desc"]], visible: true, name: "by_name" },
    ],
  },
);
const ann = { tenantId: 1, email: "ann@example.org", name: "Ann", state: "live" } as const;

for (const server of servers.filter(({ name }) => name === "postgres" || name === "sqlite"))
  describe.skipIf(!server.available)(`visible indexes on ${server.name}`, () => {
    let lent: Lent | undefined;
    const world = () => {
      if (lent === undefined) throw new Error("no database was lent");
      const { db } = lent;
      return {
        db,
        members: db.repository(members),
        all: db.repository(members).without("deletedAt", "live"),
      };
    };
    beforeEach(async () => {
      lent ??= await server.lend();
      await lent.db.dropTables(members);
      await lent.db.createTables(members);
    });
    afterAll(() => lent?.close());

    test("a key is unique among the visible rows alone, and a violation names its fields", async () => {
      const { members, all } = world();
      const { id } = await members.insert().exec(ann);
      await expect(members.insert().exec(ann)).rejects.toMatchObject({
        code: "UNIQUE_VIOLATION",
        fields: ["tenantId", "email"],
      });
      await members.remove().where("id", "=", "id").exec({ id });
      const again = await members.insert().exec(ann);
      await members.insert().exec({ ...ann, state: "draft" });
      await members.insert().exec({ ...ann, state: "draft" });
      expect(await members.count().exec()).toBe(1);
      expect(await all.count().exec()).toBe(4);
      expect(again.id).not.toBe(id);
    });

    test("onConflict takes it: the visible row is changed or kept, a hidden one never", async () => {
      const { members, all } = world();
      const hidden = await members.insert().exec({ ...ann, state: "draft", name: "hidden" });
      const upsert = members.insert().onConflict("tenantId", "email").doUpdate();
      const first = await upsert.exec(ann);
      const second = await upsert.exec({ ...ann, name: "Anna" });
      expect(second).toEqual({ ...first, name: "Anna" });
      expect(await members.insert().onConflict("tenantId", "email").doNothing().exec(ann)).toBeNull();
      expect(await all.select().where("id", "=", "id").exec({ id: hidden.id })).toMatchObject({
        name: "hidden",
      });
      // The key stays one of the visible rows when others are seen too.
      await expect(all.insert().onConflict("tenantId", "email").doNothing().exec(ann)).resolves.toBeNull();
      const batch = members.insert().onConflict("tenantId", "email").doUpdate();
      await batch.execBatch([
        { ...ann, name: "Batch" },
        { ...ann, email: "bob@example.org" },
      ]);
      expect(await members.query().fields("email", "name").orderBy("email", "asc").exec()).toEqual([
        { email: "ann@example.org", name: "Batch" },
        { email: "bob@example.org", name: "Ann" },
      ]);
    });

    test("rows of a query are stored by it, and by no key of all rows", async () => {
      const { members, all } = world();
      const hidden = await members.insert().exec({ ...ann, state: "draft", name: "hidden" });
      await members.insert().exec({ ...ann, name: "Old" });
      const upsert = members.insert().onConflict("tenantId", "email").doNothing();
      const given = members.query().fields("tenantId", "email", "name", "state");
      expect(await upsert.execFrom(given)).toBe(0);
      for (const refused of [
        members.insert().onConflict("id").doNothing(),
        members.insert().onConflict().doNothing(),
      ])
        await expect(refused.execFrom(given)).rejects.toMatchObject({ code: "UNSUPPORTED" });
      expect(
        await all
          .insert()
          .onConflict("id")
          .doNothing()
          .execFrom(given.where("id", "<", value(0))),
      ).toBe(0);
      expect(await all.select().where("id", "=", "id").exec({ id: hidden.id })).toMatchObject({
        name: "hidden",
      });
    });

    test("a part of the table has it with its own field", async () => {
      const { members } = world();
      const mine = members.scope({ tenantId: 1 });
      const others = members.scope({ tenantId: 2 });
      const { tenantId: _, ...record } = ann;
      await mine.insert().exec(record);
      await others.insert().exec(record);
      const renamed = { ...record, name: "Anna" };
      await mine.insert().onConflict("email").doUpdate().exec(renamed);
      expect(await members.query().fields("tenantId", "name").orderBy("tenantId", "asc").exec()).toEqual([
        { tenantId: 1, name: "Anna" },
        { tenantId: 2, name: "Ann" },
      ]);
    });

    test("after createTables there is no difference, and without the mark there is one", async () => {
      const { db } = world();
      expect((await diff({ members }, db)).steps).toEqual([]);
      const other = table("visible_members", members.schema, {
        filters: { live: c("state", "=", value("draft")) },
        indexes: [{ columns: ["tenantId", "email"], unique: true, visible: true }],
      });
      expect((await diff({ other }, db)).steps.length).toBeGreaterThan(0);
    });
  });

const columns = z.object({
  id: column(z.int(), { primaryKey: true }),
  n: z.int(),
  score: z.number(),
  big: z.bigint(),
  price: column(z.string(), { type: "decimal(9,2)" }),
  at: z.date(),
  on: z.boolean(),
  text: z.string().nullable(),
});

describe("the text of a visible index", () => {
  const filters = {
    null: isNull("text"),
    number: c("n", ">", value(3)),
    fraction: c("score", "<=", value(0.5)),
    negative: c("n", "!=", value(-1)),
    bigint: c("big", "=", value(9007199254740993n)),
    boolean: c("on", "=", value(true)),
    date: c("at", ">=", value(new Date("2026-01-02T03:04:05.678Z"))),
    quotes: c("text", "=", value(`it's "it" \\ $1 ? :x`)),
    group: or(notNull("text"), and(c("n", "=", value(1)), between("score", value(1), value(2)))),
    list: c("n", "IN", value([1, 2])),
    "not in": c("text", "NOT IN", value(["a'b", "c"])),
    function: c(lower("text"), "=", value("x")),
  };

  for (const server of servers.filter(({ name }) => name === "postgres" || name === "sqlite"))
    test.skipIf(!server.available).each(Object.entries(filters))(
      `of %s is taken by ${server.name}, and filters alike`,
      async (name, filter) => {
        const lent = await server.lend();
        try {
          const plain = table("visible_texts", columns);
          const one = table("visible_texts", columns, {
            filters: { [name.replace(" ", "_")]: filter },
            indexes: [{ columns: ["n"], unique: true, visible: true }],
          });
          await lent.db.createTables(one);
          const [, predicate] =
            /WHERE (.*)$/s.exec(ddl(one, server.dialect).find((text) => text.includes("INDEX")) ?? "") ?? [];
          expect(predicate).toBeDefined();
          const rows = lent.db.repository(plain);
          const base = {
            score: 1.5,
            big: 0n,
            price: "1.00",
            at: new Date("2026-01-02T03:04:05.678Z"),
            on: true,
          };
          const texts = [null, "X", `it's "it" \\ $1 ? :x`, "a'b"];
          let id = 0;
          for (const n of [1, 2, 4, -1, 7])
            for (const text of texts) {
              const record = {
                ...base,
                id: ++id,
                n: n * 100 + id,
                text,
                score: n / 2,
                big: n === 4 ? 9007199254740993n : 0n,
                on: n > 1,
              };
              await rows
                .insert()
                .exec({ ...record, n: id % 3 === 0 ? n : record.n })
                .catch(() => undefined);
            }
          const byFilter = await lent.db.repository(one).query().orderBy("id", "asc").exec();
          const byText = await lent.run(`SELECT id FROM visible_texts WHERE ${predicate} ORDER BY id`);
          expect(byText.map((row) => Number(Object.values(row as object)[0]))).toEqual(
            byFilter.map((row) => row.id),
          );
          expect(await diff({ one }, lent.db)).toMatchObject({ steps: [] });
        } finally {
          await lent.close();
        }
      },
    );

  test("is that of the filters", () => {
    expect(ddl(members, "postgres").filter((text) => text.includes("INDEX"))).toMatchInlineSnapshot(`
      [
        "CREATE UNIQUE INDEX "visible_members_tenantId_email_idx" ON "visible_members" ("tenantId", "email") WHERE ("state" = 'live' OR "state" = 'it''s') AND "deletedAt" IS NULL",
        "CREATE INDEX "by_name" ON "visible_members" ("name" DESC) WHERE ("state" = 'live' OR "state" = 'it''s') AND "deletedAt" IS NULL",
      ]
    `);
    expect(ddl(members, "sqlite").filter((text) => text.includes("INDEX"))).toMatchInlineSnapshot(`
      [
        "CREATE UNIQUE INDEX "visible_members_tenantId_email_idx" ON "visible_members" ("tenantId", "email") WHERE ("state" = 'live' OR "state" = 'it''s') AND "deletedAt" IS NULL",
        "CREATE INDEX "by_name" ON "visible_members" ("name" DESC) WHERE ("state" = 'live' OR "state" = 'it''s') AND "deletedAt" IS NULL",
      ]
    `);
    const db = sqlite().repository(members);
    expect(db.insert().onConflict("tenantId", "email").doNothing().render().native.sql).toMatchInlineSnapshot(
      `"INSERT INTO "visible_members" ("tenantId", "email", "name", "state") VALUES (?, ?, ?, ?) ON CONFLICT ("tenantId", "email") WHERE ("state" = 'live' OR "state" = 'it''s') AND "deletedAt" IS NULL DO NOTHING RETURNING "id", "tenantId", "email", "name", "state", "deletedAt""`,
    );
  });

  test("other dialects refuse it by name, and a conflict with it", () => {
    for (const db of [mariadb(), oracle()]) {
      expect(sqlErrorIn(() => ddl(members, db.dialect))).toMatchObject({ code: "UNSUPPORTED" });
      const upsert = db.repository(members).insert().onConflict("tenantId", "email").doNothing();
      expect(sqlErrorIn(() => upsert.render())).toMatchObject({ code: "UNSUPPORTED" });
    }
  });

  test.each<[string, object]>([
    ["where", { columns: ["n"], visible: true, where: "n > 1" }],
    ["not true or false", { columns: ["n"], visible: 1 }],
  ])("a declaration with %s beside it is refused", (_, index) => {
    const declared = () =>
      table("t", columns, { filters: { one: isNull("text") }, indexes: [index as never] });
    expect(sqlErrorIn(declared)).toMatchObject({ code: "DECLARATION" });
  });

  test("a table without filters has no visible rows, and an index that is no key is none", () => {
    const declared = () => table("t", columns, { indexes: [{ columns: ["n"], visible: true }] });
    expect(sqlErrorIn(declared)).toMatchObject({
      code: "DECLARATION",
      message:
        'an index of table "t" is visible, which is of the rows that filters leave: the table has none',
    });
    const plain = table("t", columns, {
      filters: { one: isNull("text") },
      indexes: [
        { columns: ["n"], visible: true },
        { columns: ["score"], unique: true },
      ],
    });
    for (const key of ["n", "score"]) {
      const upsert = postgres()
        .repository(plain)
        .insert()
        .onConflict(key as never)
        .doNothing();
      expect(sqlErrorIn(() => upsert.render())).toMatchObject({ code: "INVALID_FIELD" });
    }
  });
});
