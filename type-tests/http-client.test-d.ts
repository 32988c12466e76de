import {
  createEngine,
  defineError,
  GET,
  handlers,
  type Identity,
  NotFound,
  PATCH,
  POST,
  stream,
} from "rowtype/http";
import { type Client, ClientError, createClient, type HandlersOf, type Wire } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";
import { z as z3 } from "zod/v3";

const User = z.object({
  id: z.int(),
  email: z.email(),
  createdAt: z.date(),
  balance: z.bigint(),
  avatar: z.instanceof(Uint8Array).nullable(),
  tags: z.set(z.string()),
  seen: z.map(z.string(), z.date()),
  role: z.enum(["admin", "member"]),
});
const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out of stock",
  details: z.object({ since: z.date() }),
});
const Seconds = z.codec(z.int(), z.date(), {
  decode: (seconds) => new Date(seconds * 1000),
  encode: (date) => Math.round(date.getTime() / 1000),
});

const getUser = GET(
  "/users/{id}",
  {
    path: { id: z.int() },
    query: { deep: z.boolean().optional() },
    output: User,
    errors: [NotFound, OutOfStock],
  },
  () => NotFound,
);
const createUser = POST(
  "/users",
  {
    body: z.object({ email: z.email(), born: z.date(), plan: z.string().default("free") }),
    headers: { "x-trace": z.uuid() },
    output: z.object({ id: z.int(), plan: z.string().default("free") }),
  },
  () => ({ id: 1, plan: "free" }),
);
const search = GET(
  "/search/{a}/{b}",
  {
    query: { q: z.string(), limit: z.int().default(10), ids: z.array(z.int()), since: z.date().optional() },
    output: z.array(z.string()),
  },
  () => [],
);
const times = PATCH(
  "/times",
  { body: z.object({ at: Seconds }), output: z.object({ at: Seconds, all: z.array(Seconds).optional() }) },
  ({ body }) => body,
);
const free = GET("/free", () => 1);
const ticks = stream(
  "GET",
  "/ticks/{room}",
  { event: z.object({ at: z.date() }), query: { from: z.int() } },
  () => {},
);
const chat = stream(
  "POST",
  "/chat",
  {
    body: z.object({ text: z.string() }),
    events: { word: z.string(), end: z.object({ count: z.bigint() }) },
  },
  () => {},
);

const api = createEngine().withHandlers(getUser, createUser, search, times).withHandlers(free, ticks, chat);
const client = createClient<typeof api>("https://api.example.org");
expectType<Client<HandlersOf<typeof api>>>(client);

const user = await client.GET("/users/{id}", { path: { id: 1 }, query: { deep: true } });
expectType<Headers>(user.headers);
if (user.ok) {
  expectType<number>(user.data.id);
  expectType<string>(user.data.createdAt);
  expectType<string>(user.data.balance);
  expectType<string | null>(user.data.avatar);
  expectType<string[]>(user.data.tags);
  expectType<[string, string][]>(user.data.seen);
  expectType<"admin" | "member">(user.data.role);
  // @ts-expect-error not in the output
  user.data.password;
} else if (user.error.code === "NOT_FOUND") {
  expectType<404>(user.error.status);
  expectType<string | undefined>(user.error.details?.resource);
  expectType<string>(user.error.message);
} else {
  expectType<"OUT_OF_STOCK">(user.error.code);
  // The schema of its details has something that must be there.
  expectType<string>(user.error.details.since);
}
// The status tells them apart, too.
if (!user.ok && user.status === 409) expectType<"OUT_OF_STOCK">(user.error.code);

// What a call needs is what the handler declares.
// @ts-expect-error no such path
client.GET("/users/{idd}", { path: { id: 1 } });
// @ts-expect-error the path has a parameter
client.GET("/users/{id}");
// @ts-expect-error which is a number
client.GET("/users/{id}", { path: { id: "1" } });
// @ts-expect-error an undeclared query
client.GET("/users/{id}", { path: { id: 1 }, query: { other: 1 } });
// @ts-expect-error another method
client.PUT("/users/{id}", { path: { id: 1 } });
// @ts-expect-error no body was declared
client.GET("/users/{id}", { path: { id: 1 }, body: {} });

