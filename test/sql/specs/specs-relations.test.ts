/** Specs from clients over several tables: what is listed behind relations can be named, and nothing else exists. */

import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { toJSONSchema } from "zod";
import { openShop, shop } from "../../kit/shop.js";
import { type Lent, servers, titleOf } from "../../servers.js";

const dialects = [sqlite(), postgres(), mariadb(), oracle()] as unknown as readonly ReturnType<
  typeof sqlite
>[];

/** What a schema says of a spec: the path, the code and the message of each issue. */
function refusals(schema: z.ZodType, spec: unknown): string[] {
  const { error } = schema.safeParse(spec);
  return (error?.issues ?? []).map((issue) => {
    const { path, params, code, message } = issue as typeof issue & { params?: { code?: string } };
    return `${path.join(".")}: ${params?.code ?? code}: ${message}`;
  });
}

const open = (db: ReturnType<typeof sqlite>) =>
  db.repositories(shop).orders.specs({
    fields: ["id", "note"],
    maxLimit: 20,
    maxJoins: 2,
    maxConditions: 6,
    relations: {
      customer: { fields: ["name"], relations: { country: { fields: ["name"] } } },
      lines: { fields: ["id", "sku"], maxLimit: 5 },
    },
  });

describe("what is listed behind relations", () => {
  test.each(dialects.map((db) => [db.dialect, db] as const))("on %s", (_, db) => {
    const { query, aggregate, modify } = open(db);
    const joins = [{ relation: "customer", kind: "left" }, { relation: "customer.country" }];
    const where = [
      { field: "customer.name", operator: "LIKE", param: "like" },
      { exists: "lines", where: [{ field: "sku", operator: "=", param: "sku" }] },
      { logic: "OR", group: [{ not_exists: "lines" }, { field: "note", is_null: true }] },
    ];
    const fields = ["id", "customer.name", "country.name"];
    const order = [{ field: "country.name", direction: "asc" }];
    expect(refusals(query, { joins, fields, where, order_by: order })).toEqual([]);
    expect(
      refusals(query, { joins: [{ relation: "customer", as: "buyer" }], fields: ["buyer.name"] }),
    ).toEqual([]);
    expect(refusals(aggregate, { joins: [{ relation: "customer" }], where: where.slice(0, 1) })).toEqual([]);
    expect(refusals(modify, { set: { note: "note" }, where: where.slice(1, 2) })).toEqual([]);
  });

  test("is what the document lists, and nothing besides", () => {
    const text = JSON.stringify(toJSONSchema(open(sqlite()).query, { io: "input" }));
    for (const name of ["customer.name", "country.name", "lines.sku", '"lines"', '"customer"'])
      expect(text).toContain(name);
    for (const name of ["placedAt", "total", "nick", "since", "boss", "payments", "qty", "bossId"])
      expect(text).not.toContain(name);
  });
});

describe("what is not listed does not exist", () => {
  const { query, aggregate, modify, compound } = open(sqlite());
  const joined = { joins: [{ relation: "customer" }] };
  const hidden = [
    ...[
      "total",
      "customer.nick",
      "customer.id",
      "customer.*",
      "customer.bossId",
      "lines.qty",
      "payments.amount",
    ],
    ...["customer.country.name", "__proto__", "customer.__proto__", "constructor"],
  ];
  const inventedOf = (name: string) => name.replace(/[^.]+$/, "zzzzzzzz");

  test.each(hidden)("field %j, wherever it stands: the refusal is that of an invented name", (name) => {
    const places = (field: string) => [
      { ...joined, fields: [field] },
      { ...joined, where: [{ field, is_null: true }] },
      { ...joined, order_by: [{ field, direction: "asc" }] },
      { ...joined, fields: ["id"], group_by: ["id", field] },
      { ...joined, fields: ["id", { func: "max", field, alias: "m" }], group_by: ["id"] },
      { ...joined, where: [{ field: "id", operator: "=", right_field: field }] },
    ];
    for (const [i, spec] of places(name).entries()) {
      const invented = inventedOf(name);
      const told = refusals(query, spec).map((line) => line.replaceAll(name, invented));
      expect(told.length).toBeGreaterThan(0);
      expect(told).toEqual(refusals(query, places(invented)[i]));
    }
    expect(refusals(aggregate, { ...joined, field: name }).length).toBeGreaterThan(0);
  });

  test.each(["payments", "customer.boss", "customer.orders", "lines.order", "__proto__", "toString"])(
    "relation %j: joined, looked into or nested",
    (name) => {
      const places = (relation: string) => [
        { joins: [{ relation: "customer" }, { relation }] },
        { ...joined, where: [{ exists: relation }] },
        { ...joined, where: [{ not_exists: relation, where: [] }] },
      ];
      for (const [i, spec] of places(name).entries()) {
        const invented = inventedOf(name);
        const told = refusals(query, spec).map((line) =>
          line
            .replaceAll(name, invented)
            .replace(`"${name.split(".").pop()}"`, `"${invented.split(".").pop()}"`),
        );
        expect(told.length).toBeGreaterThan(0);
        expect(told).toEqual(refusals(query, places(invented)[i]));
      }
      expect(refusals(query, { with: { [name]: {} } }).length).toBeGreaterThan(0);
    },
  );

  test("a join cannot have the name of a field, as in the builder that takes the spec", () => {
    for (const as of ["total", "note"])
      expect(refusals(query, { joins: [{ relation: "customer", as }] })).toHaveLength(1);
  });

  test("behind exists only the fields of that relation count", () => {
    const inside = (field: string) => ({ where: [{ exists: "lines", where: [{ field, is_null: true }] }] });
    expect(refusals(query, inside("sku"))).toEqual([]);
    for (const field of ["qty", "orderId", "note", "id.x"])
      expect(refusals(query, inside(field))).toHaveLength(1);
  });

  test("changes and set operations join nothing", () => {
    for (const schema of [modify, compound])
      expect(refusals(schema, { ...joined, where: [{ field: "id", is_null: true }] })[0]).toMatch(/joins/);
  });

  test("without relations there are none", () => {
    const { query: closed } = sqlite().repositories(shop).orders.specs();
    for (const spec of [
      joined,
      { where: [{ exists: "lines" }] },
      { with: { lines: {} } },
      { fields: ["customer.name"] },
    ])
      expect(refusals(closed, spec).length).toBeGreaterThan(0);
  });
});

