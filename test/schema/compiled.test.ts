/** Compiled schemas: what is compiled, what is left to Zod, and what happens where no code may be generated. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { generated, literal, mayGenerate } from "../../src/schema/compiled/generate.js";
import { compiledParse, REFUSED } from "../../src/schema/compiled/parse.js";
import { compiledFirst } from "../../src/schema/compiled/validator.js";
import { validator } from "../../src/schema/validate.js";

const Body = z.object({
  name: z.string().min(1),
  role: z.enum(["admin", "member"]),
  tags: z.array(z.string()).default([]),
  at: z.date().nullable(),
});

describe("a compiled schema", () => {
  test("gives what Zod gives, and refuses what it refuses", () => {
    const parse = compiledParse(Body);
    const value = { name: "Ann", role: "admin", more: 1, at: null };
    // Where no code may be generated, everything is left to Zod.
    expect(parse(value)).toStrictEqual(mayGenerate() ? Body.parse(value) : REFUSED);
    expect(parse({ ...value, role: "guest" })).toBe(REFUSED);
    expect(compiledParse(Body)).toBe(parse);
  });

  test("leaves the words of a refusal to Zod", async () => {
    const validate = compiledFirst(Body, validator(Body));
    const value = { name: "", role: "guest", at: null };
    expect(await validate(value)).toEqual({ ok: false, issues: Body.safeParse(value).error?.issues });
  });

  test("calls no function of the application twice", async () => {
    const called: string[] = [];
    const told = (name: string) => () => {
      called.push(name);
      return false;
    };
    const schemas = [
      z.object({ a: z.string().refine(told("refine")) }),
      z.object({ a: z.custom(told("custom")) }),
      z.object({ a: z.stringFormat("word", told("format")) }),
      z.object({ a: z.string().transform(told("transform")).pipe(z.boolean()), b: z.int() }),
      z.object({ a: z.string().check(() => void told("check")()), b: z.int() }),
    ];
    for (const schema of schemas) {
      expect(compiledParse(schema)({ a: "x" })).toBe(REFUSED);
      await compiledFirst(schema, validator(schema))({ a: "x" });
    }
    expect(called).toEqual(["refine", "custom", "format", "transform", "check"]);
  });

  test("leaves to Zod what it does not know", () => {
    const tree: z.ZodType = z.object({
      get kids() {
        return z.array(tree);
      },
    });
    const left = [tree, z.lazy(() => z.string()), z.coerce.string(), z.xor([z.string(), z.int()])];
    for (const schema of left) expect(compiledParse(schema)("x")).toBe(REFUSED);
  });

  test("leaves to Zod a choice whose variants freeze what they refuse", () => {
    const schemas = [
      z.union([z.undefined().readonly(), z.unknown()]),
      z.object({ a: z.union([z.object({ b: z.undefined().readonly() }), z.unknown()]) }),
      z.undefined().readonly().catch(undefined),
    ];
    for (const schema of schemas) expect(compiledParse(schema)({ a: 1 })).toBe(REFUSED);
    const parse = compiledParse(z.object({ a: z.string().readonly() }));
    expect(parse({ a: "x" })).toEqual(mayGenerate() ? { a: "x" } : REFUSED);
  });

  test("refuses what throws when it is read, so that Zod reads it", () => {
    const hostile = Object.defineProperty({}, "name", {
      enumerable: true,
      get() {
        throw new Error("read");
      },
    });
    expect(compiledParse(Body)(hostile)).toBe(REFUSED);
    expect(() => Body.parse(hostile)).toThrow("read");
  });
});

describe("a literal", () => {
  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '"',
        "'",
        "`",
        "\\",
        "\n",
        "\r",
        "\u2028",
        "\u2029",
        "${",
        "*/",
        "</script>",
        "\0",
        "\ud800",
      ),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  });

  test("is the text again, alone and as a key, and has one line", () => {
    fc.assert(
      fc.property(hostile, hostile, (text, key) => {
        expect(generated(new Map(), `return ${literal(text)}`)).toBe(text);
        expect(literal(text)).not.toMatch(/[\n\r\u2028\u2029]/);
        // The one name that an object literal does not take as a name is "__proto__".
        const object = generated(new Map([["v", 1]]), `return { ${literal(`_${key}`)}: v }`);
        expect(object).toEqual({ [`_${key}`]: 1 });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("where no code may be generated", () => {
  const file = fileURLToPath(new URL("no-generation.mjs", import.meta.url));
  const run = async (flags: readonly string[], ...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, file, ...args]);
    return JSON.parse(stdout);
  };
  const item = { id: 1, name: "tea", at: "1970-01-01T00:00:00.000Z" };
  const works = {
    sql: [item, [item], "PARAM_TYPE"],
    http: [
      [200, { name: "tea", tags: ["a"] }],
      [422, { code: "VALIDATION_FAILED" }],
    ],
  };

  test("everything works, and nothing is generated", async () => {
    const [free, forbidden, jitless] = await Promise.all([
      run([]),
      run(["--disallow-code-generation-from-strings"]),
      run([], "jitless"),
    ]);
    expect(free).toMatchObject(works);
    expect(forbidden).toMatchObject(works);
    expect(jitless).toMatchObject(works);
    expect(free.asked).toBeGreaterThan(3);
    // One for what binds, and one for the rows.
    expect([free, forbidden, jitless].map(({ askedByCalls }) => askedByCalls)).toEqual([2, 0, 0]);
    // Zod asks once whether it may, and then never again.
    expect(forbidden.asked).toBe(1);
    expect(jitless.asked).toBe(0);
  });
});
