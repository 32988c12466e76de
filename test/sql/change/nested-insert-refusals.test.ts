/** What a nested insert refuses: wrong records with their path before anything is sent, and builders that cannot work. */
import { column, many, one, param, table, upper } from "rowtype";
import { type Recording, recording } from "rowtype/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const orders = table(
  "orders",
  z.object({ id: id(), customerId: z.int(), shopId: z.int().nullable(), note: z.string().nullable() }),
  {
    relations: {
      customer: one("customers", "customerId"),
      shop: one("customers", "shopId"),
      lines: many("lines", "orderId"),
    },
  },
);
const customers = table("customers", z.object({ id: id(), name: z.string() }));
const lines = table("lines", z.object({ id: id(), orderId: z.int(), sku: z.string().max(5), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});
const nodes = table("nodes", z.object({ id: id(), upId: z.int().nullable(), name: z.string() }), {
  relations: { up: one("nodes", "upId"), down: many("nodes", "upId") },
});
const tables = { orders, customers, lines, nodes };

let db: Recording<"sqlite">;
// Untyped: the compiler refuses most of these.
// biome-ignore lint/suspicious/noExplicitAny: what an untyped caller has.
let shop: any;
beforeEach(() => {
  db = recording("sqlite") as Recording<"sqlite">;
  shop = db.repositories(tables);
});

describe("records", () => {
  const good = () => ({ customerId: 1, lines: [{ sku: "a", qty: 1 }] });
  const line = (more: object) => ({
    customerId: 1,
    lines: [
      { sku: "a", qty: 1 },
      { sku: "b", qty: 1, ...more },
    ],
  });
  const cases: readonly [string, () => unknown, object][] = [
    ["a wrong value", () => line({ qty: "1" }), { code: "PARAM_TYPE", param: "qty", path: "lines[1].qty" }],
    ["a refined value", () => line({ sku: "toolong" }), { code: "PARAM_TYPE", path: "lines[1].sku" }],
    ["a text with NUL", () => line({ sku: "a\0" }), { code: "PARAM_TYPE", path: "lines[1].sku" }],
    ["a missing value", () => line({ sku: undefined }), { code: "MISSING_PARAM", path: "lines[1].sku" }],
    ["an undeclared field", () => line({ colour: 1 }), { code: "EXTRA_PARAM", path: "lines[1].colour" }],
    ["the key's field", () => line({ orderId: 1 }), { code: "EXTRA_PARAM", path: "lines[1].orderId" }],
    ["a generated key", () => line({ id: 1 }), { code: "EXTRA_PARAM", path: "lines[1].id" }],
    [
      "__proto__",
      () => ({ customerId: 1, lines: [JSON.parse('{"sku":"a","qty":1,"__proto__":{}}')] }),
      { code: "EXTRA_PARAM", path: "lines[0].__proto__" },
    ],
    [
      "a relation that is not nested",
      () => line({ order: null }),
      { code: "EXTRA_PARAM", path: "lines[1].order" },
    ],
    ["no list", () => ({ customerId: 1 }), { code: "MISSING_PARAM", path: "lines" }],
    ["null for a list", () => ({ customerId: 1, lines: null }), { code: "PARAM_TYPE", path: "lines" }],
    [
      "a record for a list",
      () => ({ customerId: 1, lines: { sku: "a" } }),
      { code: "PARAM_TYPE", path: "lines" },
    ],
    [
      "a hole in a list",
      () => ({ customerId: 1, lines: new Array(1) }),
      { code: "PARAM_TYPE", path: "lines[0]" },
    ],
    ["a text as a record", () => ({ customerId: 1, lines: ["a"] }), { code: "PARAM_TYPE", path: "lines[0]" }],
    ["a field of the outer record", () => ({ lines: [] }), { code: "MISSING_PARAM", path: "customerId" }],
    [
      "a record that throws",
      () => ({
        customerId: 1,
        lines: [
          new Proxy(
            {},
            {
              ownKeys: () => {
                throw new Error("no");
              },
            },
          ),
        ],
      }),
      { code: "PARAM_TYPE", path: "lines[0]" },
    ],
    [
      "inherited keys",
      () => ({ customerId: 1, lines: [Object.create({ sku: "a", qty: 1 })] }),
      { code: "MISSING_PARAM", path: "lines[0].sku" },
    ],
  ];
  test.each(cases)("%s: refused with its path, and nothing is sent", async (_, record, expected) => {
    const create = shop.orders.insert().with("lines");
    const alone = await sqlErrorOf(create.exec(record()));
    expect(alone).toMatchObject({ ...expected, index: undefined });
    const second = await sqlErrorOf(create.execMany([good(), record()]));
    expect(second).toMatchObject({ ...expected, index: 1 });
    expect(await sqlErrorOf(create.execBatch([good(), record()]))).toMatchObject({ ...expected, index: 1 });
    expect(second.message).not.toContain("toolong");
    expect(db.statements).toEqual([]);
    expect(db.transactions).toEqual([]);
  });

  test("a one: missing, null where there must be one, and the field that it fills", async () => {
    const create = shop.orders.insert().with("customer").with("shop");
    const cases: readonly [object, object][] = [
      [{ shop: null }, { code: "MISSING_PARAM", path: "customer" }],
      [
        { shop: null, customer: null },
        { code: "PARAM_TYPE", path: "customer" },
      ],
      [
        { shop: null, customer: { name: "a" }, customerId: 1 },
        { code: "EXTRA_PARAM", path: "customerId" },
      ],
      [
        { shop: null, customer: { name: 1 } },
        { code: "PARAM_TYPE", path: "customer.name" },
      ],
      [{ customer: { name: "a" } }, { code: "MISSING_PARAM", path: "shop" }],
      [
        { customer: { name: "a" }, shop: [] },
        { code: "PARAM_TYPE", path: "shop" },
      ],
    ];
    for (const [record, expected] of cases)
      expect(await sqlErrorOf(create.exec(record))).toMatchObject(expected);
    expect(db.statements).toEqual([]);
  });

  test("cycles, and a level too many", async () => {
    let tree = shop.nodes.insert();
    for (let i = 0; i < 8; i++) tree = shop.nodes.insert().with("down", tree);
    const cycle: { name: string; down: unknown[] } = { name: "a", down: [] };
    cycle.down.push({ name: "b", down: Array(50).fill(cycle) });
    expect(await sqlErrorOf(tree.exec(cycle))).toMatchObject({
      code: "PARAM_TYPE",
      path: "down[0].down[0]",
      message: expect.stringContaining("a record cannot contain itself"),
    });
    const deep = (levels: number): object => ({
      name: "a",
      ...(levels > 0 ? { down: [deep(levels - 1)] } : {}),
    });
    expect(await sqlErrorOf(tree.exec(deep(9)))).toMatchObject({
      code: "EXTRA_PARAM",
      path: `${Array(8).fill("down[0]").join(".")}.down`,
    });
    expect(db.statements).toEqual([]);
  });

  test("the callback's mistakes have the path too, and its error", async () => {
    const create = shop.orders.insert().with("lines");
    shop.lines.onRecord((record: Record<string, unknown>) => {
      if (record["sku"] === "bad") record["qty"] = "many";
      if (record["sku"] === "key") record["orderId"] = 5;
      if (record["sku"] === "throw") throw new Error("secret");
    });
    const record = (sku: string) => ({
      customerId: 1,
      lines: [
        { sku: "a", qty: 1 },
        { sku, qty: 1 },
      ],
    });
    const ofCall = (sku: string) => sqlErrorOf(create.execMany([record("ok"), record(sku)]));
    expect(await ofCall("bad")).toMatchObject({ code: "PARAM_TYPE", path: "lines[1].qty", index: 1 });
    expect(await ofCall("key")).toMatchObject({ code: "EXTRA_PARAM", path: "lines[1].orderId", index: 1 });
    const failed = await ofCall("throw");
    expect(failed).toMatchObject({ code: "CALLBACK_FAILED", table: "lines", path: "lines[1]", index: 1 });
    expect(failed.message).toBe('a callback of the repository of "lines" failed on record 1, lines[1]');
    expect(db.statements).toEqual([]);
  });
});

describe("builders", () => {
  const codeOf = (build: () => { render(): unknown }) => sqlErrorIn(() => build().render());
  test("relations that cannot be nested", () => {
    const insert = () => shop.orders.insert();
    const cases: readonly [() => { render(): unknown }, string, string][] = [
      [() => insert().with("line"), "INVALID_RELATION", "unknown relation"],
      [() => insert().with("lines.order"), "INVALID_RELATION", "a relation of the table itself"],
      [() => insert().with(7), "INVALID_RELATION", "a relation must be a text"],
      [() => insert().with("lines").with("lines"), "INVALID_ALIAS", "twice"],
      [
        () => insert().with("lines", shop.customers.insert()),
        "INVALID_RELATION",
        'this is an insert of "customers"',
      ],
      [() => insert().with("lines", shop.lines.query()), "INVALID_RELATION", "takes an insert"],
      [() => insert().with("lines", shop.lines), "INVALID_RELATION", "takes an insert"],
      [() => insert().with("lines", {}), "INVALID_RELATION", "takes an insert"],
      [
        () =>
          insert().with(
            "lines",
            (recording("sqlite") as Recording<"sqlite">).repositories(tables).lines.insert(),
          ),
        "INVALID_RELATION",
        "same database",
      ],
      [
        () =>
          insert().with(
            "lines",
            (recording("mariadb") as Recording<"mariadb">).repositories(tables).lines.insert(),
          ),
        "INVALID_RELATION",
        "same dialect",
      ],
      [
        () => insert().onConflict("id").doNothing().with("lines"),
        "UNSUPPORTED",
        "onConflict together with nested records",
      ],
      [
        () => insert().with("lines").onConflict("id").doUpdate(),
        "UNSUPPORTED",
        "onConflict together with nested records",
      ],
      [
        () => insert().with("lines", shop.lines.insert().onConflict().doNothing()),
        "UNSUPPORTED",
        "a nested insert",
      ],
      [() => insert().returning(upper("note").as("lines")).with("lines"), "INVALID_ALIAS", "both named"],
      [() => insert().with("lines", shop.lines.insert().returning("none")), "INVALID_FIELD", "none"],
      [
        () =>
          (db as unknown as Recording<"sqlite">)
            .repository(orders)
            .insert()
            .with("lines" as never) as never,
        "INVALID_RELATION",
        "db.repositories(module)",
      ],
    ];
    for (const [build, code, text] of cases) {
      const error = codeOf(build);
      expect(error.code, text).toBe(code);
      expect(error.message).toContain(text);
    }
  });

  test("nine levels; eight are fine", () => {
    let tree = shop.nodes.insert();
    for (let i = 0; i < 8; i++) tree = shop.nodes.insert().with("down", tree);
    tree.build();
    const nine = () => shop.nodes.insert().with("down", tree);
    expect(codeOf(nine)).toMatchObject({
      code: "INVALID_SPEC",
      message: "nested inserts nest more than 8 levels",
    });
  });

  test("a spec and the rows of a query", async () => {
    const create = shop.orders.insert().with("lines");
    expect(sqlErrorIn(() => create.toSpec()).code).toBe("INVALID_SPEC");
    expect(await sqlErrorOf(create.execFrom(shop.orders.query()))).toMatchObject({ code: "UNSUPPORTED" });
    const inserted = await sqlErrorOf(
      shop.orders.insertFromSpec({ with: { lines: true } }).exec({ customerId: 1 }),
    );
    expect(inserted.code).toBe("INVALID_SPEC");
    expect(db.statements).toEqual([]);
  });

  test("parameters of inserts inside are those of the call", async () => {
    const named = shop.lines.insert().returning("id", upper(param("p", z.string())).as("up"));
    const create = shop.orders.insert().with("lines", named);
    const record = { customerId: 1, lines: [] };
    expect(await sqlErrorOf(create.exec(record))).toMatchObject({ code: "MISSING_PARAM", param: "p" });
    expect(await sqlErrorOf(create.exec(record, { p: 1 }))).toMatchObject({ code: "PARAM_TYPE", param: "p" });
    expect(await sqlErrorOf(create.exec(record, { p: "a", q: 1 }))).toMatchObject({
      code: "EXTRA_PARAM",
      param: "q",
    });
    expect(db.statements).toEqual([]);
  });
});
