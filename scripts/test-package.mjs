// Tests the package as users get it: packed, checked by publint and are-the-types-wrong, installed into a bare
// project; every subpath is imported and compiled there, and must not load packages of other families.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesOf, linksOf, pageNames, readPage } from "./doc-pages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const subpaths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
const specifiers = subpaths.map((path) => path.replace(/^\./, "rowtype"));

// The packages that a subpath must not load: those of other families.
const web = ["express", "yaml"];
const drivers = ["pg", "postgres", "@electric-sql/pglite", "mysql2", "better-sqlite3", "oracledb"];
const foreign = {
  rowtype: [...web, ...drivers],
  "rowtype/table": [...web, ...drivers],
  "rowtype/postgres": [...web, ...drivers],
  "rowtype/mariadb": [...web, ...drivers],
  "rowtype/sqlite": [...web, ...drivers],
  "rowtype/oracle": [...web, ...drivers],
  "rowtype/migrate": [...web, ...drivers],
  "rowtype/driver": [...web, ...drivers],
  "rowtype/driver/test": [...web, ...drivers],
  "rowtype/testing": [...web, ...drivers],
  "rowtype/http": drivers,
  "rowtype/http/client": ["zod", "jose", ...web, ...drivers],
  "rowtype/http/jwt": [...web, ...drivers],
  "rowtype/http/oauth": [...web, ...drivers],
  "rowtype/http/session": [...web, ...drivers],
  "rowtype/http/session/sql": [...web, ...drivers],
  "rowtype/http/sql": [...web, ...drivers],
  "rowtype/http/testing": drivers,
  "rowtype/http/wire": ["jose", ...web, ...drivers],
  "rowtype/openapi": ["zod", "express", ...drivers],
};

let failed = 0;
function check(name, run) {
  try {
    run();
    console.log(`package: ${name}: passed`);
  } catch (error) {
    failed++;
    console.log(`package: ${name}: FAILED\n${error.stdout ?? ""}${error.stderr ?? ""}${error.message}`);
  }
}
const exec = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe" });

