/**
 * The programs of other libraries in `docs/coming-from` run; those of SQL give the rows that ours give. They are not dependencies
 * of the project: they are installed into a folder of their own, and without a registry the tests are skipped, by name.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesOf, httpPeers, readPage, sqlPeers } from "../../scripts/doc-pages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const folder = mkdtempSync(join(here, "coming-from-"));
const theirs = join(folder, "theirs");
const ours = join(folder, "ours");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const require = createRequire(import.meta.url);
const exec = promisify(execFile);
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
const tsc = join(dirname(require.resolve("typescript7/package.json")), "bin", "tsc");

let missing: string | undefined;
beforeAll(async () => {
  mkdirSync(ours);
  mkdirSync(theirs);
  for (const name of ["package.json", "package-lock.json"])
    cpSync(join(root, "bench", "peers", "coming-from", name), join(theirs, name));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1"];
  await exec("npm", ["ci", ...quiet], { cwd: theirs, timeout: 180_000 }).catch((error: Error) => {
    missing = `the other libraries could not be installed: ${error.message.slice(0, 200)}`;
  });
  if (missing !== undefined) return;
  // The binary of this machine, because building it takes a minute.
  const binary = join("node_modules", "better-sqlite3", "build");
  cpSync(join(root, binary), join(theirs, binary), { recursive: true, dereference: true });
});

/** What a program prints by its parts: the values, as JSON knows them. */
async function run(cwd: string, program: string): Promise<unknown[][]> {
  const prelude = `const $print = process.stdout.write.bind(process.stdout);
console.log = (...values) => void $print(JSON.stringify(values) + "\\n");\n`;
  writeFileSync(join(cwd, "page.ts"), prelude + program);
  const { stdout } = await exec(process.execPath, [tsx, "page.ts"], { cwd });
  const parts: unknown[][] = [];
  let values: unknown[] = [];
  for (const line of stdout.split("\n").filter((one) => one !== "")) {
    const value: unknown = JSON.parse(line);
    if (value === "end") parts.push(values);
    if (value === "end") values = [];
    else values.push(flat(value));
  }
  return parts;
}

const end = () => `;$print('"end"\\n');`;

/** The same with the fields of a single row inside of a row beside its own, as in { authorName }. */
function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value === "string" && /^[[{]/.test(value)) return flat(JSON.parse(value));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
      typeof inner !== "object" || inner === null || Array.isArray(inner)
        ? [[name, flat(inner)]]
        : Object.entries(inner).map(([key, one]) => [name + key.charAt(0).toUpperCase() + key.slice(1), one]),
    ),
  );
}

test.for(sqlPeers)("the program of %s compiles, and its rows are ours", async (name, { skip }) => {
  if (missing !== undefined) return skip(missing);
  const page = readPage(`coming-from/${name}.md`);
  const program = filesOf(page, end, name).get("page.ts") ?? "";
  const own = filesOf(page, end).get("page.ts") ?? "";
  const schema = page.blocks.find(({ language }) => language === "prisma");
  if (schema !== undefined) await preparePrisma(schema.body, own);
  const rows = await run(theirs, program);
  expect(await run(ours, own)).toEqual(rows);
  // One for each section; a part that prints nothing is one too.
  expect(rows.map((part) => part.length > 0)).toEqual([false, ...Array.from({ length: 9 }, () => true)]);
  expect(await compile(theirs)).toBe("");
});

test.for(httpPeers)("the program of %s compiles and runs", async (name, { skip }) => {
  if (missing !== undefined) return skip(missing);
  const printed = await run(
    theirs,
    filesOf(readPage(`coming-from/${name}.md`), end, name).get("page.ts") ?? "",
  );
  expect(printed.flat(2)).toContain("Matter");
  expect(await compile(theirs)).toBe("");
});

/** What the compiler says of the program in a folder. */
function compile(cwd: string): Promise<string> {
  const options = "--noEmit --strict --skipLibCheck --target ES2023 --module NodeNext --types node";
  return exec(process.execPath, [tsc, ...options.split(" "), "--ignoreConfig", "page.ts"], { cwd }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => String(error.stdout),
  );
}

/** Generates Prisma's client, and creates its tables by our declarations: the first part of our program. */
async function preparePrisma(schema: string, own: string): Promise<void> {
  writeFileSync(join(theirs, "schema.prisma"), schema.replace("../generated", "generated"));
  const config = `import { defineConfig } from "prisma/config";
export default defineConfig({ schema: "schema.prisma", datasource: { url: "file:./shop.db" } });\n`;
  writeFileSync(join(theirs, "prisma.config.ts"), config);
  // `generate` asks for the program of `migrate`, which it would download, but does not run it.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  };
  const prisma = join(theirs, "node_modules", "prisma", "build", "index.js");
  await exec(process.execPath, [prisma, "generate"], { cwd: theirs, env });
  const declared = own.slice(0, own.indexOf(end()));
  await run(ours, declared.replace(":memory:", join(theirs, "shop.db")));
}
