/** What middleware refuses requests with: errors with a 4xx status of whatever origin, in the form of all errors. */
import express from "express";
import multer from "multer";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, NotFound, on, POST } from "../../src/http/index.js";
import { ask, listening, serve } from "./serve.js";

const bare = { code: "INTERNAL_SERVER_ERROR", message: "internal server error" };

/** An error as `http-errors` makes it. */
const httpError = (fields: object, message = "invalid csrf token") =>
  Object.assign(new Error(message), fields);

describe("an error with a 4xx status", () => {
  const cases: [string, unknown, number, object][] = [
    [
      "with its message where it exposes it",
      httpError({ status: 403, statusCode: 403, expose: true, code: "EBADCSRFTOKEN" }),
      403,
      { code: "FORBIDDEN", message: "invalid csrf token" },
    ],
    [
      "without its message where it does not",
      httpError({ status: 403, expose: false }, "secret"),
      403,
      { code: "FORBIDDEN", message: "forbidden" },
    ],
    [
      "without its message where it does not say",
      httpError({ statusCode: 401 }, "secret"),
      401,
      { code: "UNAUTHORIZED", message: "unauthorized" },
    ],
    [
      "that the framework has no error for",
      httpError({ status: 412 }),
      412,
      { code: "PRECONDITION_FAILED", message: "precondition failed" },
    ],
    ["that has no name", httpError({ status: 499 }), 499, { code: "BAD_REQUEST", message: "bad request" }],
    ["of 5xx is bare", httpError({ status: 503, expose: true }, "secret"), 500, bare],
    ["that is text is bare", httpError({ status: "403", expose: true }, "secret"), 500, bare],
    ["that is not a whole number is bare", httpError({ status: 403.5 }, "secret"), 500, bare],
    ["of a success is bare", httpError({ status: 200, expose: true }, "secret"), 500, bare],
    ["of no Error is bare", { status: 403, expose: true, message: "secret" }, 500, bare],
    [
      "whose headers cannot be sent is bare",
      httpError({ status: 403, headers: { "x-a": "1", "x-b": "a\r\nb" } }, "secret"),
      500,
      bare,
    ],
    [
      "that throws when it is looked at is bare",
      Object.defineProperty(new Error("secret"), "status", {
        get() {
          throw new Error("secret");
        },
      }),
      500,
      bare,
    ],
  ];

  for (const how of ["thrown", "given to next", "given to next later", "a rejection"] as const) {
    test.each(cases)(`${how}, %s`, async (_name, error, status, body) => {
      const refuse: express.RequestHandler = (_request, _response, next) => {
        if (how === "thrown") throw error;
        if (how === "given to next") return next(error);
        if (how === "given to next later") return void setImmediate(() => next(error));
        return Promise.reject(error);
      };
      const ofHandler = await serve(GET("/x", { middleware: [refuse] }, () => 1));
      const ofEngine = await listening(createEngine().withMiddleware(refuse));
      for (const url of [`${ofHandler}/x`, `${ofEngine}/nope`]) {
        const answer = await ask(url);
        expect([answer.status, answer.json]).toEqual([status, body]);
        expect(answer.headers.get("x-a")).toBeNull();
      }
    });
  }

  test("sends its headers, and is a completed request", async () => {
    const ends: number[] = [];
    const stop = on("http.request.completed", ({ statusCode }) => ends.push(statusCode));
    const url = await serve(
      GET(
        "/x",
        {
          middleware: [
            (_request, _response, next) =>
              next(httpError({ status: 429, headers: { "Retry-After": 7, "X-Limit": ["a", "b"] } })),
          ],
        },
        () => 1,
      ),
    );
    const { status, headers } = await ask(`${url}/x`);
    stop();
    expect([status, headers.get("retry-after"), headers.get("x-limit")]).toEqual([429, "7", "a, b"]);
    expect(ends).toEqual([429]);
  });

  test("is a bare 500 where a handler's own function throws it", async () => {
    const url = await serve(
      GET("/x", () => {
        throw httpError({ status: 403, expose: true }, "secret");
      }),
    );
    expect(await ask(`${url}/x`)).toMatchObject({ status: 500, json: bare });
  });
});

describe("the body parsers of Express", () => {
  const parsers: express.RequestHandler[] = [
    express.json({
      limit: 20,
      verify: (_request, _response, bytes) => {
        if (bytes.includes("forged")) throw new Error("bad signature");
      },
    }),
    express.urlencoded({ parameterLimit: 2 }),
  ];
  const engine = () =>
    createEngine()
      .withMiddleware(...parsers)
      .withHandlers(POST("/x", { body: z.looseObject({}) }, ({ body }) => body));
  const json = "application/json";

  test.each([
    ["{", json, 422, { code: "UNPROCESSABLE_ENTITY", message: "invalid request body" }],
    [`{"a":${"1".repeat(30)}}`, json, 413, { code: "PAYLOAD_TOO_LARGE", details: { max_size: 20 } }],
    ["{}", `${json}; charset=x-none`, 415, { code: "UNSUPPORTED_MEDIA_TYPE" }],
    ['["forged"]', json, 403, { code: "FORBIDDEN", message: "bad signature" }],
    ["a=1&b=2&c=3", "application/x-www-form-urlencoded", 413, { code: "PAYLOAD_TOO_LARGE" }],
  ])("%s as %s is %i", async (body, type, status, expected) => {
    const url = await listening(engine());
    const answer = await ask(`${url}/x`, { method: "POST", body, headers: { "content-type": type } });
    expect(answer).toMatchObject({ status, json: expected });
    expect(answer.text).not.toMatch(/token|JSON|position/i);
  });
});

