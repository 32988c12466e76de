/**
 * express-zod-api for `bench/http.ts`, in its own folder: its last version for Node 20 requires Zod 4.3 (it does
 * not load with 4.6), and later versions require Node 22. The same route and schemas as in `../http.mjs`.
 */
import {
  createConfig,
  createServer,
  EndpointsFactory,
  ensureHttpError,
  ResultHandler,
} from "express-zod-api";
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

/** Starts express-zod-api with n routes and returns its port. It has one input, of path, query and body. */
export async function startExpressZodApi(paths) {
  const factory = new EndpointsFactory(
    new ResultHandler({
      positive: (output) => output,
      negative: z.object({ message: z.string() }),
      handler: ({ response, output, error }) => {
        if (error === null) response.json(output);
        else response.status(ensureHttpError(error).statusCode).json({ message: error.message });
      },
    }),
  );
  const input = z.object({ ...Path.shape, ...Query.shape, ...Body.shape });
  const handler = async ({ input: { id, verbose, ...body } }) => answer(id, verbose, body);
  const routing = {};
  for (const path of paths(":id")) {
    routing[path.slice(1)] = factory.build({ method: "post", input, output: Output, handler });
  }
  const config = createConfig({
    http: { listen: 0 },
    cors: false,
    startupLogo: false,
    accessLogger: null,
    logger: { level: "silent" },
    inputSources: { post: ["query", "body", "params"] },
  });
  const { servers } = await createServer(config, routing);
  const [server] = servers;
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  return server.address().port;
}
