/** Rows that the server inserts from a query: the texts, the rows and their number on each server, and what is refused. */
import {
  add,
  avg,
  cast,
  coalesce,
  column,
  value as constant,
  count,
  type Database,
  decimal,
  field,
  greatest,
  inserted,
  json,
  lower,
  many,
  max,
  nullIf,
  one,
  sum,
  table,
  UnsupportedError,
  value,
} from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { courts } from "../../kit/judges.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true });
const data = () => json(z.object({ tags: z.array(z.string()) })).nullable();

const drafts = table(
  "from_drafts",
  z.object({
    id: id(),
    tenant: z.int(),
    title: z.string(),
    price: decimal(12, 2),
    amount: z.bigint(),
    at: z.date(),
    done: z.boolean(),
    data: data(),
    note: z.string().nullable(),
  }),
  { relations: { items: many("items", "draftId") } },
);
const items = table("from_items", z.object({ id: id(), draftId: z.int(), qty: z.int() }), {
  relations: { draft: one("drafts", "draftId") },
});
const posts = table(
  "from_posts",
  z.object({
    id: id(),
    tenant: z.int(),
    title: z.string(),
    price: decimal(12, 2),
    amount: z.bigint(),
    at: z.date(),
    done: z.boolean(),
    data: data(),
    note: z.string().nullable(),
  }),
);
const totals = table(
  "from_totals",
  z.object({
    draftId: id(),
    label: z.string().nullable(),
    total: z.int(),
    runs: column(z.int(), { default: "1" }),
  }),
);
const seats = table("from_seats", z.object({ seat: id(), place: column(z.int(), { unique: true }) }));
const tables = { drafts, items, posts, totals, seats };

const at = new Date("2024-05-06T08:09:10.123Z");
const draft = (n: number) => ({
  id: n,
  tenant: n % 2,
  title: `t${n}`,
  price: `${n}.10`,
  amount: 9_007_199_254_740_993n + BigInt(n),
  at,
  done: n > 2,
  data: n === 1 ? { tags: ['"a\\', "é"] } : null,
  note: null,
});

