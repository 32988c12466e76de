/** The Java programs of the tests: compiled once in each run, before the tests. One process serves H2 to all of them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The library of a database: a file of Debian's package, unless the variable names another. */
export const h2Jar: string = process.env["H2_JAR"] ?? "/usr/share/java/h2.jar";
export const hsqldbJar: string = process.env["HSQLDB_JAR"] ?? "/usr/share/java/hsqldb.jar";
export const java: string = process.env["JAVA"] ?? "/usr/bin/java";
const javac = process.env["JAVAC"] ?? "/usr/bin/javac";

/** Whether a program over a library can be compiled and run. */
export const javaRuns = (jar: string): boolean => [jar, java, javac].every((path) => existsSync(path));

// The processes of the tests have the variables of the process that compiles.
const CLASSES = "ROWTYPE_TEST_CLASSES";
const H2_PORT = "ROWTYPE_TEST_H2_PORT";

/** The port on which H2 gives each client a database. */
export const h2Port = (): number => Number(process.env[H2_PORT]);

/** The arguments of `java` for a program of this folder: a short process does not repay the slower compiler. */
export function javaArguments(jar: string, program: "Bridge" | "Query"): readonly string[] {
  const path = [jar, process.env[CLASSES] ?? ""].join(delimiter);
  return ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path, program];
}

/** Compiles the programs and starts H2; vitest calls it before the tests, and the function that it returns after them. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const programs = [
    ["h2/Bridge.java", h2Jar],
    ["hsqldb/Query.java", hsqldbJar],
  ].filter(([, jar = ""]) => javaRuns(jar));
  if (programs.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "rowtype-java-"));
  const sources = programs.map(([source = ""]) => fileURLToPath(new URL(source, import.meta.url)));
  const jars = programs.map(([, jar]) => jar).join(delimiter);
  const { status, stderr } = spawnSync(javac, ["-cp", jars, "-d", folder, ...sources], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${sources.join(" and ")} do not compile: ${stderr}`);
  process.env[CLASSES] = folder;
  const h2 = javaRuns(h2Jar) ? await startH2() : undefined;
  return async () => {
    if (h2 !== undefined) {
      const ended = once(h2, "exit");
      h2.stdin?.end();
      await ended;
    }
    rmSync(folder, { recursive: true });
  };
}

async function startH2(): Promise<ChildProcess> {
  const child = spawn(java, [...javaArguments(h2Jar, "Bridge")], { stdio: ["pipe", "pipe", "inherit"] });
  process.env[H2_PORT] = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`H2 ended with ${code}`)));
    child.stdout?.once("data", (port) => resolve(String(port).trim()));
  });
  return child;
}
