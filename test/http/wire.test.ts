/** `rowtype/http/wire`: values to and from their wire form, by schemas that both sides import, also in Chromium. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { createClient } from "rowtype/http/client";
import { decode, encode } from "rowtype/http/wire";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { createEngine, GET, POST } from "../../src/http/index.js";
import { fromBase64ByText, toBase64ByText } from "../../src/schema/base64.js";
import { chromiumIsThere } from "../availability.js";
import { launchChromium } from "../chromium.js";
import { listening } from "./serve.js";

const Seconds = z.codec(z.int(), z.date(), {
  decode: (seconds) => new Date(seconds * 1000),
  encode: (date) => Math.round(date.getTime() / 1000),
});
const Person = z.object({
  name: z.string().min(1),
  born: z.date(),
  balance: z.bigint(),
  photo: z.instanceof(Uint8Array).nullable(),
  tags: z.set(z.string()),
  seen: z.map(z.string(), z.date()),
  at: Seconds,
  plan: z.string().default("free"),
  more: z.array(z.object({ day: z.date().optional() })),
});
const ann: z.output<typeof Person> = {
  name: "Ann",
  born: new Date(0),
  balance: 2n ** 70n,
  photo: Uint8Array.of(0, 255, 128),
  tags: new Set(["a", "b"]),
  seen: new Map([["here", new Date(1)]]),
  at: new Date(5_000),
  plan: "pro",
  more: [{ day: new Date(2) }, {}],
};
const annOnTheWire = {
  name: "Ann",
  born: "1970-01-01T00:00:00.000Z",
  balance: "1180591620717411303424",
  photo: "AP+A",
  tags: ["a", "b"],
  seen: [["here", "1970-01-01T00:00:00.001Z"]] as [string, string][],
  at: 5,
  plan: "pro",
  more: [{ day: "1970-01-01T00:00:00.002Z" }, {}],
};

test("a value goes out and comes back, through an engine and its client", async () => {
  const seen: unknown[] = [];
  const api = createEngine().withHandlers(
    POST("/people", { body: Person, output: Person }, ({ body }) => {
      seen.push(body);
      return body;
    }),
  );
  const client = createClient<typeof api>(await listening(api));
  const answer = await client.POST("/people", { body: encode(Person, ann) });
  expect(seen).toEqual([ann]);
  expect(answer.data).toEqual(annOnTheWire);
  expect(decode(Person, answer.data)).toEqual(ann);
});

test("the form is that of the engine, without what is not declared", () => {
  const wire = encode(Person, { ...ann, password: "x" } as typeof ann);
  expect(wire).toEqual(annOnTheWire);
  expect(JSON.parse(JSON.stringify(wire))).toEqual(annOnTheWire);
  expect(decode(Person, { ...annOnTheWire, password: "x" } as typeof annOnTheWire)).toEqual(ann);
});

test("what JSON carries as it is stays as it is; defaults are filled in, null and nothing too", () => {
  expect(decode(z.object({ plan: z.string().default("free") }), {})).toEqual({ plan: "free" });
  expect(decode(z.date().nullable(), null)).toBe(null);
  expect(encode(z.date().optional(), undefined)).toBe(undefined);
  expect(decode(mini.object({ at: mini.date() }), { at: "1970-01-01" })).toEqual({ at: new Date(0) });
  expect(encode(mini.object({ at: mini.date() }), { at: new Date(0) })).toEqual({ at: annOnTheWire.born });
});

test("data and values that do not fit are refused with their fields, and so is what is no schema of Zod 4", () => {
  const issues = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(z.ZodError);
      return (error as z.ZodError).issues.map(({ path }) => path.join("."));
    }
    return expect.fail("it was taken");
  };
  expect(issues(() => decode(Person, { ...annOnTheWire, born: "30 February", balance: "x" }))).toEqual([
    "born",
    "balance",
  ]);
  expect(issues(() => decode(Person, { ...annOnTheWire, photo: "A===" }))).toEqual(["photo"]);
  expect(issues(() => encode(Person, { ...ann, name: "", born: new Date(Number.NaN) }))).toEqual([
    "name",
    "born",
  ]);
  for (const schema of [z3.date(), {}, null, undefined, () => 1]) {
    const refused = expect.objectContaining({ code: "DECLARATION" });
    expect(() => decode(schema as never, "" as never)).toThrow(refused);
    expect(() => encode(schema as never, "" as never)).toThrow(refused);
  }
});

test("a transform of one direction decodes, and is not validated when it is encoded", () => {
  const Length = z.object({ at: z.date(), n: z.string().transform((text) => text.length) });
  expect(decode(Length, { at: annOnTheWire.born, n: "abc" })).toEqual({ at: new Date(0), n: 3 });
  expect(encode(Length, { at: new Date(0), n: 3 })).toEqual({ at: annOnTheWire.born, n: 3 });
});

test("the base64 of browsers is that of Node, and other text is none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(toBase64ByText(bytes)).toBe(text);
      expect(fromBase64ByText(text)).toEqual(bytes);
    }),
  );
  for (const text of ["A", "AP+A ", "AP-A", "AP+", "AP+B=", "é", "AB==", "=", "\ud800"]) {
    expect(fromBase64ByText(text), text).toBe(undefined);
    expect(() => decode(z.instanceof(Uint8Array), text), text).toThrow(z.ZodError);
  }
});

describe("in a browser", () => {
  const source = fileURLToPath(new URL("../../src", import.meta.url));
  const bundled = () =>
    build({
      stdin: {
        contents: `export * from "./http/wire/index.ts"; export { z } from "zod";`,
        resolveDir: source,
      },
      bundle: true,
      minify: true,
      // Anything that only Node has would be an error here.
      platform: "browser",
      format: "esm",
      target: "es2022",
      write: false,
      metafile: true,
    });
  let bundle: Awaited<ReturnType<typeof bundled>>;
  beforeAll(async () => {
    bundle = await bundled();
  });

  test("it loads Zod and what knows wire forms, and nothing of a server", () => {
    const inputs = Object.keys(bundle.metafile.inputs).filter(
      (path) => path !== "<stdin>" && !path.includes("node_modules/zod/"),
    );
    const own = inputs.map((path) => relative(source, path));
    expect(own).toContain("schema/wire-decode.ts");
    expect(own.filter((path) => !/^(http\/wire\/index|core\/errors|schema\/[\w-]+)\.ts$/.test(path))).toEqual(
      [],
    );
  });

  describe.skipIf(!chromiumIsThere)("in Chromium", () => {
    test("it decodes and encodes, bytes too", async () => {
      const url = await listening(
        createEngine().withHandlers(
          GET("/wire.js", ({ response }) => void response.type("js").send(bundle.outputFiles?.[0]?.text)),
          GET("/page", ({ response }) => void response.type("html").send("<!doctype html><title>x</title>")),
        ),
      );
      const browser = await launchChromium();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(`${url}/page`);
      const result: unknown = await page.evaluate(`(async () => {
        const { z, decode, encode } = await import("/wire.js");
        const Row = z.object({ at: z.date(), n: z.bigint(), bytes: z.instanceof(Uint8Array) });
        const row = decode(Row, { at: "1970-01-01T00:00:00.000Z", n: "7", bytes: "AP+A" });
        const wrong = Row.safeParse({}).success;
        return [row.at instanceof Date, typeof row.n, [...row.bytes], encode(Row, row), wrong];
      })()`);
      expect(result).toEqual([
        true,
        "bigint",
        [0, 255, 128],
        { at: "1970-01-01T00:00:00.000Z", n: "7", bytes: "AP+A" },
        false,
      ]);
    });
  });
});
