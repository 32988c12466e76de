import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  Conflict,
  createEngine,
  DELETE,
  DeclarationError,
  defineError,
  GET,
  HttpError,
  handler,
  InternalServer,
  NotFound,
  PATCH,
  POST,
  PUT,
  TooManyRequests,
  usageLimit,
} from "../../src/http/index.js";
import { raw } from "./raw.js";
import { ask, send, serve } from "./serve.js";

const at = "2024-02-29T12:00:00.000Z";

describe("a handler", () => {
  test("is a frozen value that knows its name, method and path", () => {
    const named = handler("list-users", "GET", "/users", {}, () => []);
    const plain = GET("/users/{id}", ({ params }) => params.path.id);
    expect(named).toMatchObject({ name: "list-users", method: "GET", path: "/users" });
    expect(plain.name).toBe("GET /users/{id}");
    expect(Object.isFrozen(named) && Object.isFrozen(named.options)).toBe(true);
  });

  test("without options gets its path parameters as text and may give anything", async () => {
    const url = await serve(GET("/hello/{name}", ({ params }) => ({ hello: params.path.name })));
    expect(await ask(`${url}/hello/J%C3%BCrgen`)).toMatchObject({ status: 200, json: { hello: "Jürgen" } });
  });

  test("may be handed a copy of its call, with more in it", async () => {
    const seen: string[][] = [];
    const url = await serve(
      GET("/copied/{id}", (call) => {
        const more = { ...call, user: "ann" };
        seen.push(Object.keys(more));
        more.response.set("x-user", more.user);
        return [more.params.path.id, more.request.method, more.signal.aborted, more.user];
      }),
    );
    const answer = await ask(`${url}/copied/5`);
    expect(answer).toMatchObject({ status: 200, json: ["5", "GET", false, "ann"] });
    expect(answer.headers.get("x-user")).toBe("ann");
    expect(seen).toEqual([["params", "body", "identity", "request", "response", "signal", "user"]]);
  });

  test("gives null for undefined", async () => {
    const url = await serve(GET("/nothing", () => undefined));
    expect(await ask(`${url}/nothing`)).toMatchObject({ status: 200, text: "null" });
  });

  test("answers every method with its status", async () => {
    const url = await serve(
      GET("/x", () => "get"),
      POST("/x", { status: 201 }, () => "post"),
      PUT("/x", { status: 202 }, () => "put"),
      PATCH("/x", () => "patch"),
      DELETE("/x", { status: 204 }, () => undefined),
    );
    const answers = await Promise.all(
      ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => ask(`${url}/x`, { method })),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '"get"'],
      [201, '"post"'],
      [202, '"put"'],
      [200, '"patch"'],
      [204, ""],
    ]);
    expect(answers[4]?.headers.has("content-type")).toBe(false);
  });

  test.each([204, 205, 304])(
    "of status %i has no body, whatever it gives, and declares no output",
    async (status) => {
      // As from code without types: with them the function gives nothing, and there is no output.
      const untyped = status as 200;
      const bodyless = GET("/x", { status: untyped, responseHeaders: { "x-a": "1" } }, () => ({ a: 1 }));
      const url = await serve(bodyless);
      const answer = await raw(
        Number(new URL(url).port),
        "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      );
      const [head = "", body] = answer.split("\r\n\r\n");
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nx-a: 1`, "s"));
      expect(head).not.toMatch(/^Content-Type:/im);
      expect(body).toBe("");
      const { responses } = createEngine().withHandlers(bodyless).openapi().paths?.["/x"]?.get ?? {};
      expect(new Map(Object.entries(responses ?? {})).get(String(status))).not.toHaveProperty("content");
      expect(() => GET("/x", { status: untyped, output: z.int() }, () => 1)).toThrow(
        `status ${status} has no output`,
      );
    },
  );

  test("decodes a body from its wire form and encodes the output to it", async () => {
    const schema = z.object({ at: z.date(), big: z.bigint(), bytes: z.instanceof(Uint8Array) });
    const url = await serve(
      POST("/echo", { body: schema, output: schema }, ({ body }) => {
        expect(body.at).toBeInstanceOf(Date);
        expect(body.big).toBe(12345678901234567890n);
        expect(body.bytes).toEqual(new Uint8Array([1, 2]));
        return body;
      }),
    );
    const wire = { at, big: "12345678901234567890", bytes: "AQI=" };
    expect(await ask(`${url}/echo`, send("POST", wire))).toMatchObject({ status: 200, json: wire });
  });

  test("row 75: fields that the output does not declare never leave", async () => {
    const output = z.object({ id: z.int(), list: z.array(z.object({ a: z.string() })) });
    const url = await serve(
      GET("/user", { output }, () => {
        const row = { id: 1, hash: "secret", list: [{ a: "x", b: "secret" }] };
        return row;
      }),
    );
    const answer = await ask(`${url}/user`);
    expect(answer.json).toEqual({ id: 1, list: [{ a: "x" }] });
    expect(answer.text).not.toContain("secret");
  });

  test("row 75: a value that cannot be written as JSON is a bare 500", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const url = await serve(
      GET("/bigint", () => ({ big: 1n })),
      GET("/cycle", () => cycle),
      GET("/hook", () => ({
        toJSON() {
          throw new Error("secret");
        },
      })),
      GET("/date", { output: z.object({ at: z.date() }) }, () => ({ at: new Date(Number.NaN) })),
    );
    for (const path of ["/bigint", "/cycle", "/hook", "/date"]) {
      const answer = await ask(url + path);
      expect(answer.status).toBe(500);
      expect(answer.json).toEqual({ code: "INTERNAL_SERVER_ERROR", message: "internal server error" });
    }
  });

  test("with outputValidation fails as a bare 500 when the output does not fit", async () => {
    const output = z.object({ n: z.int().min(10) });
    const url = await serve(
      GET("/wrong", { output, outputValidation: true }, () => ({ n: 1 })),
      GET("/right", { output, outputValidation: true }, () => ({ n: 11 })),
    );
    expect((await ask(`${url}/wrong`)).json).toEqual({
      code: "INTERNAL_SERVER_ERROR",
      message: "internal server error",
    });
    expect((await ask(`${url}/right`)).json).toEqual({ n: 11 });
  });

  test("sets headers, fixed or worked out from its output", async () => {
    const url = await serve(
      GET("/fixed", { responseHeaders: { "Cache-Control": "no-store" } }, () => 1),
      GET(
        "/made",
        { output: z.object({ id: z.int() }), responseHeaders: ({ id }) => ({ Location: `/x/${id}` }) },
        () => ({
          id: 7,
        }),
      ),
    );
    expect((await ask(`${url}/fixed`)).headers.get("cache-control")).toBe("no-store");
    expect((await ask(`${url}/made`)).headers.get("location")).toBe("/x/7");
  });

  test("row 73: a header value with a line break is refused and its text not shown", async () => {
    const url = await serve(
      GET("/split", { responseHeaders: () => ({ "X-A": "ok", Location: "/\r\nSet-Cookie: a=b" }) }, () => 1),
    );
    const answer = await ask(`${url}/split`);
    expect(answer.status).toBe(500);
    expect(answer.headers.has("set-cookie")).toBe(false);
    expect(answer.headers.has("x-a")).toBe(false);
    expect(answer.json).toEqual({ code: "INTERNAL_SERVER_ERROR", message: "internal server error" });
  });

  test("with etag answers 304 to a client that has the answer", async () => {
    const url = await serve(GET("/x", { etag: true }, () => ({ a: 1 })));
    const first = await ask(`${url}/x`);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    const second = await ask(`${url}/x`, { headers: { "if-none-match": `"other", ${tag}` } });
    expect([second.status, second.text]).toEqual([304, ""]);
  });

  test("compares tags weakly, in lists, for GET and HEAD only", async () => {
    const { port } = new URL(
      await serve(
        GET("/x", { etag: true }, () => 1),
        POST("/x", { etag: true }, () => 1),
      ),
    );
    const status = async (line: string, header: string) => {
      const text = `${line} /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n\r\n`;
      return /^HTTP\/1.1 (\d+)/.exec(await raw(Number(port), text))?.[1];
    };
    const [tag = ""] =
      /"[\w-]+"/.exec((await ask(`http://127.0.0.1:${port}/x`)).headers.get("etag") ?? "") ?? [];
    for (const [line, header, expected] of [
      ["GET", `If-None-Match: ${tag}`, "304"],
      ["HEAD", `If-None-Match: ${tag}`, "304"],
      ["GET", `If-None-Match: W/${tag}`, "304"],
      ["GET", `If-None-Match: "a,b" , W/${tag},"c"`, "304"],
      ["GET", `If-None-Match: "a"\r\nIf-None-Match: ${tag}`, "304"],
      ["GET", "If-None-Match: *", "304"],
      ["GET", `If-None-Match: ${tag}\r\nCache-Control: no-cache`, "304"],
      ["GET", `If-None-Match: "a"`, "200"],
      ["GET", `If-None-Match: ${tag.slice(1, -1)}`, "200"],
      ["GET", "If-None-Match:", "200"],
      ["GET", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT", "200"],
      ["POST", `If-None-Match: ${tag}`, "200"],
    ] as const) {
      expect([line, header, await status(line, header)]).toEqual([line, header, expected]);
    }
  });

  test("may begin the response itself, and nothing more is written", async () => {
    const url = await serve(
      GET("/away", ({ response }) => response.redirect("/there")),
      GET("/file", ({ response }) => {
        response.sendFile(new URL(import.meta.url).pathname);
      }),
      GET("/missing", ({ response }) => {
        response.sendFile("/no/such/file");
      }),
      GET("/raw", async ({ response }) => {
        response.write("a");
        response.end("b");
        return "ignored";
      }),
    );
    const away = await ask(`${url}/away`);
    expect([away.status, away.headers.get("location")]).toEqual([302, "/there"]);
    expect((await ask(`${url}/file`)).text).toContain("may begin the response itself");
    expect(await ask(`${url}/missing`)).toMatchObject({
      status: 404,
      json: { code: "NOT_FOUND", message: "not found" },
    });
    expect((await ask(`${url}/raw`)).text).toBe("ab");
  });

  test("takes zod/v3 schemas too", async () => {
    const body = z3.object({ name: z3.string().min(2) });
    const url = await serve(
      POST("/old", { query: { n: z3.coerce.number() }, body, output: body }, ({ body, params }) => ({
        name: body.name + params.query.n,
        hash: "secret",
      })),
    );
    expect(await ask(`${url}/old?n=5`, send("POST", { name: "ab" }))).toMatchObject({
      json: { name: "ab5" },
    });
    expect(await ask(`${url}/old?n=x`, send("POST", { name: "ab" }))).toMatchObject({ status: 422 });
    expect(await ask(`${url}/old?n=5`, send("POST", { name: "a" }))).toMatchObject({
      status: 422,
      json: { code: "VALIDATION_FAILED", details: { fields: [{ field: "name" }] } },
    });
  });

  test("takes asynchronous refinements", async () => {
    const body = z.object({ name: z.string().refine(async (name) => name !== "taken", "is taken") });
    const url = await serve(POST("/async", { body, output: body }, ({ body }) => body));
    expect((await ask(`${url}/async`, send("POST", { name: "free" }))).status).toBe(200);
    expect((await ask(`${url}/async`, send("POST", { name: "taken" }))).json).toMatchObject({
      details: { fields: [{ field: "name", message: "is taken" }] },
    });
  });
});

