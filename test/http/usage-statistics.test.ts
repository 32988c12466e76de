/** Statistics of a caller that are no numbers: none of them is below a limit. */
import { expect, test } from "vitest";
import { createEngine, extractor, GET, identity, usageLimit } from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";

test.each([
  [undefined, 200],
  [{}, 200],
  [{ calls: 0 }, 200],
  [{ calls: 8.9 }, 200],
  [{ calls: -1 }, 200],
  [{ calls: 9 }, 429],
  [{ calls: Number.NaN }, 429],
  [{ calls: Number.POSITIVE_INFINITY }, 429],
  [{ calls: "1" }, 429],
  [{ calls: "" }, 429],
  [{ calls: null }, 429],
  [{ calls: undefined }, 429],
  [{ calls: true }, 429],
  [{ calls: [1] }, 429],
  [{ calls: 1n }, 429],
  [{ calls: {} }, 429],
  [Object.create({ calls: 100 }), 200],
])("with %o under a limit of 9 the answer is %i", async (stats, expected) => {
  const engine = createEngine({ onError: false })
    .withAuthenticator(
      extractor(() => identity({ id: "ann", stats: stats as never }), {
        name: "fixed",
        scheme: { type: "http", scheme: "bearer" },
      }),
    )
    .withHandlers(GET("/", { usageLimits: [usageLimit("calls", () => 9)] }, () => 1));
  expect((await serveRequest(engine, "GET", "/")).status).toBe(expected);
});
