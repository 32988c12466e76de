/** Servers of benchmarks, each a process of its own that its parent asks by messages. */
import { type ChildProcess, execFileSync, fork } from "node:child_process";

/** The names of the servers of a file: without a name it prints them. */
export function serverNames(file: string): readonly string[] {
  return execFileSync(process.execPath, [file], { encoding: "utf8" }).trim().split("\n");
}

/** A server that listens. */
export async function startServer(
  file: string,
  name: string,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = fork(file, [name], { env: { ...process.env, NODE_ENV: "production" } });
  const { port } = await told<{ port: number }>(child, name);
  return { child, port };
}

/** The next message of a server. @throws if the server ends before */
export function told<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}