describe("errors", () => {
  const OutOfStock = defineError({
    code: "OUT_OF_STOCK",
    status: 409,
    message: "out of stock",
    details: z.object({ since: z.date() }),
  });

  test("are answered in one form, returned or thrown, with message and details", async () => {
    const url = await serve(
      GET("/returned", { output: z.string(), errors: [NotFound] }, () => NotFound),
      GET("/thrown", { output: z.string(), errors: [NotFound] }, () => {
        throw NotFound.withMessage("no such user").withDetails({ resource: "user" });
      }),
      GET("/own", { output: z.string(), errors: [OutOfStock] }, () =>
        OutOfStock.withDetails({ since: new Date(at) }).withCause(new Error("secret")),
      ),
    );
    expect(await ask(`${url}/returned`)).toMatchObject({
      status: 404,
      text: '{"code":"NOT_FOUND","message":"not found"}',
    });
    expect((await ask(`${url}/thrown`)).json).toEqual({
      code: "NOT_FOUND",
      message: "no such user",
      details: { resource: "user" },
    });
    expect(await ask(`${url}/own`)).toMatchObject({
      status: 409,
      text: `{"code":"OUT_OF_STOCK","message":"out of stock","details":{"since":"${at}"}}`,
    });
  });

  test("copies keep their definition, and the sentinel does not change", () => {
    const copy = NotFound.withMessage("gone").withDetails({ resource: "x" }).withCause(new Error("why"));
    expect(copy).toMatchObject({
      code: "NOT_FOUND",
      status: 404,
      message: "gone",
      details: { resource: "x" },
    });
    expect(copy.cause).toBeInstanceOf(Error);
    expect(NotFound).toMatchObject({ message: "not found" });
    expect(NotFound.details).toBeUndefined();
    expect(HttpError.is(copy) && copy instanceof HttpError).toBe(true);
    expect(HttpError.is(new Error("x"))).toBe(false);
  });

  test.each([
    ["an undeclared error", () => Conflict.withMessage("secret")],
    ["a thrown string", () => Promise.reject("secret")],
    ["null", () => Promise.reject(null)],
    ["an Error", () => Promise.reject(new Error("secret"))],
    ["an error with a status", () => Promise.reject(Object.assign(new Error("secret"), { status: 418 }))],
  ])("row 74: %s is a bare 500", async (_name, fails) => {
    const url = await serve(GET("/fails", { output: z.unknown() }, () => fails()));
    const answer = await ask(`${url}/fails`);
    expect(answer.status).toBe(500);
    expect(answer.text).toBe('{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}');
  });

  test("a declared InternalServer keeps its message; TooManyRequests says when to come back", async () => {
    const url = await serve(
      GET("/own", { output: z.string(), errors: [InternalServer] }, () =>
        InternalServer.withMessage("try later"),
      ),
      GET("/slow", { output: z.string(), errors: [TooManyRequests] }, () =>
        TooManyRequests.withDetails({ retry_after: 1.5 }),
      ),
    );
    expect((await ask(`${url}/own`)).json).toMatchObject({ message: "try later" });
    const slow = await ask(`${url}/slow`);
    expect([slow.status, slow.headers.get("retry-after")]).toEqual([429, "2"]);
  });
});

