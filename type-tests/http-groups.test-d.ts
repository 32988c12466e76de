// Groups: the parameters, errors, identity and context of their handlers.
import { Conflict, createEngine, group, handlers, type Identity, NotFound, reply } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";

declare const keyIn: <T>(context: T) => keyof T;
declare const found: { readonly name: string } | undefined;

const tenant = group("/t/{tenantId}/{other}", {
  path: { tenantId: z.int() },
  query: { debug: z.boolean().optional() },
  errors: [NotFound],
  scopes: ["tenant"],
}).use(({ params, identity, context }) => {
  expectType<number>(params.path.tenantId);
  expectType<string>(params.path.other);
  expectType<boolean | undefined>(params.query.debug);
  expectType<string>(identity.id);
  expectType<never>(keyIn(context));
  return found === undefined ? NotFound : { tenant: found };
});
const inner = tenant.group("/in", { errors: [Conflict] }).use(async ({ context }) => {
  expectType<string>(context.tenant.name);
  return { count: context.tenant.name.length };
});

const rows = inner.GET(
  "/rows/{id}",
  { path: { id: z.bigint() }, query: { q: z.string() }, output: z.object({ id: z.bigint() }) },
  ({ params, context, identity, body }) => {
    expectType<number>(params.path.tenantId);
    expectType<string>(params.path.other);
    expectType<bigint>(params.path.id);
    expectType<boolean | undefined>(params.query.debug);
    expectType<string>(params.query.q);
    expectType<number>(context.count);
    expectType<string>(context.tenant.name);
    expectType<Identity>(identity);
    expectType<undefined>(body);
    if (context.count === 0) return NotFound;
    if (context.count === 1) return Conflict;
    return { id: params.path.id };
  },
);
expectType<"/t/{tenantId}/{other}/in/rows/{id}">(rows.path);
const jobs = inner.POST("/jobs", { body: z.int(), outputs: { 200: z.int(), 202: z.string() } }, ({ body }) =>
  body === 1 ? reply(200, 1) : reply(202, "later"),
);
const plain = inner.DELETE("/plain", ({ params, context }) => params.path.tenantId + context.count);
const events = inner.stream("GET", "/events", { event: z.int() }, async ({ context }, { send }) => {
  await send(context.count);
});
const open = group("").GET("/open", { authentication: "optional" }, ({ identity, context }) => {
  expectType<Identity | null>(identity);
  expectType<never>(keyIn(context));
  return 1;
});

// @ts-expect-error an error that neither declares
tenant.GET("/x", { output: z.int() }, () => Conflict);
// @ts-expect-error the context has no such key
tenant.GET("/x", ({ context }) => context.nope);
// @ts-expect-error the group declares the parameter
tenant.GET("/x", { query: { debug: z.boolean() } }, () => 1);
// @ts-expect-error the group declares the parameter of the path
tenant.GET("/x", { path: { tenantId: z.int() } }, () => 1);
// @ts-expect-error no name of the path
tenant.GET("/x", { path: { nope: z.int() } }, () => 1);
// @ts-expect-error the group is guarded
tenant.GET("/x", { authentication: false }, () => 1);
// @ts-expect-error so is a group that asks for the caller
group("", { authentication: true }).group("/x", { authentication: false });
// @ts-expect-error an error that the group does not declare
tenant.use(() => Conflict);
// @ts-expect-error no object
tenant.use(() => 5);
// @ts-expect-error an option of handlers only
group("/x", { output: z.int() });
// @ts-expect-error a prefix does not end with a slash
group("/x/");
// @ts-expect-error
group("/");
// @ts-expect-error a prefix begins with a slash
group("x");
// @ts-expect-error
tenant.group("/x/");
group("/x" as string).group("/{y}" as `/${string}`);

interface Member extends Identity {
  readonly plan: string;
}
const members = handlers<Member>().group("/m", { authentication: true });
const plan = members.GET("/plan", ({ identity }) => identity.plan);
createEngine<Member>().withHandlers(plan);
// @ts-expect-error an engine of another identity
createEngine().withHandlers(plan);

const api = createEngine().withHandlers(rows, jobs, plain, events, open);
const client = createClient<typeof api>("/api");
const path = { tenantId: 1, other: "o" };
const got = await client.GET("/t/{tenantId}/{other}/in/rows/{id}", {
  path: { ...path, id: "1" },
  query: { q: "x" },
});
if (got.ok) expectType<string>(got.data.id);
else expectType<"NOT_FOUND" | "CONFLICT">(got.error.code);
// @ts-expect-error the query of the handler is missing
client.GET("/t/{tenantId}/{other}/in/rows/{id}", { path: { ...path, id: "1" }, query: { debug: true } });
const job = await client.POST("/t/{tenantId}/{other}/in/jobs", { path, body: 1 });
if (job.ok && job.status === 202) expectType<string>(job.data);
