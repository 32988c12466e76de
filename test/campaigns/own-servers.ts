/**
 * Servers that a campaign starts for itself: in a temporary folder, on free ports, of the user whom each wants, and
 * stopped by the ids of their processes. What Debian's packages would bring is a named skip where it is not there.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** How long a server may take to come up on a busy machine. */
export const START_MS = 120_000;

/** What a program prints, or undefined where there is none of that name or it fails. */
export function output(command: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/** Ports that are not in use. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await once(server, "listening");
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) server.close();
  return ports;
}

/**
 * Asks until the answer is yes.
 * @param process without which there is nothing to wait for.
 */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  ms: number = START_MS,
  process?: ChildProcess,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await isSo().catch(() => false))) {
    if (process !== undefined && hasEnded(process)) throw new Error(`the process has ended: ${what}`);
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await setTimeout(50);
  }
}

/** A folder and the processes that live in it, as one user. */
export class Nursery {
  readonly folder: string;
  readonly #processes = new Set<ChildProcess>();
  readonly #ids: { readonly uid?: number; readonly gid?: number };

  /** @param user whom the programs run as, where we are root: some refuse to, and some drop their rights half way. */
  constructor(name: string, user: string) {
    this.folder = mkdtempSync(join(tmpdir(), `rowtype-${name}-`));
    chmodSync(this.folder, 0o755);
    const id = (flag: string) => Number(output("id", flag, user));
    this.#ids = process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : {};
  }

  /** A new folder in it, of the user. */
  make(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (this.#ids.uid !== undefined && this.#ids.gid !== undefined)
      chownSync(path, this.#ids.uid, this.#ids.gid);
    return path;
  }

  /** Runs a program to its end. */
  run(command: string, ...args: readonly string[]): void {
    execFileSync(command, args, { ...this.#ids, cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
  }

  /** Starts a program that stays; what it says is in a file of this name. */
  start(name: string, command: string, ...args: readonly string[]): ChildProcess {
    const log = openSync(this.logOf(name), "a");
    const child = spawn(command, args, { ...this.#ids, cwd: this.folder, stdio: ["ignore", log, log] });
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child));
    return child;
  }

  logOf(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  /** The last lines that a program said, for the error of a test. */
  tailOf(name: string): string {
    const path = this.logOf(name);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(-30).join("\n") : "";
  }

  /** Kills every program that still runs, and removes the folder. */
  async end(): Promise<void> {
    await Promise.all([...this.#processes].map((child) => killed(child)));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Kills a process without a word of warning, and waits until it is gone. */
export async function killed(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
