/**
 * The servers of `http.ts`, one in each process: `node bench/kit/http-servers.mjs <name>`. Each answers `POST` and `GET
 * /users/{id}?verbose=true`, and as many other routes as its name says, each with schemas of its own: path, query, a
 * body of six fields and the output are validated. Plain JavaScript, so that no loader affects the measurement.
 */
import { createServer } from "node:http";
import { z } from "zod";

/** The schemas of a route. */
const schemas = () => {
  const Body = z.object({
    name: z.string().min(1).max(100),
    email: z.email(),
    age: z.int().min(0),
    active: z.boolean(),
    score: z.number(),
    role: z.enum(["admin", "member"]),
  });
  return {
    Path: z.object({ id: z.int() }),
    Query: z.object({ verbose: z.boolean() }),
    Body,
    Output: z.object({ id: z.int(), verbose: z.boolean(), ...Body.shape }),
  };
};

const answer = (id, verbose, body) => ({ id, verbose, ...body });
/** What a GET answers with. */
const ANN = {
  name: "Ann Example",
  email: "ann@example.org",
  age: 41,
  active: true,
  score: 0.75,
  role: "member",
};
const number = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);
const flag = (text) => (text === "true" ? true : text === "false" ? false : text);
const ROUTES = 300;
/** The measured route is the last one. */
const paths = (routes, parameter) =>
  Array.from({ length: routes }, (_, i) => `/${i === routes - 1 ? "users" : `r${i}`}/${parameter}`);

const servers = {
  bare() {
    const routes = new Map(paths(ROUTES, "").map((path) => [path, schemas()]));
    return createServer((request, response) => {
      const [path, search] = request.url.split("?");
      const slash = path.lastIndexOf("/") + 1;
      const { Path, Query, Body, Output } = routes.get(path.slice(0, slash));
      const reply = (given) => {
        const { id } = Path.parse({ id: number(path.slice(slash)) });
        const { verbose } = Query.parse({ verbose: flag(new URLSearchParams(search).get("verbose")) });
        const body = given === undefined ? ANN : Body.parse(JSON.parse(given));
        const text = JSON.stringify(Output.parse(answer(id, verbose, body)));
        response.writeHead(200, {
          "Content-Type": "application/json; charset=utf-8",
          "Content-Length": Buffer.byteLength(text),
        });
        response.end(text);
      };
      if (request.method === "GET") return reply();
      const chunks = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => reply(Buffer.concat(chunks).toString()));
    });
  },

  async express() {
    return (await byHand(1)).listenable;
  },
  async "express, 300 routes"() {
    return (await byHand(ROUTES)).listenable;
  },

  async rowtype() {
    return { listen: started(await engine(1)) };
  },
  async "rowtype, 300 routes"() {
    return { listen: started(await engine(ROUTES)) };
  },
  async "rowtype, 300 routes, other forms elsewhere"() {
    const [http, { otherForms }] = await Promise.all([import("rowtype/http"), import("./other-forms.mjs")]);
    return { listen: started((await engine(ROUTES)).withHandlers(...otherForms(http))) };
  },
  async "rowtype, 1,000 routes"() {
    return { listen: started(await engine(1_000)) };
  },
  async "rowtype, 300 routes, output stripped only"() {
    return { listen: started(await engine(ROUTES, { outputValidation: false })) };
  },
  async "rowtype mounted in Express"() {
    return createServer(await mounted());
  },
  async "rowtype mounted in Express, by listen(app)"() {
    const { listen } = await import("rowtype/http");
    const app = await mounted();
    return { listen: async (_port, host, ready) => ready(await listen(app, host, 0)) };
  },
  async "fastify, 300 routes"() {
    return peer("startFastify", "../peers/http.mjs");
  },
  async "hono, 300 routes"() {
    return peer("startHono", "../peers/http.mjs");
  },
  async "express-zod-api, 300 routes"() {
    return peer("startExpressZodApi", "../peers/express-zod-api/http.mjs");
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
    const { Path, Query, Body, Output } = schemas();
    const reply = (request, response, body) => {
      const params = Path.parse({ id: number(request.params.id) });
      const { verbose } = Query.parse({ verbose: flag(request.query.verbose) });
      response.json(Output.parse(answer(params.id, verbose, body)));
    };
    app.post(path, (request, response) => reply(request, response, Body.parse(request.body)));
    app.get(path, (request, response) => reply(request, response, ANN));
  }
  return { listenable: createServer(app) };
}

/** An engine whose handlers validate their outputs. */
async function engine(routes, { outputValidation = true } = {}) {
  const { createEngine, GET, POST } = await import("rowtype/http");
  return createEngine().withHandlers(
    ...paths(routes, "{id}").flatMap((path) => {
      const { Path, Query, Body, Output } = schemas();
      const options = { path: Path, query: Query, output: Output, outputValidation };
      return [
        POST(path, { ...options, body: Body }, ({ params, body }) =>
          answer(params.path.id, params.query.verbose, body),
        ),
        GET(path, options, ({ params }) => answer(params.path.id, params.query.verbose, ANN)),
      ];
    }),
  );
}

function started(api) {
  return async (_port, host, ready) => ready(await api.start(host, 0));
}

/** An Express application with the engine's router. */
async function mounted() {
  const { default: express } = await import("express");
  return express().use((await engine(ROUTES)).router());
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
