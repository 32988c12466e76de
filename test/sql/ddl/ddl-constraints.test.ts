/** Constraints, indexes, computed columns and comments: their text by dialect, and what the servers make of them. */
import { type AnyTable, column, type Database, type Dialect, ddl, decimal, json, table } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "../../oracle/judge.js";
import { type Lent, servers } from "../../servers.js";

const dialects: readonly Dialect[] = ["postgres", "mariadb", "sqlite", "oracle"];

const Member = table("members", z.object({ tenant: z.int(), user: z.int(), name: z.string() }), {
  primaryKey: ["tenant", "user"],
});

const Order = table(
  "orders",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    tenant: z.int(),
    user: column(z.int(), { name: "user_id" }),
    parent: column(z.int().nullable(), { references: (): AnyTable => Order, onDelete: "set null" }),
    total: column(z.int(), { check: "total >= 0", comment: "in cents, 'gross'" }),
    net: column(z.int(), { computed: "total - 1" }),
    status: column(z.enum(["open", "it's paid"]), { checkValues: true }),
  }),
  {
    unique: [["tenant", "total"]],
    foreignKeys: [{ columns: ["tenant", "user"], references: () => Member, onDelete: "cascade" }],
    checks: {
      "not too much": {
        postgres: "total < 100 OR tenant = 1",
        mariadb: "total < 100",
        sqlite: "total < 100",
        oracle: "total < 100",
      },
    },
    indexes: [{ columns: ["user", ["total", "desc"]], unique: true }],
    comment: "what was bought",
  },
);

const middle = (body: string) => body.trim().split("\n");

