import pg from "pg";
import { describe, expect, test } from "vitest";
import { answers, behindPooler, postgresUrl } from "./availability.js";
import { lendDatabase } from "./postgres-databases.js";

const available = await answers(postgresUrl);

describe.skipIf(!available || behindPooler)("a database of PostgreSQL that was given back", () => {
  /** What one user leaves in a database, and what the next one then finds. */
  const afterwards = async (...statements: readonly string[]) => {
    const one = await lendDatabase();
    const client = new pg.Client({ connectionString: one.url });
    client.on("error", () => undefined);
    await client.connect();
    for (const sql of statements) await client.query(sql);
    // Some forget to leave.
    if (statements.length > 1) await client.end();
    await one.giveBack();
    const two = await lendDatabase();
    const next = new pg.Client({ connectionString: two.url });
    await next.connect();
    const { rows } = await next.query(
      `SELECT (SELECT count(*)::int FROM pg_class WHERE oid >= 16384 AND relnamespace <> 'pg_toast'::regnamespace) AS relations,
        (SELECT count(*)::int FROM pg_type WHERE oid >= 16384) AS types,
        (SELECT count(*)::int FROM pg_proc WHERE oid >= 16384) AS functions,
        (SELECT array_agg(nspname::text) FROM pg_namespace WHERE nspname !~ '^pg_') AS schemas,
        (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND backend_type = 'client backend') AS others, current_setting('search_path') AS path,
        has_schema_privilege('public', 'public', 'USAGE') AS used,
        has_schema_privilege('public', 'public', 'CREATE') AS creates`,
    );
    await next.end();
    await two.giveBack();
    return { isSame: one.url === two.url, found: rows[0] };
  };
  const asNew = {
    relations: 0,
    types: 0,
    functions: 0,
    schemas: expect.arrayContaining(["public", "information_schema"]),
    others: 0,
    path: '"$user", public',
    used: true,
    creates: false,
  };

  test("is lent again without what was in it", async () => {
    const { isSame, found } = await afterwards(
      "CREATE TABLE a (id int PRIMARY KEY)",
      "CREATE SCHEMA other CREATE VIEW v AS SELECT 1 AS one",
      "CREATE TYPE mood AS ENUM ('sad')",
      "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "GRANT CREATE ON SCHEMA public TO PUBLIC",
    );
    expect(isSame).toBe(true);
    expect(found).toMatchObject(asNew);
    expect(found.schemas).toHaveLength(2);
  });

  test("is lent again without those who had a connection, or locked a table", async () => {
    const { isSame, found } = await afterwards("CREATE TABLE a (id int); BEGIN; LOCK TABLE a");
    expect(isSame).toBe(true);
    expect(found).toMatchObject(asNew);
  });

  test("is dropped when it has what does not go with its schemas", async () => {
    const settings =
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = x', current_database()); END $$";
    const { isSame, found } = await afterwards("SELECT 1", settings);
    expect(isSame).toBe(false);
    expect(found).toMatchObject(asNew);
  });
});
