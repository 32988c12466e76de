/** `router()` inside Express applications that have middleware, routes and error handling of their own. */
import compression from "compression";
import express from "express";
import helmet from "helmet";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, NotFound, POST } from "../../src/http/index.js";
import { ask, send } from "./serve.js";

const bare = { code: "INTERNAL_SERVER_ERROR", message: "internal server error" };

describe("the router in an application with its own error handling", () => {
  async function listen(app: express.Express): Promise<string> {
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    server.unref();
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** An engine in the middle of an application that has middleware, routes and an error handler on both sides. */
  function application(mount: string) {
    const caught: string[] = [];
    const engine = createEngine()
      .withMiddleware((request, _response, next) => {
        if (request.get("x-engine-fails") !== undefined) throw new Error("engine middleware");
        next();
      })
      .withHandlers(
        GET("/users/{id}", { path: { id: z.int() }, errors: [NotFound] }, ({ params, request }) =>
          params.path.id === 0 ? NotFound : [params.path.id, request.baseUrl, request.url],
        ),
        POST("/users", { body: z.object({ name: z.string() }) }, ({ body }) => body),
        GET("/fails", async () => {
          throw new Error("handler");
        }),
        GET("/redirect", ({ response }) => response.redirect("/elsewhere")),
      );
    const app = express();
    app.use((request, _response, next) => {
      if (request.get("x-app-fails") !== undefined) throw new Error("before");
      next();
    });
    app.get("/before", (_request, response) => {
      response.send("before");
    });
    app.use(mount, engine.router());
    app.get("/after", (_request, response) => {
      response.send("after");
    });
    app.get("/app-fails", async () => {
      throw new Error("after");
    });
    app.use((_request, response) => {
      response.status(404).send("the application's 404");
    });
    const onError: express.ErrorRequestHandler = (error: Error, _request, response, _next) => {
      caught.push(error.message);
      response.status(503).send("the application's error page");
    };
    app.use(onError);
    return { app, caught };
  }

  test.each(["/", "/api", "/deep/er", "/tenants/:tenant"])(
    "mounted at %s, each side answers its own errors",
    async (mount) => {
      const { app, caught } = application(mount);
      const url = await listen(app);
      const base = url + mount.replace(":tenant", "t1").replace(/\/$/, "");
      expect((await ask(`${base}/users/7?q=1`)).json).toEqual([7, base.slice(url.length), "/users/7?q=1"]);
      expect(await ask(`${base}/users/0`)).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
      expect(await ask(`${base}/users/x`)).toMatchObject({
        status: 422,
        json: { code: "VALIDATION_FAILED" },
      });
      expect(await ask(`${base}/users`, send("POST", { name: 1 }))).toMatchObject({ status: 422 });
      expect(await ask(`${base}/users/7`, { method: "DELETE" })).toMatchObject({ status: 405 });
      expect((await ask(`${base}/fails`)).json).toEqual(bare);
      expect((await ask(`${base}/fails`, { headers: { "x-engine-fails": "1" } })).json).toEqual(bare);
      expect((await ask(`${base}/redirect`)).headers.get("location")).toBe("/elsewhere");
      expect(caught).toEqual([]);

      expect((await ask(`${url}/before`)).text).toBe("before");
      expect((await ask(`${url}/after`)).text).toBe("after");
      expect(await ask(`${base}/nope`)).toMatchObject({ status: 404, text: "the application's 404" });
      expect((await ask(`${url}/app-fails`)).text).toBe("the application's error page");
      expect((await ask(`${base}/users/7`, { headers: { "x-app-fails": "1" } })).status).toBe(503);
      expect(caught).toEqual(["after", "before"]);
    },
  );

  test("inside a sub-application and a router, after the application's own parsers", async () => {
    const engine = createEngine().withHandlers(
      POST("/users", { body: z.object({ name: z.string() }) }, ({ body, request }) => [
        body,
        request.baseUrl,
      ]),
    );
    const main = express();
    const sub = express();
    const router = express.Router();
    main.use(express.json({ limit: 50 }));
    main.use(compression(), helmet());
    router.use("/inner", engine.router());
    sub.use("/router", router);
    main.use("/sub", sub);
    const onError: express.ErrorRequestHandler = (error: { type?: string }, _request, response, _next) => {
      response.status(418).send(error.type);
    };
    main.use(onError);
    const url = `${await listen(main)}/sub/router/inner/users`;
    expect((await ask(url, send("POST", { name: "a" }))).json).toEqual([{ name: "a" }, "/sub/router/inner"]);
    // What the application's parser refuses is the application's to answer.
    expect(await ask(url, { ...send("POST", null), body: "{" })).toMatchObject({
      status: 418,
      text: "entity.parse.failed",
    });
    expect((await ask(url, send("POST", { name: "a".repeat(60) }))).text).toBe("entity.too.large");
  });

  test("two engines in one application keep to their own paths", async () => {
    const app = express();
    const one = createEngine({ docs: false })
      .withBaseUrl("/one")
      .withHandlers(GET("/x", () => 1));
    const two = createEngine({ docs: false })
      .withBaseUrl("/two")
      .withHandlers(GET("/x", () => 2));
    app.use(one.router(), two.router());
    const url = await listen(app);
    expect([(await ask(`${url}/one/x`)).json, (await ask(`${url}/two/x`)).json]).toEqual([1, 2]);
    expect((await ask(`${url}/two/openapi`)).json).toMatchObject({ paths: { "/x": {} } });
  });
});
