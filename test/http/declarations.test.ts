/** What callers without types may declare: it is refused while the program starts, by an error that says what is wrong. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createEngine,
  DeclarationError,
  defineError,
  enrich,
  extractor,
  GET,
  HostLoopback,
  identity,
  model,
  NotFound,
  usageLimit,
} from "../../src/http/index.js";
import { DeclarationError as SqlDeclarationError, SqlError, table } from "../../src/index.js";

// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;
const ok = () => GET("/x", () => 1);

describe("options of a handler that are no such thing", () => {
  test.each<[object, string]>([
    [{ name: 5 }, "name is a string, not a number"],
    [{ summary: ["a"] }, "summary is a string"],
    [{ description: {} }, "description is a string"],
    [{ deprecated: "no" }, "deprecated is a boolean"],
    [{ etag: 1 }, "etag is a boolean"],
    [{ outputValidation: "yes" }, "outputValidation is a boolean"],
    [{ tags: "a" }, "tags are a list"],
    [{ tags: [5] }, "tags are text"],
    [{ errors: NotFound }, "errors are a list"],
    [{ middleware: () => {} }, "middleware are a list"],
    [{ usageLimits: usageLimit("a", () => 1) }, "usageLimits are a list"],
    [{ usageLimits: [5] }, "usage limits are what usageLimit() gives"],
    [{ authentication: "yes" }, 'authentication is true, false or "optional"'],
    [{ authentication: 1 }, 'authentication is true, false or "optional"'],
    [{ authentication: null }, 'authentication is true, false or "optional"'],
    [{ responseHeaders: 5 }, "responseHeaders are a record"],
    [{ responseHeaders: { "a b": "c" } }, 'header "a b" cannot be sent'],
    [{ responseHeaders: { a: "b\r\nc: d" } }, 'header "a" cannot be sent'],
    [JSON.parse('{ "__proto__": 1 }'), 'unknown option "__proto__"'],
  ])("%j", (options, message) => {
    const declare = () => GET("/x", wrong(options), () => 1);
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(message);
  });
});

describe("settings of an engine that are no such thing", () => {
  test.each<[object | null, string]>([
    [null, "the options of an engine are an object"],
    [{ maxBodysize: 5 }, 'unknown option "maxBodysize"'],
    ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1mb", null].map((maxBodySize): [object, string] => [
      { maxBodySize },
      "maxBodySize is a number of bytes",
    ]),
    ...[-1, 0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5", null].flatMap((ms) =>
      ["headersMs", "requestMs", "keepAliveMs", "identityMs"].map((name): [object, string] => [
        { timeouts: { [name]: ms } },
        `${name} is a number of milliseconds above 0`,
      ]),
    ),
    [{ timeouts: { requestsMs: 1 } }, 'unknown option "requestsMs"'],
    [{ timeouts: 5 }, "the options of timeouts are an object"],
    [{ docs: true }, "docs is false"],
    [{ docs: null }, "docs is false"],
    [{ docs: { authentication: false } }, "docs is false"],
  ])("%j", (options, message) => {
    expect(() => createEngine(wrong(options))).toThrow(DeclarationError);
    expect(() => createEngine(wrong(options))).toThrow(message);
  });

  test.each<[string, () => unknown]>([
    ["nothing as a handler", () => createEngine().withHandlers(wrong(undefined))],
    ["a list of handlers", () => createEngine().withHandlers(wrong([ok()]))],
    ["a function as a handler", () => createEngine().withHandlers(wrong(() => 1))],
    ["no extractor", () => createEngine().withAuthenticator(wrong(undefined))],
    ["no model", () => createEngine().withModels(wrong({}))],
    ["a base URL that is no text", () => createEngine().withBaseUrl(wrong(5))],
    ["a base URL of nothing but slashes", () => createEngine().withBaseUrl("//")],
    ["a check that is no function", () => createEngine().withReadiness("/ready", wrong(5))],
    ["a model of no schema", () => model("x", wrong(null))],
    ["a model without a name", () => model(wrong(5), wrong({}))],
    ["an extractor that is none", () => extractor(wrong(5), { name: "a", scheme: wrong({}) })],
    ["an enriched extractor that is none", () => enrich(wrong(5), wrong(5))],
    ["a usage limit that is none", () => usageLimit("a", wrong(5))],
    ["an identity of nothing", () => identity(wrong(null))],
    ["an error without a message", () => defineError({ code: "A", status: 400, message: wrong(5) })],
  ])("%s", (_name, declare) => {
    expect(declare).toThrow(DeclarationError);
  });

  test.each([70_000, -1, 1.5, Number.NaN, "80", undefined])("port %s", async (port) => {
    const engine = createEngine().withHandlers(ok());
    await expect(engine.start(HostLoopback, wrong(port))).rejects.toThrow(DeclarationError);
  });

  test("is caught by the name that either door gives it", () => {
    const caught = (declare: () => unknown): unknown => {
      try {
        return declare();
      } catch (error) {
        return error;
      }
    };
    const http = caught(() => GET("no-slash", () => 1));
    const sql = caught(() => table("", z.object({})));
    for (const error of [http, sql]) {
      expect(error).toBeInstanceOf(DeclarationError);
      expect(error).toBeInstanceOf(SqlDeclarationError);
    }
    expect([http instanceof SqlError, sql instanceof SqlError]).toEqual([false, true]);
    expect(new TypeError("x")).not.toBeInstanceOf(DeclarationError);
  });

  test("a host that is no text", async () => {
    await expect(createEngine().withHandlers(ok()).start(wrong(5), 0)).rejects.toThrow(DeclarationError);
  });
});
