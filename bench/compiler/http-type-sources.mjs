/**
 * The sources that the type benchmark of routes compiles, written once for each library: routes with their own
 * schemas for path, body and output, whose functions read parameters, body and identity and return the output.
 * No property name occurs in two routes, so no cost of one route is saved by the next.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The number of routes in a file, as in applications. TypeScript 7 distributes files over independent checkers,
// so its figures depend on the file size.
const PER_FILE = 25;

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const peers = join(bench, "peers");

const schemas = (n) =>
  `export const Path${n} = z.object({ id${n}: z.int() });\n` +
  `export const Body${n} = z.object({ name${n}: z.string().min(1), email${n}: z.email(), ` +
  `role${n}: z.enum(["admin", "member"]) });\n` +
  `export const Output${n} = z.object({ id${n}: z.int(), name${n}: z.string(), email${n}: z.email(), ` +
  `role${n}: z.enum(["admin", "member"]) });\n`;

const output = (n, { path, body }) =>
  `({ id${n}: ${path}.id${n}, name${n}: ${body}.name${n}, email${n}: ${body}.email${n}, role${n}: ${body}.role${n} })`;

const parts = { path: "params.path", body: "body" };

const rowtype = {
  name: "rowtype",
  folder: join(bench, ".generated", "http-rowtype"),
  shared: `export { createEngine, NotFound, POST } from "rowtype/http";\n`,
  imports: `import { NotFound, POST } from "./shared.js";\n`,
  route: (n) =>
    `export const route${n} = POST("/items${n}/{id${n}}", { path: Path${n}, body: Body${n}, ` +
    `output: Output${n}, errors: [NotFound], authentication: true }, ` +
    `({ params, body, identity }) => identity.id === "" ? NotFound : ${output(n, parts)});\n`,
  app: (routes) =>
    `import { createEngine } from "./shared.js";\n` +
    `export const api = createEngine().withHandlers(${routes.join(", ")});\n`,
};

/**
 * The libraries, the floor first. `shared` is a file that loads the library, `imports` the start of a file of
 * routes, `route` one statement that exports `route{n}`, `app` the statement that registers the routes, `most`
 * the maximum number of measured routes.
 */
