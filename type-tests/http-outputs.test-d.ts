// Several successes, and answers that are not JSON: what a function gives, and what a client gets.
import {
  bytes,
  Conflict,
  createEngine,
  csv,
  GET,
  html,
  NotFound,
  ndjson,
  POST,
  reply,
  rows,
  stream,
  text,
} from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";

const Report = z.object({ rows: z.int(), at: z.date() });
const Job = z.object({ job: z.string(), state: z.enum(["waiting", "running"]) });
declare const choice: number;
declare const buffer: Uint8Array;
declare const chunks: AsyncIterable<Uint8Array>;

const load = POST(
  "/imports",
  { body: z.object({ n: z.int() }), outputs: { 200: Report, 202: Job, 204: null }, errors: [Conflict] },
  async ({ body }) => {
    if (body.n === 0) return reply(204);
    if (body.n < 0) return Conflict;
    return body.n < 100
      ? reply(200, { rows: body.n, at: new Date() })
      : reply(202, { job: "x", state: "waiting" }, { "Retry-After": 5 });
  },
);
// Synchronously, and with a list.
const lists = GET("/lists", { outputs: { 200: z.array(z.int()), 203: z.enum(["a", "b"]) } }, () =>
  choice === 1 ? reply(200, [1, 2]) : reply(203, "a"),
);

// Lists deep inside, literals of one output, values that are no literals, and other objects.
const Deep = z.object({
  list: z.array(z.object({ tags: z.array(z.enum(["a", "b"])) })),
  pair: z.tuple([z.int(), z.string()]),
});
GET("/x", { outputs: { 200: Deep, 203: Job } }, () =>
  reply(200, { list: [{ tags: ["a", "b"] }, { tags: [] }], pair: [1, "x"] }),
);
GET("/x", { output: Deep }, () => reply(200, { list: [{ tags: ["a"] }], pair: [1, "x"] }));
declare const deep: z.infer<typeof Deep>;
GET("/x", { outputs: { 200: Deep, 201: z.bigint(), 203: z.date() } }, () =>
  choice === 1 ? reply(200, deep) : choice === 2 ? reply(201, 5n) : reply(203, new Date()),
);
class Named {
  readonly job: string = "x";
}
GET("/x", { outputs: { 200: z.object({ job: z.string() }) } }, () => reply(200, new Named()));

// A status that is not declared, the value of another one, no value, and a value that is no reply.
// @ts-expect-error
POST("/x", { outputs: { 200: Report } }, () => reply(201, { rows: 1, at: new Date() }));
// @ts-expect-error
POST("/x", { outputs: { 200: Report, 202: Job } }, () => reply(202, { rows: 1, at: new Date() }));
// @ts-expect-error
POST("/x", { outputs: { 200: Report } }, () => reply(200));
// @ts-expect-error
POST("/x", { outputs: { 200: Report } }, () => ({ rows: 1, at: new Date() }));
// @ts-expect-error an error that is not declared
POST("/x", { outputs: { 200: Report } }, () => NotFound);
// @ts-expect-error a value where there is no body
POST("/x", { outputs: { 204: null } }, () => reply(204, 1));
// @ts-expect-error no literal of the choice
GET("/x", { outputs: { 203: z.enum(["a", "b"]) } }, () => reply(203, "c"));

// Beside `status` or `output`, empty, of a status without a body, of an error, of no status.
// @ts-expect-error
POST("/x", { status: 200, outputs: { 200: Report } }, () => reply(200, { rows: 1, at: new Date() }));
// @ts-expect-error
POST("/x", { output: Report, outputs: { 200: Report } }, () => reply(200, { rows: 1, at: new Date() }));
// @ts-expect-error
POST("/x", { outputs: {} }, () => reply(200));
// @ts-expect-error
POST("/x", { outputs: { 204: Report } }, () => reply(204));
// @ts-expect-error
POST("/x", { outputs: { 404: Report } }, () => reply(404, { rows: 1, at: new Date() }));
// @ts-expect-error
POST("/x", { outputs: { 299: Report } }, () => reply(299, { rows: 1, at: new Date() }));
// @ts-expect-error
POST("/x", { outputs: { 200: 5 } }, () => reply(200, 5));

// With one output, for headers.
const made = POST("/made", { status: 201, output: Report, responseHeaders: { "X-Total": z.int() } }, () =>
  reply(201, { rows: 1, at: new Date() }, { "X-Total": 3 }),
);
// @ts-expect-error the value of no output
POST("/x", { output: Report }, () => reply(200, { rows: "1" }));
POST("/x", { status: 204 }, () => reply(204, undefined, { "X-Total": 3 }));
// @ts-expect-error a stream sends its headers before the first event
stream("GET", "/x", { event: z.int(), responseHeaders: { "X-Total": z.int() } }, async () => {});