describe("the text of constraints, each of which has a name", () => {
  test("on PostgreSQL", () => {
    expect(ddl(Order, "postgres")).toEqual([
      middle(`CREATE TABLE "orders" (
  "id" bigint NOT NULL,
  "tenant" bigint NOT NULL,
  "user_id" bigint NOT NULL,
  "parent" bigint,
  "total" bigint NOT NULL,
  "net" bigint GENERATED ALWAYS AS (total - 1) STORED NOT NULL,
  "status" text COLLATE "C" NOT NULL,
  CONSTRAINT "orders_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "orders_tenant_total_key" UNIQUE ("tenant", "total"),
  CONSTRAINT "orders_total_check" CHECK (total >= 0),
  CONSTRAINT "orders_status_check" CHECK ("status" IN ('open', 'it''s paid')),
  CONSTRAINT "not too much" CHECK (total < 100 OR tenant = 1),
  CONSTRAINT "orders_parent_fkey" FOREIGN KEY ("parent") REFERENCES "orders" ("id") ON DELETE SET NULL,
  CONSTRAINT "orders_tenant_user_id_fkey" FOREIGN KEY ("tenant", "user_id") REFERENCES "members" ("tenant", "user") ON DELETE CASCADE
)`).join("\n"),
      `COMMENT ON TABLE "orders" IS 'what was bought'`,
      `COMMENT ON COLUMN "orders"."total" IS 'in cents, ''gross'''`,
      'CREATE UNIQUE INDEX "orders_user_id_total_idx" ON "orders" ("user_id", "total" DESC)',
    ]);
  });

  test("on MariaDB, where comments stand in the table and a computed column is not NOT NULL", () => {
    const [create = "", index, ...more] = ddl(Order, "mariadb");
    expect(create).toContain("`total` bigint NOT NULL COMMENT 'in cents, ''gross''',");
    expect(create).toContain("`net` bigint GENERATED ALWAYS AS (total - 1) VIRTUAL,");
    expect(create).toContain("CONSTRAINT `orders_pkey` PRIMARY KEY (`id`)");
    expect(create.endsWith(") COMMENT 'what was bought'")).toBe(true);
    expect(index).toBe(
      "CREATE UNIQUE INDEX `orders_user_id_total_idx` ON `orders` (`user_id`, `total` DESC)",
    );
    expect(more).toEqual([]);
  });

  test("on SQLite, which keeps no comments", () => {
    const [create = "", ...more] = ddl(Order, "sqlite");
    expect(create).toContain(`"net" INTEGER GENERATED ALWAYS AS (total - 1) VIRTUAL NOT NULL,`);
    expect(create).not.toContain("gross");
    expect(more).toEqual([
      'CREATE UNIQUE INDEX "orders_user_id_total_idx" ON "orders" ("user_id", "total" DESC)',
    ]);
  });

  test("on Oracle, where the columns of expressions are quoted", () => {
    const [create = "", ...more] = ddl(Order, "oracle");
    expect(create).toContain(`"net" NUMBER(19) GENERATED ALWAYS AS ("total" - 1) NOT NULL,`);
    expect(create).toContain(`CONSTRAINT "not too much" CHECK ("total" < 100)`);
    expect(more[0]).toBe(`COMMENT ON TABLE "orders" IS 'what was bought'`);
  });

  test("actions, deferred checks and other kinds of indexes", () => {
    const Many = table(
      "many",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        a: column(z.int().nullable(), {
          references: "many(id)",
          onDelete: "restrict",
          onUpdate: "set default",
        }),
        b: column(z.int().nullable(), { references: "many(id)", onDelete: "no action" }),
        name: z.string(),
        tags: json(z.array(z.string())),
        doubled: column(z.int(), { computed: { postgres: "a * 2", sqlite: "a + a" }, stored: true }),
      }),
      {
        foreignKeys: [
          {
            columns: ["b"],
            references: (): AnyTable => Many,
            deferrable: "initially deferred",
            name: "late",
          },
        ],
        indexes: [
          { expression: "lower(name)", unique: true, where: "name IS NOT NULL" },
          { expression: { postgres: "a + b" } },
          { columns: ["tags"], using: { postgres: "gin" } },
        ],
      },
    );
    const [create = "", ...indexes] = ddl(Many, "postgres");
    const line = (start: string) =>
      create
        .split("\n")
        .find((one) => one.includes(start))
        ?.trim();
    expect(line(`"many_a_fkey"`)).toBe(
      `CONSTRAINT "many_a_fkey" FOREIGN KEY ("a") REFERENCES "many" ("id") ON DELETE RESTRICT ON UPDATE SET DEFAULT,`,
    );
    expect(line(`"many_b_fkey"`)?.endsWith(`("id"),`)).toBe(true);
    expect(line(`"late"`)?.endsWith(`("id") DEFERRABLE INITIALLY DEFERRED`)).toBe(true);
    expect(line(`"doubled"`)).toBe(`"doubled" bigint GENERATED ALWAYS AS (a * 2) STORED NOT NULL,`);
    expect(indexes).toEqual([
      `CREATE UNIQUE INDEX "many_lower_idx" ON "many" ((lower(name))) WHERE name IS NOT NULL`,
      `CREATE INDEX "many_expr_idx" ON "many" ((a + b))`,
      `CREATE INDEX "many_tags_idx" ON "many" USING gin ("tags")`,
    ]);
    // An index that is written for another dialect alone is left out.
    expect(ddl(Many, "sqlite").slice(1)).toEqual([
      `CREATE UNIQUE INDEX "many_lower_idx" ON "many" ((lower(name))) WHERE name IS NOT NULL`,
      `CREATE INDEX "many_tags_idx" ON "many" ("tags")`,
    ]);
    expect(sqlErrorIn(() => ddl(Many, "oracle"))).toMatchObject({ code: "DECLARATION" });
  });

  test("a name that would be too long ends in a hash, and two that meet are counted", () => {
    const long = "a_column_with_a_name_that_is_rather_long";
    const Long = table(
      "a_table_with_a_name_that_is_rather_long",
      z.object({
        [long]: column(z.int(), { unique: true, references: "t(id)", check: "1 = 1" }),
        [`${long}_too`]: column(z.int(), { unique: true }),
      }),
    );
    const names = [...(ddl(Long, "postgres")[0] ?? "").matchAll(/CONSTRAINT "([^"]*)"/g)].map(
      ([, name = ""]) => name,
    );
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(names.map((name) => /_[0-9a-f]{8}(_[a-z]+)$/.exec(name)?.[1])).toEqual([
      "_key",
      "_key",
      "_check",
      "_fkey",
    ]);
    const Meeting = table(
      "t",
      z.object({ a_b: z.int(), a: z.int(), b: column(decimal(4, 2), { check: "b > 0" }) }),
      {
        unique: [["a_b"], ["a", "b"], ["a", "b"]],
        checks: { t_b_check1: "a > 0" },
      },
    );
    expect(
      [...(ddl(Meeting, "sqlite")[0] ?? "").matchAll(/CONSTRAINT "([^"]*)"/g)].map(([, name]) => name),
    ).toEqual(["t_a_b_key", "t_a_b_key1", "t_b_check", "t_b_check2", "t_b_check1"]);
  });

  test("an external table has no statements", async () => {
    const Theirs = table("theirs", z.object({ id: z.int() }), { external: true });
    for (const dialect of dialects) expect(ddl(Theirs, dialect)).toEqual([]);
    const db = sqlite();
    await db.createTables(Theirs);
    await db.dropTables(Theirs);
  });
});

