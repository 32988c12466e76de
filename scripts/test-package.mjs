// The package as users get it: packed, judged by publint and are-the-types-wrong, installed into a bare project,
// every subpath imported there and compiled there, and nothing loaded that a subpath has no business with.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const subpaths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
const specifiers = subpaths.map((path) => path.replace(/^\./, "rowtype"));

// What a subpath must not load: the packages of other families.
const web = ["express", "yaml"];
const drivers = ["pg", "mysql2", "better-sqlite3", "oracledb"];
const foreign = {
  rowtype: [...web, ...drivers],
  "rowtype/table": [...web, ...drivers],
  "rowtype/postgres": [...web, ...drivers],
  "rowtype/mariadb": [...web, ...drivers],
  "rowtype/sqlite": [...web, ...drivers],
  "rowtype/oracle": [...web, ...drivers],
  "rowtype/testing": [...web, ...drivers],
  "rowtype/http": drivers,
  "rowtype/http/client": ["zod", "jose", ...web, ...drivers],
  "rowtype/http/jwt": [...web, ...drivers],
  "rowtype/http/oauth": [...web, ...drivers],
  "rowtype/http/session": [...web, ...drivers],
  "rowtype/http/session/sql": [...web, ...drivers],
  "rowtype/http/sql": [...web, ...drivers],
  "rowtype/http/testing": drivers,
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

  const inBrowsers = [
    ["rowtype/http/client", /\/node_modules\/rowtype\/dist\/(?:http\/client\/[^/]+|core\/errors)\.js$/],
    [
      "rowtype/table",
      /\/node_modules\/(?:zod\/.+|rowtype\/dist\/(?:table|core\/errors|schema\/[^/]+|sql\/(?:column|table|storage|errors)|sql\/ddl\/(?:reference|index-name)))\.js$/,
    ],
  ];
  for (const [specifier, expected] of inBrowsers)
    check(`${specifier} is bundled for browsers without a module of Node or anything of the server`, () => {
      const { metafile } = require("esbuild").buildSync({
        stdin: { contents: `export * from "${specifier}";`, resolveDir: project },
        bundle: true,
        // A `node:` module in the graph is an error of this platform.
        platform: "browser",
        write: false,
        metafile: true,
      });
      const files = Object.keys(metafile.inputs).filter((file) => file !== "<stdin>");
      const others = files.filter((file) => !expected.test(file));
      if (files.length === 0 || others.length > 0)
        throw new Error(`it holds ${others.join(", ") || "nothing"}`);
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