describe("a declaration that cannot work is refused at once", () => {
  const run = () => undefined;
  // Callers without types can say anything.
  const declare = (options: unknown) => () => GET("/x/{id}", options as object, run);

  test.each([
    ["an unknown option", declare({ querry: {} }), /unknown option "querry"/],
    ["a parameter that the path does not name", declare({ path: { idd: z.int() } }), /"idd"/],
    ["an object as a query parameter", declare({ query: { a: z.object({}) } }), /text cannot carry/],
    ["empty scopes", declare({ scopes: [] }), /scopes/],
    ["an empty group of roles", declare({ roles: [["a"], []] }), /roles/],
    ["204 with an output", declare({ status: 204, output: z.string() }), /204/],
    ["an error status", declare({ status: 404 }), /status/],
    [
      "optional authentication with scopes",
      declare({ authentication: "optional", scopes: ["a"] }),
      /optional/,
    ],
    [
      "optional authentication with a limit",
      declare({ authentication: "optional", usageLimits: [usageLimit("a", () => 1)] }),
      /optional/,
    ],
    ["a body that is not a schema", declare({ body: {} }), /body/],
    ["errors that are not declared errors", declare({ errors: [new Error("x")] }), /errors/],
    ["error-handling middleware", declare({ middleware: [(_a: 1, _b: 2, _c: 3, _d: 4) => 1] }), /middleware/],
    [
      "a one-way transform to validate",
      declare({ output: z.string().transform((s) => s), outputValidation: true }),
      /codec/,
    ],
    ["two names in a segment", () => GET("/{a}-{b}", run), /hold one/],
    ["a parameter twice", () => GET("/{a}/{a}", run), /twice/],
    ["Express' way of writing", () => GET("/users/:id", run), /literal text/],
    ["a relative path", () => GET("users", run), /start with/],
    ["a query in the path", () => GET("/users?x=1", run), /blank/],
    [
      "a status of success for an error",
      () => defineError({ code: "X", status: 200, message: "x" }),
      /400 to 599/,
    ],
  ])("%s", (_name, make, message) => {
    expect(make).toThrow(DeclarationError);
    expect(make).toThrow(message);
  });
});
