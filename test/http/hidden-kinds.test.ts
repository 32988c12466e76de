/**
 * A client of another origin that does not see `Answer-Kind`: the media type decides what an answer is. And bodies that
 * look like something else.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "rowtype/http/client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  bytes,
  createEngine,
  csv,
  GET,
  html,
  ndjson,
  POST,
  QUERY,
  rows,
  text,
} from "../../src/http/index.js";
import { atEnd } from "../at-end.js";
import { listening } from "./serve.js";

const Row = z.object({ n: z.int() });
const all = [{ n: 1 }, { n: 2 }];
const Item = z.object({ value: z.int(), next: z.int().nullable() });
const made = () =>
  createEngine().withHandlers(
    GET("/json", { output: z.array(Row) }, () => all),
    GET("/text", { output: text() }, () => "a text"),
    GET("/none", { output: text() }, () => ""),
    GET("/csv", { output: csv(Row) }, () => all),
    GET("/lines", { output: ndjson(Row) }, () => all),
    GET("/rows", { output: rows(Row) }, () => all),
    GET("/bytes", { output: bytes() }, () => new Uint8Array([1, 2])),
    GET("/picture", { output: bytes("image/png") }, () => new Uint8Array([3])),
    GET("/page", { output: html() }, () => "<p>a page</p>"),
    POST("/nodes", { body: Item, output: Item }, ({ body }) => body),
    QUERY("/nodes", { body: Item, output: Item }, ({ body }) => body),
  );

/** A client to whom the kinds of answers are hidden. */
async function blind() {
  return createClient<ReturnType<typeof made>>(await listening(made() as never), {
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      const headers = new Headers(answer.headers);
      headers.delete("answer-kind");
      return new Response(answer.body, { status: answer.status, headers });
    },
  });
}

describe("an answer whose kind is hidden", () => {
  test("is what its media type says", async () => {
    const client = await blind();
    expect((await client.GET("/json")).data).toEqual(all);
    expect((await client.GET("/rows")).data).toEqual(all);
    expect((await client.GET("/text")).data).toBe("a text");
    expect((await client.GET("/csv")).data).toBe("n\r\n1\r\n2\r\n");
    expect((await client.GET("/bytes")).data).toEqual(new Uint8Array([1, 2]));
    expect((await client.GET("/picture")).data).toEqual(new Uint8Array([3]));
    const seen: unknown[] = [];
    for await (const row of (await client.GET("/lines")).data) seen.push(row);
    expect(seen).toEqual(all);
  });

  test("is none of the API where it is a page, or empty where a value is declared", async () => {
    const client = await blind();
    for (const path of ["/page", "/none"] as const)
      await expect(client.GET(path)).rejects.toMatchObject({ code: "INVALID_RESPONSE", status: 200 });
  });
});

test("a record with a field `next` is JSON, as any other", async () => {
  const client = createClient<ReturnType<typeof made>>(await listening(made() as never), { retries: 1 });
  for (const next of [7, null]) {
    const body = { value: 1, next };
    expect((await client.POST("/nodes", { body })).data).toEqual(body);
    expect((await client.QUERY("/nodes", { body })).data).toEqual(body);
  }
});

test("a QUERY with such a record is repeated, because its body can be sent again", async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    asked++;
    response.writeHead(asked === 1 ? 503 : 200, { "content-type": "application/json" });
    response.end(asked === 1 ? '{"code":"X","message":"x"}' : '{"value":1,"next":2}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient<ReturnType<typeof made>>(url, { retries: 1 });
  expect((await client.QUERY("/nodes", { body: { value: 1, next: 2 } })).data).toEqual({ value: 1, next: 2 });
  expect(asked).toBe(2);
});
