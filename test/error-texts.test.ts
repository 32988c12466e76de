/** Errors of every subpath show what they name with nothing hidden in it. */

import { column, json, table } from "rowtype";
import { createEngine, defineError, GET, NotFound, POST } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { assertStatus, serveRequest, testEngine } from "rowtype/http/testing";
import { fromJSON, fromYAML, toJSON } from "rowtype/openapi";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { visible } from "../src/core/errors.js";

// Controls, what turns text around, what has no width, halves of characters.
const hidden = [
  ..."\0\x07\n\r\t\x1b\x7f\x85\x9f\xad\u034f\u061c\u115f\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029",
  ..."\u202a\u202e\u2060\u2066\u2069\u206f\u3164\ufe0f\ufeff\uffa0\ufff9\u{1d173}\u{e0001}\u{e0020}\u{e0100}",
  "\ud800",
  "\udfff",
];
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const name = `a${hidden.join("b")}c`;
const row = z.object({ id: z.int() });
const T = table("t", row);
const fetching = (status: number, body: unknown) => async () =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "error-origin": "engine" },
  });

describe("the escaping function", () => {
  test.each(hidden.map((char) => [char.codePointAt(0)?.toString(16), char]))("escapes U+%s", (code, char) => {
    expect(visible(`a${char}b`)).toMatch(new RegExp(`^a\\\\u\\{?0*${code}\\}?b$`, "i"));
  });

  test("keeps visible characters, and the joiners of words and emoji", () => {
    for (const text of ["Ärger №1 → 日本語 עברית", "می‌خواهم", "क्‍ष", "👩‍👩‍👧 ❤️ 👩🏽‍🚒"])
      expect(visible(text)).toBe(text);
  });
});

const thrown = async (run: () => unknown): Promise<unknown> => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("an error was expected");
};

const failing: readonly (readonly [string, (name: string) => unknown])[] = [
  ["table", (n) => table(n, z.object({ "": z.int() }))],
  ["column metadata", (n) => column(z.int(), { [n]: 1 })],
  ["a property", (n) => table("t", z.object({ [n]: json(z.string().transform(Number)) }))],
  ["a reference", (n) => table("t", z.object({ id: column(z.int(), { references: n }) }))],
  [
    "a field",
    (n) =>
      sqlite()
        .repository(T)
        .select()
        .fields(n as "id")
        .build(),
  ],
  [
    "a key of a spec",
    (n) =>
      sqlite()
        .repository(T)
        .queryFromSpec({ [n]: 1 } as never)
        .build(),
  ],
  ["a parameter", (n) => sqlite().repository(T).query().where("id", "=", n).build()],
  [
    "a key of params",
    (n) =>
      sqlite()
        .repository(T)
        .query()
        .where("id", "=", "x")
        .exec({ x: 1, [n]: 1 }),
  ],
  [
    "a key of a record",
    (n) =>
      recording("postgres")
        .repository(T)
        .insert()
        .exec({ id: 1, [n]: 1 }),
  ],
  ["isField", (n) => sqlite().repository(T).field(n)],
  ["a dialect", (n) => recording(n as "sqlite")],
  ["a path", (n) => GET(`/{${n}` as "/x", () => 1)],
  [
    "a declared error",
    (n) => {
      throw defineError({ code: "X", status: 400, message: n });
    },
  ],
  [
    "an HTTP error's message",
    (n) => {
      throw NotFound.withMessage(n);
    },
  ],
  [
    "a tag of an engine",
    (n) =>
      createEngine()
        .withTagGroup(n, n)
        .withTagGroup(n, n)
        .withModels({ name: n } as never),
  ],
  [
    "a key of JSON",
    (n) => fromJSON(JSON.stringify({ openapi: "3.1.0", components: { schemas: { [n]: 5 } } })),
  ],
  [
    "a key of YAML",
    (n) => fromYAML(JSON.stringify({ openapi: "3.1.0", components: { schemas: { [n]: 5 } } })),
  ],
  ["a version", (n) => fromJSON(JSON.stringify({ openapi: n }))],
  ["a bad text", (n) => fromJSON(n)],
  ["a bad YAML", (n) => fromYAML(`"${n}: [`)],
  [
    "what cannot be written",
    (n) => toJSON({ openapi: "3.1.0", info: { title: "x", version: "1" }, [n]: Number.NaN } as never),
  ],
  [
    "an answer in the client",
    (n) =>
      createClient("http://x", { fetch: fetching(409, { code: n, message: n }) }).GET(
        "/x" as never,
        {} as never,
      ),
  ],
  [
    "a network error in the client",
    (n) =>
      createClient("http://x", { fetch: () => Promise.reject(new Error(n)) }).GET("/x" as never, {} as never),
  ],
  [
    "an assertion",
    async (n) => assertStatus(await serveRequest(testEngine(GET("/", () => n)), "GET", "/"), 404),
  ],
];

describe("an error about", () => {
  test.each(failing)("%s contains no invisible character", async (_, run) => {
    for (const planted of [name, ...hidden.map((char) => `x${char}y`)]) {
      const error = await thrown(() => run(planted));
      const shown = error as Error & { problems?: readonly { message: string; path?: string }[] };
      const texts = [
        shown.message,
        ...(shown.problems ?? []).flatMap(({ message, path = "" }) => [message, path]),
      ];
      for (const text of texts) expect(HIDDEN.exec(text)?.[0]).toBeUndefined();
    }
  });
});

test("no error response contains the client's raw input", async () => {
  const engine = testEngine(
    POST("/strict", { body: z.strictObject({ a: z.int() }) }, () => 1),
    POST("/record", { body: z.record(z.string(), z.int()) }, () => 1),
    POST("/spec", { body: sqlite().repository(T).specs().query }, () => 1),
    GET("/says", { query: { q: z.string() }, errors: [NotFound] }, ({ params }) =>
      NotFound.withMessage(params.query.q),
    ),
  );
  for (const char of hidden.filter((one) => one.isWellFormed())) {
    const planted = `x${char}y`;
    const answers = await Promise.all([
      serveRequest(engine, "POST", "/strict", { [planted]: 1 }),
      serveRequest(engine, "POST", "/record", { [planted]: "no" }),
      serveRequest(engine, "POST", "/spec", { fields: [planted], [planted]: 1 }),
      serveRequest(engine, "GET", `/says?q=${encodeURIComponent(planted)}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 404]);
    for (const answer of answers) expect(JSON.stringify(answer.decodeJSON())).not.toContain(planted);
    for (const answer of answers) expect(HIDDEN.exec(answer.text())?.[0]).toBeUndefined();
  }
});
