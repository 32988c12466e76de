/** What `start` serves is Express: its requests and responses have the prototypes of a real application. */
import { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import express from "express";
import { describe, expect, test } from "vitest";
import { createEngine, GET } from "../../src/http/index.js";
import { ask, listening, serve } from "./serve.js";

describe("requests and responses of a started engine", () => {
  test("are those of Express and of Node, with all that Express' entrance sets", async () => {
    let seen: unknown;
    const url = await serve(
      GET("/x/{id}", ({ request, response }) => {
        seen = {
          isRequest: request instanceof IncomingMessage,
          isResponse: response instanceof ServerResponse,
          inherit: [express.request, express.response].map((prototype, i) =>
            Object.prototype.isPrototypeOf.call(prototype, i === 0 ? request : response),
          ),
          circle: request.res === response && response.req === request,
          app: request.app === response.app && request.app.get("etag"),
          locals: response.locals,
          params: request.params,
          texts: [
            request.originalUrl,
            request.baseUrl,
            request.url,
            request.path,
            request.ip,
            request.hostname,
          ],
          query: { ...request.query },
          accepts: request.accepts("json", "html"),
          type: request.get("User-Agent"),
          fresh: [request.secure, request.xhr, request.subdomains],
        };
        return 1;
      }),
    );
    await ask(`${url}/x/1?a=1&a=2`, { headers: { accept: "text/html", "user-agent": "test" } });
    expect(seen).toEqual({
      isRequest: true,
      isResponse: true,
      inherit: [true, true],
      circle: true,
      app: "weak",
      locals: {},
      params: {},
      texts: ["/x/1?a=1&a=2", "", "/x/1?a=1&a=2", "/x/1", "127.0.0.1", "127.0.0.1"],
      query: { a: ["1", "2"] },
      accepts: "html",
      type: "test",
      fresh: [false, false, []],
    });
  });

  test("see what is added to Express later", async () => {
    const url = await serve(GET("/x", ({ request }) => Reflect.get(request, "addedLater")));
    Reflect.set(express.request, "addedLater", "yes");
    expect((await ask(`${url}/x`)).json).toBe("yes");
    Reflect.deleteProperty(express.request, "addedLater");
  });

  test("answer by any of Express' ways", async () => {
    const url = await serve(
      GET("/json", ({ response }) => response.status(201).json({ a: 1 })),
      GET("/send", ({ response }) => response.type("text").send("text")),
      GET("/redirect", ({ response }) => response.redirect(303, "/json")),
      GET("/cookie", ({ response }) => {
        response.cookie("a", "b").append("X-A", "1").append("X-A", "2");
        return 1;
      }),
      GET("/file", ({ response }) => response.sendFile(fileURLToPath(import.meta.url))),
      GET("/download", ({ response }) => response.download("/nowhere/at/all")),
      GET("/format", ({ response }) => response.format({ html: () => response.send("<p>") })),
      GET("/render", ({ response }) => response.render("no such view")),
      GET("/headers", ({ response }) => {
        response.on("finish", () => {
          length = response.getHeader("content-length");
        });
        return "abc";
      }),
    );
    let length: unknown;
    expect(await ask(`${url}/json`)).toMatchObject({ status: 201, json: { a: 1 } });
    expect(await ask(`${url}/send`)).toMatchObject({ status: 200, text: "text" });
    const redirect = await ask(`${url}/redirect`);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([303, "/json"]);
    const cookie = await ask(`${url}/cookie`);
    expect([cookie.json, cookie.headers.get("set-cookie"), cookie.headers.get("x-a")]).toEqual([
      1,
      "a=b; Path=/",
      "1, 2",
    ]);
    expect((await ask(`${url}/file`)).text).toContain("What `start` serves is Express");
    expect(await ask(`${url}/download`)).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
    expect((await ask(`${url}/format`, { headers: { accept: "text/html" } })).text).toBe("<p>");
    // What Express could not do is answered in our form.
    for (const [path, status, code] of [
      ["/format", 406, "NOT_ACCEPTABLE"],
      ["/render", 500, "INTERNAL_SERVER_ERROR"],
    ] as const) {
      const answer = await ask(url + path, { headers: { accept: "image/png" } });
      expect(answer).toMatchObject({ status, json: { code } });
    }
    await ask(`${url}/headers`);
    expect(length).toBe(5);
  });

  test("pass through routers, applications and static files as middleware of the engine", async () => {
    const router = express.Router();
    router.get("/routed/:id", (request, response) => {
      response.send(`routed ${request.params["id"]}`);
    });
    const sub = express();
    sub.get("/sub", (request, response) => {
      response.send(request.app === sub ? "sub" : "lost");
    });
    const api = createEngine()
      .withMiddleware(router, sub, express.static(fileURLToPath(new URL(".", import.meta.url))))
      .withHandlers(GET("/own/{id}", ({ params, request }) => [params.path.id, request.originalUrl]));
    const url = await listening(api);
    expect((await ask(`${url}/routed/7`)).text).toBe("routed 7");
    expect((await ask(`${url}/sub`)).text).toBe("sub");
    expect((await ask(`${url}/served.test.ts`)).text).toContain("as middleware of the engine");
    expect((await ask(`${url}/own/7`)).json).toEqual(["7", "/own/7"]);
    expect((await ask(`${url}/nope`)).json).toMatchObject({ code: "NOT_FOUND" });
  });

  test("of two engines know their own applications", async () => {
    const apps: unknown[] = [];
    const note = () => GET("/x", ({ request }) => apps.push(request.app));
    for (const url of [await serve(note()), await serve(note())]) await ask(`${url}/x`);
    expect(apps).toHaveLength(2);
    expect(apps[0]).not.toBe(apps[1]);
  });
});
