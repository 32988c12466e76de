/** What importing `rowtype/http` loads: nothing that only some of its users need. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

const HOOKS = `
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    writeSync(1, url + "\\n");
    return next(url, context);
  }`;

/** The packages whose files a program loads. */
async function loaded(program: string): Promise<ReadonlySet<string>> {
  const hooks = JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
  const text = `import { register } from "node:module"; register(${hooks}); await import("data:text/javascript,0"); ${program}`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8" });
  const packages = stdout
    .split("\n")
    .map((url) => /.*\/node_modules\/(zod\/v3|@[^/]+\/[^/]+|[^/]+)\//.exec(url)?.[1] ?? "");
  return new Set(packages);
}

const describeAll = (schema: string) => `
  const { createEngine, POST } = await import("rowtype/http");
  ${schema}
  const api = createEngine().withHandlers(POST("/x", { body: schema, output: schema }, ({ body }) => body));
  if (JSON.stringify(api.openapi()).length < 500) throw new Error("no document");
  api.router();`;

test("neither Zod 3, nor a converter of schemas, nor YAML", async () => {
  const packages = await loaded(
    describeAll('const { z } = await import("zod"); const schema = z.object({ at: z.date() });'),
  );
  expect(packages).toContain("zod");
  expect(packages).toContain("express");
  for (const name of ["zod/v3", "zod-to-json-schema", "yaml", "jose", "oauth4webapi", "swagger-ui-dist"])
    expect(packages).not.toContain(name);
});

test("Zod 3 only by the application that uses it", async () => {
  const packages = await loaded(
    describeAll('const { z } = await import("zod/v3"); const schema = z.object({ at: z.date() });'),
  );
  expect(packages).toContain("zod/v3");
  expect(packages).not.toContain("zod-to-json-schema");
});

test("YAML where it is asked for", async () => {
  const packages = await loaded(`
    const { createEngine } = await import("rowtype/http");
    const { serveRequest } = await import("rowtype/http/testing");
    const answer = await serveRequest(createEngine(), "GET", "/openapi.yaml");
    if (!answer.text().startsWith("openapi:")) throw new Error(answer.text());`);
  expect(packages).toContain("yaml");
});
