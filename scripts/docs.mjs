// Builds the site in `site`: the pages of `docs`, and the reference from the docstrings of what the subpaths export.
// An export without a sentence, and a link that leads nowhere, is a failure. `--check` builds nothing.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter, ReflectionKind } from "typedoc";
import { httpPeers, linksOf, sqlPeers, withoutBlocks } from "./doc-pages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// The files that the subpaths are built from, and the subpaths by what TypeDoc calls these: src/http for src/http/index.ts.
const doors = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === "string"
    ? []
    : [[subpath.replace(/^\./, "rowtype"), target.default.replace("./dist/", "src/")]],
);
const entryPoints = doors.map(([, file]) => join(root, file.replace(/\.js$/, ".ts")));
const subpaths = new Map(doors.map(([subpath, file]) => [file.replace(/(\/index)?\.js$/, ""), subpath]));

const listed = (folder, names) => names.map((name) => join(root, "docs", folder, `${name}.md`));
const groups = {
  Guide: listed("guide", [
    ...[
      "start",
      "read",
      "search",
      "write",
      "order-with-lines",
      "rules",
      "several-tables",
      "reports",
      "money",
      "json",
      "vectors",
    ],
    ...[
      "transactions",
      "jobs",
      "tenants",
      "testing",
      "migrations",
      "api",
      "errors",
      "identity",
      "files",
      "streams",
    ],
    ...["browser", "operating", "types"],
  ]),
  "Coming from": listed("coming-from", [...sqlPeers, ...httpPeers]),
  "By topic": listed("", [
    ...["sql", "expression-tasks", "expressions", "relations", "values", "migrations", "migrations-compared"],
    ...["existing-database", "operations"],
    ...["http", "streams", "sessions", "openapi", "errors"],
  ]),
  Project: [
    ...listed("", ["why", "architecture"]),
    ...["CHANGELOG.md", "CONTRIBUTING.md"].map((name) => join(root, name)),
  ],
};
const pages = Object.values(groups).flat();
const groupOf = new Map(
  Object.entries(groups).flatMap(([group, files]) => files.map((file) => [file, group])),
);

const app = await Application.bootstrap({
  name: "rowtype",
  entryPoints,
  tsconfig: join(root, "tsconfig.json"),
  basePath: root,
  readme: join(root, "README.md"),
  projectDocuments: pages,
  out: join(root, "site"),
  // The compiler checks the sources elsewhere; links to lines need a public repository.
  skipErrorChecking: true,
  disableSources: true,
  excludePrivate: true,
  excludeExternals: true,
  sortEntryPoints: false,
  sort: ["alphabetical-ignoring-documents"],
  navigation: { includeGroups: true, compactFolders: false, includeFolders: false },
  groupOrder: [...Object.keys(groups), "*"],
  headings: { readme: false, document: false },
  validation: {
    notExported: false,
    invalidLink: true,
    invalidPath: false,
    rewrittenLink: false,
    notDocumented: false,
  },
  customCss: join(root, "scripts", "site.css"),
  highlightLanguages: ["typescript", "javascript", "json", "sql", "shellscript", "http", "prisma"],
  ignoredHighlightLanguages: ["text"],
  searchInComments: true,
  searchInDocuments: true,
});

// A page is called by its heading and stands in its group; a subpath is called as it is imported.
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
  const file = join(root, `${document.name}.md`);
  document.frontmatter.group = groupOf.get(file);
  document.name = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? document.name;
});
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getChildrenByKind(ReflectionKind.Module))
    module.name = subpaths.get(module.name) ?? module.name;
});

const project = await app.convert();
if (project === undefined) process.exit(1);
const bare = [];
const broken = [];
for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
  for (const reflection of module.children ?? []) {
    // A function has its sentence at its signatures.
    const said = [
      reflection,
      ...(reflection.signatures ?? []),
      ...(reflection.type?.declaration?.signatures ?? []),
    ];
    if (!reflection.isReference() && !said.some((one) => one.hasComment()))
      bare.push(`${module.name}: ${reflection.name}`);
  }
}
for (const name of bare) console.error(`docs: ${name} has no sentence`);
for (const file of [join(root, "README.md"), ...pages])
  for (const target of brokenLinks(file)) broken.push(`${relative(root, file)}: ${target}`);
for (const link of broken) console.error(`docs: ${link} leads nowhere`);
app.validate(project);
if (!process.argv.includes("--check")) await app.generateOutputs(project);
process.exitCode =
  bare.length + broken.length > 0 || app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0;

/** The relative links of a page to what is not there: a file, a folder, or a heading of a page. */
function brokenLinks(file) {
  return linksOf(readFileSync(file, "utf8")).filter((target) => {
    const [path, anchor] = target.split("#");
    const place = path === "" ? file : join(dirname(file), path);
    return !existsSync(place) || (anchor !== undefined && !anchorsOf(place).has(anchor));
  });
}

// As code hosts make them: lower case, without punctuation, blanks as hyphens.
function anchorsOf(page) {
  const headings = [...withoutBlocks(readFileSync(page, "utf8")).matchAll(/^#+ (.+)$/gm)];
  return new Set(
    headings.map(([, text]) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
