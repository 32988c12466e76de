/**
 * The package's declarations import the types of Zod by name. A namespace makes an editor look at everything that Zod
 * exports for each completion.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

test("no declaration imports all of Zod", () => {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".d.ts"),
  );
  expect(files).toContain("sql/types/model.d.ts");
  const whole = files.filter((name) =>
    /^import (?:type )?\* as \w+ from "zod/m.test(readFileSync(join(dist, name), "utf8")),
  );
  // It is reached from no entry point.
  expect(whole).toEqual(["schema/compiled/parse.d.ts"]);
});
