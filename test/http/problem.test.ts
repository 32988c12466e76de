/** Errors as problem details (RFC 9457): every error of an engine, its document, and the client, which gets the same. */
import express from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  Conflict,
  createEngine,
  DeclarationError,
  defineError,
  type EngineOptions,
  GET,
  HostLoopback,
  identity,
  listen,
  NotFound,
  POST,
  stream,
  text,
} from "../../src/http/index.js";
import { assertErrorCode, serveRequest } from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { raw } from "./raw.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out of stock",
  details: z.object({ left: z.bigint() }),
});

const made = (options: EngineOptions) =>
  createEngine({ onError: false, ...options })
    .withAuthenticator((request) => (request.get("x-user") === undefined ? null : identity({ id: "a" })))
    .withHandlers(
      GET(
        "/items/{id}",
        { path: { id: z.int() }, output: z.int(), errors: [NotFound, OutOfStock, Conflict] },
        ({ params: { path } }) => {
          if (path.id === 1) return NotFound.withDetails({ resource: "item" });
          if (path.id === 2) return OutOfStock.withMessage("none left").withDetails({ left: 0n });
          if (path.id === 3) throw Conflict;
          if (path.id === 4) throw new Error("on purpose");
          return path.id;
        },
      ),
      GET("/secret", { authentication: true }, () => 1),
      GET(
        "/refused",
        {
          middleware: [
            (_request, _response, next) =>
              next(Object.assign(new Error("teapot"), { status: 418, expose: true })),
          ],
        },
        () => 1,
      ),
      POST("/sized", { body: z.string(), maxBodySize: 5, output: z.string() }, ({ body }) => body),
      POST("/text", { body: text(), output: z.string() }, ({ body }) => body),
      stream("GET", "/events", { event: z.int(), errors: [Conflict] }, () => Conflict),
    );
const plain = made({});
const blank = made({ errors: "problem" });
const typed = made({ errors: "problem", problemTypes: "https://example.org/errors/" });

const cases: [string, string, number, string, unknown?][] = [
  ["GET", "/items/1", 404, "NOT_FOUND"],
  ["GET", "/items/2", 409, "OUT_OF_STOCK"],
  ["GET", "/items/3", 409, "CONFLICT"],
  ["GET", "/items/4", 500, "INTERNAL_SERVER_ERROR"],
  ["GET", "/items/x", 422, "VALIDATION_FAILED"],
  ["GET", "/items/%ff", 400, "BAD_REQUEST"],
  ["GET", "/none", 404, "NOT_FOUND"],
  ["PUT", "/items/1", 405, "METHOD_NOT_ALLOWED"],
  ["GET", "/secret", 401, "UNAUTHORIZED"],
  ["GET", "/refused", 418, "I_M_A_TEAPOT"],
  ["POST", "/sized", 413, "PAYLOAD_TOO_LARGE", "long enough"],
  ["POST", "/sized", 422, "UNPROCESSABLE_ENTITY", new Uint8Array([0x7b])],
  ["POST", "/text", 415, "UNSUPPORTED_MEDIA_TYPE", "x"],
  ["GET", "/events", 409, "CONFLICT"],
];

