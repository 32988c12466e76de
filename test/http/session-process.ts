/**
 * One of several processes that serve the same sessions: told a database and a token endpoint, tells its URL.
 */
import pg from "pg";
import { HostLoopback } from "../../src/http/index.js";
import { sqlStore } from "../../src/http/session/sql/index.js";
import { postgres } from "../../src/sql/drivers/postgres.js";
import { sessionEngine } from "./session-engine.js";

const [connectionString, tokenEndpoint = ""] = process.argv.slice(2);
const store = sqlStore(
  postgres(new pg.Pool({ ...(connectionString === undefined ? {} : { connectionString }) })),
);
const { url } = await sessionEngine(tokenEndpoint, { store }).engine.start(HostLoopback, 0);
process.send?.(url);
