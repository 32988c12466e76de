// All that a handler is called with and may give, by the very types: nothing of it is any, and nothing is wider.
import type { Request, Response } from "express";
import {
  Conflict,
  createEngine,
  DELETE,
  defineError,
  type Extractor,
  enrich,
  extractor,
  GET,
  type Handler,
  type HttpError,
  handler,
  handlers,
  type Identity,
  identity,
  NotFound,
  on,
  PATCH,
  PayloadTooLarge,
  POST,
  PUT,
  stream,
  type UsageLimit,
  usageLimit,
  ValidationFailed,
} from "rowtype/http";
import { type Client, createClient, type HandlersOf } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";
import { z as z3 } from "zod/v3";

type NoValues = Readonly<Record<never, never>>;

// A handler without options.
GET("/a/{b}/c/{d}", (call) => {
  expectType<{
    readonly path: { readonly b: string; readonly d: string };
    readonly query: NoValues;
    readonly headers: NoValues;
    readonly cookies: NoValues;
  }>(call.params);
  expectType<undefined>(call.body);
  expectType<null>(call.identity);
  expectType<Request>(call.request);
  expectType<Response>(call.response);
  expectType<AbortSignal>(call.signal);
});

// A path that is not known when it is compiled may name anything.
declare const late: string;
GET(late, ({ params }) => expectType<{ readonly [x: string]: string }>(params.path));

// A handler with options, none of which says anything of the call.
POST("/a/{b}", { summary: "a" }, (call) => {
  expectType<{ readonly b: string }>(call.params.path);
  expectType<NoValues>(call.params.query);
  expectType<NoValues>(call.params.headers);
  expectType<NoValues>(call.params.cookies);
  expectType<undefined>(call.body);
  expectType<null>(call.identity);
  expectType<AbortSignal>(call.signal);
});

// A shape of schemas for each place, and one of Zod 3.
PUT(
  "/a/{b}/{c}",
  {
    path: { b: z.int() },
    query: { day: z.date(), maybe: z.bigint().optional(), old: z3.number() },
    headers: { "x-trace": z.uuid(), "x-many": z.array(z.int()) },
    cookies: { sid: z.string().nullable() },
    body: z.object({ at: z.date().default(new Date()) }),
  },
  (call) => {
    expectType<{ readonly b: number; readonly c: string }>(call.params.path);
    expectType<{ readonly day: Date; readonly maybe: bigint | undefined; readonly old: number }>(
      call.params.query,
    );
    expectType<{ readonly "x-trace": string; readonly "x-many": number[] }>(call.params.headers);
    expectType<{ readonly sid: string | null }>(call.params.cookies);
    expectType<{ at: Date }>(call.body);
  },
);

// A Zod object for each place.
PATCH(
  "/a/{b}/{c}",
  {
    path: z.object({ b: z.int() }),
    query: z.object({ day: z.date() }),
    headers: z.object({ trace: z.uuid() }),
    cookies: z.object({ sid: z.string() }),
    body: z3.object({ n: z3.number() }),
  },
  (call) => {
    expectType<{ readonly b: number; readonly c: string }>(call.params.path);
    expectType<{ day: Date }>(call.params.query);
    expectType<{ trace: string }>(call.params.headers);
    expectType<{ sid: string }>(call.params.cookies);
    expectType<{ n: number }>(call.body);
  },
);

// Text carries no object, in any place and any form.
const deep = z.object({ a: z.string() });
// @ts-expect-error in a header
GET("/a", { headers: { deep } }, () => 1);
// @ts-expect-error in a cookie
GET("/a", { cookies: { deep } }, () => 1);
// @ts-expect-error in a path
GET("/a/{deep}", { path: { deep } }, () => 1);
// @ts-expect-error in a Zod object of a query
GET("/a", { query: z.object({ deep }) }, () => 1);
// @ts-expect-error of headers
GET("/a", { headers: z.object({ deep }) }, () => 1);
// @ts-expect-error of cookies
GET("/a", { cookies: z.object({ deep }) }, () => 1);
// @ts-expect-error of a path
GET("/a/{deep}", { path: z.object({ deep }) }, () => 1);
// @ts-expect-error a query has names
GET("/a", { query: z.string() }, () => 1);
// @ts-expect-error the path does not name it
GET("/a/{b}", { path: { b: z.int(), c: z.int() } }, () => 1);
// @ts-expect-error nor in a Zod object
GET("/a/{b}", { path: z.object({ b: z.int(), c: z.int() }) }, () => 1);

// Whoever is asked for is there.
GET("/me", { authentication: true }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { authentication: "optional" }, ({ identity }) => expectType<Identity | null>(identity));
GET("/me", { authentication: false }, ({ identity }) => expectType<null>(identity));
GET("/me", { scopes: ["a"] }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { roles: ["a"] }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { usageLimits: [usageLimit("n", () => 1)] }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { scopes: ["a"], authentication: "optional" }, ({ identity }) => expectType<Identity>(identity));

