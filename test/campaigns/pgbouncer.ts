/** PgBouncer before the PostgreSQL of the live tests: each transaction gets one of three connections of the server. */
import { existsSync, writeFileSync } from "node:fs";
import pg from "pg";
import { postgresUrl } from "../availability.js";
import { freePorts, Nursery, output, START_MS, until } from "./own-servers.js";

const program = ["/usr/sbin/pgbouncer", output("which", "pgbouncer") ?? ""].find((path) => existsSync(path));

/** What is missing for it, if anything. */
export const pgbouncerLacks: string | undefined = program === undefined ? "pgbouncer" : undefined;

export interface Pooler {
  /** Where the live tests connect, in place of the server. */
  readonly url: string;
  end(): Promise<void>;
}

export async function startPgbouncer(): Promise<Pooler> {
  const [port = 0] = await freePorts(1);
  const { hostname, port: upstream = "", username, password } = postgresUrl;
  const login = `user=${decodeURIComponent(username)}${password === "" ? "" : ` password=${decodeURIComponent(password)}`}`;
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    pool_mode: "transaction",
    default_pool_size: 3,
    max_client_conn: 500,
    auth_type: "any",
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  // It refuses to run as root.
  const nursery = new Nursery("pgbouncer", "postgres");
  const file = `${nursery.folder}/pgbouncer.ini`;
  writeFileSync(
    file,
    [
      "[databases]",
      `* = host=${hostname} port=${upstream === "" ? 5432 : upstream} ${login}`,
      "[pgbouncer]",
      ...lines,
      "",
    ].join("\n"),
  );
  const url = new URL(postgresUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const child = nursery.start("pgbouncer", program ?? "", file);
  const answers = async () => {
    const client = new pg.Client({ connectionString: url.href });
    client.on("error", () => undefined);
    await client.connect();
    await client.end();
    return true;
  };
  await until("PgBouncer answers", answers, START_MS, child).catch(async (error: unknown) => {
    const said = nursery.tailOf("pgbouncer");
    await nursery.end();
    throw new Error(`PgBouncer did not start:\n${said}`, { cause: error });
  });
  return { url: url.href, end: () => nursery.end() };
}
