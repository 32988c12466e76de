// What a status says of a handler, parameters as Zod objects, and the literals of identities.
import {
  Conflict,
  createEngine,
  DELETE,
  GET,
  handler,
  handlers,
  type Identity,
  identity,
  NotFound,
  POST,
  stream,
} from "rowtype/http";
import { type Client, createClient } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";
import { z as z3 } from "zod/v3";

// Statuses of a success compile, and others do not.
for (const status of [200, 201, 202, 203, 206, 301, 302, 303, 307, 308] as const)
  GET("/x", { status, output: z.int() }, () => 1);
// @ts-expect-error no status
GET("/x", { status: 700 }, () => 1);
// @ts-expect-error that of an error
GET("/x", { status: 404 }, () => 1);
// @ts-expect-error no status
GET("/x", { status: 0 }, () => 1);
// @ts-expect-error no status
GET("/x", { status: -200 }, () => 1);
// @ts-expect-error not whole
GET("/x", { status: 200.5 }, () => 1);
// @ts-expect-error text
GET("/x", { status: "200" }, () => 1);
// @ts-expect-error no final answer
GET("/x", { status: 100 }, () => 1);
declare const anyNumber: number;
// @ts-expect-error any number at all
GET("/x", { status: anyNumber }, () => 1);
// @ts-expect-error no status
handler("named", "GET", "/x", { status: 700 }, () => 1);
// @ts-expect-error no status, of a route with an output either
POST("/x", { status: 600, output: z.int() }, () => 1);

// Without a body nothing is returned, or a declared error.
DELETE("/x", { status: 204 }, () => {});
DELETE("/x", { status: 204 }, () => undefined);
DELETE("/x", { status: 204 }, async () => {});
DELETE("/x", { status: 204, errors: [NotFound] }, () => NotFound);
DELETE("/x", { status: 204, errors: [NotFound] }, async () => NotFound.withMessage("gone"));
DELETE("/x/{id}", { status: 204, path: { id: z.int() }, errors: [NotFound, Conflict] }, ({ params }) =>
  params.path.id === 1 ? NotFound : params.path.id === 2 ? Conflict : undefined,
);
DELETE("/x", { status: 204, errors: [NotFound] }, async ({ signal }) => {
  if (signal.aborted) return NotFound;
  return undefined;
});
handler("reset", "POST", "/x", { status: 205 }, () => {});
handlers<Identity & { readonly plan: string }>().DELETE(
  "/x",
  { status: 204, authentication: true },
  ({ identity }) => expectType<string>(identity.plan),
);
// @ts-expect-error something is returned
DELETE("/x", { status: 204 }, () => ({ a: 1 }));
// @ts-expect-error something is returned
DELETE("/x", { status: 204 }, () => 1);
// @ts-expect-error null is something
DELETE("/x", { status: 204 }, () => null);
// @ts-expect-error something is returned later
DELETE("/x", { status: 204 }, async () => "gone");
// @ts-expect-error something is returned, with a 205 too
handler("reset", "POST", "/x", { status: 205 }, () => 1);
// @ts-expect-error the error is not declared
DELETE("/x", { status: 204 }, () => NotFound);
// @ts-expect-error another error is declared
DELETE("/x", { status: 204, errors: [Conflict] }, () => NotFound);
// @ts-expect-error there is no output
DELETE("/x", { status: 204, output: z.int() }, () => 1);
// @ts-expect-error there is no output, not even one of nothing
DELETE("/x", { status: 204, output: z.undefined() }, () => undefined);
// @ts-expect-error there is no output
POST("/x", { status: 205, output: z.object({ a: z.int() }), body: z.int() }, ({ body }) => ({ a: body }));
// @ts-expect-error there is no output
GET("/x", { output: z3.string(), status: 304 }, () => "");

