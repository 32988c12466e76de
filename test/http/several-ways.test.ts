/** Several extractors in one engine: the order, what passes on, what ends, names of schemes, and what the document says. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createEngine,
  type Extractor,
  extractor,
  GET,
  group,
  type Identity,
  identity,
  type NamedScheme,
  ServiceUnavailable,
} from "../../src/http/index.js";
import { listening } from "./serve.js";

const asked: string[] = [];
/** Reads a header: absent is anonymous, `bad` a refusal, `away` an outage, all other text the id. */
function by(header: string, security?: NamedScheme): Extractor {
  const read: Extractor = (request) => {
    asked.push(header);
    const id = request.get(header);
    if (id === undefined) return null;
    if (id === "bad") throw new Error("refused");
    if (id === "away") throw ServiceUnavailable;
    return identity({ id: `${header}:${id}` });
  };
  return security === undefined ? read : extractor(read, security);
}
const cookie = by("x-cookie", { name: "cookie", scheme: { type: "apiKey", in: "header", name: "x-cookie" } });
const bearer = by("x-bearer", { name: "bearer", scheme: { type: "http", scheme: "bearer" } });
const key = by("x-key", { name: "key", scheme: { type: "apiKey", in: "header", name: "x-key" } });
const plain = by("x-plain");

const id = ({ identity }: { identity: Identity | null }) => identity?.id ?? "nobody";
const guarded = group("/g", { authentication: ["cookie", "bearer"] });
const api = createEngine()
  .withAuthenticator(cookie, bearer, key, plain)
  .withHandlers(
    GET("/any", { authentication: true, output: z.string() }, id),
    GET("/maybe", { authentication: "optional", output: z.string() }, id),
    GET("/one", { authentication: ["bearer"], output: z.string() }, id),
    GET("/two", { authentication: ["key", "cookie"], output: z.string() }, id),
    guarded.GET("/all", { output: z.string() }, id),
    guarded.GET("/less", { authentication: ["bearer", "key"], output: z.string() }, id),
    guarded.GET("/true", { authentication: true, output: z.string() }, id),
    guarded.group("/in", { authentication: ["cookie"] }).GET("/x", { output: z.string() }, id),
  );
const url = listening(api);

async function ask(path: string, headers: Record<string, string> = {}) {
  asked.length = 0;
  const response = await fetch(`${await url}${path}`, { headers });
  const body = (await response.json()) as unknown;
  return {
    status: response.status,
    body,
    asked: [...asked],
    challenge: response.headers.get("www-authenticate"),
  };
}

