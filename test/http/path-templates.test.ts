/** Templates of paths, character by character: which are read, into which segments, and which are refused. */
import { describe, expect, test } from "vitest";
import { namesOf, parseTemplate, segmentsOf } from "../../src/http/contract/path.js";
import { DeclarationError, GET } from "../../src/http/index.js";

const literal = (text: string) => ({ literal: text });
const named = (name: string, more: object = {}) => ({ name, before: "", after: "", isRest: false, ...more });

describe("a template", () => {
  test.each([
    ["/", [literal("")]],
    ["//", [literal(""), literal("")]],
    ["/a/", [literal("a"), literal("")]],
    ["/a:b/c*d", [literal("a:b"), literal("c*d")]],
    ["/%7Bid%7D/%C3%A9", [literal("{id}"), literal("\u00e9")]],
    ["/{id}", [named("id")]],
    ["/{_}/{a-b_C9}", [named("_"), named("a-b_C9")]],
    ["/x{id}.json", [named("id", { before: "x", after: ".json" })]],
    ["/%41{id}%42", [named("id", { before: "A", after: "B" })]],
    ["/a:{id}*", [named("id", { before: "a:", after: "*" })]],
    ["/a/{path*}", [literal("a"), named("path", { isRest: true })]],
  ])("%s has its segments", (path, segments) => {
    expect(parseTemplate(path)).toEqual(segments);
    expect(namesOf(parseTemplate(path))).toEqual(
      segments.flatMap((one) => ("name" in one ? [one.name] : [])),
    );
  });

  test.each([
    undefined,
    null,
    7,
    {},
    ["/a"],
    { startsWith: () => true },
    "",
    "a",
    "{id}",
    "a/",
    ...["?", "#", " ", "\t", "\n"].flatMap((one) => [`/${one}`, `/a${one}b`, `/{id}${one}`]),
    ...[":id", "*", ":", "*a", ":{id}", "*{id}"].flatMap((one) => [`/${one}`, `/a/${one}/b`]),
    ...[
      "{",
      "}",
      "{}",
      "}{",
      "{id",
      "id}",
      "{{id}}",
      "{id}{name}",
      "{a}-{b}",
      "{a}}",
      "{{a}",
      "{id**}",
      "{*}",
      "{*id}",
    ].map((one) => `/${one}`),
    ...["{9}", "{-a}", "{a.b}", "{a b}", "{\u00e9}", "{id?}", "{id:int}"].map((one) => `/${one}`),
    ...["/{p*}/", "/{p*}/a", "/{p*}/{id}", "/a{p*}", "/{p*}a", "/%41{p*}"],
    ...["/{id}/{id}", "/{id}/{id*}", "/a{id}/{x}/{id}b"],
    ...["/%", "/%4", "/%zz", "/%ff", "/{id}%", "/%{id}", "/%E9"],
  ])("%j is refused", (path) => {
    expect(() => parseTemplate(path as string)).toThrow(DeclarationError);
  });

  test("says what is wrong, with the path", () => {
    const said = (path: string) => {
      try {
        return parseTemplate(path);
      } catch (error) {
        return String(Object(error).message);
      }
    };
    expect(said("a")).toMatch(/"a" must start with "\/"/);
    expect(said("/a b")).toMatch(/"\/a b" holds a blank/);
    expect(said("/:id")).toMatch(/segment ":id" must be literal text/);
    expect(said("/{p*}/a")).toMatch(/\{p\*\} must be the whole last segment/);
    expect(said("/{id}/{id}")).toMatch(/names \{id\} twice/);
    expect(said("/%")).toMatch(/"\/%" holds malformed percent-encoding/);
  });

  test("is that of the object whose path it is: a handler, its copy with another path, or what looks like one", () => {
    const handler = GET("/a/{id}", () => null);
    expect(segmentsOf(handler)).toEqual([literal("a"), named("id")]);
    expect(segmentsOf(handler)).toBe(segmentsOf(handler));
    expect(segmentsOf({ ...handler, path: "/b" })).toEqual([literal("b")]);
    expect(segmentsOf({ path: "/{name}" })).toEqual([named("name")]);
    expect(() => segmentsOf({ path: "x" })).toThrow(DeclarationError);
  });
});