export const httpLibraries = [
  {
    // The minimum for any library: three schemas and their types.
    name: "functions by hand",
    folder: join(bench, ".generated", "http-by-hand"),
    shared: "",
    imports: "",
    route: (n) =>
      `export const route${n} = ({ params, body, identity }: { params: { path: z.output<typeof Path${n}> }; ` +
      `body: z.output<typeof Body${n}>; identity: { id: string } }): z.output<typeof Output${n}> | undefined => ` +
      `identity.id === "" ? undefined : ${output(n, parts)};\n`,
    app: (routes) => `export const api = [${routes.join(", ")}];\n`,
  },
  rowtype,
  {
    ...rowtype,
    name: "rowtype, its client included",
    folder: join(bench, ".generated", "http-rowtype-client"),
    shared: `${rowtype.shared}export { createClient } from "rowtype/http/client";\n`,
    app: (routes) =>
      `import { createClient } from "./shared.js";\n${rowtype.app(routes)}` +
      `export const client = createClient<typeof api>("/api");\n` +
      `const made = await client.POST("/items0/{id0}", ` +
      `{ path: { id0: 1 }, body: { name0: "a", email0: "a@example.org", role0: "admin" } });\n` +
      `export const name: string = made.ok ? made.data.name0 : made.error.code;\n`,
  },
  {
    name: "fastify-type-provider-zod",
    folder: join(peers, ".generated", "http-fastify"),
    installed: join(peers, "node_modules", "fastify-type-provider-zod"),
    shared:
      `import { fastify } from "fastify";\nimport type { ZodTypeProvider } from "fastify-type-provider-zod";\n` +
      `declare module "fastify" { interface FastifyRequest { identity: { id: string } } }\n` +
      `export const app = fastify().withTypeProvider<ZodTypeProvider>();\n`,
    imports: `import { app } from "./shared.js";\nconst Missing = z.object({ code: z.string() });\n`,
    route: (n) =>
      `export const route${n} = app.post("/items${n}/:id${n}", { schema: { params: Path${n}, body: Body${n}, ` +
      `response: { 200: Output${n}, 404: Missing } } }, async ({ params, body, identity }, reply) => ` +
      `identity.id === "" ? reply.code(404).send({ code: "NOT_FOUND" }) : ` +
      `${output(n, { ...parts, path: "params" })});\n`,
    app: (routes) => `export const api = [${routes.join(", ")}];\n`,
  },
  {
    name: "express-zod-api",
    folder: join(peers, "express-zod-api", ".generated", "http"),
    installed: join(peers, "express-zod-api", "node_modules", "express-zod-api"),
    shared:
      `import { defaultEndpointsFactory } from "express-zod-api";\n` +
      `export const factory = defaultEndpointsFactory.addContext(async () => ({ identity: { id: "" } }));\n`,
    imports: `import createHttpError from "http-errors";\nimport { factory } from "./shared.js";\n`,
    route: (n) =>
      `export const route${n} = factory.build({ method: "post", ` +
      `input: z.object({ ...Path${n}.shape, ...Body${n}.shape }), output: Output${n}, ` +
      `handler: async ({ input, ctx }) => { if (ctx.identity.id === "") throw createHttpError(404); ` +
      `return ${output(n, { path: "input", body: "input" })}; } });\n`,
    app: (routes) => `export const api = { ${routes.map((name) => `"${name}/:id": ${name}`).join(", ")} };\n`,
  },
  {
    name: "@hono/zod-openapi",
    folder: join(peers, ".generated", "http-hono"),
    installed: join(peers, "node_modules", "@hono", "zod-openapi"),
    shared:
      `import { createRoute, OpenAPIHono } from "@hono/zod-openapi";\nexport { createRoute };\n` +
      `export const make = () => new OpenAPIHono<{ Variables: { identity: { id: string } } }>();\n`,
    imports: `import { createRoute, make } from "./shared.js";\nconst Missing = z.object({ code: z.string() });\n`,
    route: (n) =>
      `export const route${n} = make().openapi(createRoute({ method: "post", path: "/items${n}/{id${n}}", ` +
      `request: { params: Path${n}, body: { required: true, content: { "application/json": { schema: Body${n} } } } }, ` +
      `responses: { 200: { description: "OK", content: { "application/json": { schema: Output${n} } } }, ` +
      `404: { description: "missing", content: { "application/json": { schema: Missing } } } } }), (c) => { ` +
      `const path = c.req.valid("param"); const body = c.req.valid("json"); const identity = c.get("identity"); ` +
      `return identity.id === "" ? c.json({ code: "NOT_FOUND" }, 404) : ` +
      `c.json(${output(n, { path: "path", body: "body" })}, 200); });\n`,
    // A thousand routes take the compiler gigabytes of memory.
    most: 300,
    // As in its documentation, so that its client knows all routes.
    app: (routes) =>
      `import { make } from "./shared.js";\n` +
      `export const api = make()${routes.map((name) => `.route("/", ${name})`).join("")};\n`,
  },
];

/** Whether a library is installed. Peers are installed by `npm ci` in their folder. */
export function isInstalledHttp(library) {
  return library.installed === undefined || existsSync(library.installed);
}

/**
 * The files of a library, `{ name: text }`: the floor, which is the schemas and the loaded library, and n
 * routes, each beside its schemas.
 */
export function httpSourcesOf(library, count) {
  const loaded = { "shared.ts": library.shared };
  const floor = { ...loaded };
  const routes = { ...loaded };
  const numbers = Array.from({ length: count }, (_, n) => n);
  let app = "";
  for (let first = 0; first < count; first += PER_FILE) {
    const group = numbers.slice(first, first + PER_FILE);
    const declared = `import { z } from "zod";\n${group.map(schemas).join("")}`;
    floor[`schemas${first}.ts`] = declared;
    routes[`routes${first}.ts`] = `${library.imports}${declared}${group.map(library.route).join("")}`;
    app += `import { ${group.map((n) => `route${n}`).join(", ")} } from "./routes${first}.js";\n`;
  }
  routes[`app${count}.ts`] = `${app}${library.app(numbers.map((n) => `route${n}`))}`;
  return { floor, routes };
}