const folder = mkdtempSync(join(tmpdir(), "rowtype-package-"));
try {
  const [{ filename, unpackedSize }] = JSON.parse(
    exec("npm", ["pack", "--json", "--pack-destination", folder], root),
  );
  const tarball = join(folder, filename);
  console.log(`package: ${filename}, ${(unpackedSize / 1024).toFixed(0)} KiB unpacked`);

  check("publint finds nothing", () => exec("npx", ["--no-install", "publint", "--strict", tarball], root));
  check("are-the-types-wrong finds nothing", () =>
    exec("npx", ["--no-install", "attw", tarball, "--profile", "esm-only"], root),
  );

  const project = join(folder, "project");
  const { zod, express, "@types/express": expressTypes, "@types/node": nodeTypes } = manifest.devDependencies;
  cpSync(join(root, "scripts", "bare-project"), project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  check("installs into a bare project", () =>
    exec(
      "npm",
      [
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        tarball,
        `zod@${zod}`,
        `express@${express}`,
        `@types/express@${expressTypes}`,
        `@types/node@${nodeTypes}`,
      ],
      project,
    ),
  );

  for (const specifier of specifiers)
    check(`${specifier} loads, and nothing of another family`, () => {
      const loaded = exec(process.execPath, ["loaded.mjs", specifier], project).trim().split("\n");
      const wrong = (foreign[specifier] ?? []).filter((name) => loaded.includes(name));
      if (foreign[specifier] === undefined)
        throw new Error("this subpath is not in the list of what may be loaded");
      if (wrong.length > 0) throw new Error(`it loads ${wrong.join(", ")}`);
    });

  // What a browser loads of each subpath; `test/sql/declare/table-browser.test.ts` reads the list too.
  const inBrowsers = Object.entries(
    JSON.parse(readFileSync(new URL("browser-modules.json", import.meta.url), "utf8")),
  );
  const isOneOf = (modules, name) =>
    modules.includes(name) || modules.includes(name.replace(/\/[^/]+$/, "/*"));
  // A file of `dist` says before the code of each module from which source it is.
  const modulesOf = (file) => {
    const [, name, path] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(file) ?? [undefined, file, ""];
    if (name !== "rowtype") return [name];
    const modules = readFileSync(join(project, "node_modules", name, path), "utf8").matchAll(
      /^\/\/ src\/(.+)\.ts$/gm,
    );
    return [...modules].map(([, module]) => `rowtype:${module}`);
  };
  for (const [specifier, expected] of inBrowsers)
    check(`${specifier} is bundled for browsers without a module of Node or anything of the server`, () => {
      const { metafile } = require("esbuild").buildSync({
        stdin: { contents: `export * from "${specifier}";`, resolveDir: project },
        bundle: true,
        // A `node:` module in the graph is an error on this platform.
        platform: "browser",
        write: false,
        metafile: true,
      });
      const files = Object.keys(metafile.inputs).filter((file) => file !== "<stdin>");
      const modules = files.flatMap(modulesOf);
      const others = modules.filter((name) => !isOneOf(expected, name.replace(/^rowtype:/, "")));
      if (modules.length < 5 || others.length > 0)
        throw new Error(`it holds ${others.join(", ") || "nothing"}`);
    });

  check("every relative link of README and docs leads to something in the package", () => {
    const inside = join(project, "node_modules", "rowtype");
    const pages = readdirSync(join(inside, "docs"), { recursive: true }).filter((name) =>
      name.endsWith(".md"),
    );
    const texts = [
      "README.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      ...pages.map((name) => join("docs", name)),
    ];
    const links = texts.flatMap((name) =>
      linksOf(readFileSync(join(inside, name), "utf8")).map((target) => [name, target.replace(/#.*/, "")]),
    );
    const relative = links.filter(([, target]) => target !== "");
    const broken = relative.filter(([name, target]) => !existsSync(join(inside, dirname(name), target)));
    if (relative.length < 5 || broken.length > 0) throw new Error(`broken: ${JSON.stringify(broken)}`);
  });

  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  // A package of an install line at the version that this project is tested with.
  const tested = (name) => {
    const version = manifest.devDependencies[name] ?? manifest.peerDependencies[name];
    if (version === undefined) throw new Error(`package.json gives no version of ${name}`);
    return `${name}@${version}`;
  };
  // A project of its own with exactly the packages of an install line, which compiles a program and runs what it gives.
  const follow = (name, install, code, more = []) => {
    const own = join(folder, name);
    mkdirSync(own);
    writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const packages = install
      .trim()
      .split(/\s+/)
      .map((wanted) => (wanted === "rowtype" ? tarball : /.@/.test(wanted) ? wanted : tested(wanted)));
    exec("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], own);
    writeFileSync(join(own, "program.ts"), code);
    const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
    const options = "--strict --target ES2023 --module NodeNext --moduleResolution NodeNext".split(" ");
    exec(process.execPath, [compiler, ...options, ...more, "program.ts"], own);
    return own;
  };

  const [, install] = /npm install (rowtype [^#\n]+)/.exec(readme) ?? [];
  const [, more, line] =
    /On Node 20: `npm install ([^`]+)` too, and the first line is `([^`]+)`/.exec(readme) ?? [];
  const [program = ""] = blocks;
  // Unlike the README's program, it ends, and uses a free port.
  const ended = `${program.replace("HostLoopback, 3000", "HostLoopback, 0")}\nawait api.shutdown();\n`;
  check("the README's install line and program are enough on Node 20: it compiles and runs", () => {
    if (install === undefined || more === undefined)
      throw new Error("the README has no install line, or none for Node 20");
    if (program.trim().split("\n").length > 40)
      throw new Error("the README's program is longer than 40 lines");
    const own = follow("readme", `${install} ${more}`, ended.replace(/^.*\n/, `${line}\n`));
    // Uses the binary of this machine, because building it takes a minute.
    const binary = join("node_modules", "better-sqlite3", "build");
    cpSync(join(root, binary), join(own, binary), { recursive: true, dereference: true });
    const said = exec(process.execPath, ["program.js"], own);
    if (said !== "NOT_FOUND 1\n") throw new Error(said);
  });
  check("the README's program runs as it stands on Node 24, without a native module", () => {
    const own = follow("readme-24", (install ?? "").replace("@types/node", "@types/node@24"), ended);
    const said = exec(
      "npx",
      ["-y", "-p", "node@24", "node", "--disable-warning=ExperimentalWarning", "program.js"],
      own,
    );
    if (said !== "NOT_FOUND 1\n") throw new Error(said);
  });

  // The rows of the table of clients whose client is installed; those of a runtime need its types.
  const rows = [...readme.matchAll(/^\|[^|\n]*\| ([^|\n]+) \| `([^`|\n]+)` \| `(\w+)(\([^`\n]+\))` \|$/gm)];
  const clients = {
    "better-sqlite3": 'import Database from "better-sqlite3"',
    pg: 'import pg from "pg"',
    postgres: 'import postgresJs from "postgres"',
    "@electric-sql/pglite": 'import { PGlite } from "@electric-sql/pglite"',
    mysql2: 'import mysql from "mysql2/promise"',
    oracledb: 'import oracledb from "oracledb"',
  };
  check("the README has a row for each client that is installed", () => {
    const named = rows.map(([, , packages]) => packages.split(" ")[0]);
    if (named.join() !== Object.keys(clients).join()) throw new Error(`it has ${named.join(", ")}`);
  });
  for (const [, client, packages, dialect, handle] of rows) {
    const [name] = packages.split(" ");
    check(`the README's database over ${client} compiles with what it installs`, () => {
      const code = [
        clients[name],
        `import { ${dialect} } from "rowtype/${dialect}"`,
        "declare const connectionString: string, connectString: string, url: string, user: string, password: string",
        `export const db = ${dialect}${handle}`,
      ];
      // PGlite's own declarations need those of Emscripten. Those of postgres.js do not say that they need Node's, which
      // TypeScript 6 reads where a project names them.
      const more = { "@electric-sql/pglite": ["--skipLibCheck"], postgres: ["--types", "node"] }[name];
      follow(name.replace(/\W/g, ""), `rowtype zod ${packages}`, `${code.join(";\n")};\n`, more);
    });
  }

  // What a reader does: install what the page says, write its blocks into files, run them, compare what they print.
  const guide = join(folder, "guide");
  mkdirSync(guide);
  const pages = pageNames().filter((name) => name.startsWith("guide/"));
  const installs = (name) =>
    readPage(name)
      .blocks.filter(({ language }) => language === "sh")
      .flatMap(({ body }) => [...body.matchAll(/^npm install (?:-D )?([^#\n]+)/gm)])
      .flatMap(([, packages]) => packages.trim().split(/\s+/));
  const everybody = installs("guide/start.md");
  check("the packages of the guide install", () => {
    const wanted = new Set([...pages.flatMap(installs), ...everybody]);
    wanted.delete("rowtype");
    writeFileSync(join(guide, "package.json"), JSON.stringify({ private: true, type: "module" }));
    exec(
      "npm",
      ["install", "--no-audit", "--no-fund", "--ignore-scripts", tarball, ...[...wanted].map(tested)],
      guide,
    );
    const binary = join("node_modules", "better-sqlite3", "build");
    cpSync(join(root, binary), join(guide, binary), { recursive: true, dereference: true });
  });
  for (const name of pages)
    check(`docs/${name} can be followed with what it installs`, () => {
      const page = readPage(name);
      const own = join(guide, name.slice("guide/".length, -".md".length));
      mkdirSync(own);
      const files = filesOf({ name, blocks: page.blocks.filter(({ kind }) => kind !== "compile") });
      for (const [file, code] of files) writeFileSync(join(own, file), code);
      const installed = [...everybody, ...installs(name)];
      const code = page.blocks
        .filter(({ language }) => language === "ts")
        .map(({ body }) => body)
        .join("\n");
      for (const [, wanted] of code.matchAll(/^import [^;]*?from "((?:@[^/"]+\/)?[^./"][^/"]*)/gm))
        if (!wanted.startsWith("node:") && !installed.includes(wanted))
          throw new Error(`it imports "${wanted}", which it does not install`);
      if (/"rowtype\/http"/.test(code) && !installed.includes("express"))
        throw new Error("it imports rowtype/http and does not install express");
      const printed = page.blocks.filter(({ language }) => language === "text").map(({ body }) => body);
      const said = exec(
        process.execPath,
        [join(guide, "node_modules", "tsx", "dist", "cli.mjs"), "page.ts"],
        own,
      );
      if (said.trim() !== printed.join("").trim()) throw new Error(`it prints\n${said}`);
    });

  check("a program written from the README runs", () => {
    const result = exec(process.execPath, ["program.mjs"], project);
    if (!result.includes("all well")) throw new Error(result);
  });

  for (const name of ["typescript59", "typescript", "typescript7"]) {
    const { version } = require(`${name}/package.json`);
    check(`compiles under TypeScript ${version}, declarations included`, () => {
      const compiler = join(dirname(require.resolve(`${name}/package.json`)), "bin", "tsc");
      const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
      if (status !== 0) throw new Error(stdout);
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
