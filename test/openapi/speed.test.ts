import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { fromJSON, fromYAML, type OpenAPI, type PathItem, toJSON, toYAML } from "../../src/openapi/index.js";
import { stopwatch } from "../stopwatch.js";

// The budgets hold on a quiet machine; the slack keeps a busy one from failing a build.
const SLACK = 1.5;

const pathItem = (i: number): PathItem => ({
  get: {
    operationId: `getThing${i}`,
    summary: `Thing ${i}: what it is`,
    description: "Gives one thing.\n\nThings are *cached* for a minute.\n",
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1, maximum: 2 ** 31 } },
    ],
    responses: {
      200: {
        description: "OK",
        content: { "application/json": { schema: { $ref: `#/components/schemas/Thing${i}` } } },
      },
      404: { $ref: "#/components/responses/NotFound" },
    },
  },
});
const large: OpenAPI = {
  openapi: "3.1.1",
  info: { title: "Things", version: "1.0.0" },
  paths: Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`/things${i}/{id}`, pathItem(i)])),
};

/** The least time of either of two, taken in turns. */
function ratio(work: () => unknown, base: () => unknown, rounds: number): number {
  const best = [Infinity, Infinity];
  for (let i = 0; i < rounds; i++) {
    for (const [which, run] of [work, base].entries()) {
      const elapsed = stopwatch();
      run();
      best[which] = Math.min(best[which] ?? Infinity, elapsed());
    }
  }
  return (best[0] ?? 0) / (best[1] ?? 1);
}

describe("speed, against the libraries alone", () => {
  const json = JSON.stringify(large, null, 2);
  const yaml = toYAML(large);
  const exact = json.replace(/2147483648/g, "9223372036854775808");
  it.each([
    [
      "fromJSON with 1,500 integers beyond 2^53",
      "JSON.parse",
      2.5,
      15,
      () => fromJSON(exact),
      () => JSON.parse(exact),
    ],
    ["fromJSON", "JSON.parse", 2.5, 15, () => fromJSON(json), () => JSON.parse(json)],
    ["fromYAML of JSON", "JSON.parse", 3, 15, () => fromYAML(json), () => JSON.parse(json)],
    ["fromYAML", "yaml.parse", 1.1, 3, () => fromYAML(yaml), () => parse(yaml)],
    ["toYAML", "yaml.stringify", 1.2, 3, () => toYAML(large), () => stringify(large)],
    ["toJSON", "JSON.stringify", 1.2, 15, () => toJSON(large), () => JSON.stringify(large)],
    [
      "toJSON with indent",
      "JSON.stringify",
      1.2,
      15,
      () => toJSON(large, { indent: 2 }),
      () => JSON.stringify(large, null, 2),
    ],
  ])("%s keeps to its multiple of %s", (_, __, budget, rounds, work, base) => {
    expect(ratio(work, base, rounds)).toBeLessThan(budget * SLACK);
  });
});
