/** Names that are taken, or are none: said once, where they are given; what uses them is not reported besides. */
import { type AnyTable, column, count, lower, many, one, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: no compiler stops these callers.
type Untyped = any;

const id = column(z.int(), { primaryKey: true, generated: true });
const orders = table("orders", z.object({ id, total: z.number(), customer: z.string() }), {
  relations: { lines: many("lines", "orderId") },
});
const lines = table("lines", z.object({ id, sku: z.string(), qty: z.int(), orderId: z.int() }), {
  relations: { order: one("orders", "orderId") },
});

/** Every use of a field behind a name. */
const uses = (query: Untyped, name: string) =>
  query
    .fields("id", `${name}.total`, lower(`${name}.customer`).as("low"))
    .where(`${name}.total`, ">", "least")
    .whereNull(`${name}.customer`)
    .orderBy(`${name}.total`, "asc");

describe.each([sqlite(), postgres(), mariadb()])("on $dialect", (db: Untyped) => {
  const shop: Untyped = db.repositories({ orders, lines });
  const problemsOf = (query: Untyped) =>
    (sqlErrorIn(() => query.render()) as Untyped).problems.map(
      ({ code, path }: Untyped) => `${code} ${path}`,
    );

  test.each(["sku", "QTY", "bad name", "order"])("a join that cannot be named %s is one problem", (name) => {
    const joined = name === "order" ? shop.lines.query().join("order") : shop.lines.query();
    const at = name === "order" ? "joins[1].as" : "joins[0].as";
    if (name !== "order") {
      expect(problemsOf(uses(joined.join("order", name), name))).toEqual([`INVALID_ALIAS ${at}`]);
      expect(problemsOf(uses(joined.leftJoinOn(name, orders as AnyTable, "orderId", "id"), name))).toEqual([
        `INVALID_ALIAS ${at}`,
      ]);
    }
    const source = joined.joinQuery(shop.orders.query().as(name), "orderId", "id");
    expect(problemsOf(uses(source, name))).toEqual([`INVALID_ALIAS ${at}`]);
  });

  test.each(["a b", "", "qty", "SKU", "order"])(
    "an expression that cannot be named %j is one problem",
    (name) => {
      const query = shop.lines
        .query()
        .join("order")
        .fields("sku", count().as(name))
        .groupBy("sku")
        .having(name, ">", "least")
        .orderBy(name, "asc");
      expect(problemsOf(query)).toEqual([
        expect.stringMatching(/^INVALID_(FIELD|ALIAS) fields\[1\]\.alias$/),
      ]);
    },
  );
});
