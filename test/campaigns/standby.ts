/** A primary of PostgreSQL and a hot standby that follows it, with an address that can be led from the one to the other. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { Wire } from "../kit/wire.js";
import { freePorts, killed, Nursery, output, START_MS, until } from "./own-servers.js";

const bin = output("pg_config", "--bindir") ?? "";
const programs = ["initdb", "postgres", "pg_basebackup", "pg_ctl"];

/** What is missing for it, if anything. */
export const standbyLacks: string | undefined = programs.find((name) => !existsSync(join(bin, name)));

export interface Pair {
  /** Where applications connect: it leads to the primary, until it is led to the standby. */
  readonly url: string;
  readonly standbyUrl: string;
  /** Has every commit wait for the standby, so that nothing that was said to be stored can be missing there. */
  synchronise(): Promise<void>;
  /** Leads new connections to the standby. */
  switch(): void;
  /** Kills the primary and everything on it without a word of warning. */
  killPrimary(): Promise<void>;
  promote(): void;
  end(): Promise<void>;
}

/** Starts both. */
export async function startPair(): Promise<Pair> {
  const nursery = new Nursery("standby", "postgres");
  const [primaryPort = 0, standbyPort = 0] = await freePorts(2);
  const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const primary = nursery.make("primary");
  const standby = nursery.make("standby");
  const settings = (port: number) => [
    ["port", port],
    ["listen_addresses", "127.0.0.1"],
    ["unix_socket_directories", ""],
    ["fsync", "off"],
    ["max_connections", 40],
    ["shared_buffers", "32MB"],
    ["wal_level", "replica"],
    ["hot_standby", "on"],
    ["wal_keep_size", "64MB"],
  ];
  const serve = async (name: string, data: string, port: number) => {
    const options = settings(port).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    const child = nursery.start(name, join(bin, "postgres"), "-D", data, ...options);
    await until(
      `the ${name} answers`,
      () => asked(urlOf(port), "SELECT 1").then(() => true),
      START_MS,
      child,
    );
    return child;
  };
  try {
    nursery.run(
      join(bin, "initdb"),
      ...["-D", primary, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    );
    const first = await serve("primary", primary, primaryPort);
    nursery.run(
      join(bin, "pg_basebackup"),
      ...["-d", `postgres://postgres@127.0.0.1:${primaryPort}/?application_name=standby`],
      ...["-D", standby, "-R", "-X", "stream", "-c", "fast", "--no-sync"],
    );
    await serve("standby", standby, standbyPort);
    // A wire leads where its address says when a connection is made.
    const address = new URL(urlOf(primaryPort));
    const door = await Wire.before(address);
    return {
      url: urlOf(door.port),
      standbyUrl: urlOf(standbyPort),
      synchronise: async () => {
        await asked(urlOf(primaryPort), "ALTER SYSTEM SET synchronous_standby_names = '*'");
        await asked(urlOf(primaryPort), "SELECT pg_reload_conf()");
        await until("the standby is synchronous", async () => {
          const rows = await asked(urlOf(primaryPort), "SELECT sync_state FROM pg_stat_replication");
          return JSON.stringify(rows).includes('"sync"');
        });
      },
      switch: () => {
        address.port = String(standbyPort);
      },
      killPrimary: async () => {
        // The processes of a server end when its first one is gone.
        await killed(first);
        await until("the primary is gone", () =>
          asked(urlOf(primaryPort), "SELECT 1").then(
            () => false,
            () => true,
          ),
        );
      },
      promote: () => nursery.run(join(bin, "pg_ctl"), "promote", "-w", "-D", standby),
      end: async () => {
        await door.close();
        await nursery.end();
      },
    };
  } catch (error) {
    const said = `${nursery.tailOf("primary")}\n${nursery.tailOf("standby")}`;
    await nursery.end();
    throw new Error(`the servers did not start:\n${said}`, { cause: error });
  }
}

/** The rows of a statement on a connection of its own. */
async function asked(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
