/**
 * What cannot be seen is not absent: rows behind row security or a missing right, records of the runner, sessions of
 * other roles, indexes that are not modelled. Each by a real role on the real server.
 */
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import mysql from "mysql2/promise";
import pg from "pg";
import { column, type Database, type Dialect, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { diff, generate, introspect, migrate, status } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { lifeOnPostgres, sessionOfPostgres } from "../../../src/sql/migrate/run/postgres/sessions.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";
import { type Folder, makeFolder, onRunnerServers } from "./folders.js";

const id = column(z.int(), { primaryKey: true });
const whole = (type: string) => table("t", z.object({ id, c: column(z.int(), { type }) }));
const BLOCKS =
  "-- step change type t.c (blocks)\nALTER TABLE t ALTER COLUMN c TYPE bigint\n-- step drop table gone (allowed)\nDROP TABLE IF EXISTS gone\n";
const visiting = (schema: string) => `
import { z } from "zod";
import { column, table } from "rowtype";
import { dataMigration } from "rowtype/migrate";
const T = table("t", z.object({ id: column(z.int(), { primaryKey: true }), c: z.int() }), { schema: "${schema}" });
export default dataMigration(async ({ batch }) => {
  await batch(T, { size: 1 }, async (rows, tx) => {
    await tx.repository(T).modify().setExpr("c", "+", "one").where("id", "=", "id").execBatch(rows.map(({ id }) => ({ id, one: 1 })));
  });
});
`;
// The source and the built package have a class each of everything, and here they are the same one.
const inside = <T>(door: object): T => door as unknown as T;
const nameOf = (db: Database) => db.transaction((tx) => sessionOfPostgres(inside(tx)));
const [postgresServer] = servers.filter(({ name }) => name === "postgres");
const [mariadbServer] = servers.filter(({ name }) => name === "mariadb");

describe.skipIf(postgresServer?.available !== true)("rows that a role of postgres may not see", () => {
  const role = `rowtype_${randomBytes(6).toString("hex")}`;
  const pools: pg.Pool[] = [];
  let lent: Lent;
  let poor: Database;
  let folder: Folder;
  const as = (settings: string) => {
    const url = new URL(lent.url ?? "");
    url.searchParams.set("options", settings);
    pools.push(new pg.Pool({ connectionString: url.href, max: 3 }));
    return postgres(pools.at(-1) as pg.Pool);
  };
  beforeAll(async () => {
    lent = (await postgresServer?.lend()) as Lent;
    await lent.run(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    await lent.run(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
    const url = new URL(lent.url ?? "");
    url.username = role;
    url.password = "p";
    pools.push(new pg.Pool({ connectionString: url.href, max: 4 }));
    poor = postgres(pools[0] as pg.Pool);
  });
  beforeEach(async () => {
    folder = makeFolder("postgres");
    await lent.run("DROP TABLE IF EXISTS t, u, rowtype_migrations, rowtype_migrations_lease");
    await lent.run("CREATE TABLE t (id bigint PRIMARY KEY, c integer NOT NULL)");
    await lent.run(`ALTER TABLE t OWNER TO ${role}`);
    await lent.run("INSERT INTO t (id, c) VALUES (7, 8)");
  });
  afterEach(() => rmSync(folder.path, { recursive: true }));
  afterAll(async () => {
    for (const pool of pools) await pool.end();
    await lent.run(`DROP OWNED BY ${role} CASCADE`);
    await lent.run(`DROP ROLE ${role}`);
    await lent.close();
  });

  const forced = ["ALTER TABLE t ENABLE ROW LEVEL SECURITY", "ALTER TABLE t FORCE ROW LEVEL SECURITY"];
  const hidden: Readonly<Record<string, readonly string[]>> = {
    "row security without a policy": forced,
    "a policy that shows none": [...forced, "CREATE POLICY p ON t USING (false)"],
    "a policy whose query fails": [...forced, "CREATE POLICY p ON t USING (1 / (SELECT 0) = 1)"],
    "no right to read": [`REVOKE SELECT ON t FROM ${role}`],
    "row security of a partitioned table": [
      "ALTER TABLE t RENAME TO part",
      "CREATE TABLE t (id bigint NOT NULL, c integer NOT NULL) PARTITION BY RANGE (id)",
      "ALTER TABLE t ATTACH PARTITION part FOR VALUES FROM (0) TO (9)",
      "ALTER TABLE t ADD PRIMARY KEY (id)",
      `ALTER TABLE t OWNER TO ${role}`,
      ...forced,
    ],
  };

  for (const [what, hiding] of Object.entries(hidden))
    test(`${what}: the table is not empty`, async () => {
      for (const sql of hiding) await lent.run(sql);
      const { steps } = await diff([whole("bigint")], poor, { types: "exact" });
      expect(steps.map(({ kind, risks }) => [kind, risks.includes("blocks")])).toEqual([
        ["change type", true],
      ]);
      folder.put("20260101_000000_first.sql", BLOCKS);
      const run = () => migrate(poor, { folder: folder.path });
      expect(await sqlErrorOf(run())).toMatchObject({ code: "MIGRATION_REFUSED", step: "change type t.c" });
      expect(await lent.run("SELECT id::int, c::int FROM t")).toEqual([{ id: 7, c: 8 }]);
      // Where there has never been a row, nobody is blocked.
      await lent.run("TRUNCATE t");
      expect((await diff([whole("bigint")], poor, { types: "exact" })).steps[0]?.risks).not.toContain(
        "blocks",
      );
      expect((await run()).applied).toHaveLength(1);
    });

  test("rows that are gone, and seen to be gone, block nobody", async () => {
    await lent.run("DELETE FROM t");
    expect((await diff([whole("bigint")], poor, { types: "exact" })).steps[0]?.risks).not.toContain("blocks");
    folder.put("20260101_000000_first.sql", BLOCKS);
    expect((await migrate(poor, { folder: folder.path })).applied).toHaveLength(1);
  });

  test("a new column is not left unfilled in rows that are hidden, and numbers do not begin anew", async () => {
    for (const sql of hidden["row security without a policy"] ?? []) await lent.run(sql);
    const filled = table(
      "t",
      z.object({ id, c: z.int(), d: column(z.number().nullable(), { default: "random()" }) }),
    );
    const numbered = table(
      "t",
      z.object({ id: column(z.int(), { primaryKey: true, generated: "byDefault" }), c: z.int() }),
    );
    for (const [i, declared] of [filled, numbered].entries()) {
      await generate([declared], poor, { folder: folder.path, name: `edit-${i}` });
      const error = await sqlErrorOf(migrate(poor, { folder: folder.path }));
      expect(error).toMatchObject({ code: "MIGRATION_FAILED", cause: { cause: { code: "42501" } } });
      rmSync(folder.path, { recursive: true });
      folder = makeFolder("postgres");
      await lent.run("TRUNCATE rowtype_migrations");
      await lent.run("ALTER TABLE t DROP COLUMN IF EXISTS d");
    }
  });

  for (const schema of ["public", "Far away"])
    for (const [what, hiding] of Object.entries({
      "row security without a policy": forced,
      "a policy that shows some": [...forced, "CREATE POLICY p ON t USING (id < 7)"],
      "a policy that lets them be read and not changed": [
        ...forced,
        "CREATE POLICY p ON t FOR SELECT USING (true)",
        "CREATE POLICY q ON t FOR UPDATE USING (id < 7)",
      ],
    }))
      test(`${what}: a batch of a table of ${schema} leaves none of them out`, async () => {
        await lent.run('DROP SCHEMA IF EXISTS "Far away" CASCADE');
        await lent.run(`CREATE SCHEMA "Far away" AUTHORIZATION ${role}`);
        await lent.run("INSERT INTO t (id, c) VALUES (1, 1)");
        for (const sql of hiding) await lent.run(sql);
        if (schema !== "public") await lent.run(`ALTER TABLE t SET SCHEMA "${schema}"`);
        const at = `"${schema}".t`;
        folder.put("20260101_000000_visit.js", visiting(schema));
        const run = () => migrate(poor, { folder: folder.path });
        expect(await sqlErrorOf(run())).toMatchObject({
          code: "MIGRATION_FAILED",
          message: 'row security may hide rows of "t" from this role: the runner must see all of them',
        });
        const rows = () => lent.run(`SELECT id::int, c::int FROM ${at} ORDER BY id`);
        expect(await rows()).toEqual([
          { id: 1, c: 1 },
          { id: 7, c: 8 },
        ]);
        await lent.run(`ALTER TABLE ${at} NO FORCE ROW LEVEL SECURITY`);
        expect((await run()).applied).toHaveLength(1);
        expect(await rows()).toEqual([
          { id: 1, c: 2 },
          { id: 7, c: 9 },
        ]);
      });

  test("records of the runner that are hidden are not migrations that were never applied", async () => {
    folder.put("20260101_000000_first.sql", "-- step create table u\nCREATE TABLE u (id integer)\n");
    await migrate(poor, { folder: folder.path });
    for (const name of ["rowtype_migrations", "rowtype_migrations_lease"]) {
      for (const sql of forced) await lent.run(sql.replace("TABLE t ", `TABLE ${name} `));
      const calls = [
        () => status(poor, { folder: folder.path }),
        () => migrate(poor, { folder: folder.path, dryRun: true }),
        () => generate([whole("bigint")], poor, { folder: folder.path, name: "next" }),
      ];
      for (const call of calls) {
        const error = await sqlErrorOf(call());
        expect(error.code).toBe("MIGRATION_FAILED");
        expect(error.message).toContain(`row security may hide rows of "${name}"`);
      }
      await lent.run(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
    }
    expect((await status(poor, { folder: folder.path })).pending).toEqual([]);
  });

  test("a session that lives does so in every time zone, and one of another role is not gone because it is not seen", async () => {
    const far = as("-c TimeZone=Asia/Tokyo -c DateStyle=SQL,DMY");
    const session = await nameOf(lent.db);
    const tag = "/* rowtype nobody */";
    await lent.db.transaction(async (tx) => {
      const mine = await sessionOfPostgres(inside(tx));
      expect(await lifeOnPostgres(inside(far), mine, tag)).toBe("lives");
      expect(await lifeOnPostgres(inside(poor), mine, tag)).toBe("lives");
    });
    const gone = (name: string | null) => (name ?? "").replace(/^\d+/, "999999");
    expect(await lifeOnPostgres(inside(far), gone(session), tag)).toBe("gone");
    expect(await lifeOnPostgres(inside(poor), gone(session), tag)).toBe("unknown");
    expect(await lifeOnPostgres(inside(poor), gone(await nameOf(poor)), tag)).toBe("gone");
  });

  test("an index that was left half built in a schema that no name leads to is dropped and built again", async () => {
    await lent.run("DROP SCHEMA IF EXISTS far CASCADE");
    await lent.run("CREATE SCHEMA far");
    await lent.run("CREATE TABLE far.t AS SELECT 1 AS a FROM generate_series(1, 2)");
    const text = 'CREATE UNIQUE INDEX CONCURRENTLY "half" ON "far"."t" (a)';
    folder.put("20260101_000000_first.sql", `-- step create index far.t.half (no transaction)\n${text}\n`);
    const run = () => migrate(lent.db, { folder: folder.path });
    expect(await sqlErrorOf(run())).toMatchObject({ cause: { code: "UNIQUE_VIOLATION" } });
    expect(await lent.run("SELECT indexrelid FROM pg_index WHERE NOT indisvalid")).toEqual([]);
    await expect(lent.run(text)).rejects.toThrow();
    await lent.run("DELETE FROM far.t WHERE ctid = '(0,1)'");
    expect((await run()).applied).toHaveLength(1);
  });
});

describe.skipIf(mariadbServer?.available !== true)("what a user of mariadb may not see", () => {
  test("rows without the right to read them, and the query of a view", async () => {
    const lent = (await mariadbServer?.lend()) as Lent;
    const user = `rowtype_${randomBytes(6).toString("hex")}`;
    const url = new URL(lent.url ?? "");
    const database = url.pathname.slice(1);
    url.username = user;
    url.password = "p";
    const pool = mysql.createPool({ uri: url.href, connectionLimit: 3 });
    const poor = mariadb(pool);
    const folder = makeFolder("mariadb");
    const everybody = [`${user}@'%'`, `${user}@localhost`];
    try {
      for (const one of everybody) {
        await lent.run(`CREATE USER ${one} IDENTIFIED BY 'p'`);
        await lent.run(`GRANT CREATE, ALTER, DROP, INDEX, INSERT, UPDATE, DELETE ON ${database}.* TO ${one}`);
        for (const name of ["rowtype_migrations", "rowtype_migrations_lease"])
          await lent.run(`GRANT SELECT, CREATE ON ${database}.${name} TO ${one}`);
      }
      await lent.run("CREATE TABLE t (id int PRIMARY KEY, c int)");
      await lent.run("INSERT INTO t VALUES (7, 8)");
      folder.put(
        "20260101_000000_first.sql",
        "-- step change type t.c (blocks)\nALTER TABLE t MODIFY c bigint\n",
      );
      const run = () => migrate(poor, { folder: folder.path });
      expect(await sqlErrorOf(run())).toMatchObject({ code: "MIGRATION_REFUSED", step: "change type t.c" });
      for (const one of everybody) await lent.run(`GRANT SELECT ON ${database}.t TO ${one}`);
      await lent.run("DELETE FROM t");
      expect((await run()).applied).toHaveLength(1);

      await lent.run("CREATE VIEW v AS SELECT id FROM t");
      for (const one of everybody) await lent.run(`GRANT SELECT ON ${database}.* TO ${one}`);
      const error = await sqlErrorOf(introspect(poor));
      expect(error.message).toBe('the query of view "v" is hidden: grant SHOW VIEW');
      expect((await introspect(lent.db)).views).toMatchObject([{ name: "v" }]);
    } finally {
      await pool.end();
      for (const one of everybody) await lent.run(`DROP USER IF EXISTS ${one}`);
      await lent.close();
      rmSync(folder.path, { recursive: true });
    }
  });
});

onRunnerServers("a table as a step will find it", (place) => {
  const renaming = (dialect: Dialect) =>
    `-- step rename table s\n${dialect === "mariadb" ? "RENAME TABLE s TO t" : "ALTER TABLE s RENAME TO t"}\n`;

  test("has its rows behind a renaming, in the same file and in one before it", async () => {
    const { db, dialect, lent, folder } = place();
    await lent.run("CREATE TABLE s (id int, c int)");
    await lent.run("INSERT INTO s (id, c) VALUES (1, 2)");
    const blocking = "-- step create index t.t_c_idx (blocks)\nCREATE INDEX t_c_idx ON t (c)\n";
    const run = () => migrate(db, { folder: folder.path });
    const refused = { code: "MIGRATION_REFUSED", step: "create index t.t_c_idx" };
    folder.put("20260101_000000_first.sql", renaming(dialect) + blocking);
    expect(await sqlErrorOf(run())).toMatchObject(refused);
    folder.put("20260101_000000_first.sql", renaming(dialect));
    folder.put("20260102_000000_second.sql", blocking);
    expect(await sqlErrorOf(run())).toMatchObject(refused);
    await lent.run("DELETE FROM s");
    expect((await run()).applied).toHaveLength(2);
  });

  test("has none where a step makes it, though one of its name had some", async () => {
    const { db, dialect, lent, folder } = place();
    await lent.run("CREATE TABLE s (id int, c int)");
    await lent.run("INSERT INTO s (id, c) VALUES (1, 2)");
    folder.put(
      "20260101_000000_first.sql",
      `${renaming(dialect)}-- step create table s\nCREATE TABLE s (c int)\n-- step create index s.s_c_idx (blocks)\nCREATE INDEX s_c_idx ON s (c)\n`,
    );
    expect((await migrate(db, { folder: folder.path })).applied).toHaveLength(1);
  });

  test("a step that a runner died in is not done because the catalog does not list what it drops", async ({
    skip,
  }) => {
    const { db, dialect, lent, folder } = place();
    if (dialect !== "mariadb") skip("elsewhere a transaction has done it, or has not");
    await lent.run("CREATE TABLE t (id int, c varchar(40))");
    const sql = "DROP INDEX k ON t";
    folder.put(
      "20260101_000000_first.sql",
      `-- step create table u\nCREATE TABLE u (id int)\n-- step drop index t.k\n${sql}\n`,
    );
    const run = () => migrate(db, { folder: folder.path });
    await expect(run()).rejects.toThrow();
    // As a runner leaves it that died before the server did the step.
    await lent.run("CREATE INDEX k ON t (c(5))");
    const cursor = createHash("sha256").update(sql).digest("hex");
    await lent.run(`UPDATE rowtype_migrations SET state = 'stepping', \`cursor\` = '${cursor}'`);
    expect((await run()).applied).toHaveLength(1);
    expect(await lent.run("SHOW INDEX FROM t")).toEqual([]);
  });
});
