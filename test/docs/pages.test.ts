/**
 * The pages of the guide say what is so: their programs run, print what stands below them, and send the SQL beside it.
 * `ROWTYPE_WRITE_DOCS=1` writes what is printed and sent into the pages.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import {
  filesOf,
  modulesOf,
  type Page,
  pageNames,
  readPage,
  referenceNames,
} from "../../scripts/doc-pages.mjs";
import { mirrored, type Sent } from "./mirror.js";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(here, "pages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The listeners of the programs: a program of its own need not remove them, but these share a process.
const offs: (() => void)[] = [];
afterAll(() => offs.forEach((off) => void off()));

const titles = { postgres: "PostgreSQL", mariadb: "MariaDB", sqlite: "SQLite", oracle: "Oracle" } as const;
const clause =
  / (?=(?:FROM ["`(]|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|FETCH FIRST|OFFSET|VALUES|ON CONFLICT|ON DUPLICATE|SET ["`]|RETURNING ["`]|LEFT JOIN|(?<!LEFT )JOIN) ?)/g;

/** What a part of a program prints and sends. */
interface Part {
  text: string;
  sql: string;
}

/** Runs the program of a page; its parts by the indexes of their blocks. */
async function run(page: Page): Promise<ReadonlyMap<number, Part>> {
  const parts = new Map<number, Part>();
  let lines: string[] = [];
  let statements: Sent[] = [];
  const took = {
    console: { log: (...args: unknown[]) => void lines.push(format(...args)) },
    sqlite: (handle: unknown) => mirrored(handle, (sent) => void statements.push(sent)),
    on: (off: () => void) => {
      offs.push(off);
      return off;
    },
    end(index: number) {
      parts.set(index, { text: lines.join("\n"), sql: shown(statements) });
      lines = [];
      statements = [];
    },
  };
  const key = `page ${page.name}`;
  Object.assign(globalThis, { [key]: took });
  const own = join(folder, page.name.replaceAll(/\W/g, "-"));
  mkdirSync(own);
  const withSql = page.blocks.some(({ language }) => language === "sql");
  const prelude = `const $page = globalThis[${JSON.stringify(key)}]; const { console } = $page;\n`;
  for (const [name, body] of filesOf(page, (index) => `;$page.end(${index});`)) {
    const page = `globalThis[${JSON.stringify(key)}]`;
    const mirrorable = body
      .replace(
        /^import \{ sqlite \} from "rowtype\/sqlite";$/m,
        withSql ? `const { sqlite } = ${page};` : "$&",
      )
      .replace(
        /^(import \{.*)\bon(?: as (\w+))?\b(.*\} from "rowtype(?:\/http)?";)$/gm,
        (_, before: string, name = "on", after: string) =>
          `${before}on as $${name}${after} const ${name} = (...given) => ${page}.on($${name}(...given));`,
      );
    writeFileSync(join(own, name), name === "page.ts" ? prelude + mirrorable : mirrorable);
  }
  await import(join(own, "page.ts"));
  return parts;
}

/** The SQL of some calls, a heading for each dialect; calls that sent the same are shown once. */
function shown(calls: readonly Sent[]): string {
  const texts = Object.entries(titles).map(([dialect, title]) => {
    const all = calls.flatMap((sent) => sent[dialect as keyof typeof titles]);
    return [`-- ${title}`, ...[...new Set(all)].map(laidOut)].join("\n");
  });
  return texts.join("\n");
}

/** A statement with a line for each clause; one that has lines of its own keeps them. */
function laidOut(sql: string): string {
  if (sql.startsWith("--")) return sql;
  return `${sql.includes("\n") ? sql : sql.replaceAll(clause, "\n  ")}${sql.endsWith(";") ? "" : ";"}`;
}

const { ROWTYPE_WRITE_DOCS: write } = process.env;
const runs = (page: Page) => page.blocks.some(({ kind }) => kind === "run");

describe.each(pageNames())("docs/%s", (name) => {
  const page = readPage(name);

  test("prints and sends what stands on the page", async () => {
    const parts = runs(page) ? await run(page) : new Map<number, Part>();
    let found: Part | undefined;
    let { text } = page;
    // From the end, so that the places of the blocks before stay what they are.
    const outputs = page.blocks.flatMap((block, index) => {
      if (block.language === "ts") found = block.kind === "run" ? parts.get(index) : undefined;
      const isOutput = block.language === "text" || block.language === "sql";
      return isOutput && block.kind !== "by hand" ? [{ block, found }] : [];
    });
    for (const { block, found } of outputs.reverse()) {
      if (found === undefined) throw new Error(`a ${block.language} block stands below no program that runs`);
      const body = `${found[block.language as keyof Part]}\n`;
      if (write === "1") text = text.slice(0, block.start) + body + text.slice(block.end);
      else expect(block.body).toBe(body);
    }
    if (text !== page.text) writeFileSync(page.path, text);
  });
});

// One program of all pages; it sees the package as users do, by its declarations in `dist`.
describe("the code of the pages", () => {
  const compiled = join(folder, "compiled");
  mkdirSync(compiled);
  const write = (name: string, files: ReadonlyMap<string, string>) => {
    const own = join(compiled, name.replaceAll(/\W/g, "-"));
    mkdirSync(own);
    for (const [file, body] of files) writeFileSync(join(own, file), `// docs/${name}\n${body}`);
  };
  for (const name of pageNames()) write(name, filesOf(readPage(name)));
  for (const name of referenceNames()) write(name, modulesOf(readPage(name)));
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "ES2023",
    module: "NodeNext",
    types: ["node"],
    skipLibCheck: true,
  };
  // The types of the oldest Node do not know the module. `npm run test:package` compiles with those that do.
  writeFileSync(
    join(compiled, "node-sqlite.d.ts"),
    `declare module "node:sqlite" {
  export const DatabaseSync: new (path: string) => import("rowtype/sqlite").NodeSqliteHandle;
}
`,
  );
  const include = ["*.d.ts", "*/*.ts"];
  writeFileSync(join(compiled, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));

  // The newest is the fastest; the oldest takes as long as all other tests of the pages.
  const compilers =
    process.env["ROWTYPE_COMPILERS"] === "all" ? ["typescript59", "typescript7"] : ["typescript7"];
  test.each(compilers)("compiles with %s", (compiler) => {
    const program = createRequire(import.meta.url)
      .resolve(`${compiler}/package.json`)
      .replace(/package.json$/, "bin/tsc");
    const said = attempt(() =>
      execFileSync(process.execPath, [program, "-p", compiled], { encoding: "utf8" }),
    );
    expect(said).toBe("");
  });
});

/** What a compiler says, whether it fails or not. */
function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout ?? error);
  }
}
