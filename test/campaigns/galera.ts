/** A Galera cluster of three MariaDB nodes on this machine. */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import mysql from "mysql2/promise";
import { freePorts, killed, Nursery, output, START_MS, until } from "./own-servers.js";

const NODES = 3;

const provider = output("dpkg", "-L", "galera-4")
  ?.split("\n")
  .find((path) => path.endsWith("libgalera_smm.so"));

/** What is missing for it, if anything. */
export const galeraLacks: string | undefined =
  provider === undefined || !existsSync(provider)
    ? "galera-4"
    : ["mariadbd", "mariadb-install-db", "rsync"].find((name) => output("which", name) === undefined);

/** One server of the cluster. */
export interface Node {
  readonly url: string;
  /** Kills it without a word of warning. */
  kill(): Promise<void>;
  /** Starts it again, and waits until it has what it missed. */
  restart(): Promise<void>;
}

export interface Cluster {
  readonly nodes: readonly Node[];
  end(): Promise<void>;
}

/** Starts the nodes one after another, each synchronised before the next. */
export async function startGalera(): Promise<Cluster> {
  const nursery = new Nursery("galera", "mysql");
  const user = process.getuid?.() === 0 ? "mysql" : (output("id", "-un") ?? "");
  const ports = await freePorts(4 * NODES);
  const port = (kind: number, node: number) => ports[kind * NODES + node];
  const address = `gcomm://${Array.from({ length: NODES }, (_, i) => `127.0.0.1:${port(1, i)}`).join(",")}`;
  const run = nursery.make("run");
  try {
    const nodes: Node[] = [];
    for (let i = 0; i < NODES; i++) {
      const data = nursery.make(`data-${i}`);
      nursery.run(
        "mariadb-install-db",
        "--no-defaults",
        `--datadir=${data}`,
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
      );
      const url = `mysql://root@127.0.0.1:${port(0, i)}`;
      const options = [
        "--no-defaults",
        `--user=${user}`,
        `--datadir=${data}`,
        `--socket=${run}/node-${i}.sock`,
        `--pid-file=${run}/node-${i}.pid`,
        `--port=${port(0, i)}`,
        "--bind-address=127.0.0.1",
        "--binlog-format=ROW",
        "--innodb-autoinc-lock-mode=2",
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-buffer-pool-size=32M",
        "--wsrep-on=ON",
        `--wsrep-provider=${provider}`,
        `--wsrep-cluster-address=${address}`,
        `--wsrep-node-address=127.0.0.1:${port(1, i)}`,
        `--wsrep-node-name=node-${i}`,
        "--wsrep-sst-method=rsync",
        `--wsrep-sst-receive-address=127.0.0.1:${port(2, i)}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${port(1, i)};ist.recv_addr=127.0.0.1:${port(3, i)};gcache.size=32M`,
      ];
      let child: ChildProcess;
      const start = async (...more: readonly string[]) => {
        child = nursery.start(`node-${i}`, "mariadbd", ...options, ...more);
        const isSynced = async () => (await statusOf(url)) === "Synced";
        await until(`node ${i} is synchronised`, isSynced, START_MS, child);
      };
      await start(...(i === 0 ? ["--wsrep-new-cluster"] : []));
      nodes.push({ url, kill: () => killed(child), restart: () => start() });
    }
    return { nodes, end: () => nursery.end() };
  } catch (error) {
    const said = [0, 1, 2].map((i) => nursery.tailOf(`node-${i}`)).join("\n");
    await nursery.end();
    throw new Error(`the cluster did not start:\n${said}`, { cause: error });
  }
}

async function statusOf(url: string): Promise<unknown> {
  const connection = await mysql.createConnection(url);
  try {
    const [rows] = await connection.query("SHOW STATUS LIKE 'wsrep_local_state_comment'");
    return Object((rows as unknown[])[0]).Value;
  } finally {
    connection.destroy();
  }
}
