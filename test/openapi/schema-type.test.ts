import { describe, expect, it } from "vitest";
import { SchemaType } from "../../src/openapi/index.js";

describe("SchemaType", () => {
  it("makes one name a string and several an array", () => {
    expect(SchemaType.of("string")).toBe("string");
    expect(SchemaType.of("string", "null")).toEqual(["string", "null"]);
  });

  it.each([
    ["none", undefined, true, false, false, false, "", []],
    ["an empty list", [], true, false, false, false, "", []],
    ["one name", "string", false, false, false, true, "string", ["string"]],
    ["a list of one", ["string"], false, false, false, true, "string", ["string"]],
    ["null alone", "null", false, false, true, false, "null", ["null"]],
    ["null in a list of one", ["null"], false, false, true, false, "null", ["null"]],
    ["several", ["string", "null"], false, true, true, true, "string", ["string", "null"]],
    ["null first", ["null", "string"], false, true, true, true, "null", ["null", "string"]],
  ] satisfies [string, SchemaType | undefined, boolean, boolean, boolean, boolean, string, string[]][])(
    "answers every question about %s",
    (_, type, isEmpty, isArray, isNullable, containsString, first, list) => {
      expect(SchemaType.isEmpty(type)).toBe(isEmpty);
      expect(SchemaType.isArray(type)).toBe(isArray);
      expect(SchemaType.isNullable(type)).toBe(isNullable);
      expect(SchemaType.contains(type, "string")).toBe(containsString);
      expect(SchemaType.first(type)).toBe(first);
      expect(SchemaType.list(type)).toEqual(list);
    },
  );

  it("gives a list of its own, so that changing it changes no schema", () => {
    const type: SchemaType = ["string", "null"];
    SchemaType.list(type).pop();
    expect(type).toEqual(["string", "null"]);
  });
});
