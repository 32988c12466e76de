/** Starts the demo as a user does, on a free port and with a database file of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../examples/countries/main.ts", import.meta.url));

export interface Demo {
  readonly url: string;
  /** Everything printed so far. */
  readonly printed: () => string;
  /** Sends a signal and waits for the end; gives the exit code, or null after a kill. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** The demo process on a database file, not yet ready. */
export function spawnDemo(file: string): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", main], {
    env: { ...process.env, PORT: "0", DEMO_DB: file },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Starts the demo and waits until it has printed its address. */
export async function startDemo(file: string): Promise<Demo> {
  const child = spawnDemo(file);
  let printed = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the demo ended with ${code}: ${printed}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /^API\s+(\S+)/m.exec(printed)?.[1];
      if (found !== undefined && printed.includes("curl")) resolve(found);
    });
  });
  child.removeAllListeners("exit");
  return {
    url,
    printed: () => printed,
    end: (signal) =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill(signal);
      }),
  };
}
