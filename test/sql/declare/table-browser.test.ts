/** A table as a browser gets it: `rowtype/table` bundled, with nothing of Node or of SQL in it, and a form in Chromium. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildResult, build } from "esbuild";
import type { Browser } from "playwright-core";
import { createEngine, GET, POST } from "rowtype/http";
import * as door from "rowtype/table";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumIsThere } from "../../availability.js";
import { launchChromium, watchPage } from "../../chromium.js";
import { listening } from "../../http/serve.js";

const source = fileURLToPath(new URL("../../../src", import.meta.url));

// What a server and a browser share: written once, read by both.
const declaration = `
  import { column, decimal, json, table, vector } from "rowtype/table";
  import { z } from "zod";
  export const User = table("users", z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    email: column(z.email(), { unique: true }),
    age: column(z.coerce.number().int().min(18).nullable(), { check: "age >= 18", index: true }),
    role: column(z.enum(["admin", "member"]), { default: "'member'" }),
    teamId: column(z.int().nullable(), { name: "team_id", references: "teams(id)" }),
    settings: json(z.object({ theme: z.string() })).nullable(),
    price: decimal(10, 2).nullable(),
    place: vector(2).nullable(),
  }));
`;
const form = `
  ${declaration}
  const form = document.querySelector("form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const checked = User.insertSchema.safeParse(Object.fromEntries(new FormData(form)));
    for (const output of form.querySelectorAll("output")) output.value = "";
    for (const { path, message } of checked.error?.issues ?? [])
      form.querySelector('output[name="' + path.join(".") + '-error"]').value = message;
    if (checked.success) await fetch("/users", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(checked.data),
    });
    document.body.dataset.done = String(checked.success);
  });
`;
const page = `<!doctype html><title>x</title><link rel="icon" href="data:,"><form>
  <input name="email"><output name="email-error"></output>
  <input name="age"><output name="age-error"></output>
  <input name="role"><output name="role-error"></output>
  <button>Save</button></form><script type="module" src="/form.js"></script>`;

let bundle: BuildResult<{ write: false; metafile: true }>;
beforeAll(async () => {
  bundle = await build({
    stdin: { contents: form, resolveDir: source },
    alias: { "rowtype/table": `${source}/table.ts` },
    bundle: true,
    minify: true,
    // Anything that only Node has would be an error here.
    platform: "browser",
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
  });
});

test("contains zod, and only the declarations of rowtype", () => {
  const { inputs } = bundle.metafile;
  const files = Object.keys(inputs).filter(
    (path) => path !== "<stdin>" && !path.includes("node_modules/zod/"),
  );
  const own = files.map((path) => relative(source, path));
  expect(own).toContain("table.ts");
  // `npm run test:package` asks the same of the packed files.
  const { "rowtype/table": allowed } = JSON.parse(
    readFileSync(new URL("../../../scripts/browser-modules.json", import.meta.url), "utf8"),
  ) as { readonly "rowtype/table": readonly string[] };
  const modules = own.map((path) => path.replace(/\.ts$/, ""));
  const isAllowed = (name: string) =>
    allowed.includes(name) || allowed.includes(name.replace(/\/[^/]+$/, "/*"));
  expect(modules.filter((name) => !isAllowed(name))).toEqual([]);
  const imports = Object.values(inputs).flatMap((input) => input.imports);
  expect(imports.filter(({ path, external }) => external === true || path.startsWith("node:"))).toEqual([]);
});

test("a module of Node in the graph would be an error", async () => {
  const contents = 'export * from "rowtype/table"; export { ddl } from "./sql/ddl/ddl.js";';
  const building = build({
    stdin: { contents, resolveDir: source },
    alias: { "rowtype/table": `${source}/table.ts` },
    bundle: true,
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  await expect(building).rejects.toThrow(/node:crypto/);
});

test("its names are those of rowtype itself", async () => {
  const rowtype: Readonly<Record<string, unknown>> = await import("rowtype");
  expect(Object.keys(door).sort()).toEqual([
    "DeclarationError",
    "column",
    "decimal",
    "enumType",
    "json",
    "many",
    "one",
    "table",
    "vector",
    "view",
  ]);
  for (const [name, value] of Object.entries(door)) expect(rowtype[name]).toBe(value);
});

describe.skipIf(!chromiumIsThere)("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test("a form is validated by insertSchema, and what it sends passes the same schema on the server", async () => {
    const { z } = await import("zod");
    const { column, table } = door;
    const User = table(
      "users",
      z.object({
        id: column(z.int(), { primaryKey: true, generated: true }),
        email: column(z.email(), { unique: true }),
        age: z.int().min(18).nullable(),
        role: column(z.enum(["admin", "member"]), { default: "'member'" }),
      }),
    );
    const saved: unknown[] = [];
    const url = await listening(
      createEngine().withHandlers(
        GET("/form.js", ({ response }) => void response.type("js").send(bundle.outputFiles[0]?.text ?? "")),
        GET("/page", ({ response }) => void response.type("html").send(page)),
        POST("/users", { status: 201, body: User.insertSchema }, ({ body }) => void saved.push(body)),
      ),
    );
    const tab = await browser.newPage();
    const { errors } = watchPage(tab, url);
    await tab.goto(`${url}/page`);
    const errorOf = (name: string) => tab.locator(`output[name="${name}-error"]`).innerText();
    await tab.locator('input[name="email"]').fill("nobody");
    await tab.locator('input[name="age"]').fill("17");
    await tab.locator('input[name="role"]').fill("owner");
    await tab.getByRole("button").click();
    await tab.locator('body[data-done="false"]').waitFor();
    expect(await errorOf("email")).toMatch(/email/i);
    expect(await errorOf("age")).toMatch(/18/);
    expect(await errorOf("role")).toMatch(/admin/);
    expect(saved).toEqual([]);
    await tab.locator('input[name="email"]').fill("ann@example.org");
    await tab.locator('input[name="age"]').fill("18");
    await tab.locator('input[name="role"]').fill("admin");
    await tab.getByRole("button").click();
    await tab.locator('body[data-done="true"]').waitFor();
    expect(saved).toEqual([{ email: "ann@example.org", age: 18, role: "admin" }]);
    expect(await errorOf("email")).toBe("");
    expect(errors).toEqual([]);
  });
});
