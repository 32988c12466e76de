/**
 * The type benchmark of routes: the compile cost of a program of 100, 300 and 1,000 routes in addition to its
 * bare Zod schemas, compared with the same program in other frameworks. Run by `npm run bench http-types`; `npm
 * ci --prefix bench/peers` installs Fastify and Hono, `npm ci --prefix bench/peers/express-zod-api` installs
 * express-zod-api. Instantiations are exact; milliseconds are CPU time of the process, the minimum over
 * interleaved rounds.
 */
import { rmSync } from "node:fs";
import { clientPrograms } from "./compiler/client-type-cost.mjs";
import { httpLibraries, httpSourcesOf, isInstalledHttp } from "./compiler/http-type-sources.mjs";
import { compileProgram, compilers, least, print, writeProgram } from "./compiler/type-program.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const COUNTS = [100, 300, 1_000];

function generate(library) {
  const files = {};
  const projects = {};
  for (const count of COUNTS.filter((count) => count <= (library.most ?? count))) {
    const { floor, routes } = httpSourcesOf(library, count);
    Object.assign(files, floor, routes);
    projects[`floor${count}`] = Object.keys(floor);
    projects[`routes${count}`] = Object.keys(routes);
  }
  writeProgram(library.folder, files, projects);
}

/**
 * The cost of a route in addition to its schemas, for each number of routes; the compiler's error if it does not
 * compile.
 */
function measure(compiler, measured, count) {
  const rounds = new Map(measured.map((library) => [library, { floor: [], routes: [] }]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [library, figures] of rounds)
      for (const kind of ["floor", "routes"]) {
        if (figures.refused !== undefined) continue;
        try {
          figures[kind].push(compileProgram(compiler, library.folder, `${kind}${count}`));
        } catch (error) {
          if (library.installed === undefined) throw error;
          figures.refused = /TS\d+/.exec(error.message)?.[0] ?? "not compiled";
        }
      }
  return rounds;
}

/** What a client that calls all routes costs over their engine, for a route; each compiler with its own number of checkers. */
function printClientCost(folder) {
  const { served, called, routes } = clientPrograms();
  writeProgram(folder, called, { served: Object.keys(served), called: Object.keys(called) });
  const costOf = (compiler) => {
    const [without, all] = ["served", "called"].map((one) => compileProgram(compiler, folder, one));
    return Math.round((all.instantiations - without.instantiations) / routes);
  };
  print([
    [`a call of a client of ${routes} routes, in eight files`, "instantiations a route"],
    ...compilers.map((one) => [`TypeScript ${one.version}`, costOf(one).toLocaleString("en")]),
  ]);
  rmSync(folder, { recursive: true, force: true });
}

const measured = httpLibraries.filter(isInstalledHttp);
printClientCost(`${httpLibraries[0].folder}-client`);
for (const library of measured) generate(library);

for (const compiler of compilers) {
  const head = [`TypeScript ${compiler.version}, a route over its Zod schemas`];
  const rows = new Map(httpLibraries.map((library) => [library, [library.name]]));
  for (const count of COUNTS) {
    head.push(`${count} routes`, "ms");
    const figures = measure(
      compiler,
      measured.filter(({ most = count }) => count <= most),
      count,
    );
    for (const [library, row] of rows) {
      const {
        floor = [],
        routes = [],
        refused,
      } = figures.get(library) ?? {
        refused: isInstalledHttp(library) ? "not measured" : "not installed",
      };
      if (refused !== undefined) {
        row.push(refused, "");
        continue;
      }
      const per = (key) => (least(routes, key) - least(floor, key)) / count;
      row.push(Math.round(per("instantiations")).toLocaleString("en"), (per("cpu") * 1_000).toFixed(1));
    }
  }
  print([head, ...rows.values()]);
}
for (const library of measured) rmSync(library.folder, { recursive: true, force: true });
