import {
  type AnyHttpError,
  Conflict,
  createEngine,
  DELETE,
  defineError,
  type Engine,
  enrich,
  extractor,
  GET,
  type Handler,
  HttpError,
  handler,
  handlers,
  type Identity,
  identity,
  NotFound,
  POST,
  PUT,
  TooManyRequests,
  usageLimit,
} from "rowtype/http";
import { mapSqlErrors } from "rowtype/http/sql";
import { expectType } from "tsd";
import { z } from "zod";
import { z as z3 } from "zod/v3";

// Errors of a database are mapped by a function; one that only promises an error would map nothing.
expectType<Engine<Identity, never>>(createEngine({ onError: false }).withErrorMapper(mapSqlErrors));
createEngine({
  onError: (error, { method, route }) => {
    expectType<Error>(error);
    expectType<string>(method);
    expectType<string | undefined>(route);
  },
}).withErrorMapper((error) => (error instanceof RangeError ? Conflict : mapSqlErrors(error)));
// @ts-expect-error a promise is not an error
createEngine().withErrorMapper(async () => Conflict);
// @ts-expect-error it is false, or a function
createEngine({ onError: true });

// Path parameters come from the template, and are text where nothing else is declared.
GET("/users/{id}/orders/{order}", ({ params, body, identity }) => {
  expectType<string>(params.path.id);
  expectType<string>(params.path.order);
  expectType<undefined>(body);
  expectType<null>(identity);
  // @ts-expect-error the path does not name it
  params.path.other;
});

// A Zod object may name some of them too.
GET("/users/{id}/{slug}", { path: z.object({ id: z.int() }) }, ({ params }) => {
  expectType<{ readonly id: number; readonly slug: string }>(params.path);
});

GET("/users/{id}/{slug}", { path: { id: z.int() } }, ({ params }) => {
  expectType<number>(params.path.id);
  expectType<string>(params.path.slug);
});

// @ts-expect-error the path does not name the parameter
GET("/users/{id}", { path: { idd: z.int() } }, () => 1);

// @ts-expect-error an unknown option
GET("/users", { querry: { a: z.int() } }, () => 1);

// @ts-expect-error text cannot carry an object
GET("/users", { query: { a: z.object({ b: z.string() }) } }, () => 1);

// @ts-expect-error nor a list of objects
GET("/users", { query: { a: z.array(z.object({})) } }, () => 1);

// A set comes from repeated keys, as an array does.
GET("/users", { query: { a: z.set(z.int()), b: z3.array(z3.number()), c: z3.date() } }, ({ params }) => {
  expectType<Set<number>>(params.query.a);
  expectType<number[]>(params.query.b);
  expectType<Date>(params.query.c);
});

// @ts-expect-error text cannot carry an object, of Zod 3 either
GET("/users", { query: { a: z3.object({ b: z3.string() }) } }, () => 1);

// @ts-expect-error nor a map
GET("/users", { headers: { a: z.map(z.string(), z.string()) } }, () => 1);

// Everything that is declared is inferred.
POST(
  "/users",
  {
    query: {
      n: z.number().optional(),
      day: z.date(),
      big: z.bigint(),
      list: z.array(z.int()),
      coerced: z.coerce.number(),
      role: z.enum(["a", "b"]).default("a"),
    },
    headers: { "x-trace": z.uuid() },
    cookies: z.object({ sid: z.string() }),
    body: z.object({ name: z.string(), at: z.date() }),
    output: z.object({ id: z.int() }),
  },
  ({ params, body, identity, signal, request, response }) => {
    expectType<number | undefined>(params.query.n);
    expectType<Date>(params.query.day);
    expectType<bigint>(params.query.big);
    expectType<number[]>(params.query.list);
    expectType<number>(params.query.coerced);
    expectType<"a" | "b">(params.query.role);
    expectType<string>(params.headers["x-trace"]);
    expectType<string>(params.cookies.sid);
    expectType<string>(body.name);
    expectType<Date>(body.at);
    expectType<null>(identity);
    expectType<AbortSignal>(signal);
    expectType<string | undefined>(request.get("x"));
    expectType<boolean>(response.headersSent);
    // @ts-expect-error undeclared
    params.query.other;
    return { id: 1 };
  },
);