describe("extractors", () => {
  test("are asked in their order, and the first that knows the caller ends it", async () => {
    expect(await ask("/any", { "x-bearer": "b", "x-key": "k" })).toMatchObject({
      status: 200,
      body: "x-bearer:b",
      asked: ["x-cookie", "x-bearer"],
    });
    expect(await ask("/any", { "x-plain": "p" })).toMatchObject({
      status: 200,
      body: "x-plain:p",
      asked: ["x-cookie", "x-bearer", "x-key", "x-plain"],
    });
    expect(await ask("/maybe")).toMatchObject({ status: 200, body: "nobody" });
    expect(await ask("/any")).toMatchObject({ status: 401, challenge: "ApiKey, Bearer" });
  });

  test("end with a refusal and with an outage, although a later one would know the caller", async () => {
    for (const path of ["/any", "/maybe"]) {
      expect(await ask(path, { "x-cookie": "bad", "x-bearer": "b" })).toMatchObject({
        status: 401,
        asked: ["x-cookie"],
      });
      expect(await ask(path, { "x-cookie": "away", "x-bearer": "b" })).toMatchObject({
        status: 503,
        asked: ["x-cookie"],
      });
    }
  });

  test("are those that a handler or its group names", async () => {
    for (const [path, names] of [
      ["/one", ["x-bearer"]],
      ["/two", ["x-cookie", "x-key"]],
      ["/g/all", ["x-cookie", "x-bearer"]],
      ["/g/less", ["x-bearer"]],
      ["/g/true", ["x-cookie", "x-bearer"]],
      ["/g/in/x", ["x-cookie"]],
    ] as const) {
      for (const header of ["x-cookie", "x-bearer", "x-key", "x-plain"]) {
        const answer = await ask(path, { [header]: "a" });
        const isOne = (names as readonly string[]).includes(header);
        expect(answer.status, `${path} ${header}`).toBe(isOne ? 200 : 401);
        if (isOne) expect(answer.body).toBe(`${header}:a`);
        else expect(answer.asked).toEqual(names);
      }
    }
    expect((await ask("/one")).challenge).toBe("Bearer");
    expect((await ask("/two")).challenge).toBe("ApiKey");
  });

  test("are the alternatives in the document, and each is enough", async () => {
    const { paths, components } = api.openapi();
    expect(components?.securitySchemes).toEqual({
      cookie: cookie.security?.scheme,
      bearer: bearer.security?.scheme,
      key: key.security?.scheme,
    });
    const names = (path: string) =>
      paths?.[path as `/${string}`]?.get?.security?.map((one) => Object.keys(one));
    expect(names("/maybe")).toEqual([[], ["cookie"], ["bearer"], ["key"]]);
    for (const path of ["/any", "/one", "/two", "/g/all", "/g/less", "/g/true", "/g/in/x"]) {
      const listed = names(path) ?? [];
      expect(listed.length).toBeGreaterThan(0);
      for (const [name = ""] of listed) expect((await ask(path, { [`x-${name}`]: "a" })).status).toBe(200);
      const others = ["cookie", "bearer", "key"].filter((name) => !listed.flat().includes(name));
      for (const name of others) expect((await ask(path, { [`x-${name}`]: "a" })).status).toBe(401);
    }
  });
});

describe("a set-up that cannot work is refused", () => {
  const refused = (message: RegExp) =>
    expect.objectContaining({ code: "DECLARATION", message: expect.stringMatching(message) });
  const needs = (authentication: readonly string[]) =>
    GET("/x", { authentication, output: z.string() }, () => "");

  test("two schemes of one name, none, and what is no extractor", () => {
    const twin = extractor(() => null, { name: "cookie", scheme: { type: "http", scheme: "basic" } });
    expect(() => createEngine().withAuthenticator(cookie, twin)).toThrow(refused(/two .* "cookie"/));
    expect(() => createEngine().withAuthenticator(cookie, "x" as never)).toThrow(refused(/function/));
    // @ts-expect-error: at least one
    expect(() => createEngine().withAuthenticator()).toThrow(refused(/function/));
  });

  test("a scheme that no extractor has, by router and start", async () => {
    const engine = () =>
      createEngine()
        .withAuthenticator(cookie, plain)
        .withHandlers(needs(["cookie", "bearr"]));
    expect(() => engine().router()).toThrow(refused(/GET \/x .*"bearr"/));
    await expect(engine().start("127.0.0.1", 0)).rejects.toEqual(refused(/"bearr"/));
    expect(() =>
      createEngine()
        .withHandlers(needs(["cookie"]))
        .router(),
    ).toThrow(refused(/no authenticator/));
  });

  test("an empty list, names that are no text, and a group that leaves nothing", () => {
    for (const wrong of [[], [1], "cookie", {}] as never[])
      expect(() => needs(wrong)).toThrow(refused(/authentication is/));
    expect(() => guarded.GET("/x", { authentication: ["key"], output: z.string() }, () => "")).toThrow(
      refused(/scheme/),
    );
    // @ts-expect-error: the group asks who is calling
    expect(() => guarded.GET("/x", { authentication: false, output: z.string() }, () => "")).toThrow(
      refused(/authentication: false/),
    );
  });
});