const trace = "0b8e0c6e-55ae-4ac1-8b43-64f1b9c0a3a5";
const created = await client.POST("/users", {
  body: { email: "ann@example.org", born: "2000-01-01" },
  headers: { "x-trace": trace, "x-else": "anything" },
  signal: AbortSignal.timeout(1_000),
});
// Without declared errors there is nothing to tell apart.
expectType<true>(created.ok);
expectType<string>(created.data.plan);
client.POST("/users", {
  // @ts-expect-error on the wire a date is text
  body: { email: "ann@example.org", born: new Date() },
  headers: { "x-trace": trace },
});
// @ts-expect-error the body is missing
client.POST("/users", { headers: { "x-trace": trace } });
// @ts-expect-error a declared header is missing
client.POST("/users", { body: { email: "ann@example.org", born: "2000-01-01" } });

// Optional ones, those with a default and lists may be left out; a path parameter that is not declared is text.
client.GET("/search/{a}/{b}", { path: { a: "x", b: "y" }, query: { q: "x" } });
const found = await client.GET("/search/{a}/{b}", {
  path: { a: "x", b: "y" },
  query: { q: "x", limit: 5, ids: [1, 2], since: "2024-01-01T00:00:00Z" },
});
expectType<string[]>(found.data);
// @ts-expect-error one is required
client.GET("/search/{a}/{b}", { path: { a: "x", b: "y" } });

// Codecs are what they were made from.
const moved = await client.PATCH("/times", { body: { at: 5 } });
expectType<number>(moved.data.at);
expectType<number[] | undefined>(moved.data.all);

// Nothing is known of what a handler does not declare.
expectType<unknown>((await client.GET("/free")).data);

// A body may be left out where its schema takes `undefined`, unless it takes everything.
const jobs = createEngine().withHandlers(
  POST("/optional", { body: z.object({ at: z.date() }).optional() }, () => 1),
  POST("/defaulted", { body: z.int().default(1) }, () => 1),
  POST("/any", { body: z.unknown() }, () => 1),
  stream("POST", "/listen", { body: z.string().optional(), event: z.string() }, () => {}),
);
const worker = createClient<typeof jobs>("/api");
worker.POST("/optional");
worker.POST("/optional", { body: undefined });
worker.POST("/optional", { body: { at: "2024-01-01" } });
worker.POST("/defaulted", {});
worker.stream("POST", "/listen");
// @ts-expect-error of another type
worker.POST("/defaulted", { body: "1" });
// @ts-expect-error a value of any type is a value
worker.POST("/any", {});
worker.POST("/any", { body: null });

// A list stands in any place; one that cannot be empty is required.
const sets = createEngine().withHandlers(
  GET("/users/{ids}", { path: { ids: z.array(z.int()) } }, ({ params }) => {
    expectType<number[]>(params.path.ids);
  }),
  GET(
    "/some",
    { query: { ids: z3.array(z3.number()).nonempty(), tag: z.union([z.string(), z.array(z.string())]) } },
    () => 1,
  ),
);
const finder = createClient<typeof sets>("/api");
finder.GET("/users/{ids}", { path: { ids: [1, 2] } });
// @ts-expect-error of another type
finder.GET("/users/{ids}", { path: { ids: ["1"] } });
finder.GET("/some", { query: { ids: [1], tag: "a" } });
finder.GET("/some", { query: { ids: [1, 2], tag: ["a", "b"] } });
// @ts-expect-error at least one
finder.GET("/some", { query: { ids: [], tag: "a" } });
// @ts-expect-error at least one
finder.GET("/some", { query: { tag: "a" } });
// @ts-expect-error a text or a list is there
finder.GET("/some", { query: { ids: [1] } });

