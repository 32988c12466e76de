import { describe, expect, it } from "vitest";
import { fromJSON } from "../../src/openapi/index.js";
import { JSON_HEAD, refused } from "./refused.js";

const read = (rest: string): Record<string, unknown> => ({ ...fromJSON(`${JSON_HEAD}${rest}}`) });

describe("fromJSON", () => {
  it("reads text and bytes, with and without a byte order mark", () => {
    const text = `${JSON_HEAD}"x-a":"é"}`;
    const expected = { openapi: "3.1.1", info: { title: "T", version: "1" }, "x-a": "é" };
    expect(fromJSON(text)).toEqual(expected);
    expect(fromJSON(`\uFEFF${text}`)).toEqual(expected);
    expect(fromJSON(new TextEncoder().encode(text))).toEqual(expected);
    expect(fromJSON(new TextEncoder().encode(`\uFEFF${text}`))).toEqual(expected);
  });

  it("keeps what is unknown, nulls and the order of keys", () => {
    const doc = read('"zebra":null,"paths":{},"apple":{"b":1,"a":[null]}');
    expect(Object.keys(doc)).toEqual(["openapi", "info", "zebra", "paths", "apple"]);
    expect(doc["apple"]).toEqual({ b: 1, a: [null] });
  });

  it("reads integers beyond 2^53 as bigints and every other number as a double", () => {
    const doc = read(
      '"x":[9007199254740991,9007199254740992,-9223372036854775808,1e20,-0,1.5e300,0.1,1234567890123456.5]',
    );
    const expected = [2 ** 53 - 1, 2n ** 53n, -(2n ** 63n), 1e20, -0, 1.5e300, 0.1, 1234567890123456.5];
    expect(doc["x"]).toEqual(expected);
  });

  it("reads such integers in every place, beside numbers as large as doubles go", () => {
    const doc = read(
      '"__proto__":{"__proto__":18446744073709551616},"y":[[18446744073709551617],1.7e308,"18446744073709551616"]',
    );
    expect(Object.getOwnPropertyDescriptor(doc, "__proto__")?.value).toHaveProperty(["__proto__"], 2n ** 64n);
    expect(doc["y"]).toEqual([[2n ** 64n + 1n], 1.7e308, "18446744073709551616"]);
  });

  it.each([
    [
      "two integers that one double stands for",
      "[9223372036854775807,9223372036854775808]",
      [2n ** 63n - 1n, 2n ** 63n],
    ],
    [
      "one of them under a key that comes first",
      '{"b":9223372036854775807,"2":9223372036854775808}',
      { b: 2n ** 63n - 1n, 2: 2n ** 63n },
    ],
    ["an integer and a double that are equal", "[10000000000000000000,1e19]", [10n ** 19n, 1e19]],
    [
      "the same with another integer beside",
      "[1e19,10000000000000000000,10000000000000000001]",
      [1e19, 10n ** 19n, 10n ** 19n + 1n],
    ],
    [
      "digits that are not an integer",
      "[0.12345678901234567,12345678901234567.5,9007199254740992.0,12345678901234567e-3]",
      [0.12345678901234566, 12345678901234568, 2 ** 53, 12345678901234.566],
    ],
    [
      "digits in strings and keys",
      '{"12345678901234567":"-12345678901234567","a":[-12345678901234567]}',
      { "12345678901234567": "-12345678901234567", a: [-12345678901234567n] },
    ],
  ])("distinguishes %s", (_, source, expected) => {
    expect(read(`"x":${source}`)["x"]).toEqual(expected);
  });

  it.each([
    ["with spaces before the colon", '{"a":1,"a" \n:2}'],
    ["beside as many strings that look like keys", '{"a":1,"b":"\\":","a":2,"c":":"}'],
    ["at the end of backslashes", '{"a\\\\":1,"b":"\\\\\\"","a\\\\":2}'],
    ["in an object in a list", '[[],[{"a":[1],"b":{},"a":[1]}]]'],
    ["beside large integers", '{"a":12345678901234567890,"a":12345678901234567890}'],
  ])("finds a duplicate key %s", (_, source) => {
    expect(refused(() => read(`"x":${source}`)).code).toBe("DUPLICATE_KEY");
  });

  it("keeps __proto__ and constructor as properties and touches no prototype", () => {
    const doc = read(
      '"components":{"schemas":{"__proto__":{"type":"object","properties":{"__proto__":true}}}}',
    );
    expect(JSON.stringify(doc["components"])).toBe(
      '{"schemas":{"__proto__":{"type":"object","properties":{"__proto__":true}}}}',
    );
    expect({}).not.toHaveProperty("type");
  });

  it.each([
    ["the end", "", "", 1, 59, "/x"],
    ["a trailing comma", "1,", "a property name", 1, 61, ""],
    ["a missing comma", "1 2", '"," or "}"', 1, 61, ""],
    ["a missing bracket", "[1 2]", '"," or "]"', 1, 62, "/x"],
    ["a missing colon", '{"a" 1}', '":"', 1, 64, "/x"],
    ["a word", "nul", "a value", 1, 59, "/x"],
    ["a leading zero", "01", '"," or "}"', 1, 60, ""],
    ["a leading zero of a large integer", "018446744073709551616", '"," or "}"', 1, 60, ""],
    ["a leading zero of a large negative integer", "-018446744073709551616", '"," or "}"', 1, 61, ""],
    ["a lone point", ".5", "a value", 1, 59, "/x"],
    ["an open string", '"abc', "a closing quote", 1, 59, "/x"],
    ["a wrong escape", '"\\x"', "a JSON escape", 1, 60, "/x"],
    ["a half escape", '"a\\u12"', "a JSON escape", 1, 61, "/x"],
    ["a raw line break", '[\n"a\nb"]', "control characters", 2, 3, "/x/0"],
    ["a number beyond doubles", "[1, 1e400]", "a double can hold", 1, 63, "/x/1"],
    ["a second value", "1} {", "the end of the text", 1, 62, ""],
  ])("says where and what of %s", (_, rest, expected, line, column, pointer) => {
    // The value begins at column 59.
    const end = rest === "" ? "" : "}";
    const error = refused(() => fromJSON(`${JSON_HEAD}"x":${rest}${end}`));
    expect(error).toMatchObject({ code: "INVALID_SYNTAX", line, column, pointer });
    expect(error.message).toContain(expected);
  });

  it("names both places of a duplicate key, however it is escaped", () => {
    const error = refused(() => fromJSON(`${JSON_HEAD}\n"x":{"a/b":{"c":1},\n\n "a\\u002fb":2}}`));
    expect(error).toMatchObject({
      code: "DUPLICATE_KEY",
      line: 4,
      column: 2,
      pointer: "/x/a~1b",
      first: { line: 2, column: 6 },
    });
    expect(error.message).toContain("first at line 2, column 6");
  });

  it("finds the one duplicate among 50,000 keys", () => {
    const keys = Array.from({ length: 50_000 }, (_, i) => `"k${i}":${i}`).join(",\n");
    expect(refused(() => read(`"x":{${keys},\n"k7":0}`))).toMatchObject({ pointer: "/x/k7", line: 50_001 });
  });

  it.each([
    ['"paths":3', "/paths", "an object (Paths)", "a number"],
    ['"info":[]', "/info", "", ""],
    ['"servers":{}', "/servers", "a list of Server", "an object"],
    ['"servers":[{"url":null}]', "/servers/0/url", "a string", "null"],
    ['"tags":["a"]', "/tags/0", "an object (Tag)", "a string"],
    [
      '"paths":{"/a":{"get":{"parameters":[{"required":"yes"}]}}}',
      "/paths/~1a/get/parameters/0/required",
      "true or false",
      "a string",
    ],
    [
      '"paths":{"/a":{"get":{"responses":{"200":"ok"}}}}',
      "/paths/~1a/get/responses/200",
      "Response or Reference",
      "a string",
    ],
    [
      '"paths":{"/a":{"get":{"callbacks":{"c":{"{$url}":1}}}}}',
      "/paths/~1a/get/callbacks/c/{$url}",
      "PathItem",
      "a number",
    ],
    [
      '"components":{"schemas":{"A":1}}',
      "/components/schemas/A",
      "an object (Schema) or a boolean",
      "a number",
    ],
    ['"components":{"schemas":{"A":{"items":[{}]}}}', "/components/schemas/A/items", "Schema", "an array"],
    [
      '"components":{"schemas":{"A":{"exclusiveMinimum":true}}}',
      "/components/schemas/A/exclusiveMinimum",
      "a number",
      "a boolean",
    ],
    [
      '"components":{"schemas":{"A":{"type":["string",null]}}}',
      "/components/schemas/A/type/1",
      '"null"',
      "null",
    ],
    [
      '"components":{"schemas":{"A":{"required":true}}}',
      "/components/schemas/A/required",
      "a list of string",
      "a boolean",
    ],
    ['"components":{"responses":{"A":{"$ref":1}}}', "/components/responses/A/$ref", "a string", "a number"],
    [
      '"components":{"securitySchemes":{"A":{"flows":{"implicit":{"scopes":["a"]}}}}}',
      "/components/securitySchemes/A/flows/implicit/scopes",
      "names to string",
      "an array",
    ],
    ['"security":[{"a":"b"}]', "/security/0/a", "a list of string", "a string"],
  ])("refuses %s", (rest, pointer, expected, found) => {
    const text = rest.startsWith('"info"') ? `{"openapi":"3.1.0",${rest}}` : `${JSON_HEAD}\n${rest}}`;
    const error = refused(() => fromJSON(text));
    expect(error).toMatchObject({ code: "WRONG_TYPE", pointer });
    expect(error.message).toContain(expected);
    expect(error.message).toContain(found);
  });

  it("points at the value that is wrong", () => {
    const text = `${JSON_HEAD}\n  "paths": {\n    "/a": {\n      "get": { "deprecated": "no" }\n    }\n  }\n}`;
    expect(refused(() => fromJSON(text))).toMatchObject({ line: 4, column: 30 });
  });

  it("accepts boolean schemas, references with siblings, extensions of any type, bigints as limits", () => {
    const text = `"components":{"x-a":1,"schemas":{"A":true,"B":{"$ref":"#/x","title":"t","unknown":{"type":3},"x-b":[]},
      "C":{"maximum":9223372036854775807,"type":["string"]}},"responses":{"D":{"$ref":"#/y","description":"d","content":3}}}`;
    expect(read(text)["components"]).toMatchObject({
      schemas: { A: true, C: { maximum: 9223372036854775807n, type: ["string"] } },
      responses: { D: { content: 3 } },
    });
  });

  it.each([
    ['{"openapi":"3.0.3"}', "/openapi", "3.0.3"],
    ['{"openapi":"3.3.0"}', "/openapi", "3.3.0"],
    ['{"openapi":"3.1"}', "/openapi", "3.1"],
    ['{"openapi":3.1}', "/openapi", "a number"],
    ['{"openapi":null}', "/openapi", "null"],
    ['{"info":3}', "", "none"],
    ['{"swagger":"2.0"}', "", "Swagger 2"],
  ])("refuses the version of %s before all else", (text, pointer, found) => {
    const error = refused(() => fromJSON(text));
    expect(error).toMatchObject({ code: "UNSUPPORTED_VERSION", pointer });
    expect(error.message).toContain("3.1.x or 3.2.x");
    expect(error.message).toContain(found);
  });

  it.each(["3.1.0", "3.1.2", "3.2.0", "3.1.0-rc1"])(
    "accepts version %s, and does not ask for required fields",
    (version) => {
      expect(fromJSON(`{"openapi":"${version}"}`)).toEqual({ openapi: version });
    },
  );

  it.each(["", " ", "null", "[]", "3", '"a"', "true"])("refuses the text %j", (text) => {
    expect(refused(() => fromJSON(text)).pointer).toBe("");
  });

  it("says where bytes stop being UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from('{\n"é'), Buffer.from([0xc3, 0x28])]);
    expect(refused(() => fromJSON(bytes))).toMatchObject({ code: "INVALID_ENCODING", line: 2, column: 3 });
    const cut = Buffer.from(`${JSON_HEAD}"x":"é"}`).subarray(0, -3);
    expect(refused(() => fromJSON(cut)).code).toBe("INVALID_ENCODING");
    expect(refused(() => fromJSON(Buffer.from("\uFEFF{}", "utf16le"))).code).toBe("INVALID_ENCODING");
  });

  it("refuses other input with an error of its own", () => {
    // @ts-expect-error a number is neither text nor bytes
    expect(refused(() => fromJSON(3)).code).toBe("INVALID_ARGUMENT");
  });

  it("never shows a value in a message", () => {
    const error = refused(() => fromJSON(`${JSON_HEAD}"servers":"secret-token"}`));
    expect(error.message).not.toContain("secret");
  });
});
