/** Paths whose parameters are a part of a segment, or all that is left of the path. */
import { request as sendRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import { parseTemplate } from "../../src/http/contract/path.js";
import { createEngine, DeclarationError, GET, group, POST } from "../../src/http/index.js";
import { Routes } from "../../src/http/pipeline/routes.js";
import { serveRequest, testEngine } from "../../src/http/testing/index.js";
import { expectBelow } from "../stopwatch.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const Text = z.string();
/** A handler that says which it is, and what its path has. */
const says = <const Path extends string>(path: Path) =>
  GET(path, { output: z.unknown() }, ({ params }) => [path, { ...params.path }]);

/** The answer to a path as it is written: no client may tidy it up. */
async function statusOf(url: string, path: string): Promise<number | undefined> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ port, host: "127.0.0.1", path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("error", reject).end();
  });
}

describe("a parameter that is the rest of a path", () => {
  const engine = testEngine(
    says("/files/{path*}"),
    says("/files/list"),
    says("/files/{id}/meta"),
    says("/{lang}/x/{rest*}"),
  );
  const ask = async (path: string) => (await serveRequest(engine, "GET", path)).decodeJSON();

  test("is one segment or more, each decoded once", async () => {
    expect(await ask("/files/a")).toEqual(["/files/{path*}", { path: "a" }]);
    expect(await ask("/files/a/b%20c/d%252F.txt")).toEqual(["/files/{path*}", { path: "a/b c/d%2F.txt" }]);
    expect(await ask("/files/...a/.b")).toEqual(["/files/{path*}", { path: "...a/.b" }]);
    expect(await ask("/de/x/1/2")).toEqual(["/{lang}/x/{rest*}", { lang: "de", rest: "1/2" }]);
  });

  test("is asked last", async () => {
    expect(await ask("/files/list")).toEqual(["/files/list", {}]);
    expect(await ask("/files/list/more")).toEqual(["/files/{path*}", { path: "list/more" }]);
    expect(await ask("/files/7/meta")).toEqual(["/files/{id}/meta", { id: "7" }]);
    expect(await ask("/files/7/other")).toEqual(["/files/{path*}", { path: "7/other" }]);
  });

  test.each([
    "/files",
    "/files/",
    "/files//a",
    "/files/a//b",
    "/files/a/",
    "/files/.",
    "/files/..",
    "/files/a/../b",
    "/files/%2e%2e/b",
    "/files/a%2Fb",
    "/files/a%5Cb",
    "/files/a/%00",
    "/files/%2e",
  ])("leads nowhere else: %s is no path of it", async (path) => {
    const url = await listening(testEngine(says("/files/{path*}")) as never);
    expect(await statusOf(url, path)).toBe(404);
  });

  test("is 400 where it cannot be decoded", async () => {
    const url = await listening(testEngine(says("/files/{path*}")) as never);
    expect(await statusOf(url, "/files/a/%ZZ")).toBe(400);
  });

  test("may be declared, in a group too, behind a base URL and mounted", async () => {
    const at = group("/t/{tenant}", { path: { tenant: z.int() } });
    const api = createEngine()
      .withBaseUrl("/v1/api")
      .withHandlers(
        at.GET(
          "/{key*}",
          { path: { key: z.string().regex(/^k/) }, output: z.unknown() },
          ({ params }) => params.path,
        ),
        at.GET(
          "/ids/{ids}/{key*}",
          { path: { ids: z.array(z.int()) }, output: z.unknown() },
          ({ params }) => params.path,
        ),
      );
    const ask = (path: string) => serveRequest(api, "GET", path);
    expect((await ask("/v1/api/t/3/k/1")).decodeJSON()).toEqual({ tenant: 3, key: "k/1" });
    expect((await ask("/v1/api/t/3/no")).status).toBe(422);
    expect((await ask("/v1/api/t/3/ids/1,2/a/b/c")).decodeJSON()).toEqual({
      tenant: 3,
      ids: [1, 2],
      key: "a/b/c",
    });
  });

  test("is sent by the client with its slashes, and nothing that leads elsewhere", async () => {
    const client = createClient<typeof engine>(await listening(engine as never));
    const answer = await client.GET("/files/{path*}", { path: { path: "a b/ü/100%/c" } });
    expect(answer.data).toEqual(["/files/{path*}", { path: "a b/ü/100%/c" }]);
    for (const path of ["", ".", "..", "a/../b", "/a", "a/", "a//b", "./a"])
      await expect(client.GET("/files/{path*}", { path: { path } })).rejects.toMatchObject({
        code: "INVALID_REQUEST",
      });
  });

  test("is in the document as one parameter that says so", async () => {
    const document = testEngine(
      says("/files/{path*}"),
      POST("/files/{name*}", { path: { name: Text.describe("where") }, output: Text }, () => ""),
    ).openapi();
    expect(Object.keys(document.paths ?? {})).toEqual(["/files/{path}"]);
    const item = document.paths?.["/files/{path}"];
    expect(item?.get?.operationId).toBe("getFilesByPath");
    expect(item?.get?.parameters).toEqual([
      { name: "path", in: "path", required: true, "x-multi-segment": true, schema: { type: "string" } },
    ]);
    expect(item?.post?.parameters).toEqual([
      {
        name: "path",
        in: "path",
        description: "where",
        required: true,
        "x-multi-segment": true,
        schema: { type: "string" },
      },
    ]);
    await expectValid(document);
    const both = testEngine(says("/files/{path*}"), says("/files/{path}")).openapi();
    expect(Object.keys(both.paths ?? {})).toEqual(["/files/{pathRest}", "/files/{path}"]);
    expect(both.paths?.["/files/{pathRest}"]?.get?.parameters).toMatchObject([{ name: "pathRest" }]);
  });
});

