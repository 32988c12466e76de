import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { HTTP_EVENT_NAMES } from "../../src/http/contract/events.js";
import { Conflict, createEngine, GET, type HttpEvents, NotFound, on, POST } from "../../src/http/index.js";
import { settle } from "../standstill.js";
import { raw } from "./raw.js";
import { ask, listening, serve } from "./serve.js";

type HandlerOrRequest = keyof HttpEvents & `http.${"handler" | "request"}.${string}`;
type Seen = [name: keyof HttpEvents, event: Record<string, unknown>];

/** Records the events of handlers and requests whose path has this prefix. */
function record(prefix: string): { readonly seen: Seen[]; readonly stop: () => void } {
  const seen: Seen[] = [];
  const names = HTTP_EVENT_NAMES.filter(
    (name): name is HandlerOrRequest => name.startsWith("http.handler.") || name.startsWith("http.request."),
  );
  const offs = names.map((name) =>
    on(name, (event) => {
      if ("path" in event && event.path.startsWith(prefix)) seen.push([name, { ...event }]);
    }),
  );
  return {
    seen,
    stop: () => {
      for (const off of offs) off();
    },
  };
}

test("every event is in the table of the documentation", () => {
  const page = readFileSync(new URL("../../docs/http.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `http."));
  const named = rows.flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]*)`/g)]);
  expect(named.map(([, name]) => name).sort()).toEqual([...HTTP_EVENT_NAMES].sort());
});

test("events report a request from its receipt to its one end", async () => {
  const { seen, stop } = record("/e1");
  const url = await serve(GET("/e1/{id}", () => 1));
  await ask(`${url}/e1/5?secret=1`);
  await settle();
  stop();
  expect(seen.map(([name]) => name)).toEqual([
    "http.handler.registered",
    "http.request.received",
    "http.handler.executing",
    "http.handler.success",
    "http.request.completed",
  ]);
  expect(seen[4]?.[1]).toEqual({
    context: {},
    method: "GET",
    path: "/e1/5",
    route: "/e1/{id}",
    handlerName: "GET /e1/{id}",
    statusCode: 200,
    durationMs: expect.any(Number),
  });
});

test("refusals are completed requests, each with its reason", async () => {
  const { seen, stop } = record("/e2");
  const url = await serve(
    POST(
      "/e2/{id}",
      { path: { id: z.int() }, body: z.int(), errors: [NotFound], output: z.int() },
      () => NotFound,
    ),
  );
  const post = (path: string, body: string) =>
    ask(url + path, { method: "POST", body, headers: { "content-type": "application/json" } });
  await post("/e2/x", "1");
  await post("/e2/1", "{");
  await post("/e2/1", '"a"');
  await post("/e2/1", "1");
  await ask(`${url}/e2-unknown`);
  await ask(`${url}/e2/1`, { method: "PUT" });
  await settle();
  stop();
  const reasons = seen.filter(([name]) => !/received|completed|executing|registered/.test(name));
  expect(reasons.map(([name]) => name)).toEqual([
    "http.request.params.invalid",
    "http.request.body.parse.error",
    "http.request.validation.input.failed",
    "http.handler.sentinel.error",
  ]);
  for (const [, event] of reasons) expect(event["error"]).toBeInstanceOf(Error);
  const ends = seen.filter(([name]) => name === "http.request.completed").map(([, event]) => event);
  expect(ends.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 404, 404, 405]);
  expect(ends[4]).not.toHaveProperty("handlerName");
});

test("failures carry the error that clients never see", async () => {
  const { seen, stop } = record("/e3");
  const cause = new Error("secret");
  const url = await serve(
    GET("/e3/throws", () => {
      throw cause;
    }),
    GET("/e3/undeclared", { output: z.unknown() }, () => Conflict),
    GET("/e3/output", { output: z.object({ n: z.int() }), outputValidation: true }, () => ({ n: 1.5 })),
  );
  for (const path of ["throws", "undeclared", "output"]) await ask(`${url}/e3/${path}`);
  await settle();
  stop();
  const failures = seen.filter(([name]) => name === "http.request.failed").map(([, event]) => event);
  expect(failures.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500]);
  expect(failures[0]?.["error"]).toBe(cause);
  expect(failures[1]?.["error"]).toBe(Conflict);
  const names = seen.map(([name]) => name);
  expect(names).toContain("http.handler.error");
  expect(names).toContain("http.handler.sentinel.undeclared");
  expect(names).toContain("http.request.validation.output.failed");
});

test("row 82: a client that leaves aborts the signal, and the request fails once", async () => {
  const { seen, stop } = record("/e4");
  let aborted: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const url = await serve(
    GET("/e4", async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted?.();
      return 1;
    }),
  );
  await raw(Number(new URL(url).port), "GET /e4 HTTP/1.1\r\nHost: a\r\n\r\n", { endAfterMs: 50 });
  await left;
  await settle();
  stop();
  const ends = seen.filter(([name]) => name === "http.request.failed" || name === "http.request.completed");
  expect(ends).toHaveLength(1);
  expect(ends[0]?.[0]).toBe("http.request.failed");
});

test("row 76: paths and names are in one record, and nothing is decoded", async () => {
  const { seen, stop } = record("/e5");
  const url = await serve(GET("/e5/{id}", () => 1));
  await ask(`${url}/e5/a%0d%0aforged%20line`);
  await settle();
  stop();
  expect(seen.at(-1)?.[1]["path"]).toBe("/e5/a%0d%0aforged%20line");
});

test("row 88: a listener that throws disturbs neither the request nor other listeners; events are also on diagnostics_channel", async () => {
  const off = on("http.request.received", () => {
    throw new Error("from a listener");
  });
  const channel: unknown[] = [];
  const listener = (event: unknown) => channel.push(event);
  subscribe("rowtype:http.request.completed", listener);
  const warned = new Promise((resolve) => process.once("warning", resolve));
  const url = await listening(createEngine().withHandlers(GET("/e6", () => 1)));
  expect((await ask(`${url}/e6`)).json).toBe(1);
  await settle();
  off();
  unsubscribe("rowtype:http.request.completed", listener);
  expect(channel).toContainEqual(expect.objectContaining({ path: "/e6", statusCode: 200 }));
  expect(await warned).toMatchObject({ name: "RowtypeListenerWarning" });
});