describe("what a dialect lacks is UNSUPPORTED", () => {
  const id = column(z.int(), { primaryKey: true });
  const referring = (actions: object) =>
    table("t", z.object({ id, a: column(z.int().nullable(), { references: "t(id)", ...actions }) }));
  const indexed = (index: object, options: object = {}) =>
    table(
      "t",
      z.object({ id, a: column(z.string(), options), list: z.array(z.string()), doc: json(z.unknown()) }),
      {
        // A caller without types may write anything.
        indexes: [index as { columns: ["a"] }],
      },
    );
  const cases: readonly (readonly [string, AnyTable, readonly Dialect[]])[] = [
    ["ON UPDATE", referring({ onUpdate: "cascade" }), ["oracle"]],
    ["ON DELETE RESTRICT", referring({ onDelete: "restrict" }), ["oracle"]],
    ["SET DEFAULT", referring({ onDelete: "set default" }), ["oracle", "mariadb"]],
    ["no action", referring({ onDelete: "no action", onUpdate: "no action" }), []],
    [
      "a deferred check",
      table("t", z.object({ id }), {
        foreignKeys: [
          { columns: ["id"], references: () => Member, target: ["user"], deferrable: "initially immediate" },
        ],
      }),
      ["mariadb"],
    ],
    ["a partial index", indexed({ columns: ["a"], where: "a <> ''" }), ["oracle", "mariadb"]],
    ["an index of an expression", indexed({ expression: "lower(a)" }), ["mariadb"]],
    ["an index of JSON", indexed({ columns: ["doc"] }), ["oracle", "mariadb"]],
    ["an index of an array", indexed({ columns: ["list"] }), ["oracle", "mariadb"]],
    [
      "an index of text without a length",
      indexed({ columns: ["a"] }, { type: { mariadb: "longtext", oracle: "CLOB" } }),
      ["oracle", "mariadb"],
    ],
    [
      "a full text index",
      indexed({ columns: ["a"], using: { mariadb: "fulltext" } }, { type: { mariadb: "text" } }),
      [],
    ],
    ["an index by a method", indexed({ columns: ["a"], using: "hash" }), ["oracle", "sqlite"]],
    [
      "stored values",
      table("t", z.object({ id, a: column(z.int(), { computed: "id + 1", stored: true }) })),
      ["oracle"],
    ],
  ];
  test.each(cases)("%s", (_, declared, lacking) => {
    for (const dialect of dialects) {
      if (!lacking.includes(dialect)) expect(ddl(declared, dialect).length, dialect).toBeGreaterThan(0);
      else
        expect(
          sqlErrorIn(() => ddl(declared, dialect)),
          dialect,
        ).toMatchObject({ code: "UNSUPPORTED", dialect });
    }
  });

  test("a reference to what a table does not have is refused", () => {
    const to = (target?: string[]) =>
      table("t", z.object({ id }), {
        foreignKeys: [
          { columns: ["id"], references: () => Member, ...(target === undefined ? {} : { target }) },
        ],
      });
    for (const refused of [to(), to(["nobody"])])
      expect(sqlErrorIn(() => ddl(refused, "sqlite"))).toMatchObject({ code: "DECLARATION" });
  });
});