describe("a parameter that is a part of a segment", () => {
  const engine = testEngine(
    ...[says("/v{n}"), says("/{name}.json"), says("/{name}.tar.gz"), says("/{id}:run"), says("/{name}.gz")],
    ...[
      says("/latest.json"),
      says("/{all}"),
      says("/a{x}/end"),
      says("/{y}b/other"),
      says("/é{z}%20"),
      says("/{last}.json/x"),
    ],
  );
  const ask = async (path: string) => (await serveRequest(engine, "GET", path)).decodeJSON();

  test("has the text around it, which is literal", async () => {
    expect(await ask("/v12")).toEqual(["/v{n}", { n: "12" }]);
    expect(await ask("/report.json")).toEqual(["/{name}.json", { name: "report" }]);
    expect(await ask("/7:run")).toEqual(["/{id}:run", { id: "7" }]);
    expect(await ask("/a%2Fb.json")).toEqual(["/{name}.json", { name: "a/b" }]);
    expect(await ask("/a%2Ejson")).toEqual(["/{name}.json", { name: "a" }]);
    expect(await ask("/%C3%A9w%20")).toEqual(["/é{z}%20", { z: "w" }]);
  });

  test("is preferred by the length of its text, after literals and before whole segments", async () => {
    expect(await ask("/latest.json")).toEqual(["/latest.json", {}]);
    expect(await ask("/x.tar.gz")).toEqual(["/{name}.tar.gz", { name: "x" }]);
    expect(await ask("/x.gz")).toEqual(["/{name}.gz", { name: "x" }]);
    expect(await ask("/v1.json")).toEqual(["/{name}.json", { name: "v1" }]);
    expect(await ask("/other")).toEqual(["/{all}", { all: "other" }]);
    // It is never empty.
    expect(await ask("/v")).toEqual(["/{all}", { all: "v" }]);
    expect(await ask("/.json")).toEqual(["/{all}", { all: ".json" }]);
  });

  test("gives way where its branch leads nowhere", async () => {
    expect(await ask("/acb/end")).toEqual(["/a{x}/end", { x: "cb" }]);
    expect(await ask("/acb/other")).toEqual(["/{y}b/other", { y: "ac" }]);
    expect(await ask("/latest.json/x")).toEqual(["/{last}.json/x", { last: "latest" }]);
  });

  test("is decoded by its schema, lists too", async () => {
    const api = testEngine(
      GET("/n{n}.txt", { path: { n: z.int() }, output: z.unknown() }, ({ params }) => params.path),
      GET(
        "/ids-{ids}.csv",
        { path: { ids: z.array(z.string()) }, output: z.unknown() },
        ({ params }) => params.path,
      ),
    );
    expect((await serveRequest(api, "GET", "/n12.txt")).decodeJSON()).toEqual({ n: 12 });
    expect((await serveRequest(api, "GET", "/nx.txt")).status).toBe(422);
    expect((await serveRequest(api, "GET", "/ids-a,b%2Cc,d.csv")).decodeJSON()).toEqual({
      ids: ["a", "b,c", "d"],
    });
    expect((await serveRequest(api, "GET", "/ids-a%2Ecsv")).decodeJSON()).toEqual({ ids: ["a"] });
    const client = createClient<typeof api>(await listening(api as never));
    expect((await client.GET("/n{n}.txt", { path: { n: 5 } })).data).toEqual({ n: 5 });
    expect((await client.GET("/ids-{ids}.csv", { path: { ids: ["a,b", "c"] } })).data).toEqual({
      ids: ["a,b", "c"],
    });
  });

  test("is in the document as it is written", async () => {
    const document = testEngine(says("/{name}.json"), says("/v{n}/x")).openapi();
    expect(Object.keys(document.paths ?? {})).toEqual(["/{name}.json", "/v{n}/x"]);
    expect(document.paths?.["/{name}.json"]?.get).toMatchObject({
      operationId: "getByNameJson",
      parameters: [{ name: "name", in: "path", required: true }],
    });
    expect(document.paths?.["/v{n}/x"]?.get?.operationId).toBe("getVByNX");
    await expectValid(document);
  });
});

