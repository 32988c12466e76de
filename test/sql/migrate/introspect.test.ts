/** What `introspect` says of a database: of tables that rowtype made, and of those that somebody else did. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type AnyTable, column, type Dialect, json, table } from "rowtype";
import { type Catalog, introspect } from "rowtype/migrate";
import { oracle } from "rowtype/oracle";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Team = table(
  "teams",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), title: z.string() }),
);
const Player = table(
  "players",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    email: column(z.email(), { unique: true }),
    age: column(z.int().nullable(), { check: "age >= 0", index: true }),
    role: column(z.enum(["admin", "member"]), { default: "'member'" }),
    teamId: column(z.int().nullable(), { name: "team_id", references: "teams(id)", index: "by team" }),
    captain: column(z.int().nullable(), { references: (): AnyTable => Player }),
    settings: json(z.object({ theme: z.string() })),
  }),
);

/** What other authors write: by hand, with what is not modelled. */
const foreign: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  sqlite: [
    `CREATE TABLE [odd ones] (
      [id] INTEGER NOT NULL CONSTRAINT "odd pk" PRIMARY KEY, -- the key, first
      "a, b" NVARCHAR(160) DEFAULT 'x, (y' COLLATE nocase,
      amount NUMERIC(10,2) DEFAULT -1.5 CHECK (amount > (1 - 2)),
      twice GENERATED ALWAYS AS (amount * 2) VIRTUAL,
      team INTEGER REFERENCES teams ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
      CONSTRAINT both_set CHECK ((amount IS NULL) = (team IS NULL)),
      UNIQUE ("a, b", amount))`,
    'CREATE UNIQUE INDEX odd_lower ON [odd ones] (lower("a, b")) WHERE amount > 0',
    "CREATE INDEX odd_down ON [odd ones] (amount DESC, team)",
    "CREATE VIEW rich AS SELECT id, amount FROM [odd ones] WHERE amount > 100",
    "CREATE TRIGGER touch AFTER INSERT ON [odd ones] BEGIN SELECT 1; END",
  ],
  postgres: [
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
    `CREATE TABLE "odd ones" (
      id serial CONSTRAINT "odd pk" PRIMARY KEY,
      "a, b" varchar(160) DEFAULT 'x, (y',
      amount numeric(10,2) DEFAULT -1.5 CHECK (amount > (1 - 2)),
      twice numeric GENERATED ALWAYS AS (amount * 2) STORED,
      feeling mood,
      team bigint REFERENCES teams ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
      CONSTRAINT both_set CHECK ((amount IS NULL) = (team IS NULL)),
      UNIQUE ("a, b", amount),
      EXCLUDE (amount WITH =))`,
    `CREATE UNIQUE INDEX odd_lower ON "odd ones" (lower("a, b")) WHERE amount > 0`,
    'CREATE INDEX odd_down ON "odd ones" (amount DESC, team)',
    'CREATE INDEX odd_including ON "odd ones" (amount) INCLUDE (team)',
    'CREATE VIEW rich AS SELECT id, amount FROM "odd ones" WHERE amount > 100',
    "CREATE FUNCTION touched() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'",
    'CREATE TRIGGER touch BEFORE INSERT ON "odd ones" FOR EACH ROW EXECUTE FUNCTION touched()',
    `COMMENT ON COLUMN "odd ones".amount IS 'in ''euro'''`,
  ],
  mariadb: [
    `CREATE TABLE \`odd ones\` (
      id int AUTO_INCREMENT PRIMARY KEY,
      \`a, b\` varchar(160) DEFAULT 'x, (y',
      amount decimal(10,2) DEFAULT -1.5 COMMENT 'in ''euro''',
      twice decimal(10,2) GENERATED ALWAYS AS (amount * 2) STORED,
      team bigint,
      note text,
      CONSTRAINT both_set CHECK ((amount IS NULL) = (\`a, b\` IS NULL)),
      CONSTRAINT odd_team FOREIGN KEY (team) REFERENCES teams (id) ON DELETE CASCADE ON UPDATE SET NULL,
      CONSTRAINT odd_key UNIQUE (\`a, b\`, amount),
      FULLTEXT KEY odd_text (note))`,
    "CREATE INDEX odd_down ON `odd ones` (amount DESC, team)",
    "CREATE VIEW rich AS SELECT id, amount FROM `odd ones` WHERE amount > 100",
    "CREATE TRIGGER touch BEFORE INSERT ON `odd ones` FOR EACH ROW SET @a = 1",
  ],
};

