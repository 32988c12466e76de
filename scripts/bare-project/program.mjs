// A small program of a user, without types: a table, its SQL, a handler and the document.
import { column, table } from "rowtype";
import { createEngine, GET, HostLoopback, NotFound, stream } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { toYAML } from "rowtype/openapi";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

const User = table("users", z.object({ id: column(z.int(), { primaryKey: true }), email: z.email() }));
const users = sqlite().repository(User);
const { sql } = users.query().fields("email").where("id", "=", "id").render();
if (sql !== 'SELECT "email" FROM "users" WHERE "id" = :id') throw new Error(sql);

const getUser = GET(
  "/users/{id}",
  { path: { id: z.int() }, output: User.schema, errors: [NotFound] },
  ({ params }) => (params.path.id === 1 ? { id: 1, email: "a@example.org" } : NotFound),
);
const ticks = stream("GET", "/ticks", { event: z.date() }, (_call, { send }) => send(new Date(0)));
const api = createEngine().withOpenAPIInfo({ title: "Users", version: "1" }).withHandlers(getUser, ticks);
const { url } = await api.start(HostLoopback, 0);
const client = createClient(url);
const called = await client.GET("/users/{id}", { path: { id: 2 } });
if (called.error?.code !== "NOT_FOUND") throw new Error(JSON.stringify(called));
for await (const { data } of client.stream("GET", "/ticks"))
  if (data !== "1970-01-01T00:00:00.000Z") throw new Error(data);
const one = await (await fetch(`${url}/users/1`)).json();
const none = await (await fetch(`${url}/users/2`)).json();
const docs = await fetch(`${url}/docs`);
const assets = [...(await docs.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
  ([, path]) => path,
);
const found = await Promise.all(
  assets.map(async (path) => (await fetch(new URL(path, `${url}/docs`))).status),
);
await api.shutdown();
if (one.email !== "a@example.org" || none.code !== "NOT_FOUND") throw new Error(JSON.stringify([one, none]));
if (found.length === 0 || found.some((status) => status !== 200))
  throw new Error(`docs page: ${assets} ${found}`);
if (!toYAML(api.openapi()).includes("/users/{id}:")) throw new Error("the document lacks the path");
console.log("all well");