// An identity of the application's own.
interface Member extends Identity {
  readonly plan: "free" | "paid";
}
const members = handlers<Member>();
const ofMembers = usageLimit<Member>("calls", ({ plan }) => (plan === "paid" ? 100 : 1));
expectType<UsageLimit<Member>>(ofMembers);
members.GET("/me", { usageLimits: [ofMembers] }, ({ identity }) => expectType<Member>(identity));
members.GET("/me", { authentication: "optional" }, ({ identity }) => expectType<Member | null>(identity));
// @ts-expect-error a limit on what these callers do not have
GET("/me", { usageLimits: [ofMembers] }, () => 1);
// @ts-expect-error a limit is a number
usageLimit("calls", () => "many");
const read = extractor(() => identity({ id: "1", plan: "paid", tenantId: "t" }), {
  name: "bearer",
  scheme: { type: "http", scheme: "bearer" },
});
const added = enrich(read, (found) => ({ ...found, plan: "free" as const, more: 1 }));
type Added = typeof added extends Extractor<infer Id> ? Id : never;
expectType<"free">({} as Added["plan"]);
expectType<number>({} as Added["more"]);
const made = identity({ id: "1", tenantId: "t", plan: "paid", seats: 3 });
expectType<string>(made.id);
expectType<string>(made.tenantId);
expectType<"paid">(made.plan);
expectType<3>(made.seats);
expectType<readonly string[]>(made.scopes);

// What a handler gives: its output, or an error that it declares.
const One = z.object({ id: z.int(), role: z.enum(["a", "b"]) });
POST("/one", { output: One, errors: [NotFound] }, async () =>
  late === "" ? NotFound : { id: 1, role: "a" },
);
// @ts-expect-error an error that it does not declare, at once
POST("/one", { output: One, errors: [NotFound] }, () => Conflict);
// @ts-expect-error later
POST("/one", { output: One, errors: [NotFound] }, async () => Conflict);
// @ts-expect-error nothing
POST("/one", { output: One }, () => undefined);
// @ts-expect-error a promise of something else
POST("/one", { output: One }, async () => ({ id: "1", role: "a" }));
DELETE("/one", { status: 204, errors: [NotFound] }, () => undefined);
DELETE("/one", { status: 204, errors: [NotFound] }, () => NotFound);
// @ts-expect-error a status without a body has no data
DELETE("/one", { status: 204 }, () => ({ id: 1 }));
// @ts-expect-error nor later
DELETE("/one", { status: 204 }, async () => "text");
// @ts-expect-error nor an error that is not declared
DELETE("/one", { status: 204, errors: [NotFound] }, () => Conflict);
// @ts-expect-error a status of a failure
GET("/one", { status: 404 }, () => 1);
// @ts-expect-error no status at all
GET("/one", { status: 299 }, () => 1);
GET("/one", { output: One, responseHeaders: ({ id }) => ({ etag: String(expectType<number>(id)) }) }, () => ({
  id: 1,
  role: "b",
}));

// The same with a name first.
const byName = handler(
  "one",
  "PUT",
  "/one/{id}",
  { path: { id: z.int() }, output: One, errors: [NotFound] },
  (call) => {
    expectType<{ readonly id: number }>(call.params.path);
    return { id: call.params.path.id, role: "a" };
  },
);
expectType<"PUT">({} as typeof byName extends Handler<infer M> ? M : never);
expectType<"/one/{id}">(byName.path);
// @ts-expect-error another output
handler("one", "GET", "/one", { output: One }, () => ({ id: "1" }));
// @ts-expect-error an error that it does not declare
handler("one", "GET", "/one", { output: One }, () => NotFound);

// Errors keep their code, status and details.
const Late = defineError({ code: "LATE", status: 409, message: "late", details: z.object({ by: z.date() }) });
expectType<HttpError<"LATE", 409, { by: Date }>>(Late);
const Plain = defineError({ code: "PLAIN", status: 410, message: "plain" });
expectType<HttpError<"PLAIN", 410, undefined>>(Plain);
expectType<"LATE">(Late.code);
expectType<409>(Late.status);
expectType<{ by: Date } | undefined>(Late.details);
Late.withDetails({ by: new Date() });
// @ts-expect-error other details
Late.withDetails({ by: "today" });
// @ts-expect-error it has none
Plain.withDetails({ by: new Date() });
type Reason = { readonly reason?: string | undefined };
expectType<HttpError<"NOT_FOUND", 404, { readonly resource?: string | undefined }>>(NotFound);
expectType<HttpError<"CONFLICT", 409, Reason>>(Conflict);
expectType<HttpError<"PAYLOAD_TOO_LARGE", 413, { readonly max_size: number }>>(PayloadTooLarge);
expectType<number>({} as NonNullable<typeof ValidationFailed.details>["fields"]["length"]);
expectType<422>(ValidationFailed.status);