describe("templates", () => {
  test.each<[string, string]>([
    ["/{a}{b}", "or hold one {name}"],
    ["/{a}-{b}", "or hold one {name}"],
    ["/{a", "or hold one {name}"],
    ["/a}", "or hold one {name}"],
    ["/{}", "or hold one {name}"],
    ["/:id", "or hold one {name}"],
    ["/*{id}", "or hold one {name}"],
    ["/{a*}/b", "must be the whole last segment"],
    ["/x{a*}", "must be the whole last segment"],
    ["/{a*}.json", "must be the whole last segment"],
    ["/{a}/{a*}", "names {a} twice"],
    ["/%ZZ{a}", "malformed percent-encoding"],
  ])("%s is refused", (path, message) => {
    expect(() => parseTemplate(path)).toThrow(DeclarationError);
    expect(() => parseTemplate(path)).toThrow(message);
  });

  test("of one form are one path, of which one handler has a method", () => {
    for (const [one, other] of [
      ["/{a*}", "/{b*}"],
      ["/{a}.json", "/{b}.json"],
      ["/x/{a}.json", "/x/{b}%2Ejson"],
    ] as const)
      expect(() => testEngine(says(one), says(other))).toThrow("is taken");
    expect(() => testEngine(says("/{a*}"), says("/{a}"), says("/{a}.json"), says("/{a}.xml"))).not.toThrow();
  });

  test("with lists that commas cannot separate are refused", () => {
    const list = z.array(z.string());
    expect(() => GET("/{a*}", { path: { a: list } }, () => 1)).toThrow("is one text");
    expect(() => GET("/{a},x", { path: { a: list } }, () => 1)).toThrow("commas around it");
  });

  test("cost the same among ten as among a thousand", async () => {
    const tree = (size: number) => {
      const routes = new Routes<number>();
      for (let i = 0; i < size; i++) {
        routes.at(parseTemplate(`/api/{id}:run${i}/x`), () => i);
        routes.at(parseTemplate(`/api/r${i}/{rest*}`), () => i);
      }
      return routes;
    };
    const cost = (routes: Routes<number>, last: number) => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 20; round++) {
        const started = process.cpuUsage();
        for (let i = 0; i < 5_000; i++) {
          routes.find(["api", `7:run${last}`, "x"]);
          routes.find(["api", `r${last}`, "a", "b"]);
        }
        const { user, system } = process.cpuUsage(started);
        best = Math.min(best, user + system);
      }
      return best;
    };
    const [few, many] = [tree(10), tree(1_000)];
    expect(many.find(["api", "7:run999", "x"])).toEqual({ target: 999, values: ["7"] });
    expect(many.find(["api", "r999", "a", "b"])).toEqual({ target: 999, values: ["a/b"] });
    cost(few, 9);
    cost(many, 999);
    // A list would cost a hundred times as much.
    await expectBelow(5, () => cost(many, 999) / cost(few, 9));
  });
});