const typed = (db: Database) => (db as Database<"sqlite">).repositories(tables);

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`inserts from queries on ${titleOf(server)}`, () => {
    let lent: Lent;
    let of: ReturnType<typeof typed>;
    const hasConflicts = server.dialect !== "oracle";
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(drafts, items, posts, totals, seats);
      of = typed(lent.db);
      await of.drafts.insert().execBatch([1, 2, 3, 4].map(draft));
      await of.items
        .insert()
        .execBatch([1, 2, 3, 4, 5].map((n) => ({ id: n, draftId: 1 + (n % 2), qty: n })));
    });
    beforeEach(async () => {
      of.posts.onRecord(null);
      of.posts.onScan(null);
      await of.posts.remove().where("id", ">", "least").exec({ least: -1 });
      await of.totals.remove().where("draftId", ">", "least").exec({ least: -1 });
    });
    afterAll(() => lent.close());

    test("store rows as they are, in the order of their names, and give their number", async () => {
      const stored = await of.posts
        .insert()
        .execFrom(of.drafts.query().where("id", ">", "least").orderBy("id", "desc").limit(2), { least: 0 });
      expect(stored).toBe(2);
      expect(await of.posts.query().orderBy("id", "asc").exec()).toEqual([draft(3), draft(4)]);
      const fields = ["note", "data", "done", "at", "amount", "price", "title", "tenant", "id"] as const;
      expect(
        await of.posts.insert().execFrom(
          of.drafts
            .query()
            .fields(...fields)
            .where("id", "=", "id"),
          { id: 1 },
        ),
      ).toBe(1);
      expect(await of.posts.select().where("id", "=", "id").exec({ id: 1 })).toEqual(draft(1));
      expect(await of.posts.insert().execFrom(of.drafts.query().where("id", "<", "none"), { none: 0 })).toBe(
        0,
      );
    });

    test("store what joins, groups and expressions give; what has a default may be left out", async () => {
      const query = of.items
        .query()
        .join("draft")
        .fields(lower(field("draft.title")).as("label"), coalesce(sum("qty"), value(0)).as("total"))
        .groupBy("draftId", "draft.title")
        .fields("draftId");
      expect(await of.totals.insert().execFrom(query)).toBe(2);
      expect(await of.totals.query().orderBy("draftId", "asc").exec()).toEqual([
        { draftId: 1, label: "t1", total: 6, runs: 1 },
        { draftId: 2, label: "t2", total: 9, runs: 1 },
      ]);
    });

    test("give every row the values of the scope", async () => {
      const part = of.posts.scope({ tenant: 7 });
      const query = of.drafts
        .query()
        .fields("id", "title", "price", "amount", "at", "done", "data", "note")
        .where("title", "LIKE", "like");
      expect(await part.insert().execFrom(query, { like: "t%" })).toBe(4);
      expect(await of.posts.query().fields("id", "tenant").orderBy("id", "asc").limit(2).exec()).toEqual([
        { id: 1, tenant: 7 },
        { id: 2, tenant: 7 },
      ]);
    });

    test("are violations of keys where they are, and of nothing stored", async () => {
      await of.posts.insert().exec(draft(3));
      expect((await sqlErrorOf(of.posts.insert().execFrom(of.drafts.query()))).code).toBe("UNIQUE_VIOLATION");
      expect(await of.posts.count().exec()).toBe(1);
    });

    test("keep the rows that are there", async () => {
      await of.posts.insert().exec({ ...draft(3), title: "kept" });
      const insert = of.posts.insert().onConflict("id").doNothing();
      expect(await insert.execFrom(of.drafts.query())).toBe(3);
      expect(await insert.execFrom(of.drafts.query().where("id", ">", "least"), { least: 0 })).toBe(0);
      expect(await of.posts.select().where("id", "=", "id").exec({ id: 3 })).toMatchObject({ title: "kept" });
      const anyKey = of.posts.insert().onConflict().doNothing();
      if (hasConflicts) expect(await anyKey.execFrom(of.drafts.query())).toBe(0);
      else expect(await sqlErrorOf(anyKey.execFrom(of.drafts.query()))).toBeInstanceOf(UnsupportedError);
    });

    test("update the rows that are there: all fields, or those that are set", async () => {
      await of.posts.insert().exec({ ...draft(3), title: "other", note: "kept" });
      const upsert = of.posts.insert().onConflict("id").doUpdate();
      expect(
        await upsert
          .set("title", "title")
          .set("done", "isDone")
          .execFrom(of.drafts.query(), { isDone: false }),
      ).toBe(4);
      expect(await of.posts.select().where("id", "=", "id").exec({ id: 3 })).toEqual({
        ...draft(3),
        done: false,
        note: "kept",
      });
      expect(await upsert.execFrom(of.drafts.query())).toBe(4);
      expect(await of.posts.query().orderBy("id", "asc").exec()).toEqual([1, 2, 3, 4].map(draft));
    });

    test("keep rows of one key that the query itself has twice, and fail on another key", async () => {
      await of.seats.remove().where("seat", ">", "least").exec({ least: -1 });
      await of.seats.insert().execBatch([
        { seat: 1, place: 1 },
        { seat: 2, place: 2 },
      ]);
      const query = of.items.query().fields(field("draftId").as("seat"), field("qty").as("place"));
      const insert = of.seats.insert().onConflict("seat").doNothing();
      // One that fails leaves nothing behind that the next would count.
      const wrong = of.items
        .query()
        .fields(field("id").as("seat"), field("draftId").as("place"))
        .orderBy("id", "asc");
      const otherKey = server.dialect === "mariadb" ? "QUERY_FAILED" : "UNIQUE_VIOLATION";
      for (let i = 0; i < 3; i++) expect((await sqlErrorOf(insert.execFrom(wrong))).code).toBe(otherKey);
      if (hasConflicts) {
        expect(await insert.execFrom(query)).toBe(0);
        await of.seats.remove().where("seat", ">", "least").exec({ least: 0 });
        for (const stored of [2, 0, 0])
          expect(await insert.execFrom(query.orderBy("qty", "asc"))).toBe(stored);
        expect(await of.seats.count().exec()).toBe(2);
        expect(await of.seats.insert().onConflict().doNothing().execFrom(query)).toBe(0);
      }
    });

    test("update by expressions", async () => {
      await of.totals.insert().execBatch([
        { draftId: 1, label: "a", total: 1 },
        { draftId: 2, label: "b", total: 2 },
      ]);
      const query = of.items
        .query()
        .fields("draftId", coalesce(max("qty"), value(0)).as("total"))
        .groupBy("draftId");
      const upsert = of.totals
        .insert()
        .onConflict("draftId")
        .doUpdate()
        .set("label", coalesce(nullIf("label", "none"), lower("label")))
        .set("total", add("total", inserted("total")));
      expect(await upsert.execFrom(query, { none: "z" })).toBe(2);
      expect(await of.totals.query().fields("label", "total").orderBy("draftId", "asc").exec()).toEqual([
        { label: "a", total: 5 },
        { label: "b", total: 7 },
      ]);
    });

    test.skipIf(server.dialect === "mariadb")("update by expressions and conditions", async () => {
      await of.totals.insert().execBatch([
        { draftId: 1, label: "a", total: 1 },
        { draftId: 2, label: "b", total: 2 },
      ]);
      const query = of.items.query().fields("draftId", max("qty").as("total")).groupBy("draftId");
      const upsert = of.totals
        .insert()
        .onConflict("draftId")
        .doUpdate()
        .set("total", add("total", inserted("total")))
        .where("total", "<", "most");
      // A bound that is not there: max may be null.
      expect((await sqlErrorOf(upsert.execFrom(query as never, { most: 2 } as never))).code).toBe(
        "INVALID_FIELD",
      );
      const whole = of.items
        .query()
        .fields("draftId", coalesce(max("qty"), value(0)).as("total"))
        .groupBy("draftId");
      expect(await upsert.execFrom(whole, { most: 2 })).toBe(1);
      expect(await of.totals.query().fields("total").orderBy("draftId", "asc").exec()).toEqual([
        { total: 5 },
        { total: 2 },
      ]);
    });

    test("run in a transaction, and without callbacks of rows", async () => {
      of.posts.onScan(() => {
        throw new Error("nobody sees the rows");
      });
      const failed = lent.db.transaction(async (tx) => {
        expect(await of.posts.insert().execFrom(of.drafts.query(), { tx })).toBe(4);
        throw new Error("undone");
      });
      await expect(failed).rejects.toThrow("undone");
      expect(await of.posts.count().exec()).toBe(0);
      of.posts.onRecord(() => undefined);
      expect(await sqlErrorOf(of.posts.insert().execFrom(of.drafts.query()))).toBeInstanceOf(
        UnsupportedError,
      );
    });

    test("of a table from itself", async () => {
      await of.posts.insert().execFrom(of.drafts.query());
      const fields = ["tenant", "title", "price", "amount", "at", "done", "data", "note"] as const;
      const shifted = of.posts.query().fields(...fields, add("id", value(10)).as("moved"));
      expect((await sqlErrorOf(of.posts.insert().execFrom(shifted as never))).code).toBe("INVALID_FIELD");
      expect((await sqlErrorOf(of.posts.insert().execFrom(of.posts.query()))).code).toBe("UNIQUE_VIOLATION");
    });
  });

