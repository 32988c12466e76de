/** A MariaDB server of a test's own, for settings that the shared one must not have; in a folder that goes with it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { answers } from "./availability.js";

/** Whether the programs of a server are there. */
export const mariadbIsInstalled = ["mariadbd", "mariadb-install-db"].every(
  (program) => spawnSync(program, ["--no-defaults", "--help"], { stdio: "ignore" }).error === undefined,
);

/** A running server. */
export interface OwnServer {
  /** Of the user `root`, without a database. */
  readonly url: URL;
  stop(): Promise<void>;
}

/** In memory where there is room: on a disk the server waits for it at every change of a table. */
const home = hasRoom("/dev/shm") ? "/dev/shm" : tmpdir();

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 1_000_000_000;
  } catch {
    return false;
  }
}

/** Starts a server with these settings, each as `name=value`; `TZ=zone` is the time zone of its machine. */
export async function startMariadb(...given: readonly string[]): Promise<OwnServer> {
  const settings = given.filter((setting) => !setting.startsWith("TZ="));
  const [zone] = given.filter((setting) => setting.startsWith("TZ=")).map((setting) => setting.slice(3));
  const folder = mkdtempSync(join(home, "rowtype-mariadb-"));
  const user = `--user=${userInfo().username}`;
  const data = `--datadir=${folder}/data`;
  const made = spawnSync("mariadb-install-db", [
    "--no-defaults",
    user,
    data,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stderr}`);
  const port = await freePort();
  const running = spawn(
    "mariadbd",
    [
      "--no-defaults",
      user,
      data,
      `--socket=${folder}/s.sock`,
      `--pid-file=${folder}/pid`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      "--skip-log-bin",
      "--innodb-flush-log-at-trx-commit=0",
      "--innodb-buffer-pool-size=16M",
      ...settings.map((setting) => `--${setting}`),
    ],
    { stdio: "ignore", env: zone === undefined ? process.env : { ...process.env, TZ: zone } },
  );
  const url = new URL(`mysql://root@127.0.0.1:${port}/`);
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries === 1_200 || running.exitCode !== null) throw new Error("the MariaDB server does not start");
    await setTimeout(50);
  }
  return {
    url,
    stop: async () => {
      await ended(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  const exit = new Promise((resolve) => process.once("exit", resolve));
  process.kill("SIGKILL");
  await exit;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(Object(address).port));
    });
  });
}
