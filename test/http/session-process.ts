/**
 * One of several processes that serve the same sessions: told a database and a token endpoint, tells its URL.
 */
import mysql from "mysql2/promise";
import pg from "pg";
import { HostLoopback } from "../../src/http/index.js";
import { sqlStore } from "../../src/http/session/sql/index.js";
import { mariadb } from "../../src/sql/drivers/mariadb.js";
import { postgres } from "../../src/sql/drivers/postgres.js";
import { sessionEngine } from "./session-engine.js";

const [database = "", tokenEndpoint = ""] = process.argv.slice(2);
const db = database.startsWith("postgres")
  ? postgres(new pg.Pool({ connectionString: database }))
  : mariadb(mysql.createPool(database));
const { engine } = sessionEngine(tokenEndpoint, { store: sqlStore(db) });
const { url } = await engine.start(HostLoopback, 0);
process.send?.(url);
