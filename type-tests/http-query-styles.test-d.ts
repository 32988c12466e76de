// Parameters of a query in styles of their own: what a function gets, and what a client gives.
import { commaSeparated, createEngine, deepObject, GET, group, jsonParameter } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { expectType } from "tsd";
import { z } from "zod";

const Filter = z.object({ a: z.array(z.int()), at: z.date().optional() });
const one = GET(
  "/one",
  {
    query: {
      ids: commaSeparated(z.array(z.int())),
      tags: commaSeparated(z.array(z.string()).optional()),
      price: deepObject({ min: z.int().optional(), max: z.int().optional() }),
      size: deepObject(z.object({ width: z.int(), at: z.date() })),
      filter: jsonParameter(Filter),
      more: jsonParameter(z.map(z.string(), z.int()).optional()),
      plain: z.string().optional(),
    },
  },
  ({ params: { query } }) => {
    expectType<number[]>(query.ids);
    expectType<string[] | undefined>(query.tags);
    expectType<number | undefined>(query.price.min);
    expectType<{ width: number; at: Date }>(query.size);
    expectType<z.infer<typeof Filter>>(query.filter);
    expectType<Map<string, number> | undefined>(query.more);
    expectType<string | undefined>(query.plain);
  },
);
const inGroup = group("/in", { query: { ids: commaSeparated(z.array(z.int())) } }).GET("/x", ({ params }) => {
  expectType<number[]>(params.query.ids);
});

const api = createEngine().withHandlers(one, inGroup);
const client = createClient<typeof api>("http://localhost");
const size = { width: 1, at: "2026-01-01" };
client.GET("/one", { query: { ids: [1], size, filter: { a: [1] } } });
client.GET("/one", {
  query: { size, filter: { a: [] }, price: { min: 1 }, tags: ["x"], more: [["a", 1]], plain: "x" },
});
client.GET("/in/x", { query: { ids: [1] } });
// @ts-expect-error the filter is required
client.GET("/one", { query: { size } });
// @ts-expect-error the wire form
client.GET("/one", { query: { size: { width: 1, at: new Date() }, filter: { a: [] } } });
// @ts-expect-error a field of another type
client.GET("/one", { query: { size, filter: { a: [] }, price: { min: "1" } } });

// @ts-expect-error an object needs a style
GET("/x", { query: { o: z.object({ a: z.int() }) } }, () => 1);
// @ts-expect-error the styles are of queries alone
GET("/x", { headers: { o: deepObject({ a: z.int() }) } }, () => 1);
// @ts-expect-error text cannot carry an object
deepObject({ a: z.object({ b: z.int() }) });
// @ts-expect-error no schema
jsonParameter({ a: 1 });
// @ts-expect-error no schema
commaSeparated("a,b");
