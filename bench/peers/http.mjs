/**
 * The other frameworks of `bench/http.ts`, each with its Zod provider: the same route, the same schemas, Zod for
 * input and output. They parse text parameters with Zod's `z.coerce` and `z.stringbool`.
 */
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { fastify } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { z } from "zod";

const Path = z.object({ id: z.coerce.number().int() });
const Query = z.object({ verbose: z.stringbool() });
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

/** Starts Fastify with n routes and returns its port. */
export async function startFastify(paths) {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const path of paths(":id")) {
    const schema = { params: Path, querystring: Query, body: Body, response: { 200: Output } };
    app.post(path, { schema }, async ({ params, query, body }) => answer(params.id, query.verbose, body));
  }
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}

/** Starts Hono with n routes and returns its port. It does not validate outputs, so the handler does. */
export function startHono(paths) {
  const app = new OpenAPIHono();
  for (const path of paths("{id}")) {
    const route = createRoute({
      method: "post",
      path,
      request: {
        params: Path,
        query: Query,
        body: { required: true, content: { "application/json": { schema: Body } } },
      },
      responses: { 200: { description: "OK", content: { "application/json": { schema: Output } } } },
    });
    app.openapi(route, (c) => {
      const { verbose } = c.req.valid("query");
      return c.json(Output.parse(answer(c.req.valid("param").id, verbose, c.req.valid("json"))), 200);
    });
  }
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  });
}
