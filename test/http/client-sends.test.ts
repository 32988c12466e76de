/** What the client sends, whatever it has learnt of a handler before; and what it refuses to send. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ClientError, createClient } from "../../src/http/client/index.js";
import { bytes, createEngine, form, multipart, ndjson, POST, text } from "../../src/http/index.js";
import { listening } from "./serve.js";

const fields = { name: z.string() };
const kinds = {
  json: z.object(fields),
  form: form(fields),
  multipart: multipart(fields),
  markdown: text("text/markdown"),
  image: bytes("image/png"),
  bytes: bytes(),
  lines: ndjson(z.object(fields)),
};
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const TYPES: Readonly<Record<Kind, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  markdown: "text/markdown",
  image: "image/png",
  bytes: "application/octet-stream",
  lines: "application/x-ndjson",
};

const raw = new TextEncoder().encode("name=Ann");
const formData = new FormData();
formData.set("name", "Ann");
async function* rows() {
  yield { name: "Ann" };
}
/** Values with the kinds that they go as: the first of these that the handler takes, or the handler's own first one. */
const values: Readonly<Record<string, { make: () => unknown; as: readonly Kind[] | "first" }>> = {
  "an object": { make: () => ({ name: "Ann" }), as: "first" },
  URLSearchParams: { make: () => new URLSearchParams("name=Ann"), as: ["form"] },
  FormData: { make: () => formData, as: ["multipart"] },
  bytes: { make: () => raw, as: ["bytes", "image", "lines", "markdown"] },
  "an ArrayBuffer": { make: () => raw.slice().buffer, as: ["bytes", "image", "lines", "markdown"] },
  "a blob with a type": { make: () => new Blob([raw], { type: "image/png" }), as: ["image"] },
  "a blob without one": { make: () => new Blob([raw]), as: ["bytes", "image", "lines", "markdown"] },
  "rows as they come": { make: rows, as: ["lines"] },
};
const VALUES: readonly Kind[] = ["json", "form", "multipart"];

const lists = names.flatMap((one): readonly [Kind, ...Kind[]][] => [
  [one],
  ...names.filter((two) => two !== one).map((two): [Kind, Kind] => [one, two]),
]);
const api = createEngine({ onError: false }).withHandlers(
  ...lists.map((list) =>
    POST(
      `/${list.join("/")}`,
      { body: [kinds[list[0]], ...list.slice(1).map((name) => kinds[name])], output: z.string() },
      ({ request }) => request.get("content-type")?.split(";")[0] ?? "",
    ),
  ),
);
const url = listening(api);

/** A client of callers without types. */
interface Untyped {
  POST(path: string, options: object): Promise<{ readonly data: unknown }>;
  raw(method: string, path: string, options?: object): Promise<Response>;
  stream(method: string, path: string, options: object): AsyncIterable<unknown>;
}
// Paths and values are generated, or are those that the compiler refuses.
const untyped = (client: object) => client as unknown as Untyped;

describe("a body goes as one of the kinds that its handler takes", () => {
  const clientOf = async () => untyped(createClient<typeof api>(await url));
  /** The media type that the function saw, or the code of the refusal. */
  const sent = (client: Untyped, path: string, body: unknown) =>
    client.POST(path, { body }).then(
      ({ data }) => data,
      (error: unknown) => (error instanceof ClientError ? error.code : error),
    );

  test.each(lists.map((list) => [list.join(" and "), list] as const))("%s", async (_, list) => {
    const path = `/${list.join("/")}`;
    const first = new Map<string, unknown>();
    for (const [title, { make, as }] of Object.entries(values)) {
      const answer = await sent(await clientOf(), path, make());
      first.set(title, answer);
      const [kind] =
        as === "first"
          ? [list.find((one) => one === "json") ?? list[0]].filter((one) => VALUES.includes(one ?? "lines"))
          : as.filter((one) => list.includes(one));
      if (kind !== undefined) expect([title, answer]).toEqual([title, TYPES[kind]]);
    }
    // Whatever was sent there before, a value goes the same way.
    const client = await clientOf();
    for (const title of [...first.keys(), ...[...first.keys()].reverse()])
      expect([title, await sent(client, path, values[title]?.make())]).toEqual([title, first.get(title)]);
  });
});