// Streams are not calls, and calls are not streams.
// @ts-expect-error a stream
client.GET("/ticks/{room}", { path: { room: "a" }, query: { from: 1 } });
// @ts-expect-error no stream
client.stream("GET", "/free");
for await (const { event, data, id } of client.stream("GET", "/ticks/{room}", {
  path: { room: "a" },
  query: { from: 1 },
  lastEventId: "7",
  reconnect: true,
})) {
  expectType<"message">(event);
  expectType<string>(data.at);
  expectType<string | undefined>(id);
}
for await (const said of client.stream("POST", "/chat", { body: { text: "hello" } })) {
  if (said.event === "word") expectType<string>(said.data);
  else expectType<string>(said.data.count);
}
// @ts-expect-error the body is missing
client.stream("POST", "/chat");

// The client of an engine with callers of its own type.
interface Member extends Identity {
  readonly plan: "free" | "paid";
}
const own = handlers<Member>();
const members = createEngine<Member>().withHandlers(
  own.GET("/plan", { authentication: true, output: z.string() }, ({ identity }) => identity.plan),
  own.stream("GET", "/news", { event: z.string(), scopes: ["news"] }, ({ identity }, { send }) =>
    send(identity.plan),
  ),
);
expectType<string>((await createClient<typeof members>("/api").GET("/plan")).data);

// Options of the client, and what it throws.
createClient<typeof api>(new URL("https://api.example.org"), { fetch, headers: { authorization: "x" } });
createClient<typeof api>("/api", { headers: async () => ({ authorization: "x" }) });
createClient<typeof api>("/api", { fetch: async () => new Response("{}") });
const patient = createClient<typeof api>("/api", {
  retries: 2,
  timeoutMs: 1_000,
  onRequest: (request) => request.headers.set("x", "1"),
  onResponse: async (response, request) => {
    expectType<Response>(response);
    expectType<Request>(request);
  },
});
createClient("/api", {
  onRequest: (request) => new Request(request),
  onResponse: undefined,
  retries: undefined,
});
createClient("/api", { onRequest: async () => {} });
// @ts-expect-error a request is another one, or none
createClient("/api", { onRequest: (request) => request.url });
patient.GET("/users/{id}", { path: { id: 1 }, retries: 0, timeoutMs: 50 });
// @ts-expect-error of another type
patient.GET("/users/{id}", { path: { id: 1 }, retries: "0" });
// @ts-expect-error a stream has `reconnect`
patient.stream("GET", "/ticks/{room}", { path: { room: "a" }, query: { from: 1 }, retries: 1 });
// The answer itself has the input of its handler.
expectType<Response>(await patient.raw("GET", "/users/{id}", { path: { id: 1 }, query: { deep: true } }));
// @ts-expect-error the path has a parameter
patient.raw("GET", "/users/{id}");
// @ts-expect-error another method
patient.raw("PUT", "/users/{id}", { path: { id: 1 } });
// @ts-expect-error a stream
patient.raw("GET", "/ticks/{room}", { path: { room: "a" }, query: { from: 1 } });

// A client of more handlers is one of some of them.
const some: Client<typeof getUser> = client;
expectType<Response>(await some.raw("GET", "/users/{id}", { path: { id: 1 } }));

declare const thrown: unknown;
if (thrown instanceof ClientError) {
  expectType<number | undefined>(thrown.status);
  expectType<boolean>(thrown.code === "VALIDATION_FAILED");
}

// What travels, by type.
expectType<string>({} as Wire<Date>);
expectType<{ a: string; b?: [string, number][] }>({} as Wire<{ a: bigint; b?: Map<Date, number> }>);
expectType<[string, "x" | null]>({} as Wire<[Date, "x" | null]>);
expectType<unknown>({} as Wire<unknown>);
