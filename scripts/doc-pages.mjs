/**
 * Reads the code of a documentation page. The word behind the language of a block says what it is:
 * `ts run` is a part of the program of the page, `ts compile` uses that program and is only compiled,
 * `ts file=NAME.ts` is a file beside it, `ts kysely` a part of the program in which another library does the same.
 * A `text` block is what the `ts run` block before it prints, an `sql` block
 * what it sends, unless it is written `by hand`. `test/docs` compiles the programs, and runs them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const docs = join(dirname(fileURLToPath(import.meta.url)), "..", "docs");
const fenced = /^```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm;

/** The libraries whose programs stand beside ours, by the names of their pages in `docs/coming-from`. */
export const sqlPeers = ["kysely", "drizzle", "prisma", "knex"];
export const httpPeers = ["trpc", "hono", "fastify", "express"];
const peers = [...sqlPeers, ...httpPeers];

/** The pages whose blocks all say what they are, by their path below `docs`. */
export const pageNames = () => ["why.md", ...pagesIn("coming-from"), ...pagesIn("guide")];

/** The reference pages, whose blocks are parts of programs: what they do not show stands in a block `ts context`. */
export const referenceNames = () =>
  [
    "../README",
    "sql",
    "expressions",
    "expression-tasks",
    "relations",
    "http",
    "values",
    "operations",
    "streams",
    "sessions",
    "openapi",
    "migrations",
    "existing-database",
  ].map((name) => `${name}.md`);

const pagesIn = (folder) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `${folder}/${name}`);

/** The blocks of a page, in order, with where their bodies begin and end in its text. */
export function readPage(name) {
  const path = join(docs, name);
  const text = readFileSync(path, "utf8");
  const blocks = [...text.matchAll(fenced)].map((found) => {
    const [, language, kind = "", body] = found;
    const start = found.index + found[0].indexOf("\n") + 1;
    return { language, kind, body, start, end: start + body.length };
  });
  return { name, path, text, blocks };
}

/** The targets of the relative links of a page, outside of its code. */
export function linksOf(text) {
  const prose = withoutBlocks(text).replace(/`[^`\n]*`/g, "code");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** A page without its blocks of code. */
export function withoutBlocks(text) {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, "");
}

/**
 * The files of a page: its program, and those that it names. `between` is written behind each part that runs; `parts`
 * is what the parts of the program are: ours, or those of another library.
 */
export function filesOf({ name, blocks }, between = () => "", parts = "run") {
  const files = new Map();
  const program = [];
  for (const [index, { language, kind, body }] of blocks.entries()) {
    if (language !== "ts") continue;
    if (peers.includes(kind) || parts !== "run") {
      if (kind === parts) program.push(body, between(index));
    } else if (kind.startsWith("file=")) files.set(kind.slice("file=".length), body);
    else if (kind === "run") program.push(body, between(index));
    else if (kind === "compile") program.push(compiledOnly(body, index));
    else
      throw new Error(`${name}: a block of TypeScript must be "run", "compile" or "file=…", not "${kind}"`);
  }
  if (program.length > 0) files.set("page.ts", `${program.join("\n")}\nexport {};\n`);
  return files;
}

/**
 * The files of a reference page, one for each block. A block is given each name that it uses and does not declare: from
 * the last block before it that declares it, or from the block `ts context`.
 */
export function modulesOf({ name, blocks }) {
  const files = new Map();
  const known = new Map();
  for (const [index, { language, kind, body }] of blocks.entries()) {
    if (language !== "ts") continue;
    if (kind !== "" && kind !== "context" && !kind.startsWith("file="))
      throw new Error(
        `${name}: a block of TypeScript must have no kind, or be "context" or "file=…", not "${kind}"`,
      );
    const file = kind.startsWith("file=") ? kind.slice("file=".length) : `${kind || "block"}-${index}.ts`;
    const { own, exported } = namesOf(body);
    const given = [...known].filter(([used]) => !own.has(used) && new RegExp(`\\b${used}\\b`).test(body));
    const imports = given.map(
      ([used, from]) => `import { ${used} } from "./${from.replace(/ts$/, "js")}";\n`,
    );
    const hidden = [...own].filter((declared) => !exported.has(declared));
    const exports = kind === "context" ? "" : `\nexport { ${hidden.join(", ")} };\n`;
    files.set(file, imports.join("") + body + exports);
    for (const declared of kind === "context" ? exported : own) known.set(declared, file);
  }
  return files;
}

// The names that stand at the top of a module: declared or imported ones, and those that it exports.
function namesOf(body) {
  const own = new Set();
  const exported = new Set();
  const declaration =
    /^(export )?(?:const|let|function|async function|class|type|interface) (?:\{([^}]*)\}|(\w+))/gm;
  for (const [, isExported, several, one] of body.matchAll(declaration))
    for (const name of several === undefined ? [one] : localNames(several)) {
      own.add(name);
      if (isExported !== undefined) exported.add(name);
    }
  for (const [, word, several] of body.matchAll(/^(import|export)(?: type)? \{([^}]*)\}/gm))
    for (const name of localNames(several)) {
      own.add(name);
      if (word === "export") exported.add(name);
    }
  for (const [, name] of body.matchAll(/^import (\w+) from/gm)) own.add(name);
  return { own, exported };
}

// "a, type b, c as d, e: f, g = 1": the names by which they are known in the module.
const localNames = (list) =>
  list
    .split(",")
    .map(
      (item) =>
        item
          .replace(/ = .*/, "")
          .trim()
          .split(/ as |: |^type /)
          .at(-1) ?? "",
    )
    .filter((item) => item !== "");

// Its imports stand at the top of the program; the rest is a function that is never called.
function compiledOnly(body, index) {
  const imports = body.match(/^import [\s\S]*?;$/gm) ?? [];
  const rest = body
    .replaceAll(/^import [\s\S]*?;$/gm, "")
    .replaceAll(/^export (?=const|function|type|interface)/gm, "");
  return `${imports.join("\n")}\nexport async function block${index}() {\n${rest}\n}`;
}
