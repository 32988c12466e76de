/**
 * Measures the compile cost of the types of handlers, streams and their client, in instantiations: an engine of
 * a hundred handlers, and a client that calls each of them once. Compiles the built package, as `type-cost.mjs`
 * does.
 */
import { costOf } from "./type-cost.mjs";

const HANDLERS = 100;

const imports =
  `import { createEngine, GET, NotFound, Conflict, POST, stream } from "rowtype/http";\n` +
  `import { z } from "zod";\n`;

const user = (n) =>
  `z.object({ id: z.int(), name${n}: z.string(), email: z.email(), bornAt: z.date(), balance: z.bigint(), ` +
  `role: z.enum(["admin", "member"]), plan: z.string().default("free"), tags: z.array(z.string()) })`;

/** Handlers of each kind in turn. */
const handlers = [
  (n) =>
    `GET("/items${n}/{id}", { path: { id: z.int() }, query: { deep: z.boolean().optional() }, ` +
    `output: ${user(n)}, errors: [NotFound] }, () => NotFound)`,
  (n) =>
    `POST("/items${n}", { status: 201, body: ${user(n)}, output: ${user(n)}, errors: [Conflict] }, ` +
    `({ body }) => body)`,
  (n) =>
    `GET("/items${n}", { query: { q: z.string(), limit: z.int().default(10), ids: z.array(z.int()) }, ` +
    `output: z.array(${user(n)}) }, () => [])`,
  (n) =>
    `stream("GET", "/events${n}/{room}", { events: { item: ${user(n)}, end: z.int() } }, ` +
    `async ({ params }, { sendEvent }) => sendEvent("end", params.path.room.length))`,
];

/** A call of each kind, and a use of its result. */
const calls = [
  (n) =>
    `const a${n} = await client.GET("/items${n}/{id}", { path: { id: ${n} }, query: { deep: true } });\n` +
    `export const r${n}: string = a${n}.ok ? a${n}.data.bornAt : a${n}.error.code;\n`,
  (n) =>
    `const a${n} = await client.POST("/items${n}", { body: { id: 1, name${n}: "x", email: "x", bornAt: "x", ` +
    `balance: "1", role: "admin", tags: [] } });\n` +
    `export const r${n}: string = a${n}.ok ? a${n}.data.plan : a${n}.error.message;\n`,
  (n) =>
    `const a${n} = await client.GET("/items${n}", { query: { q: "x", ids: [1] } });\n` +
    `export const r${n}: string | undefined = a${n}.data[0]?.balance;\n`,
  (n) =>
    `for await (const e of client.stream("GET", "/events${n}/{room}", { path: { room: "x" } }))\n` +
    `  if (e.event === "item") ((x: string) => x)(e.data.bornAt);\n`,
];

const numbers = Array.from({ length: HANDLERS }, (_, n) => n);

const engine =
  imports +
  numbers.map((n) => `const h${n} = ${handlers[n % handlers.length](n)};\n`).join("") +
  `export const api = createEngine().withHandlers(${numbers.map((n) => `h${n}`).join(", ")});\n`;

const client = (count) =>
  `import { createClient } from "rowtype/http/client";\nimport type { api } from "./engine.js";\n` +
  `export const client = createClient<typeof api>("/api");\n` +
  numbers
    .slice(0, count)
    .map((n) => calls[n % calls.length](n))
    .join("");

const FILES = 8;

/** The engine, and the engine with a client whose calls stand in several files, as a compiler of several checkers reads it. */
export function clientPrograms() {
  const callers = Array.from({ length: FILES }, (_, file) => {
    const own = numbers.filter((n) => n % FILES === file).map((n) => calls[n % calls.length](n));
    return [`calls${file}.ts`, `import { client } from "./client.js";\n${own.join("")}`];
  });
  const served = { "engine.ts": engine };
  return {
    served,
    called: { ...served, "client.ts": client(0), ...Object.fromEntries(callers) },
    routes: HANDLERS,
  };
}

/** Measures; see `client-type-cost.d.mts`. */
export function clientTypeCost() {
  const bare = costOf({
    "bare.ts": `${imports}export { createEngine, GET, NotFound, Conflict, POST, stream, z };\n`,
  });
  const served = costOf({ "engine.ts": engine });
  const made = costOf({ "engine.ts": engine, "client.ts": client(0) });
  const first = costOf({ "engine.ts": engine, "client.ts": client(handlers.length) });
  const all = costOf({ "engine.ts": engine, "client.ts": client(HANDLERS) });
  return {
    perHandler: Math.round((served - bare) / HANDLERS),
    client: made - served,
    firstCalls: first - made,
    perCall: Math.round((all - first) / (HANDLERS - handlers.length)),
  };
}
