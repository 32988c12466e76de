/** Conditional writes: tags of versions, and the `If-Match` that a function asks for. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  createEngine,
  DELETE,
  DeclarationError,
  GET,
  group,
  PATCH,
  POST,
  PreconditionFailed,
  PUT,
  reply,
  stream,
} from "../../src/http/index.js";
import {
  assertErrorCode,
  serveRequest,
  serveRequestWithHeaders,
  testEngine,
} from "../../src/http/testing/index.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;
const Note = z.object({ text: z.string(), version: z.int() });
const stored = { text: "a", version: 7 };
let calls = 0;

const read = GET("/note", { output: Note, etag: ({ version }) => `${version}` }, () => stored);
const write = PUT(
  "/note",
  { body: z.string(), output: Note, etag: ({ version }) => `${version}`, ifMatch: true },
  ({ body, ifMatch }) => {
    calls++;
    ifMatch(`${stored.version}`);
    return { text: body, version: 8 };
  },
);
const patch = PATCH("/note", { status: 204, ifMatch: "required" }, (call) => {
  calls++;
  const copy = { ...call };
  copy.ifMatch(`${stored.version}`);
});
const make = PUT("/none", { status: 204, ifMatch: true }, ({ ifMatch }) => ifMatch(null));
const remove = DELETE("/forgets", { status: 204, ifMatch: true }, () => undefined);
const engine = testEngine(read, write, patch, make, remove);
const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  serveRequestWithHeaders(
    engine,
    method,
    path,
    headers,
    body === undefined ? undefined : JSON.stringify(body),
  );

describe("a tag of the output", () => {
  test("is strong, and answers 304", async () => {
    const first = await serveRequest(engine, "GET", "/note");
    expect(first.headers.get("etag")).toBe('"7"');
    for (const [header, status] of [
      ['"7"', 304],
      ['W/"7"', 304],
      ['"1", "7"', 304],
      ["*", 304],
      ['"8"', 200],
      ["7", 200],
    ] as const)
      expect([header, (await ask("GET", "/note", { "if-none-match": header })).status]).toEqual([
        header,
        status,
      ]);
    const changed = await ask("PUT", "/note", {}, "b");
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"8"']);
  });

  test("that cannot be sent is a failure", async () => {
    for (const tag of ['"', "a b", "ü", "a\r\n", 5]) {
      const one = createEngine({ onError: false }).withHandlers(
        GET("/x", { output: Note, etag: wrong(() => tag) }, () => stored),
      );
      assertErrorCode(await serveRequest(one, "GET", "/x"), "INTERNAL_SERVER_ERROR");
    }
  });
});

describe("If-Match", () => {
  test.each<[string, number]>([
    ['"7"', 200],
    ['"1", "7"', 200],
    ["*", 200],
    ['"8"', 412],
    ['W/"7"', 412],
    ["7", 412],
    ["", 412],
  ])("%s is compared with the tag of what is there: %i", async (header, status) => {
    expect((await ask("PUT", "/note", { "if-match": header }, "b")).status).toBe(status);
  });

  test("says why it failed, and that it is the engine's answer", async () => {
    const failed = await ask("PUT", "/note", { "if-match": '"8"' }, "b");
    expect(failed.decodeJSON()).toEqual({
      code: "PRECONDITION_FAILED",
      message: "precondition failed",
      details: { reason: "it has changed since it was read" },
    });
    expect(failed.headers.get("error-origin")).toBe("engine");
  });

  test("with a star asks that there is something", async () => {
    expect((await ask("PUT", "/none", { "if-match": "*" })).status).toBe(412);
    expect((await ask("PUT", "/none", { "if-match": '"1"' })).status).toBe(412);
    expect((await ask("PUT", "/none", {})).status).toBe(204);
  });

  test("passes where it is not there, and is asked for where it is required", async () => {
    expect((await ask("PUT", "/note", {}, "b")).status).toBe(200);
    calls = 0;
    const missing = await ask("PATCH", "/note", {});
    expect([missing.status, missing.decodeJSON()]).toMatchObject([428, { code: "PRECONDITION_REQUIRED" }]);
    expect(calls).toBe(0);
    expect((await ask("PATCH", "/note", { "if-match": '"7"' })).status).toBe(204);
    expect((await ask("PATCH", "/note", { "if-match": '"6"' })).status).toBe(412);
  });

  test("is never ignored: a function that did not ask has failed", async () => {
    const reported: Error[] = [];
    const one = createEngine({ onError: (error) => reported.push(error) }).withHandlers(remove);
    assertErrorCode(
      await serveRequestWithHeaders(one, "DELETE", "/forgets", { "if-match": '"7"' }),
      "INTERNAL_SERVER_ERROR",
    );
    expect(reported.map(({ message }) => message)).toEqual([
      "the request has If-Match, and the function did not call ifMatch",
    ]);
    expect((await serveRequest(one, "DELETE", "/forgets")).status).toBe(204);
  });

  test("is no option of others: a call of it there is a failure", async () => {
    const one = createEngine({ onError: false }).withHandlers(
      POST("/x", { output: Note }, ({ ifMatch }) => {
        ifMatch("7");
        return stored;
      }),
    );
    assertErrorCode(await serveRequest(one, "POST", "/x"), "INTERNAL_SERVER_ERROR");
  });

  test("is given to handlers of groups, and to the client as an error that is declared, or thrown", async () => {
    const notes = group("/notes/{id}", { path: { id: z.int() } }).use(() => ({ at: 3 }));
    const api = testEngine(
      notes.PUT(
        "",
        { outputs: { 200: Note, 201: Note }, errors: [PreconditionFailed], ifMatch: true },
        ({ ifMatch, context }) => {
          ifMatch(`${context.at}`);
          return reply(200, stored);
        },
      ),
      write,
    );
    const client = createClient<typeof api>(await listening(api as never));
    const path = { id: 1 };
    expect((await client.PUT("/notes/{id}", { path, headers: { "if-match": '"3"' } })).status).toBe(200);
    const failed = await client.PUT("/notes/{id}", { path, headers: { "if-match": '"4"' } });
    expect(failed).toMatchObject({ ok: false, status: 412, error: { code: "PRECONDITION_FAILED" } });
    await expect(client.PUT("/note", { body: "b", headers: { "if-match": '"1"' } })).rejects.toMatchObject({
      code: "PRECONDITION_FAILED",
      status: 412,
    });
  });
});

test.each<[string, () => unknown, string]>([
  ["ifMatch of a GET", () => GET("/x", { ifMatch: true }, () => 1), "PUT, PATCH and DELETE"],
  ["ifMatch of a POST", () => POST("/x", { ifMatch: "required" }, () => 1), "PUT, PATCH and DELETE"],
  ["another ifMatch", () => PUT("/x", { ifMatch: wrong("yes") }, () => 1), "ifMatch is a boolean"],
  [
    "ifMatch of a stream",
    () => stream("PUT", "/x", { event: z.int(), ...({ ifMatch: true } as object) }, async () => {}),
    "unknown option",
  ],
])("%s is refused", (_, declare, message) => {
  expect(declare).toThrow(DeclarationError);
  expect(declare).toThrow(message);
});

test("the document has the header, the tag and the errors", async () => {
  const document = engine.openapi();
  const item = document.paths?.["/note"];
  const header = { name: "If-Match", in: "header", schema: { type: "string" } };
  expect(item?.put?.parameters).toEqual([header]);
  expect(item?.patch?.parameters).toEqual([{ ...header, required: true }]);
  expect(Object.keys(item?.put?.responses ?? {})).toContain("412");
  expect(Object.keys(item?.put?.responses ?? {})).not.toContain("428");
  expect(Object.keys(item?.patch?.responses ?? {})).toEqual(expect.arrayContaining(["412", "428"]));
  expect(item?.get?.responses?.["200"]).toMatchObject({ headers: { ETag: {} } });
  expect(Object.keys(item?.get?.responses ?? {})).toContain("304");
  await expectValid(document);
});