// The client knows that there are no data.
const api = createEngine().withHandlers(
  DELETE("/x/{id}", { status: 204, path: { id: z.int() }, errors: [NotFound] }, () => undefined),
  POST("/reset", { status: 205 }, () => {}),
  GET("/untold", () => 1),
  GET("/told", { output: z.int() }, () => 1),
);
const client: Client<NonNullable<(typeof api)["~handlers"]>> = createClient<typeof api>("/");
async function calls() {
  const gone = await client.DELETE("/x/{id}", { path: { id: 1 } });
  if (gone.ok) expectType<undefined>(gone.data);
  else expectType<"NOT_FOUND">(gone.error.code);
  const reset = await client.POST("/reset");
  if (reset.ok) expectType<undefined>(reset.data);
  const untold = await client.GET("/untold");
  if (untold.ok) expectType<unknown>(untold.data);
  const told = await client.GET("/told");
  if (told.ok) expectType<number>(told.data);
}
expectType<Promise<void>>(calls());

// Parameters as a Zod object are checked as a shape of schemas is.
GET("/x/{id}", { path: z.object({ id: z.int() }) }, ({ params }) => expectType<number>(params.path.id));
GET("/x/{id}", { path: z3.object({ id: z3.number() }) }, ({ params }) => expectType<number>(params.path.id));
GET("/x", { query: z.strictObject({ q: z.string().optional(), tags: z.array(z.int()) }) }, ({ params }) => {
  expectType<string | undefined>(params.query.q);
  expectType<number[]>(params.query.tags);
});
GET("/x", { query: z.object({ at: z.date(), big: z.bigint().nullish(), n: z.coerce.number() }) }, () => 1);
GET("/x", { query: z.object({ a: z.int(), b: z.int() }).refine(({ a, b }) => a < b) }, () => 1);
GET("/x", { headers: z.object({ "x-a": z.string() }), cookies: z.object({ sid: z.string() }) }, () => 1);
// @ts-expect-error the path does not name it
GET("/x/{id}", { path: z.object({ it: z.int() }) }, () => 1);
// @ts-expect-error the path does not name the second
GET("/x/{id}", { path: z.object({ id: z.int(), other: z.string() }) }, () => 1);
// @ts-expect-error the path names nothing
GET("/x", { path: z3.object({ id: z3.number() }) }, () => 1);
// @ts-expect-error text carries no object
GET("/x", { query: z.object({ filter: z.object({ a: z.int() }) }) }, () => 1);
// @ts-expect-error nor a list of objects
GET("/x", { query: z.object({ filters: z.array(z.object({ a: z.int() })) }) }, () => 1);
// @ts-expect-error nor an object in a path
GET("/x/{id}", { path: z.object({ id: z.object({ a: z.int() }) }) }, () => 1);
// @ts-expect-error nor one in headers
GET("/x", { headers: z.object({ "x-a": z.record(z.string(), z.int()) }) }, () => 1);
// @ts-expect-error nor one in cookies
GET("/x", { cookies: z3.object({ sid: z3.object({ a: z3.string() }) }) }, () => 1);
// @ts-expect-error parameters have names
GET("/x", { query: z.string() }, () => 1);
// @ts-expect-error parameters have names
GET("/x", { headers: z.array(z.string()) }, () => 1);
// @ts-expect-error the same holds for streams
stream("GET", "/x", { event: z.int(), query: z.object({ filter: z.object({ a: z.int() }) }) }, () => {});
// @ts-expect-error and for named handlers
handler("named", "GET", "/x/{id}", { path: z.object({ it: z.int() }) }, () => 1);

// An identity holds text, not the literals that it was written with.
const ann = identity({ id: "ann", tenantId: "acme", email: "a@b.c", scopes: ["read"], stats: { calls: 3 } });
expectType<string>(ann.id);
expectType<string>(ann.tenantId);
expectType<string>(ann.email);
expectType<Readonly<Record<string, number>>>(ann.stats);
expectType<readonly string[]>(ann.scopes);
let current = identity({ id: "ann" });
current = identity({ id: "bob" });
expectType<string>(current.id);
// @ts-expect-error no tenant was given
expectType<string>(current.tenantId);
