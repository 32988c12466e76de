import { expect, test } from "vitest";
import { z } from "zod";
import { parseTemplate } from "../../src/http/contract/path.js";
import { GET } from "../../src/http/index.js";
import { Routes } from "../../src/http/pipeline/routes.js";
import { expectBelow, expectCost } from "../stopwatch.js";
import { ask, serve } from "./serve.js";

function tree(size: number): Routes<number> {
  const routes = new Routes<number>();
  for (let i = 0; i < size; i++) routes.at(parseTemplate(`/api/r${i}/{id}/items/{item}`), () => i);
  return routes;
}

/** The least CPU time of a look-up of the last route, in microseconds. */
function cost(routes: Routes<number>, last: number): number {
  const segments = ["api", `r${last}`, "7", "items", "8"];
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round++) {
    const started = process.cpuUsage();
    for (let i = 0; i < 5_000; i++) routes.find(segments);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 5_000);
  }
  return best;
}

test("a look-up costs the same among ten routes and among a thousand", async () => {
  const few = tree(10);
  const many = tree(1_000);
  expect(many.find(["api", "r999", "7", "items", "8"])).toEqual({ target: 999, values: ["7", "8"] });
  cost(few, 9);
  cost(many, 999);
  // A list of routes would cost a hundred times as much.
  await expectBelow(4, () => cost(many, 999) / cost(few, 9));
});

test("a path made to try every branch is given up at once", async () => {
  const routes = new Routes<number>();
  // Sixteen literals and parameters that all fit, and none that ends as the path does.
  for (let i = 0; i < 2 ** 8; i++) {
    const segments = Array.from({ length: 8 }, (_, bit) => ((i >> bit) & 1 ? "{p}" : "a")).map((text, n) =>
      text === "a" ? text : `{p${n}}`,
    );
    routes.at(parseTemplate(`/${segments.join("/")}/end`), () => i);
  }
  await expectCost(50, () => {
    expect(routes.find([..."aaaaaaaa", "other"])).toBeUndefined();
    expect(routes.find(Array.from({ length: 100_000 }, () => "a"))).toBeUndefined();
  });
});

test("names of prototypes are ordinary names everywhere", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const shape = () => Object.fromEntries(names.slice(1).map((name) => [name, z.string().optional()]));
  const url = await serve(
    GET(
      "/x/{constructor}/{__proto__}",
      { query: shape(), headers: shape(), cookies: shape() },
      ({ params }) => [
        Object.keys(params.path),
        { ...params.query },
        { ...params.headers },
        { ...params.cookies },
      ],
    ),
  );
  expect((await ask(`${url}/x/a/b`)).json).toEqual([["constructor", "__proto__"], {}, {}, {}]);
  const answer = await ask(`${url}/x/a/b?constructor=1&toString=2&__proto__=3`, {
    headers: { constructor: "4", hasownproperty: "5", __proto__: "6", cookie: "toString=7; __proto__=8" },
  });
  expect(answer.json).toEqual<unknown>([
    ["constructor", "__proto__"],
    { constructor: "1", toString: "2" },
    { constructor: "4", hasOwnProperty: "5" },
    { toString: "7" },
  ]);
  for (const path of ["/constructor", "/__proto__", "/toString", "/x/__proto__"]) {
    expect((await ask(url + path)).status).toBe(404);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});
