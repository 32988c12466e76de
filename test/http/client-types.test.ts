/** What the client's types show in an editor, and what they cost the compiler for an engine of a hundred handlers. */
import { beforeAll, describe, expect, test } from "vitest";
import { type ClientTypeCost, clientTypeCost } from "../../bench/compiler/client-type-cost.mjs";
import { openEditor } from "../types/editor.js";

// Behind each budget stands what was measured when it was set.
const budgets: { readonly [Name in keyof ClientTypeCost]: number } = {
  perHandler: 650, // 623
  client: 300, // 211
  firstCalls: 14_000, // 13,853
  // 2,404 while the input and the output of each schema were compared first.
  perCall: 2_000, // 1,994
};

describe("the types stay within their budget of instantiations", () => {
  let cost: ClientTypeCost;
  beforeAll(() => {
    cost = clientTypeCost();
  });

  const names = Object.keys(budgets) as (keyof ClientTypeCost)[];
  test.each(names)("%s", (name) => {
    expect(cost[name]).toBeGreaterThan(0);
    expect(cost[name]).toBeLessThanOrEqual(budgets[name]);
  });
});

describe("an editor", () => {
  const editor = openEditor(`
import { createEngine, GET, NotFound, POST, stream } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { z } from "zod";
const User = z.object({ id: z.int(), born: z.date(), plan: z.string().default("free") });
const api = createEngine().withHandlers(
  GET("/users/{id}", { path: { id: z.int() }, query: { deep: z.boolean().optional() }, output: User, errors: [NotFound] }, () => NotFound),
  POST("/users", { body: User, output: User }, ({ body }) => body),
  stream("GET", "/ticks", { events: { tick: z.date(), end: z.object({ n: z.int() }) } }, async (_call, sent) => {
    sent;
  }),
);
const client = createClient<typeof api>("/api");
const user = await client.GET("/users/{id}", { path: { id: 1 } });
`);

  test("offers the paths of a method, the options of a path and the events of a stream", () => {
    expect(editor.completions(`client.GET("/*|*/")`)).toEqual(["/users/{id}"]);
    expect(editor.completions(`client.stream("GET", "/*|*/")`)).toEqual(["/ticks"]);
    expect(editor.completions(`client.GET("/users/{id}", { /*|*/ })`).sort()).toEqual(
      ["path", "query", "headers", "signal", "retries", "timeoutMs"].sort(),
    );
    expect(editor.completions(`client.POST("/users", { body: { /*|*/ } })`).sort()).toEqual([
      "born",
      "id",
      "plan",
    ]);
    expect(
      editor.completions(
        `stream("GET", "/x", { events: { tick: z.date(), end: z.int() } }, async (_call, s) => { s.sendEvent("/*|*/") })`,
      ),
    ).toEqual(["tick", "end"]);
    expect(editor.completions(`if (!user.ok && user.error.code === "/*|*/") {}`)).toEqual(["NOT_FOUND"]);
  });

  test("shows results and events as what travels, with nothing of Zod", () => {
    expect(editor.hover("user/*|*/")).toBe(`const user: Success<{
    id: number;
    born: string;
    plan: string;
}, number> | Refusal<"NOT_FOUND", 404, {
    readonly resource?: string | undefined | undefined;
}>`);
    expect(editor.hover(`for await (const event of client.stream("GET", "/ticks")) event/*|*/`)).toBe(
      `const event: {
    readonly event: "tick";
    readonly data: string;
    readonly id?: string;
} | {
    readonly event: "end";
    readonly data: {
        n: number;
    };
    readonly id?: string;
}`,
    );
    expect(editor.hover(`stream("GET", "/x", { event: User }, async (_call, sent/*|*/) => {})`)).toBe(
      `(parameter) sent: Stream<{
    readonly message: {
        id: number;
        born: Date;
        plan: string;
    };
}>`,
    );
  });

  const cases = [
    [
      `client.GET("/user/{id}", { path: { id: 1 } })`,
      `Argument of type '"/user/{id}"' is not assignable to parameter of type '"/users/{id}"'.`,
    ],
    [
      `client.GET("/users/{id}", { path: { id: 1 }, query: { dep: true } })`,
      "Object literal may only specify known properties, but 'dep' does not exist in type '{ readonly deep?: boolean | undefined; }'. Did you mean to write 'deep'?",
    ],
    [
      `stream("GET", "/x", { events: { tick: z.int() } }, (_call, s) => s.send(1))`,
      `Argument of type '1' is not assignable to parameter of type '"this stream declares named events: use sendEvent"'.`,
    ],
  ] as const;
  editor.open(cases.map(([text]) => text));

  test.each(cases)("says what is wrong with %s", (text, error) => {
    expect(editor.errors(text)).toEqual([error]);
  });

  test("says that a stream declares its events", () => {
    const [error] = editor.errors(`stream("GET", "/x", {}, () => {})`);
    expect(error).toContain("a stream declares its event or its events");
  });
});
