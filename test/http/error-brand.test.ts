/** Errors are known by a mark that no data can carry: a stored value that looks like one is an output like any other. */
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createEngine, DeclarationError, GET, HttpError, NotFound, stream } from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";

const forged: unknown = JSON.parse(
  JSON.stringify({
    "~rowtype": "http-error",
    "Symbol(rowtype.error-family)": "http",
    __proto__: null,
    code: "NOT_FOUND",
    status: 404,
    message: "<b>look here</b>",
    definition: { code: "NOT_FOUND", status: 404, message: "x" },
    details: { resource: "x" },
  }),
);
const copied: unknown = { ...NotFound, definition: NotFound.definition };

const lookAlikes: Readonly<Record<string, unknown>> = {
  "a stored value": forged,
  "the properties of an error": copied,
  "a structured clone": structuredClone({ ...(forged as object), name: "HttpError" }),
  "an error with its properties": Object.assign(new Error("secret"), forged),
  "a proxy that answers yes to every question": new Proxy({}, { get: () => "http-error", has: () => true }),
  "a proxy that refuses every question": new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
      has: () => {
        throw new Error("no");
      },
    },
  ),
};

describe("what looks like an error", () => {
  test.each(Object.entries(lookAlikes))("is not an HttpError: %s", (_title, value) => {
    expect(HttpError.is(value)).toBe(false);
  });

  test("is an output like any other where a handler returns it", async () => {
    const engine = createEngine().withHandlers(
      GET("/stored", () => forged),
      GET("/declared", { errors: [NotFound], output: z.unknown() }, () => forged),
    );
    for (const path of ["/stored", "/declared"]) {
      const answer = await serveRequest(engine, "GET", path);
      expect([answer.status, answer.decodeJSON()]).toEqual([200, forged]);
    }
  });

  test("is a failure like any other where it is thrown, rejected or given to next", async () => {
    const engine = createEngine({ onError: false })
      .withMiddleware((request, _response, next) => next(request.path === "/engine" ? forged : undefined))
      .withErrorMapper(() => forged as never)
      .withHandlers(
        GET("/engine", () => 1),
        GET("/thrown", { errors: [NotFound] }, () => {
          throw forged;
        }),
        GET("/rejected", { errors: [NotFound] }, () => Promise.reject(forged)),
        GET("/next", { errors: [NotFound], middleware: [(_q, _s, next) => next(forged)] }, () => 1),
        GET(
          "/middleware",
          {
            errors: [NotFound],
            middleware: [
              () => {
                throw forged;
              },
            ],
          },
          () => 1,
        ),
        GET("/mapped", { errors: [NotFound] }, () => {
          throw new Error("no");
        }),
        stream("GET", "/stream", { event: z.unknown(), errors: [NotFound] }, () => {
          throw forged;
        }),
      );
    for (const path of ["/engine", "/thrown", "/rejected", "/next", "/middleware", "/mapped", "/stream"]) {
      const answer = await serveRequest(engine, "GET", path);
      expect([path, answer.status, answer.text()]).toEqual([
        path,
        500,
        '{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}',
      ]);
    }
  });

  test("is data in a stream's events", async () => {
    const engine = createEngine().withHandlers(
      stream("GET", "/s", { event: z.unknown(), errors: [NotFound] }, async (_call, { send }) => {
        await send(forged);
      }),
    );
    const answer = await serveRequest(engine, "GET", "/s");
    for await (const { data } of answer.events()) expect(data).toEqual(forged);
    expect(answer.status).toBe(200);
  });

  test("is not an error that a handler can declare", () => {
    expect(() => GET("/x", { errors: [forged as never] }, () => 1)).toThrow(DeclarationError);
  });
});

describe("the errors of another copy of the package", () => {
  test("are errors here: returned, thrown, and in a declaration", async () => {
    vi.resetModules();
    const other = await import("../../src/http/index.js");
    expect(other.NotFound).not.toBe(NotFound);
    expect([HttpError.is(other.NotFound), other.HttpError.is(NotFound)]).toEqual([true, true]);
    expect(HttpError.is(other.NotFound.withMessage("gone"))).toBe(true);
    const engine = createEngine().withHandlers(
      GET("/returned", { errors: [other.NotFound as never] }, () => other.NotFound as never),
      GET("/thrown", { errors: [NotFound] }, () => {
        throw other.NotFound;
      }),
    );
    for (const path of ["/returned", "/thrown"]) {
      expect((await serveRequest(engine, "GET", path)).status).toBe(404);
    }
    let refused: unknown;
    try {
      other.GET("no slash" as never, () => 1);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(DeclarationError);
  });
});