for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(`introspect on ${server.name}`, () => {
    let lent: Lent;
    let catalog: Catalog;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Team, Player);
      for (const sql of foreign[server.dialect] ?? []) await lent.run(sql);
      catalog = await introspect(lent.db);
    });
    afterAll(() => lent.close());
    const tableOf = (name: string) => {
      const found = catalog.tables.find((one) => one.name === name);
      if (found === undefined) throw new Error(`no table ${name}`);
      return found;
    };
    const columnOf = (table: string, name: string) => tableOf(table).columns.find((one) => one.name === name);

    test("the tables of rowtype, with their keys and references", () => {
      const { primaryKey, keys, foreignKeys, checks, indexes, columns } = tableOf("players");
      expect(primaryKey?.columns).toEqual(["id"]);
      expect(keys.map((key) => key.columns)).toEqual([["email"]]);
      expect(foreignKeys.map((key) => [key.columns, key.target])).toEqual(
        expect.arrayContaining([
          [["captain"], { schema: null, table: "players", columns: ["id"] }],
          [["team_id"], { schema: null, table: "teams", columns: ["id"] }],
        ]),
      );
      expect(checks).toHaveLength(1);
      expect(indexes.map(({ name, columns }) => [name, columns])).toEqual([
        ["by team", ["team_id"]],
        ["players_age_idx", ["age"]],
      ]);
      expect(columns.map(({ name }) => name)).toEqual(
        ["id", "email", "age", "role", "team_id", "captain", "settings"].sort(),
      );
      expect(columnOf("players", "age")?.nullable).toBe(true);
      expect(columnOf("players", "email")?.nullable).toBe(false);
      expect(columnOf("players", "role")?.default).toMatch(/'member'/);
    });

    test("what others wrote by hand", () => {
      const odd = tableOf("odd ones");
      expect(odd.primaryKey?.columns).toEqual(["id"]);
      expect(odd.keys.map(({ columns }) => columns)).toEqual([["a, b", "amount"]]);
      expect(odd.foreignKeys).toMatchObject([
        {
          columns: ["team"],
          target: { table: "teams", columns: ["id"] },
          onDelete: "cascade",
          onUpdate: "set null",
        },
      ]);
      expect(odd.foreignKeys[0]?.deferrable).toBe(
        server.dialect === "mariadb" ? false : "initially deferred",
      );
      expect(odd.checks.map(({ name }) => name)).toContain("both_set");
      expect(columnOf("odd ones", "a, b")?.default).toMatch(/^'x, \(y'/);
      expect(columnOf("odd ones", "amount")).toMatchObject({ nullable: true, generated: false });
      expect(columnOf("odd ones", "amount")?.default).toMatch(/-?1\.50?/);
      expect(columnOf("odd ones", "twice")?.computed?.stored).toBe(server.dialect !== "sqlite");
      expect(columnOf("odd ones", "twice")?.computed?.expression).toMatch(/amount\W* \* \W*2/);
    });

    test("indexes, those that are not modelled as unknown", () => {
      const odd = tableOf("odd ones");
      expect(odd.indexes.find(({ name }) => name === "odd_down")?.columns).toEqual([
        ["amount", "desc"],
        "team",
      ]);
      const names = catalog.unknown.map(({ kind, name }) => `${kind} ${name}`);
      expect(names).toContain("trigger touch");
      if (server.dialect === "mariadb") expect(names).toContain("fulltext index odd_text");
      if (server.dialect === "postgres")
        expect(names).toEqual(
          expect.arrayContaining([
            "constraint odd ones_amount_excl",
            "index odd_including",
            "function touched()",
          ]),
        );
      if (server.dialect === "mariadb") return;
      expect(odd.indexes.find(({ name }) => name === "odd_lower")).toMatchObject({
        unique: true,
        columns: [],
      });
      expect(odd.indexes.find(({ name }) => name === "odd_lower")?.expression).toMatch(/lower\(.*"a, b"/);
      expect(odd.indexes.find(({ name }) => name === "odd_lower")?.where).toMatch(/amount > .*0/);
    });

    test("views, enums and comments", () => {
      expect(catalog.views.map(({ name, columns }) => [name, columns.map((one) => one.name)])).toEqual([
        ["rich", ["id", "amount"]],
      ]);
      expect(catalog.enums.map(({ name, values }) => [name, values])).toEqual(
        server.dialect === "postgres" ? [["mood", ["sad", "ok", "happy"]]] : [],
      );
      if (server.dialect !== "sqlite") expect(columnOf("odd ones", "amount")?.comment).toBe("in 'euro'");
    });

    test("plain JSON, frozen, the same bytes every time", async () => {
      const text = JSON.stringify(catalog);
      expect(JSON.parse(text)).toEqual(catalog);
      expect(JSON.stringify(await introspect(lent.db))).toBe(text);
      expect(Object.isFrozen(catalog.tables[0]?.columns[0])).toBe(true);
    });

    test("what is ignored, and the records of the runner, are left out", async () => {
      await lent.run("CREATE TABLE rowtype_migrations (a integer)");
      const { tables, unknown } = await introspect(lent.db, { ignore: ["odd*"] });
      await lent.run("DROP TABLE rowtype_migrations");
      expect(tables.map(({ name }) => name)).toEqual(["players", "teams"]);
      expect(unknown.filter(({ table }) => table === "odd ones")).toEqual([]);
    });
  });

