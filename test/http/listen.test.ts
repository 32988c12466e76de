/** `listen(app)`: an Express application with engines' routers, served by the server of `start`. */
import { IncomingMessage, ServerResponse } from "node:http";
import express from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createEngine,
  GET,
  HostLoopback,
  type Listening,
  listen,
  POST,
  stream,
} from "../../src/http/index.js";
import { atEnd } from "../at-end.js";
import { gate } from "./gate.js";
import { raw } from "./raw.js";
import { ask, send } from "./serve.js";

async function served(app: express.Express, options?: Parameters<typeof listen>[3]): Promise<Listening> {
  const listening = await listen(app, HostLoopback, 0, options);
  atEnd(() => listening.shutdown({ timeoutMs: 500 }));
  return listening;
}

describe("an application served by listen", () => {
  const api = createEngine().withHandlers(
    GET("/users/{id}", { path: { id: z.int() } }, ({ params, request }) => [
      params.path.id,
      request.baseUrl,
      request.originalUrl,
    ]),
    POST("/users", { body: z.object({ name: z.string() }) }, ({ body }) => body),
  );
  const app = express();
  app.use((_request, response, next) => {
    response.setHeader("x-app", "yes");
    next();
  });
  app.use("/api", api.router());
  const inner = express();
  inner.get("/who", (request, response) => {
    response.json([request.app === inner, request.baseUrl]);
  });
  app.use("/inner", inner);
  app.get("/own/:id", (request, response) => {
    response.json({
      id: request.params.id,
      query: request.query,
      app: request.app === app && response.app === app,
      circle: request.res === response && response.req === request,
      node: request instanceof IncomingMessage && response instanceof ServerResponse,
      locals: response.locals,
      kept: [
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
      ],
    });
  });

  test("answers its own routes, those of the engine and those of an application inside", async () => {
    const { url, port, address } = await served(app);
    expect([url, address]).toEqual([`http://127.0.0.1:${port}`, HostLoopback]);
    expect((await ask(`${url}/api/users/7?a=1`)).json).toEqual([7, "/api", "/api/users/7?a=1"]);
    expect((await ask(`${url}/api/users`, send("POST", { name: "ann", extra: 1 }))).json).toEqual({
      name: "ann",
    });
    expect((await ask(`${url}/api/users`, send("POST", {}))).status).toBe(422);
    expect((await ask(`${url}/inner/who`)).json).toEqual([true, "/inner"]);
    const own = await ask(`${url}/own/5?a=1&a=2`);
    expect(own.headers.get("x-app")).toBe("yes");
    expect(own.json).toEqual({
      id: "5",
      query: { a: ["1", "2"] },
      app: true,
      circle: true,
      node: true,
      locals: {},
      kept: [true, true],
    });
    expect((await ask(`${url}/nowhere`)).status).toBe(404);
  });

  test("sees what is added to its prototypes later", async () => {
    const { url } = await served(app);
    Reflect.set(app.request, "addedLater", "yes");
    app.get("/later", (request, response) => void response.json(Reflect.get(request, "addedLater")));
    expect((await ask(`${url}/later`)).json).toBe("yes");
  });

  test("may be served twice", async () => {
    const [one, two] = [await served(app), await served(app)];
    for (const { url } of [one, two]) expect((await ask(`${url}/api/users/1`)).status).toBe(200);
  });

  test("refuses the requests that a started engine refuses, and has its timeouts", async () => {
    const { port } = await served(app, { timeouts: { headersMs: 300 } });
    expect(await raw(port, "GET /api/users/1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400/,
    );
    expect(await raw(port, "GET /api/users/1 HTTP/1.1\r\nHost: a\r\n")).toMatch(/^HTTP\/1.1 408/);
  });

  test("lets an answer under way finish when it shuts down, and ends its connection", async () => {
    const slow = express();
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    slow.get("/slow", (_request, response) => {
      begun();
      setTimeout(() => response.json("done"), 200);
    });
    const { url, shutdown } = await served(slow);
    const answer = ask(`${url}/slow`);
    await running;
    await expect(shutdown(null as never)).rejects.toThrow("the options of shutdown are an object, not null");
    expect(await shutdown()).toEqual({ graceful: true });
    expect((await answer).json).toBe("done");
    await expect(ask(url)).rejects.toThrow();
  });

  test("is cut at the deadline, and streams end by the engine's shutdown", async () => {
    const streams = createEngine().withHandlers(
      stream("GET", "/ticks", { event: z.int() }, async (_call, out) => {
        await out.send(1);
        await new Promise(() => {});
      }),
    );
    const { url, shutdown } = await served(express().use(streams.router()));
    const held = await fetch(`${url}/ticks`);
    const text = held.text();
    const ending = shutdown({ timeoutMs: 60_000 });
    await streams.shutdown();
    expect(await ending).toEqual({ graceful: true });
    expect(await text).toContain("data: 1");

    const asked = gate();
    const hangs = await served(express().use(asked.open));
    const cut = ask(hangs.url);
    cut.catch(() => {});
    await asked.opened;
    expect(await hangs.shutdown({ timeoutMs: 50 })).toEqual({ graceful: false });
    await expect(cut).rejects.toThrow();
  });

  test("is an Express application, with a host and a port", async () => {
    // What untyped code may give.
    const given = (app: unknown, host: unknown, port: unknown) =>
      listen(app as never, host as never, port as never);
    for (const wrong of [undefined, {}, () => {}, api.router()])
      await expect(given(wrong, HostLoopback, 0)).rejects.toThrow("listen takes an Express application");
    await expect(given(app, 1, 0)).rejects.toThrow("the host is text");
    await expect(given(app, HostLoopback, -1)).rejects.toThrow("the port is a number");
    await expect(served(app, { timeouts: { headersMs: 0 } })).rejects.toThrow("headersMs");
  });
});
