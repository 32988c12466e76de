/**
 * Specs over several tables, changed at random as a careless or hostile caller would: the builder refuses them with a
 * code, or sends a statement that the server takes, and no row that is stored changes.
 */
import fc from "fast-check";
import { SqlError } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edited, edits } from "../../kit/hostile-edits.js";
import { openShop, type Shop, shopOn, type Untyped } from "../../kit/shop.js";
import { patience, rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const ROUNDS = rounds({ small: 400, full: 20_000 });

const inLines = {
  table: "lines",
  fields: ["orderId"],
  where: [{ field: "sku", operator: "IN", param: "skus" }],
  order_by: [{ field: "id", direction: "desc" }],
  limit: 3,
};
const where = [
  { field: "customer.name", operator: "LIKE", param: "like" },
  { exists: "lines", where: [{ field: "qty", operator: ">", param: "least" }, { exists: "order" }] },
  { not_exists: "customer.orders", where: [{ field: "id", operator: "<", param: "least" }] },
  { field: "id", operator: "NOT IN", query: inLines },
  { logic: "OR", group: [{ exists: "payments" }, { field: "note", operator: "IS NULL" }] },
];
const joins = [{ relation: "customer" }, { relation: "customer.country", as: "land", kind: "left" }];
const rows = {
  fields: ["id", "customer.name", "land.name"],
  joins,
  where,
  order_by: [
    { field: "land.name", direction: "asc", nulls: "first" },
    { field: "id", direction: "desc" },
  ],
  with: {
    lines: { fields: ["sku"], where: [{ field: "qty", operator: ">=", param: "least" }], limit: 2 },
    payments: {
      joins: [{ relation: "order", as: "of" }],
      fields: ["amount", "of.note"],
      with: { order: {} },
    },
  },
};
const grouped = {
  fields: ["customer.name", { func: "count", alias: "n" }],
  joins: [{ relation: "customer", kind: "left" }],
  where: where.slice(1),
  group_by: ["customer.name"],
  having: [{ field: "n", operator: ">=", param: "least" }],
  order_by: [{ field: "n", direction: "desc" }],
};

/** The methods that read a spec, and good ones for each. */
const specs: readonly (readonly [method: string, spec: unknown])[] = [
  ["queryFromSpec", { ...rows, limit: 2, offset_param: "skipped" }],
  ["queryFromSpec", grouped],
  ["queryFromSpec", { fields: ["id", "customer.name"], joins, where, distinct: true, limit: 5 }],
  ["pageFromSpec", { ...rows, limit: 2 }],
  ["selectFromSpec", rows],
  ["countFromSpec", { joins, where }],
  ["sumFromSpec", { field: "total", joins, where }],
  ["avgFromSpec", { field: "customer.id", joins, where }],
  ["minFromSpec", { field: "land.id", joins, where }],
  ["modifyFromSpec", { set: { note: "note" }, where: where.slice(1, 2).concat(where.slice(3)) }],
  ["removeFromSpec", { where: where.slice(1, 2).concat(where.slice(3)) }],
  [
    "compoundFromSpec",
    {
      base: { fields: ["id", "customer.name"], joins: joins.slice(0, 1), where },
      operands: [
        { operation: "union", query: { fields: ["id", "customer.name"], joins: joins.slice(0, 1) } },
        {
          operation: "except_all",
          query: { fields: ["id", "customer.name"], joins: joins.slice(0, 1), where },
        },
      ],
      order_by: [{ field: "id", direction: "asc" }],
    },
  ],
];

// What the parameters may be, by chance of the right type.
const values: Readonly<Record<string, unknown>> = {
  like: "%",
  least: 1,
  skus: ["A1", "B2"],
  note: "changed",
  skipped: 1,
};

/** Whether no server takes what the builder took: a fault. */
const isFault = (error: unknown): boolean => !(error instanceof SqlError) || error.code === "QUERY_FAILED";

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`changed specs over several tables on ${server.name}`, () => {
    let lent: Lent;
    let of: Shop;
    beforeAll(async () => {
      lent = await server.lend();
      await openShop(lent.db);
      of = shopOn(lent.db);
    });
    afterAll(() => lent.close());

    const undone = new Error("undone");
    const call = async (method: string, spec: unknown): Promise<string> => {
      const from = of.orders as unknown as Readonly<Record<string, (spec: unknown) => Untyped>>;
      let params: Record<string, unknown>;
      let builder: Untyped | undefined;
      try {
        builder = from[method]?.(spec);
        const names = builder?.render().params ?? [];
        params = Object.fromEntries(names.map((name) => [name, values[name] ?? 1]));
      } catch (error) {
        if (isFault(error)) throw error;
        return String(error);
      }
      let told = "taken";
      const work = lent.db.transaction(async (tx) => {
        try {
          await builder?.exec(params, { tx });
        } catch (error) {
          if (isFault(error)) throw error;
          if (!(error instanceof SqlError && error.code === "NO_ROWS")) told = String(error);
        }
        throw undone;
      });
      await work.catch((error: unknown) => {
        if (error !== undone) throw error;
      });
      return told;
    };

    test.each(specs)("%s takes what is unchanged", async (method, spec) => {
      const builder = (of.orders as unknown as Readonly<Record<string, (spec: unknown) => Untyped>>)[
        method
      ]?.(spec);
      const unsupported = /except_all/.test(JSON.stringify(spec)) && server.name === "oracle";
      if (unsupported) return;
      expect(await call(method, spec)).toBe("taken");
      expect(() => builder?.toSpec()).not.toThrow();
    });

    test(`${ROUNDS} changed specs`, { timeout: patience(60_000, 40, ROUNDS) }, async () => {
      const before = JSON.stringify(await of.orders.query().orderBy("id", "asc").exec(), (_, one: unknown) =>
        typeof one === "bigint" ? `${one}` : one,
      );
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...specs), edits, async ([method, spec], changes) => {
          if ((await call(method, edited(spec, changes))) === "taken") taken++;
        }),
        { numRuns: ROUNDS, endOnFailure: false },
      );
      expect(taken).toBeGreaterThan(ROUNDS / 20);
      const after = JSON.stringify(await of.orders.query().orderBy("id", "asc").exec(), (_, one: unknown) =>
        typeof one === "bigint" ? `${one}` : one,
      );
      expect(after).toBe(before);
    });
  });