describe("multer", () => {
  const limits = { fileSize: 10, files: 1, fields: 1, fieldNameSize: 8, fieldSize: 5 };
  const upload = multer({ limits }).array("file");
  const form = (...parts: [name: string, value: string | Blob][]) => {
    const data = new FormData();
    for (const [name, value] of parts) data.append(name, value);
    return data;
  };
  const file = (size: number) => new Blob(["x".repeat(size)]);

  test.each([
    ["a file that is too large", form(["file", file(11)]), 413],
    ["too many files", form(["file", file(1)], ["file", file(1)]), 413],
    ["too many fields", form(["a", "1"], ["b", "2"]), 413],
    ["a field that is too long", form(["a", "123456"]), 413],
    ["a name that is too long", form(["a".repeat(9), "1"]), 413],
    ["an unexpected file", form(["other", file(1)]), 400],
  ])("refuses %s", async (_name, body, status) => {
    const url = await serve(POST("/x", { middleware: [upload] }, () => 1));
    const code = status === 413 ? "PAYLOAD_TOO_LARGE" : "BAD_REQUEST";
    const answer = await ask(`${url}/x`, { method: "POST", body });
    expect([answer.status, answer.json]).toEqual([
      status,
      { code, message: code.toLowerCase().replaceAll("_", " ") },
    ]);
  });

  test("fails where its storage does", async () => {
    const storage: multer.StorageEngine = {
      _handleFile: (_request, _file, done) => done(new Error("secret disk")),
      _removeFile: (_request, _file, done) => done(null),
    };
    const url = await serve(POST("/x", { middleware: [multer({ storage }).array("file")] }, () => 1));
    const answer = await ask(`${url}/x`, { method: "POST", body: form(["file", file(1)]) });
    expect(answer).toMatchObject({ status: 500, json: bare });
  });

  test.each([
    ["is cut short", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', "b"],
    ["has no boundary", "", ""],
  ])(
    "fails for a form that %s: its error says nothing of whose fault that is",
    async (_name, body, boundary) => {
      const url = await serve(POST("/x", { middleware: [upload] }, () => 1));
      const type = boundary === "" ? "multipart/form-data" : `multipart/form-data; boundary=${boundary}`;
      const answer = await ask(`${url}/x`, { method: "POST", body, headers: { "content-type": type } });
      expect([answer.status, answer.json]).toEqual([500, bare]);
    },
  );
});

describe("files", () => {
  const folder = new URL(".", import.meta.url).pathname;

  test("that cannot be sent as asked for are refused as Express refuses them, without their path", async () => {
    const url = await serve(
      GET("/part", ({ response }) => response.sendFile("serve.ts", { root: folder })),
      GET("/none", ({ response }) => response.sendFile("nope.ts", { root: folder })),
      GET("/up", ({ response }) => response.sendFile("../../package.json", { root: folder })),
    );
    const part = await ask(`${url}/part`, { headers: { range: "bytes=999999-" } });
    expect([part.status, part.json]).toEqual([
      416,
      { code: "RANGE_NOT_SATISFIABLE", message: "Range Not Satisfiable" },
    ]);
    expect(part.headers.get("content-range")).toMatch(/^bytes \*\/\d+$/);
    expect(await ask(`${url}/none`)).toMatchObject({
      status: 404,
      json: { code: "NOT_FOUND", message: "not found" },
    });
    expect(await ask(`${url}/up`)).toMatchObject({
      status: 403,
      json: { code: "FORBIDDEN", message: "Forbidden" },
    });
  });

  test("of express.static that are missing are a 404 in our form", async () => {
    const files = express.static(folder, { fallthrough: false });
    const url = await listening(createEngine().withMiddleware(files));
    const answer = await ask(`${url}/nope.ts`);
    expect([answer.status, answer.json]).toEqual([404, { code: "NOT_FOUND", message: expect.any(String) }]);
    expect(answer.text).not.toContain(folder);
  });
});

test("a declared error of middleware is sent unchanged", async () => {
  const details = { resource: "tenant" };
  const url = await serve(
    GET("/x", { middleware: [(_request, _response, next) => next(NotFound.withDetails(details))] }, () => 1),
  );
  expect(await ask(`${url}/x`)).toMatchObject({ status: 404, json: { code: "NOT_FOUND", details } });
});
