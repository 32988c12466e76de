/** Where a browser is sent after login and logout, whatever the text that names the place. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowList } from "../../src/http/session/targets.js";
import { sessionEngine } from "./session-engine.js";
import { kit, logIn } from "./session-kit.js";

describe("a target", () => {
  test("row 102: counts where the list has it; everything else is the default", async () => {
    const { browser } = await kit();
    const ann = browser();
    const target = async (query: string) => (await logIn(ann, query)).headers.get("location");
    for (const good of ["/app", "/app?tab=1", "/docs/a/b", "/docs/"]) {
      expect(await target(`?return_to=${encodeURIComponent(good)}`)).toBe(good);
    }
    const bad =
      "//evil.com|/\\evil.com|\\/evil.com|/app/..//evil.com|https://evil.com|https:evil.com|javascript:alert(1)|" +
      "/\tevil|/app\r\nSet-Cookie: a=b|/docs/../admin|/docs/%2e%2e/admin|/docs/%2f%2fevil|/docs/%5cevil|/other|" +
      "/appendix|user@evil.com|/docs//evil.com|/app\u0000|app| /app||///evil.com|/\t/evil.com|/docs/\\evil.com|" +
      "/docs/%00|/docs/%0d%0aSet-Cookie:a=b|/docs/%7f|/docs/%2E%2E/admin|/docs/.%2e/admin|/docs/./a|/docs/\u2028|" +
      "/docs/\uff0f\uff0fevil.com|/%09/evil.com|%2fapp|data:text/html,x|vbscript:x|\x01javascript:alert(1)|" +
      "JaVaScRiPt:alert(1)|https:/evil.com|http://localhost/app|/app\\..\\..|//app|/\u0085/evil.com|/APP";
    for (const text of bad.split("|")) {
      expect(await target(`?return_to=${encodeURIComponent(text)}`)).toBe("/welcome");
    }
    expect(await target("")).toBe("/welcome");
  });

  test("row 102: whatever the text, the browser stays where the list says", async () => {
    const judge = allowList(["/app", "/docs/*"]);
    const piece = fc.constantFrom(
      "/",
      "\\",
      "..",
      ".",
      "docs",
      "app",
      "%2f",
      "%2e",
      ":",
      "@",
      "evil.com",
      "?",
      "#",
      "\t",
      "\n",
      " ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => `/${parts.join("")}`),
        ),
        (text) => {
          const target = judge(text);
          if (target === null) return;
          const url = new URL(target, "https://shop.example.com/somewhere");
          expect(url.origin).toBe("https://shop.example.com");
          expect(url.pathname === "/app" || url.pathname.startsWith("/docs/")).toBe(true);
          expect(decodeURIComponent(url.pathname.replace(/%(?![0-9a-f]{2})/gi, "%25"))).not.toMatch(
            // Three dots are a name like any other.
            /\/\/|\\|(?:^|\/)\.\.(?:\/|$)/,
          );
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test("has no slash, backslash, dot or control character that is written as an escape, in either case of its letters", () => {
    const judge = allowList(["/app", "/docs/*"]);
    const escaped = (code: number) => `%${code.toString(16).padStart(2, "0")}`;
    const codes = [0x2f, 0x5c, 0x2e, 0x7f, ...Array.from({ length: 32 }, (_, code) => code)];
    for (const written of codes.map(escaped).flatMap((one) => [one, one.toUpperCase()])) {
      for (const target of [
        `/docs/${written}`,
        `/docs/a${written}b`,
        `/docs/a${written}${written}evil.com`,
      ]) {
        expect(judge(target), target).toBeNull();
      }
      // A query leads nowhere.
      expect(judge(`/docs/a?to=${written}`)).toBe(`/docs/a?to=${written}`);
    }
    for (const fine of ["%20", "%c3%a9", "%C3%A9", "%41"])
      expect(judge(`/docs/${fine}`)).toBe(`/docs/${fine}`);
  });

  test("row 102: of the configuration must be a path, and that after logout one or an https URL", async () => {
    for (const afterLogin of ["//evil", "/\\evil", "https://evil.com", "javascript:alert(1)", "", "/a\nb"]) {
      expect(() => sessionEngine("https://id.example.com/token", { afterLogin })).toThrow(/path/);
    }
    const { login } = sessionEngine("https://id.example.com/token");
    expect(() => login.loginHandler("/l", { returnTo: ["https://evil.com"] })).toThrow(/path/);
    for (const redirectTo of ["//evil", "/\\evil", "javascript:alert(1)", "http://shop.example.com", ""]) {
      expect(() => login.logoutHandler("/o", { redirectTo })).toThrow();
    }
    expect(() => login.logoutHandler("/o", { redirectTo: "https://id.example.com/out" })).not.toThrow();
  });
});
