/** Runners of a database that is a file: a runner is known by its process. */
import { hostname } from "node:os";
import type { Life } from "../dialect.js";

/** The name of this process. */
export function processName(): string {
  return `${process.pid} ${hostname()}`.slice(0, 190);
}

/**
 * Whether the process of an owner lives. A process of this machine that does not exist is gone. An existing one may be
 * another with the same number: then the time of the lease decides.
 */
export function lifeOfProcess(session: string | null): Life {
  const [pid, ...host] = session?.split(" ") ?? [];
  if (pid === undefined || host.join(" ") !== processName().slice(String(process.pid).length + 1))
    return "unknown";
  try {
    process.kill(Number(pid), 0);
    return "unknown";
  } catch (error) {
    return Object(error).code === "ESRCH" ? "gone" : "unknown";
  }
}
