/**
 * The other frameworks of `bench/http.ts`, each with its Zod provider: the same route, the same schemas, Zod for
 * input and output. They parse text parameters with Zod's `z.coerce` and `z.stringbool`.
 */
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { fastify } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
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
    Path: z.object({ id: z.coerce.number().int() }),
    Query: z.object({ verbose: z.stringbool() }),
    Body,
    Output: z.object({ id: z.int(), verbose: z.boolean(), ...Body.shape }),
  };
};
/** What a GET answers with. */
const ANN = {
  name: "Ann Example",
  email: "ann@example.org",
  age: 41,
  active: true,
  score: 0.75,
  role: "member",
};

const answer = (id, verbose, body) => ({ id, verbose, ...body });

/** Starts Fastify with n routes and returns its port. */
export async function startFastify(paths) {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const path of paths(":id")) {
    const { Path, Query, Body, Output } = schemas();
    const schema = { params: Path, querystring: Query, response: { 200: Output } };
    app.post(path, { schema: { ...schema, body: Body } }, async ({ params, query, body }) =>
      answer(params.id, query.verbose, body),
    );
    app.get(path, { schema }, async ({ params, query }) => answer(params.id, query.verbose, ANN));
  }
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}

/** Starts Hono with n routes and returns its port. It does not validate outputs, so the handler does. */
export function startHono(paths) {
  const app = new OpenAPIHono();
  for (const path of paths("{id}")) {
    const { Path, Query, Body, Output } = schemas();
    const parameters = { params: Path, query: Query };
    const responses = { 200: { description: "OK", content: { "application/json": { schema: Output } } } };
    const reply = (c, body) => {
      const { verbose } = c.req.valid("query");
      return c.json(Output.parse(answer(c.req.valid("param").id, verbose, body)), 200);
    };
    const body = { required: true, content: { "application/json": { schema: Body } } };
    const post = createRoute({ method: "post", path, request: { ...parameters, body }, responses });
    app.openapi(post, (c) => reply(c, c.req.valid("json")));
    app.openapi(createRoute({ method: "get", path, request: parameters, responses }), (c) => reply(c, ANN));
  }
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  });
}
