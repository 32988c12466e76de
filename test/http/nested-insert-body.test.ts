/** `insertSchema` of a nested insert as the body of a handler: what it accepts, its document, a client typed by it. */
import Sqlite from "better-sqlite3";
import { column, many, one, table } from "rowtype";
import { createClient } from "rowtype/http/client";
import { sqlite } from "rowtype/sqlite";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createEngine, POST } from "../../src/http/index.js";
import { listening } from "./serve.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const customers = table("customers", z.object({ id: id(), name: z.string() }));
const orders = table(
  "orders",
  z.object({ id: id(), customerId: z.int().nullable(), at: z.date(), note: z.string().nullable() }),
  { relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") } },
);
const lines = table("lines", z.object({ id: id(), orderId: z.int(), sku: z.string(), qty: z.int().min(1) }));

const db = sqlite(new Sqlite(":memory:"));
await db.createTables(customers, orders, lines);
const shop = db.repositories({ customers, orders, lines });
const create = shop.orders.insert().with("lines").with("customer");
const place = POST(
  "/orders",
  {
    status: 201,
    body: create.insertSchema,
    output: orders.schema.extend({ lines: z.array(lines.schema), customer: customers.schema.nullable() }),
  },
  ({ body }) => create.exec(body),
);
const api = createEngine().withHandlers(place);
const url = await listening(api);
const client = createClient<typeof api>(`${url}/`);
const customer = { name: "Ann" };
const body = { at: "2026-01-02T03:04:05.000Z", customer, lines: [{ sku: "pen", qty: 2 }] };

test("the body is the nested record, and the answer the stored rows", async () => {
  // The client is typed by the record: `at` in its form of JSON.
  const answer = await client.POST("/orders", { body });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  expectTypeOf(answer.data.lines).toEqualTypeOf<
    { id: number; orderId: number; sku: string; qty: number }[]
  >();
  expect(answer.data).toEqual({
    id: 1,
    customerId: 1,
    at: body.at,
    note: null,
    lines: [{ id: 1, orderId: 1, sku: "pen", qty: 2 }],
    customer: { id: 1, name: "Ann" },
  });
  type Body = NonNullable<Parameters<typeof client.POST<"/orders">>[1]>;
  // @ts-expect-error a line without its quantity
  const incomplete: Body = { body: { ...body, lines: [{ sku: "pen" }] } };
  await expect(client.POST("/orders", incomplete)).rejects.toMatchObject({ status: 422 });
});

test.each([
  ["a wrong value", { ...body, lines: [{ sku: "pen", qty: 0 }] }, "lines.0.qty"],
  ["no list", { at: body.at, customer }, "lines"],
  ["a wrong record", { ...body, customer: { name: 1 } }, "customer.name"],
])("%s is refused with its place", async (_, wrong, place) => {
  const answer = await fetch(`${url}/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wrong),
  });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(await answer.json())).toContain(place);
});

test("in the document it is a component", () => {
  const { components, paths } = api.openapi();
  const content = paths?.["/orders"]?.post?.requestBody;
  expect(JSON.stringify(content)).toContain('"$ref":"#/components/schemas/OrdersInsertWithLinesAndCustomer"');
  const schema = components?.schemas?.["OrdersInsertWithLinesAndCustomer"];
  expect(schema).toMatchObject({
    type: "object",
    required: ["at", "lines", "customer"],
    properties: { lines: { type: "array", items: { required: ["sku", "qty"] } } },
  });
  expect(JSON.stringify(schema)).not.toContain("orderId");
  expect(JSON.stringify(schema)).not.toContain("customerId");
});
