/**
 * The servers of `http.ts`, one in each process: `node bench/http-servers.mjs <name>`. Each answers `POST
 * /users/{id}?verbose=true`, and validates path, query, a body of six fields and the output by the same schemas.
 * Plain JavaScript, so that no loader affects the measurement.
 */
import { createServer } from "node:http";
import { z } from "zod";

const Path = z.object({ id: z.int() });
const Query = z.object({ verbose: z.boolean() });
const Body = z.object({
  name: z.string().min(1).max(100),
  email: z.email(),
  age: z.int().min(0),
  active: z.boolean(),
  score: z.number(),
  role: z.enum(["admin", "member"]),
});
const Output = z.object({ id: z.int(), verbose: z.boolean(), ...Body.shape });

const answer = (id, verbose, body) => ({ id, verbose, ...body });
const number = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);
const flag = (text) => (text === "true" ? true : text === "false" ? false : text);
const ROUTES = 300;
/** The measured route is the last one. */
const paths = (routes, parameter) =>
  Array.from({ length: routes }, (_, i) => `/${i === routes - 1 ? "users" : `r${i}`}/${parameter}`);

const servers = {
  bare() {
    return createServer((request, response) => {
      const chunks = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const [path, search] = request.url.split("?");
        const query = new URLSearchParams(search);
        const params = Path.parse({ id: number(path.slice("/users/".length)) });
        const { verbose } = Query.parse({ verbose: flag(query.get("verbose")) });
        const body = Body.parse(JSON.parse(Buffer.concat(chunks).toString()));
        const text = JSON.stringify(Output.parse(answer(params.id, verbose, body)));
        response.writeHead(200, {
          "Content-Type": "application/json; charset=utf-8",
          "Content-Length": Buffer.byteLength(text),
        });
        response.end(text);
      });
    });
  },

  async express() {
    return (await byHand(1)).listenable;
  },
  async "express, 300 routes"() {
    return (await byHand(ROUTES)).listenable;
  },

  async rowtype() {
    return { listen: await engine(1) };
  },
  async "rowtype, 300 routes"() {
    return { listen: await engine(ROUTES) };
  },
  async "rowtype, 300 routes, output stripped only"() {
    return { listen: await engine(ROUTES, { outputValidation: false }) };
  },
  async "rowtype mounted in Express"() {
    const { default: express } = await import("express");
    const { createEngine, POST } = await import("rowtype/http");
    const app = express();
    app.use(
      createEngine()
        .withHandlers(handlerAt(POST, "/users/{id}", true))
        .router(),
    );
    return createServer(app);
  },
  async "fastify, 300 routes"() {
    return peer("startFastify", "./peers/http.mjs");
  },
  async "hono, 300 routes"() {
    return peer("startHono", "./peers/http.mjs");
  },
  async "express-zod-api, 300 routes"() {
    return peer("startExpressZodApi", "./peers/express-zod-api/http.mjs");
  },
};

/** Installed by `npm ci` in the folder of the file. */
async function peer(name, file) {
  const { [name]: start } = await import(file);
  const port = await start((parameter) => paths(ROUTES, parameter));
  return { listen: (_port, _host, ready) => ready({ port }) };
}

async function byHand(routes) {
  const { default: express } = await import("express");
  const app = express();
  app.use(express.json());
  for (const path of paths(routes, ":id")) {
    app.post(path, (request, response) => {
      const params = Path.parse({ id: number(request.params.id) });
      const { verbose } = Query.parse({ verbose: flag(request.query.verbose) });
      const body = Body.parse(request.body);
      response.json(Output.parse(answer(params.id, verbose, body)));
    });
  }
  return { listenable: createServer(app) };
}

function handlerAt(POST, path, outputValidation) {
  return POST(
    path,
    { path: Path, query: Query, body: Body, output: Output, outputValidation },
    ({ params, body }) => answer(params.path.id, params.query.verbose, body),
  );
}

async function engine(routes, { outputValidation = true } = {}) {
  const { createEngine, POST } = await import("rowtype/http");
  const api = createEngine().withHandlers(
    ...paths(routes, "{id}").map((path) => handlerAt(POST, path, outputValidation)),
  );
  return async (_port, host, ready) => ready(await api.start(host, 0));
}

const name = process.argv[2];
const make = servers[name];
if (make === undefined || process.send === undefined) {
  console.log(Object.keys(servers).join("\n"));
} else {
  const server = await make();
  server.listen(0, "127.0.0.1", (address) => {
    process.send({ port: (address ?? server.address()).port });
  });
  // The parent requests it before and after a share of requests.
  process.on("message", () => process.send({ cpu: process.cpuUsage() }));
  process.on("disconnect", () => process.exit());
}
