/** Starts the process that knows the grammar of Oracle, before the tests, and ends it after them. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { writeAccepted, writesList } from "./accepted-texts.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where to ask whether a statement is Oracle's. */
    readonly oracleGrammar: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const path = fileURLToPath(new URL("grammar-server.mjs", import.meta.url));
  const server = fork(path);
  const port = await new Promise<unknown>((resolve, reject) => {
    server.once("message", resolve);
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`the grammar of Oracle ended with ${code}`)));
  });
  project.provide("oracleGrammar", `http://127.0.0.1:${port}`);
  return async () => {
    if (writesList) {
      const texts = new Promise<readonly string[]>((resolve) => server.once("message", resolve));
      server.send("accepted");
      writeAccepted(await texts);
    }
    server.disconnect();
  };
}
