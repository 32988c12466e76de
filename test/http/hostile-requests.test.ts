/** Requests that are made to do harm, generated: steps upwards, forms of many fields, lists in headers that are none. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, file, form, GET, POST, PUT, rows } from "../../src/http/index.js";
import { serveRequestWithHeaders } from "../../src/http/testing/index.js";
import { stopwatch } from "../stopwatch.js";

const place = mkdtempSync(join(tmpdir(), "hostile-requests-"));
afterAll(() => rmSync(place, { recursive: true }));
const root = join(place, "root");
mkdirSync(join(root, "folder"), { recursive: true });
writeFileSync(join(root, "a.txt"), "0123456789");
writeFileSync(join(root, "folder", "a.txt"), "0123456789");
writeFileSync(join(place, "secret"), "secret");
writeFileSync(join(place, "root-secret"), "secret");

const failures: unknown[] = [];
const api = createEngine({ onError: (error) => failures.push(error) }).withHandlers(
  GET("/files/{path*}", { output: file() }, ({ params }) => ({ root, path: params.path.path })),
  GET("/rest/{path*}", { output: z.string() }, ({ params }) => params.path.path),
  POST(
    "/form",
    { body: form({ a: z.string(), list: z.array(z.string()) }), output: z.int() },
    ({ body }) => body.list.length,
  ),
  GET("/rows", { output: rows(z.object({ a: z.int() })) }, () => [{ a: 1 }]),
  PUT(
    "/note",
    { body: z.string(), output: z.string(), etag: () => "7", ifMatch: true },
    ({ body, ifMatch }) => {
      ifMatch("7");
      return body;
    },
  ),
);

async function ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown) {
  const { status, text } = await serveRequestWithHeaders(api, method, path, headers, body);
  expect([path.slice(0, 200), headers, status, failures.splice(0)]).toEqual([
    path.slice(0, 200),
    headers,
    status,
    [],
  ]);
  expect(status).toBeLessThan(500);
  return { status, text: text() };
}

describe("a step upwards", () => {
  const ways = (char: string) => {
    const hex = char.charCodeAt(0).toString(16);
    const once = [char, `%${hex}`, `%${hex.toUpperCase()}`];
    return [...once, `%25${hex}`, `%u00${hex}`, `%c0%${(char.charCodeAt(0) | 0x80).toString(16)}`];
  };
  const dots = ways(".").flatMap((one) => ways(".").map((two) => one + two));
  const slashes = [...ways("/"), ...ways("\\"), "%00/", "/%00", ";/", "//", "%2f%2f"];
  const paths = dots.flatMap((step) =>
    slashes.flatMap((slash) => [
      `${step}${slash}secret`,
      `folder/${step}${slash}${step}${slash}secret`,
      `${step}${slash}root-secret`,
      `folder${slash}${step}${slash}${step}/secret`,
    ]),
  );

  test(`in ${paths.length} spellings leads to no file outside of the root`, async () => {
    expect(new Set(paths).size).toBeGreaterThan(2_000);
    for (const path of paths) {
      const { status, text } = await ask("GET", `/files/${path}`, {});
      expect([path, [400, 404].includes(status) ? "nothing" : status, text === "secret"]).toEqual([
        path,
        "nothing",
        false,
      ]);
    }
    expect((await ask("GET", "/files/folder/a.txt", {})).text).toBe("0123456789");
  });

  test("is no part of what a handler gets as the rest of a path", async () => {
    let given = 0;
    for (const path of paths) {
      const { status, text } = await ask("GET", `/rest/${path}`, {});
      if (status !== 200) continue;
      given++;
      const rest = z.string().parse(JSON.parse(text));
      expect([path, rest.split(/[/\\\0]/).filter((segment) => /^\.{0,2}$/.test(segment))]).toEqual([
        path,
        [],
      ]);
    }
    // What was encoded twice is the text of an encoding.
    expect(given).toBeGreaterThan(100);
  });
});

describe("a form of 100,000 fields", () => {
  const type = { "content-type": "application/x-www-form-urlencoded" };

  test("is answered, whatever they are called, in a time in proportion to its length", async () => {
    const names = [
      () => "list",
      () => "a",
      (n: number) => `x${n}`,
      () => "__proto__",
      () => "a[b]",
      () => "",
    ];
    for (const name of names) {
      const took = async (count: number) => {
        const body = Array.from({ length: count }, (_, n) => `${name(n)}=1`).join("&");
        const elapsedMs = stopwatch();
        const { status } = await ask("POST", "/form", type, body);
        expect([200, 413, 422]).toContain(status);
        return elapsedMs();
      };
      // The body of the larger one is within the limit of a megabyte, so that all of it is read.
      await took(10_000);
      const [few, many] = [await took(10_000), await took(100_000)];
      // Ten times as much; what grows with the square takes a hundred times as long.
      expect(many / (few + 5)).toBeLessThan(40);
    }
  });
});

describe("a header that should be a list", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      '"7"',
      "W/",
      "*",
      ",",
      ";",
      "=",
      "q=0.5",
      "/",
      "-",
      "bytes=",
      "0-",
      "-1",
      "9-2",
      "0-3",
      "\t",
      " ",
    ),
    fc.constantFrom("application/json", "text/csv", "*/*", "99999999999999999999", "NaN", "\u00ff"),
  );
  const header = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("").trim());

  test.each([
    ["if-match", "PUT", "/note"],
    ["if-none-match", "GET", "/files/a.txt"],
    ["range", "GET", "/files/a.txt"],
    ["if-range", "GET", "/files/a.txt"],
    ["accept", "GET", "/rows"],
    ["content-type", "POST", "/form"],
  ])("%s: whatever it is, the answer is no failure", async (name, method, path) => {
    await fc.assert(
      fc.asyncProperty(header, async (value) => {
        const range = name === "if-range" ? { range: "bytes=0-3" } : {};
        const { status, text } = await ask(
          method,
          path,
          { ...range, [name]: value },
          method === "GET" ? undefined : '"x"',
        );
        // A range is a part of the file, and never more than all of it.
        if (path === "/files/a.txt" && status < 300) expect("0123456789").toContain(text);
        if (name === "if-match" && status === 200) expect(value === "" || /"7"|\*/.test(value)).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