describe("an error", () => {
  test.each(cases)(
    "%s %s is a problem %d of the same code, message and details",
    async (method, path, status, code, body) => {
      const own = await serveRequest(plain, method, path, body);
      const { message, details } = own.decodeJSON() as { message: string; details?: unknown };
      expect([own.status, own.headers.get("content-type")]).toEqual([
        status,
        "application/json; charset=utf-8",
      ]);
      for (const [engine, type] of [
        [blank, "about:blank"],
        [typed, `https://example.org/errors/${code}`],
      ] as const) {
        const answer = await serveRequest(engine, method, path, body);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([
          status,
          "application/problem+json",
        ]);
        const problem = answer.decodeJSON() as object;
        expect(problem).toEqual({
          ...{ type, title: expect.any(String), status, detail: message, code },
          ...(details === undefined ? {} : { details }),
        });
        expect(Object.keys(problem).slice(0, 5)).toEqual(["type", "title", "status", "detail", "code"]);
        assertErrorCode(answer, code);
      }
    },
  );

  test("has its default message as its title", async () => {
    expect((await serveRequest(typed, "GET", "/items/2")).decodeJSON()).toEqual({
      type: "https://example.org/errors/OUT_OF_STOCK",
      title: "out of stock",
      status: 409,
      detail: "none left",
      code: "OUT_OF_STOCK",
      details: { left: "0" },
    });
  });

  test("of the server itself is a problem, of a shared server it is not", async () => {
    const port = Number(new URL(await listening(made({ errors: "problem" }))).port);
    const app = express().use(made({ errors: "problem" }).router());
    const shared = await listen(app, HostLoopback, 0);
    atEnd(() => shared.shutdown({ timeoutMs: 500 }));
    const requests: [string, number][] = [
      ["GET / HTTP/1.1\r\n\r\n", 400],
      ["nonsense\r\n\r\n", 400],
      [`GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
      ["POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n", 417],
    ];
    for (const [request, status] of requests) {
      const [head = "", body = ""] = (await raw(port, request)).split("\r\n\r\n");
      expect(head).toMatch(
        new RegExp(`^HTTP/1.1 ${status} [^]*content-type: application/problem\\+json\r\n`, "i"),
      );
      expect(JSON.parse(body)).toEqual({
        type: "about:blank",
        title: "bad request",
        status,
        detail: "bad request",
        code: "BAD_REQUEST",
      });
      expect(await raw(shared.port, request)).toMatch(
        /\r\n\r\n\{"code":"BAD_REQUEST","message":"bad request"\}$/,
      );
    }
    const routed = await fetch(`${shared.url}/items/1`);
    expect([routed.headers.get("content-type"), ((await routed.json()) as { code: string }).code]).toEqual([
      "application/problem+json",
      "NOT_FOUND",
    ]);
  });
});

test("the document describes it, and the one without the option is the same as ever", async () => {
  for (const [engine, type] of [
    [blank, "about:blank"],
    [typed, "https://example.org/errors/OUT_OF_STOCK"],
  ] as const) {
    const document = engine.openapi();
    await expectValid(document);
    expect(document.components?.schemas?.["OutOfStock"]).toEqual({
      type: "object",
      properties: {
        type: { type: "string", const: type },
        title: { type: "string", const: "out of stock" },
        status: { type: "integer", const: 409 },
        detail: { type: "string" },
        code: { type: "string", const: "OUT_OF_STOCK" },
        details: expect.objectContaining({ type: "object" }),
      },
      required: ["type", "title", "status", "detail", "code", "details"],
    });
    const responses: Record<string, unknown> = { ...document.paths?.["/items/{id}"]?.get?.responses };
    for (const status of ["404", "409", "422", "500"])
      expect(Object.keys((responses[status] as { content: object }).content)).toEqual([
        "application/problem+json",
      ]);
  }
  expect(plain.openapi().components?.schemas?.["OutOfStock"]).toMatchObject({
    required: ["code", "message", "details"],
  });
  // A part of the document has the same form.
  const part = blank.openapi(identity({ id: "a" }));
  expect(part.components?.schemas?.["NotFound"]).toMatchObject({
    required: ["type", "title", "status", "detail", "code"],
  });
});

test("the client gets the same of both forms", async () => {
  const [one, other] = await Promise.all([plain, typed].map((engine) => listening(engine)));
  const results = async (url: string) => {
    const client = createClient<typeof plain>(url);
    const failed = (error: unknown) => {
      const { name, code, message, status, details } = error as Record<string, unknown>;
      return { name, code, message, status, details };
    };
    const calls: Promise<{ ok: boolean; status: number; data?: unknown; error?: unknown }>[] = [
      1, 2, 3, 4, 5,
    ].map((id) => client.GET("/items/{id}", { path: { id } }));
    calls.push(
      client.GET("/secret"),
      client.GET("/refused"),
      client.POST("/sized", { body: "too long a text" }),
      client.POST("/text", { body: "learnt" }),
    );
    const answers = await Promise.all(
      calls.map((call) => call.then(({ ok, status, data, error }) => ({ ok, status, data, error }), failed)),
    );
    const events = await (async () => {
      for await (const _ of client.stream("GET", "/events"));
      return undefined;
    })().catch(failed);
    return [...answers, events];
  };
  const own = await results(one ?? "");
  expect(own[0]).toMatchObject({
    ok: false,
    error: { code: "NOT_FOUND", message: "not found", details: { resource: "item" } },
  });
  expect(own.at(-1)).toMatchObject({ code: "CONFLICT", status: 409 });
  expect(await results(other ?? "")).toEqual(own);
});

test("other options are refused", () => {
  // Every value here is one that the compiler refuses.
  for (const options of [
    { errors: "plain" },
    { errors: true },
    { problemTypes: "https://a/" },
    { errors: "problem", problemTypes: 5 },
  ])
    expect(() => createEngine(options as never)).toThrow(DeclarationError);
});
