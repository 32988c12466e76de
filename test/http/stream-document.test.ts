import { expect, test } from "vitest";
import { z } from "zod";
import { createEngine, NotFound, stream } from "../../src/http/index.js";
import { expectValid } from "./validate-document.js";

const Tick = z.object({ at: z.date(), n: z.int() }).meta({ id: "Tick" });

test("a stream is text that holds events, whose data are text that holds JSON", async () => {
  const api = createEngine().withHandlers(
    stream(
      "GET",
      "/ticks/{room}",
      { event: Tick, errors: [NotFound], responseHeaders: { "X-A": "1" } },
      () => {},
    ),
    stream("POST", "/chat", { body: Tick, events: { word: z.string(), tick: Tick } }, () => {}),
  );
  const document = api.openapi();
  await expectValid(document);
  const ticks = document.paths?.["/ticks/{room}"]?.get;
  expect(ticks?.operationId).toBe("getTicksByRoom");
  expect(ticks?.responses?.["200"]).toEqual({
    description: "OK",
    headers: { "X-A": { schema: { type: "string" } } },
    content: {
      "text/event-stream": {
        schema: {
          type: "string",
          contentMediaType: "text/event-stream",
          contentSchema: {
            type: "array",
            items: {
              type: "object",
              properties: {
                data: {
                  type: "string",
                  contentMediaType: "application/json",
                  contentSchema: { $ref: "#/components/schemas/Tick" },
                },
                id: { type: "string" },
                retry: { type: "integer", minimum: 0 },
              },
              required: ["data"],
            },
          },
        },
      },
    },
  });
  expect(Object.keys(ticks?.responses ?? {})).toEqual(["200", "400", "404", "500"]);
  const chat = document.paths?.["/chat"]?.post?.responses?.["200"];
  expect(chat).toMatchObject({
    content: {
      "text/event-stream": {
        schema: {
          contentSchema: {
            items: {
              oneOf: [
                {
                  properties: {
                    event: { type: "string", const: "word" },
                    data: { contentSchema: { type: "string" } },
                  },
                  required: ["event", "data"],
                },
                { properties: { event: { const: "tick" } } },
              ],
            },
          },
        },
      },
    },
  });
  expect(document.components?.schemas?.["Tick"]).toMatchObject({
    properties: { at: { type: "string", format: "date-time" } },
  });
});
