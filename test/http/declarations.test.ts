/** Wrong declarations of callers without types: they are refused while the program starts, by an error that names the mistake. */
import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { HANDLER_OPTIONS, type OptionName, SHARED_OPTIONS } from "../../src/http/contract/options.js";
import { STREAM_OPTIONS } from "../../src/http/contract/stream-settings.js";
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
  type Options,
  type StreamOptions,
  usageLimit,
} from "../../src/http/index.js";
import { DeclarationError as SqlDeclarationError, SqlError, table } from "../../src/index.js";

// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;
const ok = () => GET("/x", () => 1);

describe("wrong options of a handler", () => {
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
    [{ authentication: "yes" }, 'authentication is true, false, "optional" or a list of names of schemes'],
    [{ authentication: 1 }, 'authentication is true, false, "optional" or a list of names of schemes'],
    [{ authentication: null }, 'authentication is true, false, "optional" or a list of names of schemes'],
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

describe("every option of a handler and of a stream", () => {
  test("is in the list that the check reads, and in the types", () => {
    expectTypeOf<keyof Options<string, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>>().toEqualTypeOf<OptionName>();
    expectTypeOf<keyof StreamOptions<string, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>>().toEqualTypeOf<
      (typeof SHARED_OPTIONS | typeof STREAM_OPTIONS)[number]
    >();
    const { options } = GET("/x", () => 1);
    expect(Object.keys(options).sort()).toEqual(
      [...SHARED_OPTIONS, ...HANDLER_OPTIONS, "stream", "uses"].sort(),
    );
  });

  test.each<[string, readonly string[]]>([
    ["http.md", [...SHARED_OPTIONS, ...HANDLER_OPTIONS]],
    ["streams.md", [...STREAM_OPTIONS, "outputValidation", "responseHeaders"]],
  ])("is in a table of docs/%s", (file, names) => {
    const page = readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
    const table = /^\| option \| .*\n(?:\|.*\n)+/m.exec(page)?.[0] ?? "";
    const firstCells = [...table.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell]) => cell ?? "");
    const words = firstCells.flatMap((cell) =>
      [...cell.matchAll(/`([^`]*)`/g)].map(([, word]) => word ?? ""),
    );
    expect(words.flatMap((word) => word.split(" ")).sort()).toEqual([...names].sort());
  });
});

describe("wrong settings of an engine", () => {
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
    ["a base URL that is not text", () => createEngine().withBaseUrl(wrong(5))],
    ["a base URL of nothing but slashes", () => createEngine().withBaseUrl("//")],
    ["a check that is not a function", () => createEngine().withReadiness("/ready", wrong(5))],
    ["a model of no schema", () => model("x", wrong(null))],
    ["a model without a name", () => model(wrong(5), wrong({}))],
    ["an extractor that is not a function", () => extractor(wrong(5), { name: "a", scheme: wrong({}) })],
    ["an enriched extractor that is not a function", () => enrich(wrong(5), wrong(5))],
    ["a usage limit that is not a function", () => usageLimit("a", wrong(5))],
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

  test("a host that is not text", async () => {
    await expect(createEngine().withHandlers(ok()).start(wrong(5), 0)).rejects.toThrow(DeclarationError);
  });
});
