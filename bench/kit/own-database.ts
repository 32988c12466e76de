/** A database of a bench's own on the PostgreSQL of the live tests. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { postgresUrl } from "../../test/availability.js";

/** Creates it; `drop` ends the connections that it still has. */
export async function ownDatabase(): Promise<{ readonly url: URL; readonly drop: () => Promise<void> }> {
  const name = `rowtype_bench_${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client({ connectionString: postgresUrl.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const drop = async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  };
  return { url, drop };
}
