import express from "express";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createEngine,
  DeclarationError,
  GET,
  HostAll,
  HostLocal,
  HostLoopback,
  NotFound,
  on,
  POST,
} from "../../src/http/index.js";
import { raw } from "./raw.js";
import { ask, listening, serve } from "./serve.js";

const bare = { code: "INTERNAL_SERVER_ERROR", message: "internal server error" };

describe("routing", () => {
  test("unknown paths are 404, wrong methods 405 with Allow, OPTIONS 204 with Allow, all in the error form", async () => {
    const url = await serve(
      GET("/x", () => 1),
      POST("/x", () => 1),
      POST("/y/{id}", () => 1),
    );
    expect(await ask(`${url}/nope`)).toMatchObject({
      status: 404,
      text: '{"code":"NOT_FOUND","message":"not found"}',
    });
    const wrong = await ask(`${url}/x`, { method: "DELETE" });
    expect(wrong).toMatchObject({
      status: 405,
      text: '{"code":"METHOD_NOT_ALLOWED","message":"method not allowed"}',
    });
    expect(wrong.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    const options = await ask(`${url}/y/1`, { method: "OPTIONS" });
    expect([options.status, options.text, options.headers.get("allow")]).toEqual([204, "", "POST, OPTIONS"]);
  });

  test("GET also serves HEAD, with the same headers and no body", async () => {
    const url = await serve(GET("/x", () => ({ a: 1 })));
    const get = await ask(`${url}/x`);
    const head = await ask(`${url}/x`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-length"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test("a literal segment beats a parameter, and gives way where it leads nowhere", async () => {
    const url = await serve(
      GET("/users/{id}", ({ params }) => `user ${params.path.id}`),
      GET("/users/me", () => "me"),
      GET("/users/me/keys", () => "my keys"),
      GET("/users/{id}/orders/{order}", ({ params }) => `${params.path.id} ${params.path.order}`),
    );
    expect((await ask(`${url}/users/me`)).json).toBe("me");
    expect((await ask(`${url}/users/7`)).json).toBe("user 7");
    expect((await ask(`${url}/users/me/keys`)).json).toBe("my keys");
    expect((await ask(`${url}/users/me/orders/5`)).json).toBe("me 5");
    expect((await ask(`${url}/users/7/keys`)).status).toBe(404);
  });

  test("row 68: paths are exact: trailing slashes, double slashes and case are other paths", async () => {
    const url = await serve(
      GET("/x", () => "x"),
      GET("/s/", () => "s"),
      GET("/u/{id}", () => "u"),
    );
    for (const path of ["/x/", "/X", "//x", "/s", "/u/", "/u//", "/u/1/"]) {
      expect((await ask(url + path)).status, path).toBe(404);
    }
    expect((await ask(`${url}/s/`)).json).toBe("s");
    expect((await ask(`${url}/%78`)).json).toBe("x");
  });

  test("/a/{x} and /a/{y} are one path: different methods meet there, equal ones are refused", async () => {
    const url = await serve(
      GET("/a/{x}", ({ params }) => params.path.x),
      POST("/a/{y}", ({ params }) => params.path.y),
    );
    expect((await ask(`${url}/a/1`)).json).toBe("1");
    expect((await ask(`${url}/a/2`, { method: "POST" })).json).toBe("2");
    const first = createEngine().withHandlers(GET("/a/{x}", () => 1));
    expect(() => first.withHandlers(GET("/a/{y}", () => 1))).toThrow(DeclarationError);
  });

  test("row 72: TRACE and override headers get no further than the method", async () => {
    const url = await serve(POST("/x", () => 1));
    const override = await ask(`${url}/x`, { headers: { "x-http-method-override": "POST" } });
    expect(override.status).toBe(405);
    const trace = await raw(
      Number(new URL(url).port),
      "TRACE /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(trace).toContain("HTTP/1.1 405");
    expect(trace).toContain("METHOD_NOT_ALLOWED");
  });

  test("row 70: a look-up among a thousand routes is as quick as among ten", async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => GET(`/r${i}/{id}`, () => i));
    const url = await serve(...many);
    expect((await ask(`${url}/r999/1`)).json).toBe(999);
    expect((await ask(`${url}/${"r".repeat(8_000)}`)).status).toBe(404);
  });

  test("row 71: a request that HTTP parsers read differently is refused and its connection ends", async () => {
    const url = await serve(POST("/x", { body: z.unknown() }, () => "handler ran"));
    const port = Number(new URL(url).port);
    const type = "Content-Type: application/json\r\n";
    for (const text of [
      `POST /x HTTP/1.1\r\nHost: a\r\n${type}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /x HTTP/1.1\r\nHost: a\r\n${type}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `POST /x HTTP/1.1\r\nHost: a\r\n${type}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      `POST /x HTTP/1.1\r\nHost: a\r\n${type}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`,
      "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /x HTTP/1.1\r\n\r\n",
      "GET /x\nHost: a\n\n",
    ]) {
      const answer = await raw(port, text);
      expect(answer, text).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.toLowerCase()).toContain("connection: close");
      expect(answer).not.toContain("handler ran");
      expect(answer.match(/HTTP\/1\.1/g), text).toHaveLength(1);
    }
  });

  test("absolute-form targets are read by their path", async () => {
    const url = await serve(GET("/x", () => "x"));
    const port = Number(new URL(url).port);
    const answer = await raw(
      port,
      "GET http://any.example/x?q=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toContain('"x"');
    // A target that is not a path belongs to no handler.
    const refused = await raw(port, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toContain("the request target is not a path");
  });
});

describe("middleware", () => {
  test("of the engine runs first, for unknown paths too, then that of the handler", async () => {
    const order: string[] = [];
    const note =
      (name: string): express.RequestHandler =>
      (_request, _response, next) => {
        order.push(name);
        next();
      };
    const api = createEngine()
      .withMiddleware(note("engine 1"), note("engine 2"))
      .withHandlers(GET("/x", { middleware: [note("handler")] }, () => order.push("run")));
    const url = await listening(api);
    await ask(`${url}/x`);
    expect(order).toEqual(["engine 1", "engine 2", "handler", "run"]);
    order.length = 0;
    expect((await ask(`${url}/nope`)).status).toBe(404);
    expect(order).toEqual(["engine 1", "engine 2"]);
  });

  test("may answer, fail, or fail later; the request gets one answer in the error form", async () => {
    const api = createEngine()
      .withMiddleware((request, response, next) => {
        if (request.path === "/early") response.status(418).send("teapot");
        else if (request.path === "/throws") throw new Error("secret");
        else if (request.path === "/known") next(NotFound.withMessage("hidden"));
        else if (request.path === "/next") next(new Error("secret"));
        else next();
      })
      .withHandlers(
        GET(
          "/late",
          {
            middleware: [
              async () => {
                await Promise.resolve();
                throw new Error("secret");
              },
            ],
          },
          () => 1,
        ),
        GET(
          "/twice",
          {
            middleware: [
              async (_request, _response, next) => {
                next();
                next();
                throw new Error("after next");
              },
            ],
          },
          () => 1,
        ),
      );
    const url = await listening(api);
    expect((await ask(`${url}/early`)).text).toBe("teapot");
    for (const path of ["/throws", "/next", "/late"]) {
      const answer = await ask(url + path);
      expect([answer.status, answer.json]).toEqual([500, bare]);
    }
    expect(await ask(`${url}/known`)).toMatchObject({
      status: 404,
      json: { code: "NOT_FOUND", message: "hidden" },
    });
    // Row 88: next twice, and a rejection nobody waits for.
    expect((await ask(`${url}/twice`)).json).toBe(1);
  });

  test("that parses bodies is mapped to our error form where it runs inside the engine", async () => {
    const api = createEngine()
      .withMiddleware(express.json({ limit: 20 }))
      .withHandlers(POST("/x", { body: z.object({ a: z.int() }) }, ({ body }) => body));
    const url = await listening(api);
    const post = (body: string) =>
      ask(`${url}/x`, { method: "POST", body, headers: { "content-type": "application/json" } });
    expect((await post('{"a":1}')).json).toEqual({ a: 1 });
    expect(await post("{")).toMatchObject({ status: 422, json: { message: "invalid request body" } });
    expect(await post(`{"a":${"1".repeat(30)}}`)).toMatchObject({
      status: 413,
      json: { details: { max_size: 20 } },
    });
  });

  test("that takes four arguments is refused", () => {
    const handlesErrors = ((_error: Error, _request: 1, _response: 1, _next: 1) =>
      1) as unknown as express.RequestHandler;
    expect(() => createEngine().withMiddleware(handlesErrors)).toThrow(DeclarationError);
  });

  test("row 77 and 78: no CORS headers and no trust in forwarded ones by default", async () => {
    const url = await serve(GET("/x", ({ request }) => [request.ip, request.hostname, request.protocol]));
    const answer = await ask(`${url}/x`, {
      headers: {
        origin: "https://evil.example",
        "x-forwarded-for": "1.2.3.4",
        "x-forwarded-host": "evil",
        "x-forwarded-proto": "https",
      },
    });
    expect(answer.json).toEqual(["127.0.0.1", "127.0.0.1", "http"]);
    expect([...answer.headers.keys()].filter((name) => /^access-control|x-powered/.test(name))).toEqual([]);
  });
});

describe("in an Express application", () => {
  const inner = createEngine()
    .withBaseUrl("/v1")
    .withHandlers(
      GET("/users/{id}", ({ params }) => params.path.id),
      GET("/fails", () => {
        throw new Error("secret");
      }),
    );
  const app = express();
  app.use("/api", inner.router());
  app.get("/api/other", (_request, response) => {
    response.send("the application's own");
  });
  const server = app.listen(0, "127.0.0.1");
  afterAll(() => {
    server.close();
  });
  const base = () => {
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/api`;
  };

  test("the router answers what it owns and hands on the rest", async () => {
    expect((await ask(`${base()}/v1/users/7`)).json).toBe("7");
    expect((await ask(`${base()}/other`)).text).toBe("the application's own");
    expect((await ask(`${base()}/v1/nope`)).headers.get("content-type")).toContain("text/html");
    expect((await ask(`${base()}/v1/users/7`, { method: "PUT" })).json).toMatchObject({
      code: "METHOD_NOT_ALLOWED",
    });
    expect((await ask(`${base()}/v1/users/%ZZ`)).json).toMatchObject({ code: "BAD_REQUEST" });
    expect((await ask(`${base()}/v1/fails`)).json).toEqual(bare);
  });

  test("the document and the page stay right under prefix and base URL", async () => {
    const document = await ask(`${base()}/v1/openapi`);
    expect(document.json).toMatchObject({ servers: [{ url: "." }], paths: { "/users/{id}": {} } });
    const page = await ask(`${base()}/v1/docs`);
    for (const [, link] of page.text.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)) {
      expect((await ask(new URL(link ?? "", `${base()}/v1/docs`).href)).status).toBe(200);
    }
  });
});

describe("an engine", () => {
  test("is set up before it is used", async () => {
    const api = createEngine().withHandlers(GET("/x", () => 1));
    api.router();
    for (const change of [
      () => api.withHandlers(GET("/y", () => 1)),
      () => api.withBaseUrl("/v1"),
      () => api.withTag("a"),
      () => api.withMiddleware(),
    ]) {
      expect(change).toThrow(DeclarationError);
    }
  });

  test("refuses handlers at the paths of the document and the page, and protected ones without an authenticator", async () => {
    expect(() =>
      createEngine()
        .withHandlers(GET("/openapi", () => 1))
        .router(),
    ).toThrow(DeclarationError);
    expect(() =>
      createEngine()
        .withHandlers(GET("/docs", () => 1))
        .router(),
    ).toThrow(DeclarationError);
    createEngine({ docs: false })
      .withHandlers(GET("/docs", () => 1))
      .router();
    const open = createEngine().withHandlers(GET("/x", { authentication: true }, () => 1));
    expect(() => open.router()).toThrow(/no authenticator/);
    await expect(open.start(HostLoopback, 0)).rejects.toThrow(DeclarationError);
    await expect(createEngine({ docs: { authentication: true } }).start(HostLoopback, 0)).rejects.toThrow(
      DeclarationError,
    );
  });

  test("says when it is made and when it starts", async () => {
    const seen: unknown[] = [];
    const offs = [
      on("http.engine.created", (event) => seen.push(["created", event])),
      on("http.engine.starting", (event) => seen.push(["starting", event])),
    ];
    const api = createEngine();
    await api.start(HostLocal, 0);
    await api.shutdown();
    for (const off of offs) off();
    expect(seen).toEqual([
      ["created", {}],
      ["starting", { host: "localhost", port: 0 }],
    ]);
  });

  test("listens at the given host and port and returns its address", async () => {
    expect([HostAll, HostLocal, HostLoopback]).toEqual(["", "localhost", "127.0.0.1"]);
    const api = createEngine().withHandlers(GET("/x", () => 1));
    const { address, port, url } = await api.start(HostAll, 0);
    expect(url).toBe(`http://localhost:${port}`);
    expect(["::", "0.0.0.0"]).toContain(address);
    expect((await ask(`${url}/x`)).json).toBe(1);
    await expect(api.start(HostLoopback, 0)).rejects.toThrow(DeclarationError);
    const other = createEngine();
    await expect(other.start(HostLoopback, port)).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(await api.shutdown()).toEqual({ graceful: true });
  });
});
