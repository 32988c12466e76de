/**
 * A process in which no code may be generated from text: by a flag of Node, or because the application says so to Zod.
 * It validates, inserts and serves, and tells how often code was to be generated.
 */
import Sqlite from "better-sqlite3";
import { z } from "zod";

let asked = 0;
// Every way to make a function from text ends here.
globalThis.Function = new Proxy(globalThis.Function, {
  construct(target, args, newTarget) {
    asked++;
    return Reflect.construct(target, args, newTarget);
  },
});
if (process.argv.includes("jitless")) z.config({ jitless: true });

const { column, table } = await import("rowtype");
const { sqlite } = await import("rowtype/sqlite");
const { createEngine, POST } = await import("rowtype/http");
const { serveRequest } = await import("rowtype/http/testing");

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string().min(2), at: z.date() }),
);
const db = sqlite(new Sqlite(":memory:"));
await db.createTables(Item);
const items = db.repository(Item);
const stored = await items.insert().exec({ id: 1, name: "tea", at: new Date(0) });
const named = items.query().where("name", "=", "name");
const rows = await named.exec({ name: "tea" });
const begun = asked;
// A builder that is called often binds by a generated function.
for (let i = 0; i < 100; i++) await named.exec({ name: "tea" });
const askedByCalls = asked - begun;
const refused = await items
  .insert()
  .exec({ id: 2, name: "x", at: new Date(0) })
  .catch(({ code }) => code);

const Body = z.object({ name: z.string().min(2), tags: z.array(z.string()).default([]) });
const api = createEngine({ onError: false }).withHandlers(
  POST("/items/{id}", { path: z.object({ id: z.int() }), body: Body, output: Body }, ({ body }) => body),
);
const answers = [
  await serveRequest(api, "POST", "/items/1", { name: "tea", tags: ["a"], more: 1 }),
  await serveRequest(api, "POST", "/items/1", { name: "x" }),
];

process.stdout.write(
  JSON.stringify({
    asked,
    askedByCalls,
    sql: [stored, rows, refused],
    http: answers.map((answer) => [answer.status, answer.decodeJSON()]),
  }),
);