/** No request was made, and none will be: it is not tried again. */
async function refused(call: () => unknown): Promise<void> {
  const cause = await Promise.resolve()
    .then(call)
    .catch((error: unknown) => error);
  expect(cause).toBeInstanceOf(ClientError);
  expect(cause).toMatchObject({ code: "INVALID_REQUEST" });
}

describe("what cannot be sent is refused, not lost, and not tried again", () => {
  afterEach(() => void vi.restoreAllMocks());
  const used = async () => {
    const { body } = new Response("abc");
    await new Response(body).text();
    return body;
  };
  const locked = () => {
    const { body } = new Response("abc");
    body?.getReader();
    return body;
  };
  const hooks = [{}, { onRequest: () => {} }, { onResponse: () => {} }, { timeoutMs: 10_000 }];

  test.each(hooks.map((hook) => [Object.keys(hook)[0] ?? "no hook", hook] as const))(
    "%s",
    async (_, hook) => {
      const fetched = vi.spyOn(globalThis, "fetch");
      const at = (base: string) => createClient<typeof api>(base, { retries: 5, ...hook });
      const client = untyped(at(await url));
      for (const method of ["", "G T", "G\nT", "TRACE", "CONNECT"])
        await refused(() => client.raw(method, "/json"));
      for (const method of ["GET", "HEAD"])
        await refused(() => client.raw(method, "/json", { body: { name: "a" } }));
      for (const body of [locked(), await used()])
        for (const path of ["/bytes", "/json"]) await refused(() => client.POST(path, { body }));
      for (const path of ["/form", "/multipart"])
        for (const body of ["text", 5, true, null, ["a"], [{ name: "a" }], new Date(0)])
          await refused(() => client.POST(path, { body }));
      for (const base of ["", "x y", "http://[", "http://a:b"])
        await refused(() => untyped(at(base)).POST("/json", { body: { name: "a" } }));
      // Where it must ask the platform, it asks once; the first values of a form learn what their handler takes.
      for (const { value } of fetched.mock.results) await Promise.resolve(value).catch(() => {});
      expect(fetched.mock.calls.length).toBeLessThan(20);
    },
  );

  test("a server that is not there is lost all the same", async () => {
    for (const hook of hooks) {
      const client = untyped(createClient<typeof api>("http://127.0.0.1:1", hook));
      for (const body of [raw, new Blob(["a"]).stream()])
        await expect(client.POST("/bytes", { body })).rejects.toMatchObject({ code: "NETWORK" });
    }
  });
});

describe("an option of another type", () => {
  const wrong = [5, "text", true, Symbol("a"), 7n, () => {}, {}];
  const types: Readonly<Record<string, readonly string[]>> = {
    fetch: ["function"],
    headers: ["object", "function"],
    retries: ["number"],
    timeoutMs: ["number"],
    onRequest: ["function"],
    onResponse: ["function"],
    path: ["object"],
    query: ["object"],
    signal: ["object"],
    lastEventId: ["string"],
    reconnect: ["boolean"],
  };

  test.each([
    ["createClient", ["fetch", "headers", "retries", "timeoutMs", "onRequest", "onResponse"]],
    ["a call", ["path", "query", "headers", "signal", "retries", "timeoutMs"]],
    ["a stream", ["path", "query", "headers", "signal", "lastEventId", "reconnect"]],
  ])("of %s is refused by its name", async (owner, options) => {
    const fetch = vi.fn();
    const make = (name: string, value: unknown): unknown => {
      const given = { [name]: value };
      if (owner === "createClient") return createClient<typeof api>("http://a", given);
      const client = untyped(createClient<typeof api>("http://a", { fetch }));
      return owner === "a call" ? client.POST("/x", given) : client.stream("GET", "/x", given);
    };
    for (const name of options)
      for (const value of wrong) {
        const isClient = owner === "createClient";
        if (
          typeof value === "function"
            ? isClient && types[name]?.includes("function")
            : types[name]?.includes(typeof value)
        )
          continue;
        const cause = await Promise.resolve()
          .then(() => make(name, value))
          .catch((error: unknown) => error);
        expect([name, typeof value, cause]).toMatchObject([
          name,
          typeof value,
          { code: "INVALID_REQUEST", message: expect.stringContaining(`option ${name} of ${owner}`) },
        ]);
      }
    expect(fetch).not.toHaveBeenCalled();
  });
});
