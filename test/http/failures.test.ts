/** Where the error behind a 500 goes, and what is a failure: nothing is dropped silently. */

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { CallbackError, QueryError } from "rowtype";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  Conflict,
  createEngine,
  DeclarationError,
  defineError,
  GET,
  HostLoopback,
  InternalServer,
  NotFound,
  type OnError,
  on,
  POST,
  ServiceUnavailable,
  stream,
} from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";
import { runProcess } from "./run-process.js";
import { listening } from "./serve.js";

const boom = new TypeError("boom: secret");
const throwing = () => {
  throw boom;
};
/** What a terminal obeys, or does not show: a control, what turns text around, what has no width, a lone half. */
const hidden = [..."\0\r\x1b\x7f\x9b\u200b\u200e\u2028\u202e\u2066\ufeff\u{e0041}", "\ud800"];
const bare = '{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}';

afterEach(() => void vi.restoreAllMocks());

describe("onError", () => {
  const engineOf = (onError: OnError | false | undefined) =>
    createEngine(onError === undefined ? {} : { onError })
      .withMiddleware((request, _response, next) => next(request.path === "/engine" ? boom : undefined))
      .withAuthenticator(() => null)
      .withHandlers(
        GET("/throws/{id}", { name: "throws" }, throwing),
        GET("/rejects", () => Promise.reject(boom)),
        GET("/middleware", { middleware: [throwing] }, () => 1),
        GET("/engine", () => 1),
        GET("/undeclared", () => NotFound.withCause(boom) as never),
        GET("/declared", { errors: [InternalServer] }, () => InternalServer.withCause(boom)),
        GET("/unwritable", () => ({ toJSON: throwing })),
        GET("/headers", { responseHeaders: throwing }, () => 1),
        GET("/output", { output: z.int(), outputValidation: true }, () => "x" as never),
        GET("/fine", () => 1),
        GET("/refused", { errors: [NotFound] }, () => NotFound.withCause(boom)),
        GET("/later", { errors: [ServiceUnavailable] }, () => ServiceUnavailable),
        GET("/who", { authentication: true }, () => 1),
        POST("/body", { body: z.int() }, () => 1),
        GET(
          "/teapot",
          { middleware: [(_q, _s, next) => next(Object.assign(boom, { status: 418 }))] },
          () => 1,
        ),
      );

  test("is given the error behind every 500 once, and the request", async () => {
    const given: unknown[] = [];
    const engine = engineOf((error, request) => given.push([error, request]));
    for (const path of ["/throws/7?x=1", "/rejects", "/middleware", "/engine", "/unwritable", "/headers"]) {
      const answer = await serveRequest(engine, "GET", path);
      expect([path, answer.status, answer.text()]).toEqual([path, 500, bare]);
      const [[error, request] = []] = given.splice(0) as [unknown, object][];
      expect(error).toBe(boom);
      expect(request).toMatchObject({ method: "GET", path: path.split("?")[0] });
    }
    await serveRequest(engine, "GET", "/throws/7");
    expect(given.splice(0)).toMatchObject([[boom, { handlerName: "throws", path: "/throws/7" }]]);
    for (const [path, name] of [
      ["/undeclared", "HttpError"],
      ["/declared", "HttpError"],
      ["/output", "$ZodError"],
    ]) {
      expect((await serveRequest(engine, "GET", path ?? "")).status).toBe(500);
      expect(given.splice(0)).toMatchObject([[{ name }, { path }]]);
    }
  });

  test("is not called for anything below, nor for another 5xx that is declared", async () => {
    const onError = vi.fn();
    const engine = engineOf(onError);
    const paths = ["/fine", "/refused", "/later", "/who", "/nowhere", "/teapot", "/throws/%zz"];
    const statuses = await Promise.all(
      paths.map(async (path) => (await serveRequest(engine, "GET", path)).status),
    );
    expect(statuses).toEqual([200, 404, 503, 401, 404, 418, 400]);
    for (const body of ["x", "1", '"x"']) await serveRequest(engine, "POST", "/body", body);
    expect((await serveRequest(engine, "DELETE", "/fine")).status).toBe(405);
    expect(onError).not.toHaveBeenCalled();
  });

  test("by default writes one entry with the stack to stderr, which no text of an error can forge", async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    const engine = createEngine().withHandlers(
      GET("/a", () => {
        throw new RangeError("first\n2026-01-01 forged\u001b[2J\u0000", { cause: new Error("the cause") });
      }),
      GET("/text", () => {
        throw "only text";
      }),
      GET("/odd", () => {
        throw Object.defineProperty(new Error("odd"), "stack", { get: throwing });
      }),
      GET("/undeclared", () => NotFound as never),
      GET("/null", () => Promise.reject(null)),
      GET("/nothing", () => Promise.reject()),
    );
    for (const path of ["/a", "/text", "/odd", "/undeclared", "/null", "/nothing"])
      await serveRequest(engine, "GET", path);
    vi.restoreAllMocks();
    const [a = "", text = "", odd, undeclared = "", nothing = "", unset = ""] = written;
    expect(written).toHaveLength(6);
    expect(odd).toBe("GET /odd: an error that cannot be read\n");
    expect(a).toMatch(
      /^GET \/a: RangeError: first\n {2}2026-01-01 forged\\u001b\[2J\\u0000\n +at .*failures\.test/,
    );
    expect(a).toMatch(/\n {2}caused by Error: the cause\n +at /);
    expect(
      a
        .trimEnd()
        .split("\n")
        .slice(1)
        .every((line) => line.startsWith("  ")),
    ).toBe(true);
    expect(text).toMatch(/^GET \/text: Error: the request failed\n/);
    expect(text).toContain("caused by 'only text'");
    expect(undeclared).toContain("HttpError: not found (the handler does not declare it)");
    expect(nothing).toMatch(/^GET \/null: Error: the request failed\n[\s\S]*caused by null\n$/);
    expect(unset).toMatch(/^GET \/nothing: Error: the request failed: undefined was thrown\n/);
  });

  test("the driver's own error, which quotes values, is not written; what a callback threw is", async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    const driver = new Error('invalid input syntax for type integer: "hunter2"');
    const failed = new QueryError("QUERY_FAILED", "the statement failed (SQLSTATE 22P02)", { cause: driver });
    const engine = createEngine().withHandlers(
      GET("/query", () => Promise.reject(failed)),
      GET("/outer", () => Promise.reject(new Error("outer", { cause: failed }))),
      GET("/callback", () => Promise.reject(new CallbackError("users", undefined, { cause: boom }))),
      GET(`/${"x".repeat(5_000)}`, throwing),
    );
    for (const path of ["/query", "/outer", "/callback", `/${"x".repeat(5_000)}`])
      await serveRequest(engine, "GET", path);
    vi.restoreAllMocks();
    expect(written.join("")).not.toContain("hunter2");
    expect(written[0]).toMatch(/^GET \/query: QueryError: the statement failed \(SQLSTATE 22P02\)\n +at /);
    expect(written[1]).toContain("caused by QueryError: the statement failed");
    expect(written[2]).toContain("caused by TypeError: boom: secret");
    expect(written[3]?.split(": ")[0]).toHaveLength("GET ".length + 500);
  });

  test.each(hidden.map((char) => [char.codePointAt(0)?.toString(16), char]))(
    "the entry on stderr shows U+%s of a message, a name, a cause and a path escaped",
    async (code, char) => {
      const written: string[] = [];
      vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
      const planted = `x${char}y`;
      const named = Object.assign(new Error(planted), { name: planted });
      const cause = { [planted]: planted };
      const engine = createEngine()
        .withMiddleware((request, _response, next) => {
          request.originalUrl += planted;
          next();
        })
        .withHandlers(
          GET("/error", () => Promise.reject(named)),
          GET("/cause", () => Promise.reject(new Error("outer", { cause: named }))),
          GET("/object", () => Promise.reject(new Error("outer", { cause }))),
          GET("/text", () => Promise.reject(planted)),
        );
      for (const path of ["/error", "/cause", "/object", "/text"]) await serveRequest(engine, "GET", path);
      vi.restoreAllMocks();
      expect(written).toHaveLength(4);
      for (const entry of written) {
        expect(entry).not.toContain(planted);
        expect(entry.match(/^\S/gm)).toHaveLength(1);
        expect(entry).toContain(String(code));
      }
    },
  );

  test("a closed stderr does not end the process", async () => {
    const { code, stdout } = await runProcess(
      `
      import { createEngine, GET, HostLoopback } from "rowtype/http";
      const api = createEngine().withHandlers(GET("/x", () => { throw new Error("lost".repeat(5_000)); }));
      const { url } = await api.start(HostLoopback, 0);
      for (let i = 0; i < 30; i++) await (await fetch(url + "/x")).text();
      console.log((await fetch(url + "/x")).status);
      await api.shutdown();
    `,
      { closeStderr: true },
    );
    expect([code, stdout]).toEqual([0, "500\n"]);
  });

  test("is one entry on the stderr of a process, and no entry if `onError` is false", async () => {
    const program = (options: string) => `
      import { createEngine, GET, HostLoopback } from "rowtype/http";
      const api = createEngine(${options}).withHandlers(GET("/x", () => { throw new Error("lost"); }));
      const { url } = await api.start(HostLoopback, 0);
      console.log((await fetch(url + "/x")).status, (await fetch(url + "/y")).status);
      await api.shutdown();
    `;
    const [shown, hidden] = await Promise.all([
      runProcess(program("")),
      runProcess(program("{ onError: false }")),
    ]);
    expect([shown.code, shown.stdout, hidden]).toEqual([
      0,
      "500 404\n",
      { code: 0, stdout: "500 404\n", stderr: "" },
    ]);
    expect(shown.stderr).toMatch(/^GET \/x: Error: lost\n +at /);
    expect(shown.stderr.match(/^\S/gm)).toHaveLength(1);
  });

  test("that fails itself is a warning, and the answer the same", async () => {
    const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    for (const onError of [throwing, () => Promise.reject(boom)]) {
      const answer = await serveRequest(
        createEngine({ onError }).withHandlers(GET("/x", throwing)),
        "GET",
        "/x",
      );
      expect([answer.status, answer.text()]).toEqual([500, bare]);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(warning).toHaveBeenCalledTimes(2);
    expect(() => createEngine({ onError: "stderr" as never })).toThrow(DeclarationError);
  });

  test("gets errors that come too late for an answer, and not those of a function that stopped at its signal", async () => {
    const onError = vi.fn();
    let leave: (() => void) | undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const url = await listening(
      createEngine({ onError }).withHandlers(
        GET("/begun", ({ response }) => {
          response.write("x");
          throw boom;
        }),
        GET("/waits", async ({ signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          leave?.();
          throw signal.reason;
        }),
        stream("GET", "/stream", { event: z.int() }, async (_call, { send }) => {
          await send(1);
          throw boom;
        }),
      ),
    );
    await fetch(`${url}/begun`)
      .then((response) => response.text())
      .catch(() => "cut");
    await (await fetch(`${url}/stream`)).text();
    expect(onError.mock.calls.map(([error, { path }]) => [error, path])).toEqual([
      [boom, "/begun"],
      [boom, "/stream"],
    ]);
    onError.mockClear();
    const gone = new AbortController();
    const waiting = fetch(`${url}/waits`, { signal: gone.signal }).catch(() => "left");
    await new Promise((resolve) => setTimeout(resolve, 50));
    gone.abort();
    await Promise.all([waiting, left]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onError).not.toHaveBeenCalled();
  });
});

describe("a status that a handler sets on the response", () => {
  const accept: RequestHandler = (_request, response, next) => {
    response.status(202);
    next();
  };
  const engine = createEngine({ onError: false })
    .withMiddleware((request, response, next) => {
      if (request.path.startsWith("/earlier")) accept(request, response, next);
      else next();
    })
    .withHandlers(
      GET("/other", ({ response }) => {
        response.status(201);
        return { id: 1 };
      }),
      GET("/back", { status: 201 }, ({ response }) => {
        response.statusCode = 200;
        return { id: 1 };
      }),
      GET("/nothing", ({ response }) => void response.status(404)),
      GET("/empty", { status: 204 }, ({ response }) => void response.status(200)),
      GET("/same", { status: 201 }, ({ response }) => {
        response.status(201);
        return 1;
      }),
      GET("/earlier", ({ response }) => {
        response.set("x-seen", "1");
        return 1;
      }),
      GET("/earlier/same", { status: 202 }, () => 1),
      GET("/earlier/own", ({ response }) => void response.send("accepted")),
      GET("/earlier/error", { errors: [NotFound] }, () => NotFound),
      GET("/middleware", { middleware: [accept] }, () => 1),
      GET("/middleware/same", { middleware: [accept], status: 202 }, () => 1),
      GET("/middleware/empty", { middleware: [accept], status: 204 }, () => undefined),
      stream("GET", "/middleware/sent", { event: z.int(), middleware: [accept] }, async (_call, { send }) => {
        await send(1);
      }),
      GET("/error", { errors: [NotFound] }, ({ response }) => {
        response.status(201);
        return NotFound;
      }),
      GET("/own", ({ response }) => void response.status(418).send("short and stout")),
      GET("/untouched", { status: 201 }, () => 1),
      stream("GET", "/sent", { event: z.int() }, async ({ response }, { send }) => {
        response.status(201);
        while (await send(1));
      }),
      stream("GET", "/unsent", { event: z.int() }, ({ response }) => void response.status(201)),
      stream("GET", "/waiting", { event: z.int() }, async ({ response, signal }) => {
        response.status(201);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }),
      stream("GET", "/even", { event: z.int() }, async ({ response }, { send }) => {
        response.status(200);
        await send(1);
      }),
    );

  test.each([
    ["/other", 500],
    ["/back", 500],
    ["/nothing", 500],
    ["/empty", 500],
    ["/same", 201],
    ["/earlier", 500],
    ["/earlier/same", 202],
    ["/earlier/own", 202],
    ["/earlier/error", 404],
    ["/earlier/nowhere", 404],
    ["/middleware", 500],
    ["/middleware/same", 202],
    ["/middleware/empty", 500],
    ["/middleware/sent", 500],
    ["/error", 404],
    ["/own", 418],
    ["/untouched", 201],
    ["/sent", 500],
    ["/unsent", 500],
    ["/waiting", 500],
    ["/even", 200],
  ])(
    "is a failure where it is not the declared one and the answer is the engine's: %s",
    async (path, status) => {
      expect((await serveRequest(engine, "GET", path)).status).toBe(status);
    },
  );

  test("is not one that the application set before the engine", async () => {
    const app = express();
    app.use((_request, response, next) => {
      response.status(202);
      next();
    });
    app.use(engine.router());
    const server = app.listen(0, HostLoopback);
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await fetch(`${url}/untouched`)).status).toBe(201);
    expect((await fetch(`${url}/other`)).status).toBe(500);
    server.close();
  });

  test("is named by the failure", async () => {
    const errors: Error[] = [];
    const failing = createEngine({ onError: (error) => errors.push(error) }).withHandlers(
      GET("/x", ({ response }) => {
        response.status(201);
        return 1;
      }),
    );
    await serveRequest(failing, "GET", "/x");
    const earlier = createEngine({ onError: (error) => errors.push(error) })
      .withMiddleware(accept)
      .withHandlers(GET("/x", () => 1));
    await serveRequest(earlier, "GET", "/x");
    expect(errors.map(({ message }) => message)).toEqual([
      "the handler set status 201 on the response and left the answer to its declaration, which says 200",
      "middleware set status 202 on the response and the answer was left to the handler's declaration, which says 200",
    ]);
  });
});

