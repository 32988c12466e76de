import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromJSON, fromYAML, type OpenAPI, toJSON, toYAML } from "../../src/openapi/index.js";

const doc: OpenAPI = {
  openapi: "3.1.1",
  info: { title: "Users", version: "1.0", description: "# Users\n\n- one\n- two\n" },
  servers: [
    { url: "https://{region}.example.com/v1", variables: { region: { default: "eu", enum: ["eu", "no"] } } },
  ],
  paths: {
    "/users/{id}": {
      get: {
        tags: [],
        responses: { 404: { $ref: "#/components/responses/NotFound" }, 200: { description: "yes" } },
        security: [{}],
      },
    },
  },
  components: {
    schemas: {
      User: {
        type: ["object"],
        properties: { "*": true, y: { type: "integer", maximum: 2n ** 63n, minimum: -1e21 } },
      },
    },
  },
};

describe("toYAML", () => {
  it("writes block style, with quotes only where a reader could be misled", () => {
    expect(toYAML(doc)).toBe(`openapi: "3.1.1"
info:
  title: Users
  version: "1.0"
  description: |
    # Users

    - one
    - two
servers:
  - url: https://{region}.example.com/v1
    variables:
      region:
        default: eu
        enum:
          - eu
          - "no"
paths:
  /users/{id}:
    get:
      tags: []
      responses:
        "200":
          description: "yes"
        "404":
          $ref: "#/components/responses/NotFound"
      security:
        - {}
components:
  schemas:
    User:
      type:
        - object
      properties:
        "*": true
        "y":
          type: integer
          maximum: 9223372036854775808
          minimum: -1.0e+21
`);
  });

  it("writes lists in lists and texts in lists so that they come back", () => {
    const nested: OpenAPI = { ...doc, "x-a": [[["a\nb", []], [{ c: [1] }]], "d\n"] };
    expect(fromYAML(toYAML(nested))).toEqual(nested);
  });

  it("writes a shared value in each of its places", () => {
    const shared = { type: "string" } as const;
    const text = toYAML({ ...doc, components: { schemas: { A: shared, B: shared } } });
    expect(text).not.toContain("&");
    expect(fromYAML(text).components?.schemas).toEqual({ A: shared, B: shared });
  });

  it("writes a key of any length", () => {
    const long: OpenAPI = {
      ...doc,
      "x-a": { [`${"k".repeat(2000)}`]: { b: 1 }, [`${"k ".repeat(2000)}:`]: [1] },
    };
    expect(fromYAML(toYAML(long))).toEqual(long);
  });
});

describe("toJSON", () => {
  it("writes one line, or as many as an indent asks for", () => {
    expect(toJSON({ openapi: "3.1.1", info: { title: "T", version: "1" } })).toBe(
      '{"openapi":"3.1.1","info":{"title":"T","version":"1"}}',
    );
    expect(toJSON({ openapi: "3.1.1", info: { title: "T", version: "1" } }, { indent: 2 })).toBe(
      '{\n  "openapi": "3.1.1",\n  "info": {\n    "title": "T",\n    "version": "1"\n  }\n}',
    );
  });

  it("lays out what JSON.stringify cannot write as JSON.stringify would", () => {
    const exact: OpenAPI = {
      ...doc,
      "x-a": [[], {}, [1, { b: -0 }], 1e20, undefined, { c: undefined, d: null }],
    };
    const text = toJSON(exact, { indent: 2 });
    expect(text).toContain('"maximum": 9223372036854775808,\n');
    expect(text).toContain(
      '\n        "b": -0\n      }\n    ],\n    1e+20,\n    null,\n    {\n      "d": null\n    }\n  ]\n}',
    );
    const rounded = text
      .replace("9223372036854775808", "9223372036854776000")
      .replace('"b": -0', '"b": 0')
      .replace("1e+20", "100000000000000000000");
    expect(JSON.stringify(JSON.parse(text), null, 2)).toBe(rounded);
    expect(fromJSON(text).components).toEqual(doc.components);
  });

  it("lays out values with integers anywhere in them as JSON.stringify lays out short ones", () => {
    const integer = fc.bigInt({ min: 2n ** 63n, max: 2n ** 70n });
    const values = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "medium", withCrossShrink: true },
        fc.oneof(integer, fc.string(), fc.integer(), fc.boolean(), fc.constant(undefined)),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
        const given: OpenAPI = { ...doc, components: {}, "x-a": value };
        const marked = (_: string, part: unknown): unknown =>
          typeof part === "bigint" ? `an integer: ${part}` : part;
        const expected = JSON.stringify(given, marked, indent).replace(/"an integer: (\d+)"/g, "$1");
        expect(toJSON(given, { indent })).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it("writes what a toJSON method gives beside integers, and names the place of what it may not give", () => {
    class Gives {
      toJSON(): unknown {
        return { c: [2n ** 65n] };
      }
    }
    const beside = (value: unknown): string => toJSON({ ...doc, "x-a": [{ b: value }, 2n ** 64n] });
    for (const gives of [new Gives(), { toJSON: () => ({ c: [2n ** 65n] }) }]) {
      expect(beside(gives)).toContain('"x-a":[{"b":{"c":[36893488147419103232]}},');
    }
    expect(() => beside({ toJSON: () => ({ c: [Number.NaN] }) })).toThrow(
      expect.objectContaining({ code: "UNWRITABLE", message: "expected a finite number at /x-a/0/b/c/0" }),
    );
  });

  it("writes dates and other values with toJSON as JSON.stringify does, in both formats", () => {
    const dated: OpenAPI = { ...doc, "x-a": [new Date(0), 1n] };
    expect(fromJSON(toJSON(dated))["x-a"]).toEqual(["1970-01-01T00:00:00.000Z", 1]);
    expect(fromYAML(toYAML(dated))["x-a"]).toEqual(["1970-01-01T00:00:00.000Z", 1]);
  });
});
