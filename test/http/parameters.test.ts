import { describe, expect, test } from "vitest";
import { z } from "zod";
import { GET, POST } from "../../src/http/index.js";
import { expectCost } from "../stopwatch.js";
import { ask, send, serve } from "./serve.js";

describe("parameters", () => {
  test("are read from text by their declared type", async () => {
    let seen: unknown;
    const url = await serve(
      GET(
        "/x/{id}/{slug}",
        {
          path: { id: z.int() },
          query: {
            n: z.number(),
            flag: z.boolean(),
            day: z.date(),
            big: z.bigint(),
            role: z.enum(["a", "b"]),
            level: z.literal([1, 2]),
            either: z.union([z.int(), z.string()]),
            tags: z.array(z.string()),
            ids: z.array(z.int()).optional(),
            none: z.array(z.string()).default(["d"]),
            page: z.int().default(1),
            q: z.string().optional(),
            text: z.string(),
            kinds: z.set(z.int()),
            no: z.set(z.int()),
          },
          headers: { "X-Count": z.int(), "x-list": z.array(z.string()) },
          cookies: { sid: z.string() },
        },
        ({ params }) => {
          seen = params;
          return 1;
        },
      ),
    );
    const query =
      "n=-1.5e3&flag=true&day=2024-02-29&big=-12345678901234567890&role=b&level=2&either=7&ids=1&ids=2&text=1&kinds=3&kinds=3";
    const answer = await ask(`${url}/x/007/a%2Fb?${query}`, {
      headers: { "x-count": "5", "X-List": "a, b", cookie: "other=1; sid=a%20b" },
    });
    expect(answer.status).toBe(200);
    expect(seen).toEqual({
      path: { id: 7, slug: "a/b" },
      query: {
        n: -1500,
        flag: true,
        day: new Date("2024-02-29"),
        big: -12345678901234567890n,
        role: "b",
        level: 2,
        either: 7,
        tags: [],
        ids: [1, 2],
        none: ["d"],
        page: 1,
        text: "1",
        kinds: new Set([3]),
        no: new Set(),
      },
      headers: { "X-Count": 5, "x-list": ["a", "b"] },
      cookies: { sid: "a b" },
    });
  });

  test("that do not fit are named with their place, all in one answer, before the body is read", async () => {
    const url = await serve(
      POST(
        "/x/{id}",
        {
          path: { id: z.int() },
          query: { flag: z.boolean(), n: z.number() },
          headers: { "x-a": z.string() },
          cookies: { sid: z.string() },
          body: z.object({}),
        },
        () => 1,
      ),
    );
    const answer = await ask(`${url}/x/1.0?flag=1&n=0x10`, {
      method: "POST",
      body: "{",
      headers: { "content-type": "x/y" },
    });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      code: "VALIDATION_FAILED",
      message: "validation failed",
      details: {
        fields: [
          { field: "id", in: "path" },
          { field: "flag", in: "query" },
          { field: "n", in: "query" },
          { field: "x-a", in: "header" },
          { field: "sid", in: "cookie" },
        ],
      },
    });
  });

  test("may come as a Zod object, with its refinements", async () => {
    const query = z
      .object({ from: z.int(), to: z.int() })
      .refine(({ from, to }) => from <= to, { message: "order", path: ["to"] });
    const url = await serve(GET("/x", { query }, ({ params }) => params.query.to - params.query.from));
    expect((await ask(`${url}/x?from=1&to=3`)).json).toBe(2);
    expect((await ask(`${url}/x?from=3&to=1`)).json).toMatchObject({
      details: { fields: [{ field: "to", message: "order", in: "query" }] },
    });
  });

  test("row 69: a name given twice is an error, brackets are part of the name, nothing is nested", async () => {
    const url = await serve(
      GET("/x", { query: { q: z.string().optional() } }, ({ params }) => ({ ...params.query })),
    );
    expect((await ask(`${url}/x?q=a&q=b`)).json).toMatchObject({
      details: { fields: [{ field: "q", message: "given more than once", in: "query" }] },
    });
    for (const query of ["q[]=a", "q[a]=b", "__proto__[x]=1", "__proto__=1", "constructor=1"]) {
      expect((await ask(`${url}/x?${query}`)).json).toEqual({});
    }
    expect((await ask(`${url}/x?q=a+b%2Bc`)).json).toEqual({ q: "a b+c" });
    expect((await ask(`${url}/x?q=`)).json).toEqual({ q: "" });
    expect((await ask(`${url}/x?q`)).json).toEqual({ q: "" });
    expect(Reflect.get({}, "x")).toBeUndefined();
  });

  test("a plus stays a plus in a path", async () => {
    const url = await serve(GET("/x/{name}", ({ params }) => params.path.name));
    expect((await ask(`${url}/x/a+b`)).json).toBe("a+b");
  });

  test("malformed percent-encoding is a 400", async () => {
    const url = await serve(GET("/x/{id}", { query: { q: z.string().optional() } }, () => 1));
    for (const path of ["/x/%ZZ", "/x/%E0%A4", "/x/1?q=%ZZ", "/%ZZ"]) {
      expect(await ask(url + path)).toMatchObject({
        status: 400,
        json: { code: "BAD_REQUEST", message: "bad request" },
      });
    }
  });

  test("row 67: encoded slashes, dots and NUL are text, decoded once", async () => {
    const url = await serve(GET("/x/{id}", ({ params }) => params.path.id));
    for (const [sent, got] of [
      ["%2F", "/"],
      ["%252F", "%2F"],
      ["%2E%2E%2Fetc", "../etc"],
      ["%00", "\u0000"],
    ]) {
      expect((await ask(`${url}/x/${sent}`)).json).toBe(got);
    }
    // Overlong UTF-8 is not UTF-8.
    expect((await ask(`${url}/x/%C0%AF`)).status).toBe(400);
  });

  test("row 70: thousands of pairs and segments take no time", async () => {
    const url = await serve(GET("/x", { query: { q: z.string().optional() } }, () => 1));
    await expectCost(200, async () => {
      expect((await ask(`${url}/x?${"a=1&".repeat(3_000)}`)).status).toBe(200);
      expect((await ask(`${url}/${"a/".repeat(7_000)}`)).status).toBe(404);
    });
  });

  test("undeclared ones are not available", async () => {
    const url = await serve(
      POST("/x", { body: z.object({}) }, ({ params }) => ({ ...params.query, ...params.headers })),
    );
    expect((await ask(`${url}/x?a=1`, send("POST", {}))).json).toEqual({});
  });
});
