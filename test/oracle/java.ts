/** The Java programs of the tests: compiled once in each run, before the tests, and started for a short life. */
import { spawnSync } from "node:child_process";
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

/** The arguments of `java` for a program of this folder: a process of seconds does not repay the slower compiler. */
export function javaArguments(jar: string, program: "Bridge" | "Query"): readonly string[] {
  const path = [jar, process.env[CLASSES] ?? ""].join(delimiter);
  return ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path, program];
}

/** Compiles the programs; vitest calls it before the tests, and what it gives after them. */
export function setup(): (() => void) | undefined {
  const programs = [
    ["h2/Bridge.java", h2Jar],
    ["hsqldb/Query.java", hsqldbJar],
  ].filter(([, jar = ""]) => javaRuns(jar));
  if (programs.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "rowtype-java-"));
  for (const [source = "", jar = ""] of programs) {
    const path = fileURLToPath(new URL(source, import.meta.url));
    const { status, stderr } = spawnSync(javac, ["-cp", jar, "-d", folder, path], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${source} does not compile: ${stderr}`);
  }
  process.env[CLASSES] = folder;
  return () => rmSync(folder, { recursive: true });
}
