/** What an application throws or returns that cannot be read or waited for: a bare 500, and the process goes on. */
import { describe, expect, test, vi } from "vitest";
import { createEngine, GET, on } from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";

const boom = new TypeError("boom: secret");
const throwing = () => {
  throw boom;
};
const bare = '{"code":"INTERNAL_SERVER_ERROR","message":"internal server error"}';

describe("what cannot be read or waited for", () => {
  test("a thrown proxy that throws when it is asked is a bare 500", async () => {
    const hostile = new Proxy(
      {},
      { get: throwing, has: throwing, getPrototypeOf: throwing, ownKeys: throwing },
    );
    const engine = createEngine({ onError: false }).withHandlers(
      GET("/thrown", () => {
        throw hostile;
      }),
      GET("/rejected", () => Promise.reject(hostile)),
    );
    const stop = on("http.request.failed", () => undefined);
    for (const path of ["/thrown", "/rejected"])
      expect((await serveRequest(engine, "GET", path)).text()).toBe(bare);
    stop();
  });

  test("a promise of headers is a bare 500, and its rejection ends no process", async () => {
    const onError = vi.fn();
    const rejected = vi.fn();
    process.on("unhandledRejection", rejected);
    const headers = async () => throwing();
    const engine = createEngine({ onError }).withHandlers(
      GET("/x", { responseHeaders: headers as never }, () => 1),
    );
    expect((await serveRequest(engine, "GET", "/x")).text()).toBe(bare);
    await new Promise(setImmediate);
    process.off("unhandledRejection", rejected);
    expect(rejected).not.toHaveBeenCalled();
    expect(String(onError.mock.calls[0]?.[0])).toMatch("responseHeaders returned a promise");
  });
});
