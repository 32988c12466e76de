/** Writes down which functions of the sources each file of tests calls; `scripts/mutants.mjs --map` reads it. */
import { appendFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

// What the files before have called.
await session.post("Profiler.takePreciseCoverage");
const began = performance.now();

function noteAtEnd(): void {
  afterAll(async () => {
    const took = performance.now() - began;
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const called: Record<string, string[]> = {};
    for (const { url, functions } of result) {
      const at = url.startsWith("file:") ? fileURLToPath(url) : url;
      if (!at.startsWith(`${root}src/`)) continue;
      const names = functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName, ranges }) => `${functionName}@${ranges[0]?.startOffset}`);
      if (names.length > 0) called[at.slice(root.length)] = names;
    }
    const test = expect.getState().testPath?.slice(root.length);
    session.disconnect();
    appendFileSync(
      process.env["ROWTYPE_MUTANTS_MAP"] ?? "/dev/null",
      `${JSON.stringify({ test, took: Math.round(took), called })}\n`,
    );
  });
}

noteAtEnd();