// Each refers to the other.
const Team: AnyTable = table(
  "teams",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    captain: column(z.int().nullable(), { references: (): AnyTable => Player }),
  }),
);
const Player: AnyTable = table(
  "players",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    team: column(z.int(), { references: () => Team }),
  }),
  { comment: "who plays" },
);

describe("the grammar of Oracle accepts", () => {
  beforeAll(warmUpOracle, ORACLE_WARM_UP_MS);

  test("all of it, and the blocks around it", async () => {
    const sent: string[] = [];
    const { recording } = await import("../../oracle/recording.js");
    const { pool } = recording(({ sql }) => void sent.push(sql));
    const Late = table("late", z.object({ id: column(z.int(), { primaryKey: true }) }), {
      foreignKeys: [
        {
          columns: ["id"],
          references: (): AnyTable => Late,
          deferrable: "initially deferred",
          onDelete: "cascade",
        },
      ],
      indexes: [{ expression: "id + 1" }, { columns: ["id"], using: "bitmap", name: "few" }],
    });
    const db = oracle(pool);
    await db.createTables(Member, Order, Team, Player, Late);
    await db.dropTables(Member, Order, Team, Player, Late);
    const blocks = sent.filter((sql) => sql.startsWith("BEGIN"));
    expect(blocks.length).toBeGreaterThan(10);
    for (const sql of blocks) await judgeOracle(sql, []);
    for (const one of [Member, Order, Team, Player, Late])
      for (const sql of ddl(one, "oracle")) await judgeOracle(sql, []);
  });
});