describe("the details of an error", () => {
  const OutOfStock = defineError({
    code: "OUT_OF_STOCK",
    status: 409,
    message: "out of stock",
    details: z.object({ left: z.int() }),
  });
  const Maybe = defineError({
    code: "MAYBE",
    status: 409,
    message: "maybe",
    details: z.object({ why: z.string().optional() }),
  });
  const Coded = defineError({
    code: "CODED",
    status: 409,
    message: "coded",
    details: z.object({ at: z.date(), n: z.bigint() }),
  });
  const errors = [OutOfStock, Maybe, Coded, Conflict] as const;

  test("that must be there are: without them, or with others, it is a failure", async () => {
    const failures: Error[] = [];
    const answers: Readonly<Record<string, () => unknown>> = {
      "/bare": () => OutOfStock,
      "/thrown": () => {
        throw OutOfStock;
      },
      "/wrong": () => OutOfStock.withDetails({ left: "many" } as never),
      "/less": () => OutOfStock.withDetails({} as never),
      "/right": () => OutOfStock.withDetails({ left: 0 }),
      "/maybe": () => Maybe,
      "/maybe-so": () => Maybe.withDetails({ why: "so" }),
      "/coded": () => Coded.withDetails({ at: new Date(0), n: 5n }),
      "/built-in": () => Conflict,
    };
    const engine = createEngine({ onError: (error) => failures.push(error) }).withHandlers(
      ...Object.entries(answers).map(([path, run]) => GET(path, { errors }, run)),
    );
    const seen: unknown[] = [];
    for (const path of Object.keys(answers)) {
      const { status, decodeJSON } = await serveRequest(engine, "GET", path);
      const body = decodeJSON();
      seen.push([
        path,
        status,
        typeof body === "object" && body !== null && "details" in body && body.details,
      ]);
    }
    expect(seen).toEqual([
      ["/bare", 500, false],
      ["/thrown", 500, false],
      ["/wrong", 500, false],
      ["/less", 500, false],
      ["/right", 409, { left: 0 }],
      ["/maybe", 409, false],
      ["/maybe-so", 409, { why: "so" }],
      ["/coded", 409, { at: "1970-01-01T00:00:00.000Z", n: "5" }],
      ["/built-in", 409, false],
    ]);
    expect(failures.map(({ message }) => message)).toEqual([
      "error OUT_OF_STOCK was given without the details that it declares",
      "error OUT_OF_STOCK was given without the details that it declares",
      "error OUT_OF_STOCK was given with details that do not fit its schema",
      "error OUT_OF_STOCK was given with details that do not fit its schema",
    ]);
  });

  test("are required in the document where the schema requires them", () => {
    const schemas = createEngine()
      .withHandlers(GET("/x", { errors }, () => 1))
      .openapi().components?.schemas;
    const required = (name: string) => {
      const schema = schemas?.[name];
      return typeof schema === "object" && "required" in schema ? schema.required : undefined;
    };
    expect(["OutOfStock", "Coded"].map(required)).toEqual([
      ["code", "message", "details"],
      ["code", "message", "details"],
    ]);
    expect(["Maybe", "Conflict", "InternalServerError"].map(required)).toEqual([
      ["code", "message"],
      ["code", "message"],
      ["code", "message"],
    ]);
  });

  test("are held against their schema where it is one of Zod 3, asynchronous, or a one-way transform", async () => {
    const asynchronous = z.object({ a: z.int().refine(async () => true) });
    const oneWay = z.object({ a: z.string().transform((text) => text.length) });
    for (const [details, given, status] of [
      [asynchronous, undefined, 500],
      [asynchronous, { a: 1 }, 409],
      [oneWay, undefined, 500],
    ] as const) {
      const error = defineError({ code: "ODD", status: 409, message: "odd", details });
      const engine = createEngine({ onError: false }).withHandlers(
        GET("/x", { errors: [error] }, () =>
          given === undefined ? error : error.withDetails(given as never),
        ),
      );
      expect((await serveRequest(engine, "GET", "/x")).status).toBe(status);
    }
  });
});

test("every request that fails still ends in one event, with the error behind it", async () => {
  const seen: unknown[] = [];
  const off = on("http.request.failed", ({ error }) => seen.push(error));
  await serveRequest(createEngine({ onError: false }).withHandlers(GET("/x", throwing)), "GET", "/x");
  off();
  expect(seen).toEqual([boom]);
});
