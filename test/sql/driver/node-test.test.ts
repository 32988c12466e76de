/** `rowtype/driver/test` under `node:test`, of the built package, as a user runs it; `suite.test.ts` runs it under vitest. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const suite = fileURLToPath(new URL("node-test.suite.mjs", import.meta.url));

/** What `node --test` counts. */
function counted(env: Readonly<Record<string, string>>): {
  readonly status: number | null;
  count(of: string): number;
} {
  const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", suite], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, count: (of) => Number(new RegExp(`^# ${of} (\\d+)$`, "m").exec(stdout)?.[1]) };
}

// The processes that they start load better-sqlite3 itself.
const own = test.skipIf(process.env["ROWTYPE_SQLITE"] !== undefined);

own("a driver passes", () => {
  const { status, count } = counted({});
  expect([status, count("fail")]).toEqual([0, 0]);
  expect(count("pass")).toBeGreaterThanOrEqual(90);
});

own("a driver that rounds integers fails", () => {
  const { status, count } = counted({ ROWTYPE_FAULTY: "1" });
  expect(status).not.toBe(0);
  expect(count("fail")).toBeGreaterThan(0);
});
