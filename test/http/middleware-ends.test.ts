/** Middleware that does more than one thing: answers and calls `next`, fails twice, or rewrites where a request goes. */
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, HostLoopback, listen, on, POST, stream } from "../../src/http/index.js";
import { atEnd } from "../at-end.js";
import { ask, listening, send } from "./serve.js";

/** How often each event of a request came. */
function counted() {
  const seen: Record<string, number> = {};
  for (const name of ["http.request.received", "http.request.completed", "http.request.failed"] as const) {
    atEnd(
      on(name, () => {
        seen[name] = (seen[name] ?? 0) + 1;
      }),
    );
  }
  return seen;
}

const answers: Readonly<Record<string, RequestHandler>> = {
  "ends the response, then calls next": (_request, response, next) => {
    response.end("own");
    next();
  },
  "begins the response, then calls next, then ends it": (_request, response, next) => {
    response.write("o");
    next();
    setTimeout(() => response.end("wn"), 5);
  },
  "answers by Express, then calls next twice": (_request, response, next) => {
    response.send("own");
    next();
    next();
  },
  "answers, then fails": (_request, response, next) => {
    response.end("own");
    next(new Error("too late"));
  },
  "calls next, and has answered by then": (_request, response, next) => {
    setTimeout(() => {
      response.end("own");
      next();
    }, 5);
  },
};

describe.each(Object.entries(answers))("middleware that %s", (_name, middleware) => {
  test.each(["engine", "handler"])("of the %s has answered: nothing follows", async (where) => {
    let ran = 0;
    const run = () => ++ran;
    const given = where === "handler" ? { middleware: [middleware] } : {};
    const api = createEngine({ onError: false })
      .withMiddleware(...(where === "engine" ? [middleware] : []))
      .withHandlers(
        GET("/x", given, run),
        POST("/x", { ...given, body: z.object({ a: z.int() }) }, run),
        stream("GET", "/events", { ...given, event: z.int() }, async (_call, { send }) => {
          await send(++ran);
        }),
      );
    const url = await listening(api);
    for (const init of [{}, send("POST", { a: 1 }), send("POST", "wrong")]) {
      expect(await ask(`${url}/x`, init)).toMatchObject({ status: 200, text: "own" });
    }
    expect(await ask(`${url}/events`)).toMatchObject({ status: 200, text: "own" });
    expect(ran).toBe(0);
  });
});

describe("middleware that fails more than once", () => {
  const twice: RequestHandler = (_request, _response, next) => {
    next(new Error("first"));
    next(new Error("second"));
    throw new Error("third");
  };

  test.each(["engine", "handler"])("of the %s is one failure", async (where) => {
    const heard: string[] = [];
    const api = createEngine({ onError: ({ message }) => void heard.push(message) })
      .withMiddleware(...(where === "engine" ? [twice] : []))
      .withHandlers(GET("/x", where === "handler" ? { middleware: [twice] } : {}, () => 1));
    const url = await listening(api);
    expect((await ask(`${url}/x`)).status).toBe(500);
    expect(heard).toEqual(["first"]);
  });

  test("calls next, then throws: the handler runs once", async () => {
    let ran = 0;
    const late: RequestHandler = async (_request, _response, next) => {
      next();
      throw new Error("late");
    };
    const url = await listening(
      createEngine({ onError: false }).withHandlers(GET("/x", { middleware: [late] }, () => ++ran)),
    );
    expect(await ask(`${url}/x`)).toMatchObject({ status: 200, json: 1 });
  });
});

describe("middleware that rewrites the URL", () => {
  const to = (url: string) => (request: Request, _response: Response, next: NextFunction) => {
    request.url = url;
    next();
  };
  const engine = (url: string) =>
    createEngine()
      .withMiddleware(to(url))
      .withHandlers(
        GET("/first/{id}", { path: { id: z.int() } }, ({ params }) => ["first", params.path.id]),
        GET("/second/{id}", { path: { id: z.int() }, query: { q: z.string().optional() } }, ({ params }) => [
          "second",
          params.path.id,
          params.query.q ?? null,
        ]),
        POST("/second/{id}", {}, () => "posted"),
      );
  const served = (url: string) => listening(engine(url));

  test("leads to the new path: its handler, its values, its query", async () => {
    const url = await served("/second/2?q=new");
    const expected = { status: 200, json: ["second", 2, "new"] };
    expect(await ask(`${url}/first/1`)).toMatchObject(expected);
    expect(await ask(`${url}/first/1?q=old`)).toMatchObject(expected);
    expect(await ask(`${url}/nowhere`)).toMatchObject(expected);
    expect(await ask(`${url}/second/1`)).toMatchObject(expected);
    expect(await ask(`${url}/first/1`, { method: "POST" })).toMatchObject({ status: 200, json: "posted" });
    expect((await ask(`${url}/first/1`, { method: "DELETE" })).status).toBe(405);
  });

  test("leads nowhere where the new path does", async () => {
    expect((await ask(`${await served("/nowhere")}/first/1`)).status).toBe(404);
    expect((await ask(`${await served("/second/x")}/first/1`)).status).toBe(422);
    expect((await ask(`${await served("/second/%zz")}/first/1`)).status).toBe(400);
  });

  test("is one request, with one end", async () => {
    const seen = counted();
    const url = await served("/second/2");
    await ask(`${url}/first/1`);
    await ask(`${url}/nowhere`);
    await expect.poll(() => seen).toEqual({ "http.request.received": 2, "http.request.completed": 2 });
  });

  test("inside an application begins where it leads to a handler, and not where it leads nowhere", async () => {
    for (const [to, started] of [
      ["/second/2", ["http.request.received", "http.request.completed"]],
      ["/nowhere", []],
    ] as const) {
      const seen = counted();
      const app = express().use(engine(to).router());
      app.use((_request, response) => void response.status(404).send("the application's"));
      const { url, shutdown } = await listen(app, HostLoopback, 0);
      atEnd(() => shutdown({ timeoutMs: 500 }));
      const { status } = await ask(`${url}/old`);
      expect(status).toBe(to === "/nowhere" ? 404 : 200);
      await expect.poll(() => seen).toEqual(Object.fromEntries(started.map((name) => [name, 1])));
    }
  });
});