// The output is what the schema gives.
const One = z.object({ id: z.int(), at: z.date() });
GET("/one", { output: One }, () => ({ id: 1, at: new Date() }));
GET("/one", { output: One }, async () => ({ id: 1, at: new Date() }));
// @ts-expect-error a missing field
GET("/one", { output: One }, () => ({ id: 1 }));
// @ts-expect-error a wrong type
GET("/one", { output: One }, async () => ({ id: "1", at: new Date() }));
GET("/text", { output: z.string() }, () => "x");
GET("/list", { output: z.array(One) }, () => [{ id: 1, at: new Date() }]);
GET("/pair", { output: z.tuple([z.string(), z.int()]) }, () => ["a", 1]);
GET("/record", { output: z.record(z.string(), z.number()), errors: [NotFound] }, () => ({ a: 1 }));
// @ts-expect-error undeclared, though every key fits
GET("/record", { output: z.record(z.string(), z.unknown()) }, () => Conflict);
GET("/maybe", { output: One.nullable() }, () => null);

// Literals and tuples in an output are read as what the schema wants, with or without arguments.
const Role = z.object({ role: z.enum(["a", "b"]), pair: z.tuple([z.string(), z.int()]).optional() });
GET("/role", { output: Role }, () => ({ role: "a" }));
GET("/role", { output: Role }, async () => ({ role: "b", pair: ["x", 1] }));
GET("/role", { output: z.array(Role) }, async ({ params: _ }) => [{ role: "a" }]);
GET("/role", { output: z.enum(["x", "y"]) }, () => "x");
GET("/role", { output: Role, errors: [NotFound] }, () => (Math.random() > 0.5 ? NotFound : { role: "a" }));
// @ts-expect-error none of the literals
GET("/role", { output: Role }, () => ({ role: "c" }));
// @ts-expect-error none of the literals
GET("/role", { output: z.enum(["x", "y"]) }, () => "z");

// Declared errors may be returned, undeclared ones not, however loose the output is.
GET("/e", { output: One, errors: [NotFound] }, () => NotFound.withDetails({ resource: "one" }));
GET("/e", { output: One, errors: [NotFound, Conflict] }, async () =>
  Math.random() > 0.5 ? NotFound : Conflict,
);
// @ts-expect-error undeclared
GET("/e", { output: One, errors: [NotFound] }, () => Conflict);
// @ts-expect-error undeclared
GET("/e", { output: One }, () => NotFound);
const LikeAnError = z.object({ code: z.string(), message: z.string() });
// @ts-expect-error undeclared, though the output would fit
GET("/e", { output: LikeAnError, errors: [NotFound] }, () => Conflict);
// @ts-expect-error undeclared, though the output has nothing that must be there
GET("/e", { output: z.object({ code: z.string().optional() }) }, async () => Conflict);
// @ts-expect-error undeclared, though every object fits
GET("/e", { output: z.object({}) }, () => Conflict);
// @ts-expect-error undeclared, though its code and status fit
GET("/e", { output: z.object({ code: z.literal("CONFLICT"), status: z.literal(409) }) }, () => Conflict);
// @ts-expect-error undeclared, though one of the outputs would fit
GET("/e", { output: z.union([z.string(), LikeAnError]) }, () => Conflict);
GET("/e", { output: z.union([z.string(), LikeAnError]) }, () => "text");
GET("/e", { output: z.unknown() }, () => Conflict);
GET("/e", { output: z.any() }, () => Conflict);
GET("/e", () => Conflict);

// Details are typed.
const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out of stock",
  details: z.object({ left: z.int() }),
});
expectType<HttpError<"OUT_OF_STOCK", 409, { left: number }>>(OutOfStock);
OutOfStock.withDetails({ left: 1 }).withMessage("x").withCause(new Error());
// @ts-expect-error a wrong type
OutOfStock.withDetails({ left: "1" });
// @ts-expect-error another field
NotFound.withDetails({ reason: "x" });
TooManyRequests.withDetails({ retry_after: 5 });
declare const thrown: unknown;
if (HttpError.is(thrown)) expectType<AnyHttpError>(thrown);

