/**
 * One of several processes that serve the same sessions: told a database and a token endpoint, tells its URL.
 */
import mysql from "mysql2/promise";
import pg from "pg";
import { HostLoopback } from "rowtype/http";
import { sqlStore } from "rowtype/http/session/sql";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sessionEngine } from "./session-engine.js";

const [database = "", tokenEndpoint = ""] = process.argv.slice(2);
const db = database.startsWith("postgres")
  ? postgres(new pg.Pool({ connectionString: database }))
  : mariadb(mysql.createPool(database));
const { engine } = sessionEngine(tokenEndpoint, { store: sqlStore(db) });
const { url } = await engine.start(HostLoopback, 0);
process.send?.(url);