describe("bounds over all levels", () => {
  const { query } = open(sqlite());
  const leaf = { field: "sku", operator: "=", param: "sku" };

  test("joins are counted", () => {
    const join = (as: string) => ({ relation: "customer", as });
    expect(refusals(query, { joins: ["a", "b"].map(join) })).toEqual([]);
    expect(refusals(query, { joins: ["a", "b", "c"].map(join) })).toEqual([
      "joins: INVALID_SPEC: at most 2 joins",
    ]);
  });

  test("conditions are counted, those inside exists too", () => {
    const inside = (count: number) => ({ where: [{ exists: "lines", where: Array(count).fill(leaf) }] });
    expect(refusals(query, inside(6))).toEqual([]);
    expect(refusals(query, inside(7))[0]).toMatch(/at most 6 conditions/);
    expect(refusals(query, inside(50_000))[0]).toMatch(/at most|holds more/);
  });

  test("regular expressions stay off inside exists", () => {
    const pattern = { field: "sku", operator: "~", param: "sku" };
    expect(refusals(query, { where: [{ exists: "lines", where: [pattern] }] })[0]).toMatch(
      /INVALID_OPERATOR/,
    );
  });
});

describe("options that cannot work", () => {
  const orders = sqlite().repositories(shop).orders;
  const untyped = orders.specs as (options: unknown) => unknown;

  test.each([
    [{ relations: { nope: { fields: ["id"] } } }, /unknown relation "nope".*relations of "orders": customer/],
    [{ relations: { lines: {} } }, /needs its own list of fields/],
    [{ relations: { lines: { fields: [] } } }, /at least one/],
    [{ relations: { lines: { fields: ["nope"] } } }, /unknown field "nope" on table "lines"/],
    [{ relations: { lines: { fields: ["id"], maxLimit: -1 } } }, /maxLimit/],
    [{ relations: { lines: { fields: ["id"], locks: true } } }, /unknown option "locks"/],
    [{ relations: [] }, /must be an object/],
    [{ relations: { lines: null } }, /must be an object/],
    [{ maxJoins: 1.5 }, /maxJoins/],
    [{ maxRows: "9" }, /maxRows/],
  ])("%j", (options, message) => {
    expect(() => untyped(options)).toThrow(message);
  });

  test("a repository of the table alone has no other tables", () => {
    const alone = sqlite().repository(shop.orders).specs as (options: unknown) => unknown;
    expect(() => alone({ relations: { lines: { fields: ["id"] } } })).toThrow(/db\.repositories\(module\)/);
  });
});

for (const server of servers)
  describe.skipIf(!server.available)(`a client's spec over several tables on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await openShop(lent.db);
    });
    afterAll(() => lent.close());

    test("gives the rows that it names", async () => {
      const db = lent.db as unknown as ReturnType<typeof sqlite>;
      const { orders } = db.repositories(shop);
      const spec = open(db).query.parse({
        joins: [{ relation: "customer" }],
        fields: ["id", "customer.name"],
        where: [{ exists: "lines", where: [{ field: "sku", operator: "=", param: "sku" }] }],
        order_by: [{ field: "customer.name", direction: "desc" }],
      });
      expect(await orders.queryFromSpec(spec).exec({ sku: "A1" })).toEqual([
        { id: 2, customer: { name: "Bob" } },
        { id: 1, customer: { name: "Ann" } },
      ]);
    });
  });