// The identity is there where authentication is required.
GET("/me", { authentication: true }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { authentication: "optional" }, ({ identity }) => expectType<Identity | null>(identity));
GET("/me", { scopes: ["a", "b"] }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { roles: [["a"], ["b"]] }, ({ identity }) => expectType<Identity>(identity));
GET("/me", { usageLimits: [usageLimit("calls", ({ id }) => id.length)] }, ({ identity }) =>
  expectType<Identity>(identity),
);
GET("/me", {}, ({ identity }) => expectType<null>(identity));
// Several guards at once, of different lengths and kinds, and lists that were declared elsewhere.
const anyOf: readonly string[] = ["a"];
const allOf = [["a"], ["b", "c"]] as const;
GET(
  "/me",
  { scopes: anyOf, roles: allOf, usageLimits: [usageLimit("calls", () => 1), usageLimit("days", () => 2)] },
  ({ identity }) => expectType<Identity>(identity),
);
GET("/me", { scopes: allOf, authentication: true }, ({ identity }) => expectType<Identity>(identity));
// @ts-expect-error names are text
GET("/me", { scopes: [1] }, () => 1);
// @ts-expect-error a list
GET("/me", { roles: "admin" }, () => 1);

// The application's own identity, on engines that supply it only.
interface Member extends Identity {
  readonly plan: "free" | "paid";
}
const own = handlers<Member>();
const plan = own.GET("/plan", { authentication: true }, ({ identity }) =>
  expectType<"free" | "paid">(identity.plan),
);
const open = own.POST("/open", ({ body }) => body);
const anyone = PUT("/anyone", { authentication: true }, ({ identity }) => identity.id);
createEngine<Member>().withHandlers(plan, open, anyone);
// @ts-expect-error the engine's callers have no plan
createEngine().withHandlers(plan);
const asIdentity = extractor(() => identity({ id: "1" }), {
  name: "bearer",
  scheme: { type: "http", scheme: "bearer" },
});
createEngine<Member>().withAuthenticator(
  enrich(asIdentity, (found) => ({ ...found, plan: "free" as const })),
);
// @ts-expect-error the extractor gives no plan
createEngine<Member>().withAuthenticator(asIdentity);

// A handler carries its method and path.
const named = handler(
  "remove",
  "DELETE",
  "/users/{id}",
  { status: 204, path: { id: z.int() } },
  ({ params }) => {
    expectType<number>(params.path.id);
  },
);
const plain = DELETE("/x", () => undefined);
expectType<"DELETE">(named.method);
expectType<"/users/{id}">(named.path);
expectType<"/x">(plain.path);
const anyHandler: Handler<string, string, unknown, Identity> = named;
expectType<string>(anyHandler.path);

// The engine is chained.
const api = createEngine()
  .withOpenAPIInfo({ title: "x", version: "1" })
  .withTag("a", "b")
  .withHandlers(named)
  .withHandlers(plain, anyone);
expectType<Promise<{ readonly graceful: boolean }>>(api.shutdown());
expectType<true>({} as "3.1.0" extends typeof document.openapi ? true : false);
declare const document: ReturnType<typeof api.openapi>;

// Without parameters, the types are those of what an application passes around.
const routes: Handler[] = [named, plain, anyone, GET("/a", () => 1)];
let assembled: Engine = createEngine().withHandlers(...routes);
assembled = assembled.withHandlers(GET("/b", () => 1)).withTag("a");
const members: Engine<Member> = createEngine<Member>().withHandlers(plan, open, ...routes);
members.withHandlers(plan);
// @ts-expect-error needs callers with a plan
const wrongRoutes: Handler[] = [plan];
expectType<Handler[]>(wrongRoutes);

// What an identity is given beside the known fields is kept.
expectType<"paid">(identity({ id: "1", plan: "paid" }).plan);