for (const { name, available, lend } of servers)
  describe.skipIf(!available)(`on ${name}`, () => {
    let lent: Lent;
    // One type for all of them.
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await lend();
      db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(Order, Member);
    });
    afterAll(() => lent.close());

    const order = { id: 1, tenant: 1, user: 1, parent: null, total: 9, status: "open" as const };

    test("violated constraints name their properties", async () => {
      for (const [tenant, user] of [
        [1, 1],
        [1, 2],
        [2, 1],
      ] as const)
        await db.repository(Member).insert().exec({ tenant, user, name: "one" });
      const orders = db.repository(Order);
      expect(await orders.insert().exec(order)).toEqual({ ...order, net: 8 });
      const refused = (change: object) => sqlErrorOf(orders.insert().exec({ ...order, id: 2, ...change }));
      expect(await refused({ id: 1, total: 7 })).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["id"] });
      expect(await refused({ user: 2 })).toMatchObject({
        code: "UNIQUE_VIOLATION",
        fields: ["tenant", "total"],
      });
      expect(await refused({ tenant: 2 })).toMatchObject({
        code: "UNIQUE_VIOLATION",
        fields: ["user", "total"],
      });
      expect(await refused({ total: -1 })).toMatchObject({
        code: "CHECK_VIOLATION",
        constraint: "orders_total_check",
        fields: ["total"],
      });
      expect(await refused({ total: 100, tenant: 2 })).toMatchObject({
        code: "CHECK_VIOLATION",
        constraint: "not too much",
        fields: [],
      });
      const missing = await refused({ tenant: 3, user: 3, total: 3 });
      expect(missing).toMatchObject({ code: "FOREIGN_KEY_VIOLATION" });
      // SQLite does not say which.
      expect(missing).toMatchObject({ fields: name === "sqlite" ? [] : ["tenant", "user"] });
      // What is not a member does not pass the schema; a statement of somebody else's does not pass the table.
      const quote = lent.db.dialect === "mariadb" ? "`" : '"';
      const update = `UPDATE ${quote}orders${quote} SET ${quote}status${quote} = 'lost'`;
      await expect(lent.run(update)).rejects.toThrow(/orders_status_check/i);
    });

    test("actions follow the removal of what is referred to", async () => {
      const orders = db.repository(Order);
      await orders.insert().exec({ ...order, id: 5, total: 5, parent: 1 });
      await orders.remove().where("id", "=", "id").exec({ id: 1 });
      expect(await orders.query().exec()).toMatchObject([{ id: 5, parent: null }]);
      await db.repository(Member).remove().where("tenant", "=", "t").exec({ t: 1 });
      expect(await orders.count().exec()).toBe(0);
    });

    test("tables that refer to each other are created, twice, and dropped", async () => {
      await db.createTables(Team, Player);
      await db.createTables(Player, Team);
      const quoted = (text: string) => (lent.db.dialect === "mariadb" ? text.replaceAll('"', "`") : text);
      await lent.run(quoted(`INSERT INTO "teams" ("id", "captain") VALUES (1, NULL)`));
      await lent.run(quoted(`INSERT INTO "players" ("id", "team") VALUES (7, 1)`));
      await lent.run(quoted(`UPDATE "teams" SET "captain" = 7`));
      for (const wrong of [
        `UPDATE "teams" SET "captain" = 8`,
        `INSERT INTO "players" ("id", "team") VALUES (8, 2)`,
      ])
        await expect(lent.run(quoted(wrong))).rejects.toThrow();
      await db.dropTables(Team, Player);
      await db.dropTables(Team, Player);
      await expect(lent.run(quoted(`SELECT * FROM "teams"`))).rejects.toThrow();
      await db.createTables(Team, Player);
    });

    test("a computed column that is not stored is created, or UNSUPPORTED on a server that stores all", async () => {
      const Virtual = table(
        "virtual_ones",
        z.object({
          id: column(z.int(), { primaryKey: true }),
          next: column(z.int(), { computed: "id + 1", stored: false }),
        }),
      );
      const [version] = name === "postgres" ? await lent.run("SHOW server_version_num") : [];
      if (version !== undefined && Number(Object.values(Object(version))[0]) < 180_000) {
        expect(await sqlErrorOf(db.createTables(Virtual))).toMatchObject({ code: "UNSUPPORTED" });
        return;
      }
      await db.createTables(Virtual);
      expect(await db.repository(Virtual).insert().exec({ id: 1 })).toEqual({ id: 1, next: 2 });
    });

    test("comments are in the database", async () => {
      const queries = {
        postgres:
          "SELECT obj_description('orders'::regclass) AS t, col_description('orders'::regclass, 5) AS c",
        mariadb:
          "SELECT (SELECT table_comment FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'orders') AS t, (SELECT column_comment FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'orders' AND column_name = 'total') AS c",
        h2: `SELECT (SELECT REMARKS FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'orders') AS "t", (SELECT REMARKS FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'orders' AND COLUMN_NAME = 'total') AS "c"`,
        oracle: `SELECT (SELECT comments FROM user_tab_comments WHERE table_name = 'orders') AS "t", (SELECT comments FROM user_col_comments WHERE table_name = 'orders' AND column_name = 'total') AS "c" FROM dual`,
        sqlite: `SELECT 'what was bought' AS t, 'in cents, ''gross''' AS c`,
      };
      const [row] = await lent.run(queries[name]);
      expect(Object.values(Object(row))).toEqual(["what was bought", "in cents, 'gross'"]);
    });
  });