// Kinds.
const robots = GET("/robots.txt", { output: text() }, () => "User-agent: *");
const page = GET("/page", { output: html() }, async () => "<p>");
const whole = GET("/whole", { output: bytes("image/png") }, () => buffer);
const parts = GET("/parts", { output: bytes(), errors: [NotFound] }, () =>
  choice === 1 ? chunks : choice === 2 ? new ReadableStream<Uint8Array>() : NotFound,
);
const either = GET("/either", { outputs: { 200: text("text/markdown"), 203: bytes() } }, () =>
  choice === 1 ? reply(200, "# a") : reply(203, buffer),
);
// @ts-expect-error no text
GET("/x", { output: text() }, () => 1);
// @ts-expect-error no bytes
GET("/x", { output: bytes() }, () => "text");
// @ts-expect-error an undeclared error
GET("/x", { output: bytes() }, () => NotFound);
// @ts-expect-error a kind is no body
POST("/x", { body: html() }, () => 1);
// @ts-expect-error a kind is no parameter
GET("/x", { query: { q: text() } }, () => 1);
// @ts-expect-error a kind is no event
stream("GET", "/x", { event: text() }, async () => {});

// Rows: lists, generators, streams of queries, and literals in each.
declare const reports: AsyncIterable<z.infer<typeof Report>>;
const lines = GET("/lines", { output: ndjson(Job), errors: [NotFound] }, () =>
  choice === 1 ? [{ job: "a", state: "waiting" }] : NotFound,
);
const generated = GET("/generated", { output: ndjson(Report) }, async function* () {
  yield { rows: 1, at: new Date() };
});
const table = GET(
  "/table",
  { output: csv(Report, { delimiter: ";", header: false, formulas: "keep" }) },
  () => reports,
);
const asked = GET("/asked", { output: rows(Report) }, async () => reports);
const exported = GET("/exported", { outputs: { 200: csv(Report), 203: ndjson(Report), 204: null } }, () =>
  choice === 1 ? reply(200, reports) : choice === 2 ? reply(203, [{ rows: 1, at: new Date() }]) : reply(204),
);
// Lists and scalars are rows of `ndjson` alone.
GET("/x", { output: ndjson(z.int()) }, () => new Set([1, 2]));
// @ts-expect-error rows of an object only
csv(z.string());
// @ts-expect-error
rows(z.array(Report));
// @ts-expect-error no rows
GET("/x", { output: ndjson(Report) }, () => ({ rows: 1, at: new Date() }));
// @ts-expect-error other rows
GET("/x", { output: csv(Report) }, () => [{ rows: "1", at: new Date() }]);
// @ts-expect-error no option
csv(Report, { separator: ";" });
// @ts-expect-error
csv(Report, { formulas: "drop" });
// @ts-expect-error rows of CSV are no body
POST("/x", { body: csv(Report) }, () => 1);

const api = createEngine()
  .withHandlers(load, lists, made, robots, page, whole, parts, either)
  .withHandlers(lines, generated, table, asked, exported);
const client = createClient<typeof api>("/api");

const loaded = await client.POST("/imports", { body: { n: 1 } });
if (!loaded.ok) expectType<"CONFLICT">(loaded.error.code);
else if (loaded.status === 200) expectType<string>(loaded.data.at);
else if (loaded.status === 202) expectType<"waiting" | "running">(loaded.data.state);
else {
  expectType<204>(loaded.status);
  expectType<undefined>(loaded.data);
}
const listed = await client.GET("/lists");
expectType<number[] | "a" | "b">(listed.data);
const after = await client.POST("/made");
expectType<number>(after.status);
expectType<string>(after.data.at);
expectType<string>((await client.GET("/robots.txt")).data);
expectType<string>((await client.GET("/page")).data);
expectType<Uint8Array>((await client.GET("/whole")).data);
const streamed = await client.GET("/parts");
if (streamed.ok) expectType<Uint8Array>(streamed.data);
else expectType<404>(streamed.status);
const one = await client.GET("/either");
if (one.status === 200) expectType<string>(one.data);
else expectType<Uint8Array>(one.data);

const lined = await client.GET("/lines");
if (lined.ok) {
  for await (const row of lined.data) expectType<"waiting" | "running">(row.state);
} else expectType<404>(lined.status);
for await (const row of (await client.GET("/generated")).data) expectType<string>(row.at);
expectType<string>((await client.GET("/table")).data);
expectType<{ rows: number; at: string }[]>((await client.GET("/asked")).data);
const file = await client.GET("/exported");
if (file.status === 200) expectType<string>(file.data);
else if (file.status === 203) for await (const row of file.data) expectType<number>(row.rows);
else expectType<undefined>(file.data);