describe("an insert from a query", () => {
  const on = (dialect: "sqlite" | "postgres" | "mariadb" | "oracle") => {
    const db = recording(dialect, () => []);
    return { db, of: typed(db as unknown as Database) };
  };

  test("has the query in it, its parameters in their order, and the values of the scope", async () => {
    for (const [dialect, sql] of [
      [
        "sqlite",
        'INSERT INTO "from_totals" ("draftId", "total", "label") SELECT "from_items"."draftId", COUNT(*) AS "total", ? AS "#fixed.0" FROM "from_items" WHERE "from_items"."qty" > ? GROUP BY "from_items"."draftId" ORDER BY "from_items"."draftId" ASC',
      ],
      [
        "postgres",
        'INSERT INTO "from_totals" ("draftId", "total", "label") SELECT "from_items"."draftId", COUNT(*) AS "total", CAST($1 AS text) AS "#fixed.0" FROM "from_items" WHERE "from_items"."qty" > $2 GROUP BY "from_items"."draftId" ORDER BY "from_items"."draftId" ASC',
      ],
      [
        "mariadb",
        "INSERT INTO `from_totals` (`draftId`, `total`, `label`) SELECT `from_items`.`draftId`, COUNT(*) AS `total`, ? COLLATE utf8mb4_nopad_bin AS `#fixed.0` FROM `from_items` WHERE `from_items`.`qty` > ? GROUP BY `from_items`.`draftId` ORDER BY `from_items`.`draftId` ASC",
      ],
      [
        "oracle",
        'INSERT INTO "from_totals" ("draftId", "total", "label") SELECT "from_items"."draftId", COUNT(*) AS "total", :p0 AS "#fixed.0" FROM "from_items" WHERE "from_items"."qty" > :p1 GROUP BY "from_items"."draftId" ORDER BY "from_items"."draftId" ASC',
      ],
    ] as const) {
      const { db, of } = on(dialect);
      const query = of.items.query().fields("draftId", count().as("total")).groupBy("draftId");
      const asked = query.where("qty", ">", "least").orderBy("draftId", "asc");
      await of.totals.scope({ label: "x" }).insert().execFrom(asked, { least: 2 });
      expect(db.statements).toEqual([{ sql, params: ["x", 2] }]);
    }
  });

  test("has the clause of a conflict behind the query, which SQLite reads only behind a condition", async () => {
    const select = (quote: string) =>
      `SELECT "from_items"."draftId", "from_items"."qty" AS "total" FROM "from_items"`.replaceAll('"', quote);
    for (const [dialect, sql] of [
      [
        "sqlite",
        `INSERT INTO "from_totals" ("draftId", "total") ${select('"')} WHERE 1 ON CONFLICT ("draftId") DO UPDATE SET "total" = excluded."total"`,
      ],
      [
        "postgres",
        `INSERT INTO "from_totals" ("draftId", "total") ${select('"')} ON CONFLICT ("draftId") DO UPDATE SET "total" = excluded."total"`,
      ],
      [
        "mariadb",
        `INSERT INTO \`from_totals\` (\`draftId\`, \`total\`) ${select("`")} ON DUPLICATE KEY UPDATE \`from_totals\`.\`draftId\` = IF(\`from_totals\`.\`draftId\` = VALUES(\`from_totals\`.\`draftId\`), \`from_totals\`.\`draftId\`, (SELECT \`from_totals\`.\`draftId\` UNION ALL SELECT \`from_totals\`.\`draftId\`)), \`from_totals\`.\`total\` = VALUES(\`total\`) RETURNING 1`,
      ],
    ] as const) {
      const { db, of } = on(dialect);
      const query = of.items.query().fields("draftId", field("qty").as("total"));
      await of.totals.insert().onConflict("draftId").doUpdate().set("total", "total").execFrom(query);
      expect(db.statements.map((one) => one.sql)).toEqual([sql]);
    }
  });

  test("returns of each row on MariaDB whether it was stored, where it keeps those that are there", async () => {
    const { db, of } = on("mariadb");
    const query = of.items.query().fields("draftId", field("qty").as("total"));
    const upsert = of.totals.insert();
    await upsert.onConflict("draftId").doNothing().execFrom(query);
    await upsert.onConflict().doNothing().execFrom(query);
    const [insert, key] = ["INSERT INTO `from_totals` (`draftId`, `total`)", "`from_totals`.`draftId`"];
    const select = "SELECT `from_items`.`draftId`, `from_items`.`qty` AS `total` FROM `from_items`";
    const now = "UTC_TIMESTAMP(6) + 0";
    const kept = `IF((@rowtype_kept := ${now}) > 0, ${key}, ${key})`;
    const stored = `RETURNING IF(FALSE, @rowtype_kept := 0, 0) + IF(CAST(@rowtype_kept AS DECIMAL(20, 6)) = ${now}, (@rowtype_kept := 0) * 0, 1)`;
    const fails = `(SELECT ${key} UNION ALL SELECT ${key})`;
    expect(db.statements.map(({ sql }) => sql)).toEqual([
      `${insert} ${select} ON DUPLICATE KEY UPDATE ${key} = IF(${key} = VALUES(${key}), ${kept}, ${fails}) ${stored}`,
      `${insert} ${select} ON DUPLICATE KEY UPDATE ${key} = ${kept} ${stored}`,
    ]);
  });

  test("is a MERGE on Oracle, which its grammar takes", async () => {
    const { db, of } = on("oracle");
    const query = of.items.query().fields("draftId", field("qty").as("total")).where("qty", ">", "least");
    const upsert = of.totals.insert().onConflict("draftId");
    await upsert.doNothing().execFrom(query, { least: 1 });
    await upsert
      .doUpdate()
      .set("total", greatest("total", inserted("total")))
      .set("label", "given")
      .where("total", "<", "most")
      .execFrom(query, { least: 1, most: 9, given: "x" });
    const using = `MERGE INTO "from_totals" USING (SELECT "from_items"."draftId", "from_items"."qty" AS "total" FROM "from_items" WHERE "from_items"."qty" > :p0) "proposed" ON ("from_totals"."draftId" = "proposed"."draftId")`;
    // A whole number beyond 2^53 does not fit the casts, so that none is stored that no query can read.
    const greater = `(CAST(CAST(GREATEST("from_totals"."total", "proposed"."total") + 992800745259008 AS NUMBER(16)) - 1985601490518016 AS NUMBER(16)) + 992800745259008)`;
    const store = `WHEN NOT MATCHED THEN INSERT ("draftId", "total") VALUES ("proposed"."draftId", "proposed"."total")`;
    expect(db.statements).toEqual([
      { sql: `${using} ${store}`, params: [1] },
      {
        sql: `${using} WHEN MATCHED THEN UPDATE SET "total" = ${greater}, "label" = :p1 WHERE "from_totals"."total" < :p2 ${store}`,
        params: [1, "x", 9],
      },
    ]);
    const court = courts.find(({ dialect }) => dialect === "oracle");
    const { judge, close } = (await court?.open(drafts, items, totals)) ?? {};
    for (const { sql } of db.statements) expect(await judge?.(sql)).toBeUndefined();
    await close?.();
  });

  test("is refused where a dialect cannot do it, or cannot count what it did", async () => {
    const query = ({ of }: ReturnType<typeof on>) => of.drafts.query();
    const refused = async (call: Promise<number>) => {
      const error = await sqlErrorOf(call);
      expect(error).toBeInstanceOf(UnsupportedError);
      expect(error.message.length).toBeLessThan(300);
    };
    const [maria, ora] = [on("mariadb"), on("oracle")];
    await refused(ora.of.posts.insert().onConflict().doNothing().execFrom(query(ora)));
    await refused(ora.of.posts.insert().onConflict("id").doUpdate().set("id", "id").execFrom(query(ora)));
    const upsert = maria.of.posts.insert().onConflict("id").doUpdate();
    const adding = upsert.set("tenant", add("tenant", inserted("tenant")));
    await refused(adding.where("tenant", "<", "most").execFrom(query(maria), { most: 1 }));
    // It would read the sum, and not what was there.
    const reading = adding.set("id", add("id", field("tenant")));
    await refused(reading.execFrom(query(maria)));
    expect([...maria.db.statements, ...ora.db.statements]).toEqual([]);
  });

  test("is refused where the rows do not fit", async () => {
    const { db, of } = on("sqlite");
    const problemOf = async (query: unknown, insert: unknown = of.posts.insert()) => {
      const call = (insert as { execFrom(query: unknown): Promise<number> }).execFrom(query);
      const { problems } = (await sqlErrorOf(call)) as unknown as {
        problems: readonly { code: string; path: string }[];
      };
      return problems.map(({ code, path }) => `${code} ${path}`);
    };
    const all = ["id", "tenant", "title", "price", "amount", "at", "done", "data", "note"] as const;
    expect(await problemOf(of.items.query())).toEqual([
      ...["INVALID_FIELD from.draftId", "INVALID_FIELD from.qty"],
      ...all.slice(1, 7).map(() => "INVALID_FIELD from"),
    ]);
    expect(await problemOf(of.drafts.query().fields(...all.slice(1)))).toEqual(["INVALID_FIELD from"]);
    expect(await problemOf(of.totals.query(), of.totals.scope({ label: "x" }).insert())).toEqual([
      "INVALID_FIELD from.label",
    ]);
    const total = (value: unknown) =>
      (of.items.query().groupBy("draftId") as unknown as { fields(...of: unknown[]): unknown }).fields(
        "draftId",
        value,
      );
    for (const value of [
      max("qty").as("total"),
      lower(cast("draftId", "text")).as("total"),
      coalesce(avg("qty"), constant(0)).as("total"),
    ])
      expect(await problemOf(total(value), of.totals.insert())).toEqual(["INVALID_FIELD from.total"]);
    expect(await problemOf(of.items.query().leftJoin("draft").fields("id", "draft.title"))).toContain(
      "INVALID_FIELD from.draft.title",
    );
    const nested = (of.drafts.query() as unknown as { with(relation: string): unknown }).with("items");
    expect(await problemOf(nested)).toEqual(["INVALID_FIELD from.with"]);
    expect(await problemOf(of.items.count())).toEqual(["INVALID_SPEC from"]);
    expect(await problemOf(of.drafts.query().orderBy("id", "asc").page(2))).toEqual([
      "INVALID_SPEC from.page",
    ]);
    expect(await problemOf(of.drafts.query().whereOptional("id", ">", "least"))).toEqual([
      "INVALID_CONDITION from.where[0].optional",
    ]);
    for (const other of [undefined, null, {}, "SELECT 1", [draft(1)], of.posts.insert(), of.posts.remove()])
      expect((await problemOf(other))[0]).toMatch(/^INVALID_RELATION/);
    const elsewhere = on("sqlite").of.drafts.query();
    expect((await problemOf(elsewhere))[0]).toMatch(/^INVALID_RELATION/);
    expect(db.statements).toEqual([]);
  });

  test("checks its parameters, and is found again", async () => {
    const { db, of } = on("postgres");
    const call = (params?: object) =>
      of.posts.insert().execFrom(of.drafts.query().where("id", ">", "least"), params as { least: number });
    expect((await sqlErrorOf(call())).code).toBe("MISSING_PARAM");
    expect((await sqlErrorOf(call({ least: "1" }))).code).toBe("PARAM_TYPE");
    expect((await sqlErrorOf(call({ least: 1, more: 1 }))).code).toBe("EXTRA_PARAM");
    await call({ least: 1 });
    await call({ least: 2 });
    expect(db.statements.map(({ params }) => params)).toEqual([[1], [2]]);
    expect(new Set(db.statements.map(({ sql }) => sql)).size).toBe(1);
  });
});
