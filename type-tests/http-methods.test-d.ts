// QUERY, HEAD and OPTIONS: their handlers, in groups and in the client; hidden handlers and options of an engine.
import {
  createEngine,
  GET,
  group,
  HEAD,
  handlers,
  NotFound,
  OPTIONS,
  PUT,
  QUERY,
  reply,
  stream,
} from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";

const Search = z.object({ text: z.string() });
const find = QUERY("/books", { body: Search, output: z.array(z.date()), errors: [NotFound] }, ({ body }) =>
  body.text === "" ? NotFound : [new Date()],
);
const list = GET("/books", { hidden: true, query: { page: z.int() }, output: z.array(z.string()) }, () => []);
const length = HEAD("/length/{id}", { responseHeaders: { "X-Length": z.int() } }, ({ params }) =>
  reply(200, undefined, { "X-Length": params.path.id.length }),
);
const methods = OPTIONS("/books", { output: z.object({ all: z.array(z.string()) }) }, () => ({
  all: ["GET"],
}));
const ticks = stream("QUERY", "/ticks", { body: Search, event: z.int() }, async ({ body }, { send }) => {
  await send(body.text.length);
});
const shelf = group("/shelves/{shelf}", { hidden: true, path: { shelf: z.int() } });
const inner = shelf.QUERY("/books", { body: Search, output: z.int() }, ({ body, params }) => {
  expectType<string>(body.text);
  return params.path.shelf;
});
const bare = shelf.HEAD("/books", ({ response }) => void response.setHeader("X-A", "1"));
handlers().OPTIONS("/x", () => 1);

// @ts-expect-error HEAD has no output
HEAD("/x", { output: z.int() }, () => 1);
// @ts-expect-error
HEAD("/x", { outputs: { 200: z.int() } }, () => reply(200, 1));
// @ts-expect-error
shelf.HEAD("/x", { output: z.int() }, () => 1);
// @ts-expect-error another output
QUERY("/x", { body: Search, output: z.int() }, () => "1");
// @ts-expect-error a QUERY asks by its body
QUERY("/x", { output: z.int() }, () => 1);
// @ts-expect-error
QUERY("/x", () => 1);
// @ts-expect-error
shelf.QUERY("/x", { output: z.int() }, () => 1);
// @ts-expect-error
handlers().QUERY("/x", {}, () => 1);
// @ts-expect-error hidden or not
GET("/x", { hidden: "yes" }, () => 1);
// @ts-expect-error
group("/x", { hidden: 1 });
createEngine({ strictQuery: true, openapi: "3.2" });
// @ts-expect-error
createEngine({ openapi: "3.0" });
// @ts-expect-error
createEngine({ strictQuery: "yes" });

// Names that are a part of a segment, or the rest of the path.
const file = GET("/files/{path*}", { output: z.string() }, ({ params }) => {
  expectType<{ readonly path: string }>(params.path);
  return params.path.path;
});
const version = GET("/v{n}/{name}.json", { path: { n: z.int() }, output: z.int() }, ({ params }) => {
  expectType<{ readonly n: number; readonly name: string }>(params.path);
  return params.path.n;
});
// @ts-expect-error no name of the path
GET("/files/{path*}", { path: { "path*": z.string() } }, () => 1);

// Conditional writes.
const Note = z.object({ version: z.int() });
PUT(
  "/note",
  { body: Note, output: Note, etag: ({ version }) => `${version}`, ifMatch: "required" },
  ({ body, ifMatch }) => {
    expectType<(tag: string | null) => void>(ifMatch);
    ifMatch(null);
    return body;
  },
);
// @ts-expect-error a tag is text
PUT("/note", { output: Note, etag: ({ version }) => version }, () => ({ version: 1 }));
// @ts-expect-error no field of the output
PUT("/note", { output: Note, etag: ({ nope }) => nope }, () => ({ version: 1 }));
// @ts-expect-error
PUT("/note", { ifMatch: "always" }, () => 1);
// @ts-expect-error a tag is text
PUT("/note", { ifMatch: true }, ({ ifMatch }) => ifMatch(7));

const api = createEngine().withHandlers(find, list, length, methods, ticks, inner, bare, file, version);
const client = createClient<typeof api>("/api");
const found = await client.QUERY("/books", { body: { text: "a" } });
if (found.ok) expectType<string[]>(found.data);
else expectType<404>(found.error.status);
// @ts-expect-error a QUERY has its body
client.QUERY("/books");
// @ts-expect-error no QUERY of this path
client.QUERY("/length/{id}");
const head = await client.HEAD("/books", { query: { page: 1 } });
expectType<undefined>(head.data);
expectType<Headers>(head.headers);
await client.HEAD("/length/{id}", { path: { id: "a" } });
// @ts-expect-error the query of the GET
client.HEAD("/books");
// @ts-expect-error neither GET nor HEAD
client.HEAD("/ticks");
for await (const { data } of client.stream("QUERY", "/ticks", { body: { text: "a" } }))
  expectType<number>(data);
expectType<number>(
  (await client.QUERY("/shelves/{shelf}/books", { path: { shelf: 1 }, body: { text: "" } })).data,
);
expectType<string>((await client.GET("/files/{path*}", { path: { path: "a/b" } })).data);
await client.GET("/v{n}/{name}.json", { path: { n: 1, name: "a" } });
// @ts-expect-error
client.GET("/files/{path*}", { path: { "path*": "a" } });
