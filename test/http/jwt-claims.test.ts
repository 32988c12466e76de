/** The claims of a verified token as an identity: each shape of each claim, at each kind of path. */
import { describe, expect, test } from "vitest";
import { type ClaimPaths, type Claims, fieldsOf } from "../../src/http/jwt/claims.js";

const paths: ClaimPaths = { roles: "roles", scopes: ["scope", "scp"], tenant: "org.id" };
const fields = (claims: Claims, more: Partial<ClaimPaths> = {}) =>
  fieldsOf(claims, "ann", { ...paths, ...more });

describe("the fields of an identity", () => {
  test("are empty without claims", () => {
    const empty = { id: "ann", scopes: [], roles: [] };
    expect(fields({})).toStrictEqual(empty);
    expect(fields({}, { tenant: undefined })).toStrictEqual(empty);
  });

  test("have roles and scopes from a text or from a list, and from nothing else", () => {
    const shapes: readonly (readonly [unknown, readonly string[], readonly string[]])[] = [
      ["a", ["a"], ["a"]],
      ["a b  c", ["a b  c"], ["a", "b", "c"]],
      [" ", [" "], []],
      ["", [], []],
      [
        ["a", "b c"],
        ["a", "b c"],
        ["a", "b c"],
      ],
      [["a", 1, null, "", ["b"]], ["a"], ["a"]],
      ...[null, 7, true, {}, { 0: "a", length: 1 }].map((odd) => [odd, [], []] as const),
    ];
    for (const [claim, roles, scopes] of shapes)
      expect(fields({ roles: claim, scope: claim })).toEqual({ id: "ann", roles, scopes });
  });

  test("have the scopes of the first path that exists, whatever is there", () => {
    const scopesOf = (claims: Claims) => fields(claims).scopes;
    expect(scopesOf({ scope: "a", scp: "b" })).toEqual(["a"]);
    expect(scopesOf({ scp: ["b"] })).toEqual(["b"]);
    for (const first of ["", [], null]) expect(scopesOf({ scope: first, scp: "b" })).toEqual([]);
    expect(fields({ scope: "a", scp: "b" }, { scopes: [] }).scopes).toEqual([]);
  });

  test("have a tenant that is text or a whole number, and only where a path is configured", () => {
    for (const [id, tenantId] of [
      ["t1", "t1"],
      [" ", " "],
      [7, "7"],
      [0, "0"],
      [-1, "-1"],
      [2 ** 53 - 1, "9007199254740991"],
    ] as const) {
      expect(fields({ org: { id } })).toStrictEqual({ id: "ann", scopes: [], roles: [], tenantId });
      expect(fields({ org: { id } }, { tenant: undefined })).not.toHaveProperty("tenantId");
    }
    for (const id of ["", 1.5, 2 ** 53, Number.NaN, true, null, undefined, ["t"], { t: 1 }, 7n])
      expect(fields({ org: { id } })).not.toHaveProperty("tenantId");
  });

  test("have an address that is text and is not reported as unverified", () => {
    for (const email_verified of [undefined, true, "true"])
      expect(fields({ email: "a@x.org", email_verified })).toMatchObject({ email: "a@x.org" });
    for (const email_verified of [false, "false", null, 1, "TRUE"])
      expect(fields({ email: "a@x.org", email_verified })).not.toHaveProperty("email");
    for (const email of [7, null, ["a@x.org"], { a: 1 }])
      expect(fields({ email })).not.toHaveProperty("email");
  });
});

describe("the path of a claim", () => {
  const at = (claims: Claims, path: string) => fields(claims, { tenant: path }).tenantId;

  test("leads through objects, and through names that hold dots", () => {
    const found: readonly (readonly [Claims, string])[] = [
      [{ a: "t" }, "a"],
      [{ a: { b: "t" } }, "a.b"],
      [{ a: { b: { c: "t" } } }, "a.b.c"],
      [{ "a.b": "t" }, "a.b"],
      [{ "a.b": { c: "t" } }, "a.b.c"],
      [{ a: { "b.c": "t" } }, "a.b.c"],
      [{ "https://x.org/a": "t" }, "https://x.org/a"],
      [{ "https://x.org/a": { b: "t" } }, "https://x.org/a.b"],
      // The longest name first; where it leads nowhere, a shorter one.
      [{ "a.b": { c: "t" }, a: { b: { c: "other" } } }, "a.b.c"],
      [{ "a.b": { x: "other" }, a: { b: { c: "t" } } }, "a.b.c"],
      [{ "a.b": null, a: { "b.c": "t" } }, "a.b.c"],
      [{ a: ["t"] }, "a.0"],
    ];
    for (const [claims, path] of found) expect(at(claims, path), path).toBe("t");
  });

  test("leads to nothing that an object inherits, and into no text", () => {
    const inherited = Object.create({ a: "t", org: { id: "t" } }) as Claims;
    for (const path of ["a", "org.id", "org", "constructor.name", "__proto__.a"])
      expect(at(inherited, path), path).toBeUndefined();
    for (const [claims, path] of [
      [{ a: "text" }, "a.length"],
      [{ a: "text" }, "a.0"],
      [{ a: Object.assign(() => 1, { b: "t" }) }, "a.b"],
      [{ a: null }, "a.b"],
      [{ a: { b: "t" } }, "a.c"],
      [{ a: { b: "t" } }, "b"],
      [{ "": { a: "t" } }, ".a"],
    ] as const)
      expect(at(claims, path), path).toBeUndefined();
  });
});
