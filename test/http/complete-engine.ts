/** An engine that uses every feature that a document can describe, and answers. */
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  Conflict,
  createEngine,
  DELETE,
  defineError,
  type Engine,
  extractor,
  GET,
  handler,
  type Identity,
  identity,
  model,
  NotFound,
  PATCH,
  POST,
  PUT,
  stream,
  usageLimit,
} from "../../src/http/index.js";

const Address = z.object({ street: z.string(), zip: z.string().optional() }).meta({ id: "Address" });
const User = z
  .object({
    id: z.int().describe("its number"),
    email: z.email(),
    born: z.date().nullable(),
    balance: z.bigint(),
    avatar: z.instanceof(Uint8Array).optional(),
    role: z.enum(["admin", "member"]),
    address: Address,
    plan: z.string().default("free"),
    tags: z.set(z.string()),
    scores: z.record(z.string(), z.number().gt(0).lte(100)),
  })
  .meta({ id: "User", description: "Somebody" });
const Category = z
  .object({
    name: z.string().min(1).max(20),
    get children() {
      return z.array(Category);
    },
  })
  .meta({ id: "Category" });
const Shape = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), r: z.number() }),
    z.object({ kind: z.literal("square"), side: z.number() }).meta({ id: "Square" }),
  ])
  .meta({ id: "Shape" });
const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out of stock",
  details: z.object({ since: z.date() }),
});
const Old = z3.object({ name: z3.string().min(2), at: z3.date(), big: z3.bigint().nullable() });
const Seconds = z.codec(z.int(), z.date(), {
  decode: (seconds) => new Date(seconds * 1000),
  encode: (date) => Math.round(date.getTime() / 1000),
});

const byKey = extractor(
  (request) => {
    const key = request.get("x-api-key");
    if (key === undefined || key === "") return null;
    return identity({
      id: key,
      scopes: key === "admin" ? ["read", "write"] : ["read"],
      roles: [key],
      stats: { calls: 3 },
    });
  },
  { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "X-API-Key" } },
);

export const ann: z.input<typeof User> = {
  id: 1,
  email: "ann@example.org",
  born: new Date("2000-02-29T00:00:00.000Z"),
  balance: 9007199254740993n,
  avatar: new Uint8Array([1, 2, 3]),
  role: "admin",
  address: { street: "Main 1" },
  plan: "free",
  tags: new Set(["a"]),
  scores: { chess: 50 },
};

/** A new one. */
export function completeEngine(): Engine<Identity, unknown> {
  return createEngine()
    .withAuthenticator(byKey)
    .withOpenAPIInfo({ title: "Complete", version: "1.2.3", description: "All of it" })
    .withBaseUrl("/v1")
    .withTag("users", "People")
    .withTagGroup("Main", "users")
    .withModels(model("Standalone", z.object({ a: z.string() })))
    .withSpec({ externalDocs: { url: "https://docs.example" }, "x-internal": true })
    .withHandlers(
      GET(
        "/users/{id}",
        {
          summary: "One user",
          tags: ["users"],
          path: { id: z.int() },
          query: { verbose: z.boolean().optional(), fields: z.array(z.string()), since: z.date().optional() },
          headers: { "X-Trace": z.uuid().optional() },
          cookies: { theme: z.enum(["dark", "light"]).optional() },
          output: User,
          errors: [NotFound],
          etag: true,
        },
        ({ params }) =>
          params.path.id === 1
            ? { ...ann, plan: params.query.fields.join("+") || "free" }
            : NotFound.withDetails({ resource: "user" }),
      ),
      POST(
        "/users",
        {
          tags: ["users"],
          status: 201,
          body: User.omit({ id: true }).meta({ id: "NewUser" }),
          output: User,
          errors: [Conflict, OutOfStock],
          responseHeaders: { "X-Rate": "1" },
          outputValidation: true,
          scopes: [["read"], ["write", "sudo"]],
        },
        ({ body }) =>
          body.email.startsWith("out")
            ? OutOfStock.withDetails({ since: new Date(0) })
            : { ...body, id: 2, hash: "secret" },
      ),
      handler("removeUser", "DELETE", "/users/{id}", { status: 204, roles: ["admin"] }, () => undefined),
      PUT("/categories", { body: Category, output: Category, maxBodySize: 1_000 }, ({ body }) => body),
      PATCH("/shape", { body: Shape, output: Shape }, ({ body }) => body),
      POST(
        "/old",
        { query: { n: z3.number(), day: z3.date().optional() }, body: Old, output: Old, deprecated: true },
        ({ body }) => body,
      ),
      GET(
        "/me",
        { authentication: "optional", output: z.object({ id: z.string().nullable() }) },
        ({ identity }) => ({
          id: identity?.id ?? null,
        }),
      ),
      GET(
        "/limited",
        { usageLimits: [usageLimit("calls", ({ id }) => (id === "admin" ? 10 : 3))] },
        () => "in",
      ),
      POST(
        "/times",
        {
          body: z.object({ at: Seconds }),
          output: z.object({ at: Seconds, pair: z.tuple([z.int(), z.string()]) }),
        },
        ({ body }) => ({
          at: body.at,
          pair: [1, "one"],
        }),
      ),
      stream(
        "GET",
        "/ticks/{room}",
        {
          summary: "The ticks of a room",
          path: { room: z.int() },
          events: { tick: z.object({ at: z.date(), by: User }), end: z.int() },
          errors: [NotFound],
          responseHeaders: { "X-Rate": "1" },
        },
        ({ params }, { sendEvent }) => sendEvent("end", params.path.room),
      ),
      stream("POST", "/echoes", { body: Category, event: Category }, ({ body }, { send }) => send(body)),
      DELETE("/anything/{rest}", () => ({ free: "form" })),
    );
}