// Streams send what they declare.
const ticks = stream("GET", "/ticks", { event: z.date(), errors: [NotFound] }, async (_call, events) => {
  expectType<string | undefined>(events.lastEventId);
  expectType<AbortSignal>(events.signal);
  expectType<Promise<boolean>>(events.send(new Date()));
  // @ts-expect-error other data
  events.send("today");
  // @ts-expect-error it has events without a name only
  events.sendEvent("tick", new Date());
});
const chat = stream(
  "POST",
  "/chat/{room}",
  { events: { said: z.string(), left: z.int() }, body: z.object({ at: z.date() }) },
  ({ params, body }, events) => {
    expectType<{ readonly room: string }>(params.path);
    expectType<{ at: Date }>(body);
    expectType<Promise<boolean>>(events.sendEvent("left", 1));
    // @ts-expect-error the data of the other event
    events.sendEvent("left", "a");
    // @ts-expect-error none of its events
    events.sendEvent("joined", 1);
    // @ts-expect-error its events have names
    events.send("a");
  },
);
// @ts-expect-error it declares no event
stream("GET", "/none", {}, () => undefined);
// @ts-expect-error it declares them twice
stream("GET", "/both", { event: z.date(), events: { a: z.date() } }, () => undefined);
// @ts-expect-error an error that it does not declare
stream("GET", "/ticks", { event: z.date(), errors: [NotFound] }, () => Conflict);
stream("GET", "/ticks", { event: z.date(), errors: [NotFound] }, () => NotFound);
// @ts-expect-error data are sent, not given
stream("GET", "/ticks", { event: z.date() }, () => new Date());

// Listeners get what the event has.
on("http.request.failed", ({ error, statusCode, method }) => {
  expectType<Error>(error);
  expectType<number>(statusCode);
  expectType<string>(method);
});
on("http.auth.succeeded", (caller) => expectType<string>(caller.identityId));
// @ts-expect-error there is no such event
on("http.request.finished", () => undefined);

// A client knows each method by its own paths.
const api = createEngine().withHandlers(
  byName,
  ticks,
  chat,
  POST("/one", { body: z.object({ at: z.date() }), output: One, errors: [Late, Plain] }, () => Plain),
  DELETE("/one/{id}", { status: 204 }, () => undefined),
  PATCH(
    "/one",
    {
      query: {
        tags: z.array(z.string()),
        ids: z.set(z.int()),
        some: z.array(z.int()).min(1),
        n: z.int().optional(),
      },
      headers: { trace: z.uuid() },
      body: z.object({ n: z.int() }).optional(),
    },
    () => 1,
  ),
);
const client = createClient<typeof api>("https://example.org");
expectType<Client<HandlersOf<typeof api>>>(client);
// @ts-expect-error a path of another method
client.GET("/one");
// @ts-expect-error no path at all
client.POST("/two", { body: { at: "2026-01-01" } });
// @ts-expect-error a stream is listened to
client.GET("/ticks");
// @ts-expect-error what is no stream is called
client.stream("POST", "/one", { body: { at: "2026-01-01" } });
// @ts-expect-error the path is not given
client.PUT("/one/{id}");
// @ts-expect-error nor in the options
client.PUT("/one/{id}", {});
// @ts-expect-error another type
client.PUT("/one/{id}", { path: { id: "1" } });
// @ts-expect-error no body
client.POST("/one", {});
// @ts-expect-error a date is text on the wire
client.POST("/one", { body: { at: new Date() } });
client.PATCH("/one", { headers: { trace: "t" }, query: { some: [1] } });
client.PATCH("/one", {
  headers: { trace: "t" },
  query: { some: [1], tags: ["a"], ids: [1], n: 1 },
  body: { n: 1 },
});
// A list with a least length must be sent: its type says it only where it is a tuple.
// @ts-expect-error no header
client.PATCH("/one", { query: {} });
// @ts-expect-error another type of a header
client.PATCH("/one", { headers: { trace: 1 } });

const answer = await client.POST("/one", { body: { at: "2026-01-01" } });
expectType<boolean>(answer.ok);
if (answer.ok) {
  expectType<true>(answer.ok);
  expectType<number>(answer.status);
  expectType<{ id: number; role: "a" | "b" }>(answer.data);
} else if (answer.status === 409) {
  expectType<false>(answer.ok);
  expectType<"LATE">(answer.error.code);
  expectType<{
    readonly code: "LATE";
    readonly status: 409;
    readonly message: string;
    readonly details: { by: string };
  }>(answer.error);
} else {
  expectType<410>(answer.status);
  expectType<"PLAIN">(answer.error.code);
}
const gone = await client.DELETE("/one/{id}", { path: { id: "1" } });
expectType<true>(gone.ok);
expectType<undefined>(gone.data);
for await (const event of client.stream("POST", "/chat/{room}", {
  path: { room: "a" },
  body: { at: "now" },
})) {
  expectType<
    | { readonly event: "said"; readonly data: string; readonly id?: string }
    | { readonly event: "left"; readonly data: number; readonly id?: string }
  >(event);
}
for await (const event of client.stream("GET", "/ticks"))
  expectType<{ readonly event: "message"; readonly data: string; readonly id?: string }>(event);
