/** The Express middleware that people use, as middleware of the engine and of a handler. */
import { once } from "node:events";
import compression from "compression";
import cookieParser from "cookie-parser";
import cors from "cors";
import express, { type NextFunction, type Request, type Response } from "express";
import { rateLimit } from "express-rate-limit";
import session from "express-session";
import helmet from "helmet";
import morgan from "morgan";
import multer from "multer";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, type Engine, GET, on, POST } from "../../src/http/index.js";
import { ask, listening, send, serve } from "./serve.js";

declare module "express-session" {
  interface SessionData {
    count: number;
  }
}

describe("helmet", () => {
  test("of the engine guards every answer, refusals and failures too", async () => {
    const api = createEngine()
      .withMiddleware(helmet())
      .withHandlers(
        GET("/x", () => 1),
        GET("/fails", () => {
          throw new Error("secret");
        }),
      );
    const url = await listening(api);
    for (const [path, status] of [
      ["/x", 200],
      ["/nope", 404],
      ["/fails", 500],
      ["/openapi", 200],
    ] as const) {
      const { headers, status: got } = await ask(url + path);
      expect([got, headers.get("x-content-type-options")]).toEqual([status, "nosniff"]);
      expect(headers.get("content-security-policy")).toContain("default-src 'self'");
      expect(headers.get("strict-transport-security")).toContain("max-age");
    }
    // The page's own policy is the stricter one.
    expect((await ask(`${url}/docs`)).headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("of a handler guards that handler", async () => {
    const url = await serve(
      GET("/x", { middleware: [helmet()] }, () => 1),
      GET("/y", () => 1),
    );
    expect((await ask(`${url}/x`)).headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect((await ask(`${url}/y`)).headers.get("x-frame-options")).toBeNull();
  });
});

describe("cors", () => {
  const origin = "https://app.example";

  test("of the engine answers preflights and marks every answer", async () => {
    const api = createEngine()
      .withMiddleware(cors({ origin, credentials: true, exposedHeaders: ["ETag"] }))
      .withHandlers(POST("/x", { body: z.object({ a: z.int() }) }, ({ body }) => body));
    const url = await listening(api);
    const preflight = await ask(`${url}/x`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    for (const body of [{ a: 1 }, { a: "x" }]) {
      const answer = await ask(`${url}/x`, send("POST", body, { origin }));
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-expose-headers")).toBe("ETag");
      expect(answer.headers.get("vary")).toBe("Origin");
    }
  });

  test("of a handler marks its answers", async () => {
    const url = await serve(GET("/x", { middleware: [cors()] }, () => 1));
    expect((await ask(`${url}/x`, { headers: { origin } })).headers.get("access-control-allow-origin")).toBe(
      "*",
    );
  });
});

describe("compression", () => {
  const text = "a".repeat(5_000);
  const large = (options: object) =>
    GET("/x", { ...options, output: z.object({ text: z.string() }), etag: true }, () => ({ text }));

  test.each(["engine", "handler"])(
    "of the %s compresses what is large, and conditional requests stay right",
    async (where) => {
      const api =
        where === "engine"
          ? createEngine().withMiddleware(compression()).withHandlers(large({}))
          : createEngine().withHandlers(large({ middleware: [compression()] }));
      const url = await listening(api);
      const answer = await ask(`${url}/x`, { headers: { "accept-encoding": "gzip" } });
      expect(answer.json).toEqual({ text });
      expect(answer.headers.get("content-encoding")).toBe("gzip");
      expect(answer.headers.get("content-length")).toBeNull();
      const again = await ask(`${url}/x`, {
        headers: { "accept-encoding": "gzip", "if-none-match": answer.headers.get("etag") ?? "" },
      });
      expect([again.status, again.text]).toEqual([304, ""]);
      const head = await ask(`${url}/x`, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
      expect([head.status, head.text]).toEqual([200, ""]);
      const plain = await ask(`${url}/x`, { headers: { "accept-encoding": "identity" } });
      expect(plain.headers.get("content-length")).toBe(String(text.length + 11));
      // Two sequences of bytes may share a tag only if it is weak.
      expect(plain.headers.get("etag")).toBe(answer.headers.get("etag"));
      expect(plain.headers.get("etag")).toMatch(/^W\//);
    },
  );
});

describe("express-rate-limit", () => {
  const limiter = () =>
    rateLimit({ limit: 2, windowMs: 60_000, standardHeaders: "draft-8", legacyHeaders: false });

  test("of the engine answers in its own way, and each of its answers is one completed request", async () => {
    const ends: number[] = [];
    const off = on("http.request.completed", ({ path, statusCode }) => {
      if (path === "/limited") ends.push(statusCode);
    });
    const url = await listening(
      createEngine()
        .withMiddleware(limiter())
        .withHandlers(GET("/limited", () => 1)),
    );
    for (const status of [200, 200, 429]) expect((await ask(`${url}/limited`)).status).toBe(status);
    const refused = await ask(`${url}/limited`);
    expect(refused.headers.get("ratelimit-policy")).not.toBeNull();
    expect(refused.headers.get("retry-after")).not.toBeNull();
    off();
    expect(ends).toEqual([200, 200, 429, 429]);
  });

  test("of a handler limits that handler only", async () => {
    const url = await serve(
      GET("/x", { middleware: [limiter()] }, () => 1),
      GET("/y", () => 1),
    );
    for (const status of [200, 200, 429]) expect((await ask(`${url}/x`)).status).toBe(status);
    expect((await ask(`${url}/y`)).status).toBe(200);
  });
});

describe("express-session", () => {
  test.each(["engine", "handler"])("of the %s keeps a session from request to request", async (where) => {
    const sessions = session({ secret: "s", resave: false, saveUninitialized: false });
    const options = where === "handler" ? { middleware: [sessions] } : {};
    const count = POST("/count", options, ({ request }) => {
      request.session.count = (request.session.count ?? 0) + 1;
      return request.session.count;
    });
    const api = createEngine().withHandlers(count);
    const url = await listening(where === "engine" ? api.withMiddleware(sessions) : api);
    const first = await ask(`${url}/count`, { method: "POST" });
    expect(first.json).toBe(1);
    const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^connect\.sid=/);
    expect((await ask(`${url}/count`, { method: "POST", headers: { cookie } })).json).toBe(2);
    expect((await ask(`${url}/count`, { method: "POST" })).json).toBe(1);
  });
});

describe("morgan", () => {
  test.each(["engine", "handler"])("of the %s writes a line for each answer", async (where) => {
    const lines: string[] = [];
    const log = morgan(":method :url :status :res[content-length]", {
      stream: { write: (line) => lines.push(line) },
    });
    const handler = GET("/x", where === "handler" ? { middleware: [log] } : {}, () => "abc");
    const api = createEngine().withHandlers(handler);
    const url = await listening(where === "engine" ? api.withMiddleware(log) : api);
    await ask(`${url}/x?q=1`);
    await ask(`${url}/nope`);
    await expect.poll(() => lines.length).toBe(where === "engine" ? 2 : 1);
    expect(lines).toEqual(["GET /x?q=1 200 5\n", "GET /nope 404 42\n"].slice(0, lines.length));
  });
});

describe("cookie-parser", () => {
  test.each(["engine", "handler"])(
    "of the %s gives the cookies, signed ones too, and ours are read as before",
    async (where) => {
      const parse = cookieParser("secret");
      const api = createEngine().withHandlers(
        POST("/sign", ({ response }) => {
          response.cookie("signed", "value", { signed: true });
          return 1;
        }),
        GET(
          "/read",
          { cookies: { plain: z.int() }, ...(where === "handler" ? { middleware: [parse] } : {}) },
          ({ request, params }) => [request.cookies, request.signedCookies, params.cookies],
        ),
      );
      // `response.cookie` signs with the secret that the middleware leaves on the request.
      const url = await listening(where === "engine" ? api.withMiddleware(parse) : api);
      const signed =
        where === "engine"
          ? (await ask(`${url}/sign`, { method: "POST" })).headers.get("set-cookie")?.split(";")[0]
          : "signed=s%3Aforged.AAAA";
      const answer = await ask(`${url}/read`, { headers: { cookie: `plain=5; ${signed}` } });
      expect(answer.json).toEqual([
        { plain: "5" },
        { signed: where === "engine" ? "value" : false },
        { plain: 5 },
      ]);
    },
  );
});

describe("multer", () => {
  const form = (size: number) => {
    const data = new FormData();
    data.set("title", "a picture");
    data.set("at", "2024-02-29");
    data.set("file", new Blob(["x".repeat(size)]), "../a.txt");
    return { method: "POST", body: data };
  };
  const body = z.object({ title: z.string(), at: z.date() });
  const upload = multer({ limits: { fileSize: 100 } });

  test.each(["engine", "handler"])(
    "of the %s reads the form: its fields are the body, its files on the request",
    async (where) => {
      const options = where === "handler" ? { middleware: [upload.single("file")] } : {};
      const api = createEngine().withHandlers(
        POST("/upload", { ...options, body, output: z.unknown() }, ({ body, request }) => [
          body,
          request.file?.size,
        ]),
      );
      const url = await listening(where === "engine" ? api.withMiddleware(upload.single("file")) : api);
      expect((await ask(`${url}/upload`, form(5))).json).toEqual([
        { title: "a picture", at: "2024-02-29T00:00:00.000Z" },
        5,
      ]);
    },
  );

  test("refuses in our form what is too large or not expected", async () => {
    const url = await serve(
      POST("/one", { middleware: [upload.single("file")] }, () => 1),
      POST("/other", { middleware: [upload.single("other")] }, () => 1),
    );
    expect(await ask(`${url}/one`, form(101))).toMatchObject({
      status: 413,
      json: { code: "PAYLOAD_TOO_LARGE" },
    });
    expect(await ask(`${url}/other`, form(1))).toMatchObject({ status: 400, json: { code: "BAD_REQUEST" } });
  });
});

test("all of them together, in one engine", async () => {
  const api = createEngine()
    .withMiddleware(
      morgan("tiny", { stream: { write: () => {} } }),
      helmet(),
      cors(),
      compression({ threshold: 0 }),
      rateLimit({ limit: 100 }),
      cookieParser(),
      session({ secret: "s", resave: false, saveUninitialized: true }),
    )
    .withHandlers(
      POST(
        "/x/{id}",
        { path: { id: z.int() }, body: z.object({ at: z.date() }), output: z.object({ at: z.date() }) },
        ({ body }) => body,
      ),
    );
  const url = await listening(api);
  const at = "2024-02-29T00:00:00.000Z";
  const answer = await ask(`${url}/x/1`, send("POST", { at }));
  expect(answer).toMatchObject({ status: 200, json: { at } });
  expect(answer.headers.get("set-cookie")).toContain("connect.sid");
  expect(await ask(`${url}/x/y`, send("POST", { at }))).toMatchObject({ status: 422 });
});

describe("next with a word of Express'", () => {
  const say = (word: "route" | "router") => (_: Request, __: Response, next: NextFunction) => next(word);

  test("leaves a handler: what it guards does not run", async () => {
    const api = createEngine().withHandlers(
      GET("/route", { middleware: [say("route")] }, () => "guarded"),
      GET("/router", { middleware: [say("router")] }, () => "guarded"),
    );
    const url = await listening(api);
    for (const path of ["/route", "/router"]) {
      expect((await ask(url + path)).json).toEqual({ code: "NOT_FOUND", message: "not found" });
      const handedOn = await mounted(api, path);
      expect(handedOn).toBe("of the application");
    }
  });

  test("leaves the engine: only the router's does", async () => {
    const route = createEngine()
      .withMiddleware(say("route"))
      .withHandlers(GET("/x", () => "served"));
    expect((await ask(`${await listening(route)}/x`)).json).toBe("served");
    const router = createEngine()
      .withMiddleware(say("router"))
      .withHandlers(GET("/x", () => "guarded"));
    expect((await ask(`${await listening(router)}/x`)).status).toBe(404);
    expect(await mounted(router, "/x")).toBe("of the application");
  });

  async function mounted(api: Engine, path: string): Promise<string> {
    const app = express();
    app.use(api.router());
    app.use((_, response) => {
      response.send("of the application");
    });
    const server = app.listen(0);
    try {
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      return (await ask(`http://127.0.0.1:${address.port}${path}`)).text;
    } finally {
      server.close();
    }
  }
});
