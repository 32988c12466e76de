/** Reading on past known fields of the wrong type: what is told, what is kept, and what stays an error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromJSON, fromYAML, OpenAPIParseError, toJSON, toYAML } from "../../src/openapi/index.js";
import { reading } from "./reading.js";
import { JSON_HEAD, refused, YAML_HEAD } from "./refused.js";

const places = (problems: readonly OpenAPIParseError[]) =>
  problems.map(({ code, line, column, pointer }) => [code, line, column, pointer]);

const WRONG = `${JSON_HEAD}
"tags": 3,
"paths": {"/a": {"get": {"deprecated": "yes", "parameters": [{"required": 1, "name": "x"}, 7],
  "responses": {"200": {"description": null}}}}},
"components": {"schemas": {"A": {"required": true, "type": ["string", 5], "maximum": "9", "x-own": 1,
  "properties": {"b": {"exclusiveMinimum": true, "minimum": 9223372036854775807}, "c": 5}}}}}`;

describe("onProblem", () => {
  it("gets every problem that the error would have named, in the order of the file", () => {
    const { doc, problems } = reading(fromJSON, WRONG);
    expect(places(problems)).toEqual([
      ["WRONG_TYPE", 2, 9, "/tags"],
      ["WRONG_TYPE", 3, 40, "/paths/~1a/get/deprecated"],
      ["WRONG_TYPE", 3, 75, "/paths/~1a/get/parameters/0/required"],
      ["WRONG_TYPE", 3, 92, "/paths/~1a/get/parameters/1"],
      ["WRONG_TYPE", 4, 40, "/paths/~1a/get/responses/200/description"],
      ["WRONG_TYPE", 5, 46, "/components/schemas/A/required"],
      ["WRONG_TYPE", 5, 71, "/components/schemas/A/type/1"],
      ["WRONG_TYPE", 5, 86, "/components/schemas/A/maximum"],
      ["WRONG_TYPE", 6, 44, "/components/schemas/A/properties/b/exclusiveMinimum"],
      ["WRONG_TYPE", 6, 88, "/components/schemas/A/properties/c"],
    ]);
    const error = refused(() => fromJSON(WRONG));
    expect(problems[0]).toBeInstanceOf(OpenAPIParseError);
    expect(problems[0]?.message).toBe(error.message);
    expect(places([error])).toEqual(places(problems.slice(0, 1)));
    expect(JSON.parse(toJSON(doc).replace("9223372036854775807", "1"))).toEqual(
      JSON.parse(WRONG.replace("9223372036854775807", "1")),
    );
    expect(toJSON(doc)).toContain("9223372036854775807");
    expect(toJSON(doc)).toBe(WRONG.replace(/\n */g, "").replace(/([:,]) /g, "$1"));
  });

  it("says the same of YAML, of aliases where they stand, and of fields without a value", () => {
    const text = `${YAML_HEAD}tags: &t 3\nservers: *t\nsecurity:\ncomponents:\n  schemas:\n    A: &a {required: true, type: [null, string]}\n    B: *a\n`;
    const { doc, problems } = reading(fromYAML, text);
    expect(places(problems)).toEqual([
      ["WRONG_TYPE", 3, 10, "/tags"],
      ["WRONG_TYPE", 4, 10, "/servers"],
      ["WRONG_TYPE", 5, 10, "/security"],
      ["WRONG_TYPE", 8, 22, "/components/schemas/A/required"],
      ["WRONG_TYPE", 9, 8, "/components/schemas/B/required"],
    ]);
    expect(JSON.parse(toJSON(doc))).toMatchObject({ tags: 3, servers: 3, security: null });
    const version = `${YAML_HEAD.replace('"1"', "1")}paths: {}\n`;
    expect(reading(fromYAML, version).problems[0]?.message).toBe(refused(() => fromYAML(version)).message);
    expect(reading(fromYAML, WRONG).problems).toEqual(reading(fromJSON, WRONG).problems);
  });

  it("is not called if the text is not a description", () => {
    const never = { onProblem: () => expect.unreachable() };
    for (const [text, code] of [
      ["", "INVALID_SYNTAX"],
      ["{", "INVALID_SYNTAX"],
      ["[]", "WRONG_TYPE"],
      ["5", "WRONG_TYPE"],
      ["{}", "UNSUPPORTED_VERSION"],
      ['{"openapi":3.1,"tags":3}', "UNSUPPORTED_VERSION"],
      ['{"openapi":"3.0.1","tags":3}', "UNSUPPORTED_VERSION"],
      [`${JSON_HEAD}"tags":3,"tags":3}`, "DUPLICATE_KEY"],
      [`${JSON_HEAD}"x":${"[".repeat(600)}${"]".repeat(600)}}`, "TOO_COMPLEX"],
    ] as const) {
      expect(refused(() => fromJSON(text, never)).code).toBe(code);
      if (text !== "") expect(refused(() => fromYAML(text, never)).code).toBe(code);
    }
  });

  it("may throw, which ends the reading", () => {
    const read = () =>
      fromJSON(WRONG, {
        onProblem: (problem) => {
          throw problem;
        },
      });
    expect(refused(read).pointer).toBe("/tags");
  });

  it("is a function", () => {
    for (const options of [null, 5, { onProblem: 5 }, { onProblem: null }])
      for (const read of [fromJSON, fromYAML])
        expect(refused(() => read(WRONG, options as never)).code).toBe("INVALID_ARGUMENT");
  });

  it("costs a hostile text no more than its length", () => {
    const many = (items: number) => `{"required":[${"1,".repeat(items)}1]}`;
    const schemas = (inner: string) => `${JSON_HEAD}"components":{"schemas":{"A":${inner}}}}`;
    const deep = (inner: string) => `${'{"items":'.repeat(480)}${inner}${"}".repeat(480)}`;
    let count = 0;
    const onProblem = () => void count++;
    fromJSON(schemas(deep(many(20_000))), { onProblem });
    fromYAML(schemas(deep(many(20_000))), { onProblem });
    const long = "k".repeat(1_000_000);
    fromJSON(schemas(`{"${long}":1,"properties":{"${long}":${many(20_000)}}}`), { onProblem });
    expect(count).toBe(3 * 20_001);
    const flood = refused(() => fromJSON(schemas(many(200_000)), { onProblem }));
    expect(flood.code).toBe("TOO_COMPLEX");
    expect(count).toBe(3 * 20_001);
  }, 60_000);

  it("changes nothing of a description without mistakes, and nothing of one with", () => {
    const part = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.integer()));
    const schema = fc.dictionary(
      fc.constantFrom("type", "required", "items", "maximum", "enum", "x-a"),
      part,
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), schema), (schemas) => {
        const text = JSON.stringify({ openapi: "3.1.0", components: { schemas } });
        const json = reading(fromJSON, text);
        expect(toJSON(json.doc)).toBe(text);
        const yaml = reading(fromYAML, toYAML(json.doc));
        const pointers = json.problems.map(({ pointer }) => pointer);
        expect(yaml.problems.map(({ pointer }) => pointer)).toEqual(pointers);
        if (pointers.length === 0) expect(toJSON(fromJSON(text))).toBe(text);
        else expect(refused(() => fromJSON(text)).pointer).toBe(pointers[0]);
      }),
      { numRuns: 300 },
    );
  });
});
