/**
 * The diagrams in `docs/pictures`: the tables of the store as they are declared, the flows, and the steps of a request
 * as the engine takes them. `ROWTYPE_WRITE_DOCS=1` draws them anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createEngine, extractor, identity, POST, usageLimit } from "rowtype/http";
import { serveRequestWithHeaders } from "rowtype/http/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import * as store from "../../examples/store/tables.js";
import { drawChains, drawSteps, drawTables, type Step } from "./diagram.js";

const { ROWTYPE_WRITE_DOCS: write } = process.env;

function compare(name: string, svg: string): void {
  const file = new URL(`../../docs/pictures/${name}.svg`, import.meta.url);
  if (write === "1") writeFileSync(file, svg);
  expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(svg);
}

test("the picture of the store shows all of its tables", () => {
  const { artists, albums, genres, mediaTypes, tracks, playlists, playlistTracks } = store;
  const { employees, customers, invoices, invoiceLines } = store;
  const columns = [
    [artists, albums, genres, mediaTypes],
    [tracks, playlistTracks, playlists],
    [invoiceLines, invoices, customers, employees],
  ];
  expect(columns.flat()).toHaveLength(Object.keys(store).length);
  compare("store", drawTables("The eleven tables of the store and their references", columns));
});

test("the picture of the flows", () => {
  compare(
    "flows",
    drawChains("Three flows: a query to its rows, a request to its answer, a declaration to the document", [
      {
        title: "a query to its rows",
        steps: [
          ["tables", "declared"],
          ["builder", "grows a spec"],
          ["resolve", "names, types, refusals"],
          ["render", "text of a dialect"],
          ["prepare", "once a builder"],
          ["driver", "your pool"],
          ["decode", "by the columns"],
          ["rows", "typed"],
        ],
      },
      {
        title: "a request to its answer",
        steps: [
          ["route", "404, 405"],
          ["access", "401, 403, 429"],
          ["input", "checked by Zod"],
          ["handler", "your function"],
          ["output", "checked too"],
          ["answer", "or a typed error"],
        ],
      },
      {
        title: "a declaration to the document",
        steps: [
          ["handlers", "and their schemas"],
          ["components", "named"],
          ["document", "OpenAPI 3.1"],
          ["docs page", "and clients"],
        ],
      },
    ]),
  );
});

// Each has a request that fails there, and in all later ones: the answer shows which comes first.
const steps: readonly (Step & { readonly mend?: Partial<Call> })[] = [
  { name: "engine middleware", says: "helmet, cors, your own", refusals: "" },
  { name: "route", says: "path and method", refusals: "404", mend: { path: "/books/x" } },
  { name: "", says: "the method exists", refusals: "405", mend: { method: "POST" } },
  { name: "handler middleware", says: "of the option", refusals: "" },
  {
    name: "identity",
    says: "who calls",
    refusals: "401",
    mend: { headers: { "x-key": "none" } },
  },
  {
    name: "access",
    says: "scopes, roles",
    refusals: "403",
    mend: { headers: { "x-key": "busy" } },
  },
  { name: "", says: "usage limits", refusals: "429", mend: { headers: { "x-key": "ann" } } },
  {
    name: "parameters",
    says: "path, query, headers",
    refusals: "422",
    mend: { path: "/books/1" },
  },
  {
    name: "body",
    says: "content type",
    refusals: "415",
    mend: { headers: { "content-type": "application/json" } },
  },
  { name: "", says: "size", refusals: "413", mend: { body: "{" } },
  { name: "", says: "JSON", refusals: "422", mend: { body: '{"title":""}' } },
  { name: "", says: "your schema", refusals: "422", mend: { body: '{"title":"x"}' } },
  { name: "handler", says: "your function", refusals: "declared, 500" },
  { name: "output", says: "your schema", refusals: "500" },
  { name: "answer", says: "JSON, typed in the client", refusals: "200" },
];

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

test("the picture of a request has the steps in the order of the engine", async () => {
  const callers = new Map([
    ["none", identity({ id: "none" })],
    ["busy", identity({ id: "busy", scopes: ["books"], stats: { calls: 10 } })],
    ["ann", identity({ id: "ann", scopes: ["books"], stats: { calls: 0 } })],
  ]);
  const byKey = extractor((request) => callers.get(request.get("x-key") ?? "") ?? null, {
    name: "apiKey",
    scheme: { type: "apiKey", in: "header", name: "X-Key" },
  });
  const create = POST(
    "/books/{id}",
    {
      scopes: ["books"],
      usageLimits: [usageLimit("calls", () => 10)],
      path: { id: z.int() },
      body: z.object({ title: z.string().min(1) }),
      output: z.string(),
    },
    ({ body }) => body.title,
  );
  const api = createEngine({ maxBodySize: 100 }).withAuthenticator(byKey).withHandlers(create);
  let call: Call = {
    method: "PUT",
    path: "/nowhere",
    headers: { "content-type": "text/plain" },
    body: `{${" ".repeat(200)}`,
  };
  const seen: string[] = [];
  for (const { refusals, mend } of steps) {
    if (!/^[45]..$/.test(refusals) || refusals === "500") continue;
    const { method, path, headers, body } = call;
    const response = await serveRequestWithHeaders(api, method, path, headers, body);
    seen.push(String(response.status));
    call = { ...call, ...mend, headers: { ...call.headers, ...mend?.headers } };
  }
  const { method, path, headers, body } = call;
  seen.push(String((await serveRequestWithHeaders(api, method, path, headers, body)).status));
  const told = steps.map(({ refusals }) => refusals).filter((one) => /^[245]..$/.test(one) && one !== "500");
  expect(seen).toEqual(told);
  compare("request", drawSteps("The life of a request: each step, and the status that ends it there", steps));
});