describe("introspect", () => {
  test("on Oracle says that it cannot", async () => {
    expect(await sqlErrorOf(introspect(oracle()))).toMatchObject({ code: "UNSUPPORTED" });
  });

  test("refuses options of another shape", async () => {
    const wrong = introspect(oracle(), { schemas: "public" as never });
    expect(await sqlErrorOf(wrong)).toMatchObject({ code: "DECLARATION" });
  });
});

// A plan that PostgreSQL thinks dear is compiled first (`jit_above_cost`), which takes seconds for a query of this size.
test.skipIf(!servers.some(({ name, available }) => name === "postgres" && available))(
  "no question to PostgreSQL is so dear with 400 tables that its plan is compiled",
  async () => {
    const lent = await servers.find(({ name }) => name === "postgres")?.lend();
    if (lent?.pool === undefined) throw new Error("no pool");
    const { pool } = lent;
    try {
      await lent.run(`DO $$ BEGIN FOR i IN 1..400 LOOP EXECUTE format('CREATE TABLE t%s (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int UNIQUE, b text CHECK (b <> ''x''))', i);
        END LOOP; END $$`);
      await lent.run("ANALYZE pg_class, pg_depend, pg_type, pg_attribute, pg_constraint, pg_index");
      const asked: string[] = [];
      const listen = (event: unknown) => void asked.push(String(Object(event).sql));
      subscribe("rowtype:db.query.completed", listen);
      try {
        expect((await introspect(lent.db)).tables).toHaveLength(400);
      } finally {
        unsubscribe("rowtype:db.query.completed", listen);
      }
      const costs: number[] = [];
      for (const sql of asked) {
        // The schemas are the only parameter.
        const values = sql.includes("$1") ? [["public"]] : [];
        const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${sql}`, values);
        costs.push(rows[0]["QUERY PLAN"][0].Plan["Total Cost"]);
      }
      expect(costs.length).toBeGreaterThan(5);
      expect(Math.max(...costs)).toBeLessThan(50_000);
    } finally {
      await lent.close();
    }
  },
);
