/** Full joins: their texts, their rows where a server has them, and what is refused of right and full joins. */
import { and, c, compare, count, countDistinct, isNull, not, or, sum } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COURT_MS, courts, type Judge } from "../../kit/judges.js";
import {
  type Market,
  market,
  marketOn,
  openMarket,
  prices,
  products,
  sales as salesTable,
} from "../../kit/sales.js";
import type { Untyped } from "../../kit/shop.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "../../oracle/judge.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

interface Full {
  readonly name: string;
  readonly run: (of: Market) => Untyped;
  readonly params?: object;
  readonly rows: readonly object[];
  /** What its text contains on PostgreSQL. */
  readonly text: string;
}

const cases: readonly Full[] = [
  {
    name: "by a relation",
    run: ({ sales }) =>
      sales
        .query()
        .fullJoin("product")
        .fields("id", "product.name")
        .orderBy("id", "asc")
        .orderBy("product.id", "asc"),
    rows: [
      { id: 1, product: { name: "pen" } },
      { id: 2, product: { name: "pen" } },
      { id: 3, product: { name: "ink" } },
      { id: 4, product: null },
      { id: 5, product: { name: "pad" } },
      { id: 6, product: null },
      { id: null, product: { name: "cap" } },
    ],
    text: 'FROM "sales" FULL JOIN "products" "product" ON "sales"."product_id" = "product"."id"',
  },
  {
    name: "of a many: a row of theirs whose field is null is a part, and none is null",
    run: ({ products: of }) =>
      of
        .query()
        .fullJoin("sales")
        .fields("name", "sales.productId", "sales.qty")
        .orderBy("sales.id", "asc")
        .orderBy("id", "asc"),
    rows: [
      { name: "pen", sales: { productId: 1, qty: 2 } },
      { name: "pen", sales: { productId: 1, qty: 5 } },
      { name: "ink", sales: { productId: 2, qty: 1 } },
      { name: null, sales: { productId: null, qty: 9 } },
      { name: "pad", sales: { productId: 3, qty: 4 } },
      { name: null, sales: { productId: 99, qty: 3 } },
      { name: "cap", sales: null },
    ],
    text: 'CASE WHEN "sales"."id" IS NULL THEN 0 ELSE 1 END',
  },
  {
    name: "by fields, between left joins",
    run: ({ prices: of }) =>
      of
        .query()
        .leftJoinOn("made", products, "productId", "id")
        .fullJoinOn("sale", salesTable, "productId", "productId")
        .leftJoin("sale.product", "product")
        .fields("id", "made.name", "sale.id")
        .orderBy("sale.id", "asc")
        .orderBy("id", "asc"),
    rows: [
      { id: 1, made: { name: "pen" }, sale: { id: 1 } },
      { id: 2, made: { name: "pen" }, sale: { id: 1 } },
      { id: 1, made: { name: "pen" }, sale: { id: 2 } },
      { id: 2, made: { name: "pen" }, sale: { id: 2 } },
      { id: 3, made: { name: "ink" }, sale: { id: 3 } },
      { id: null, made: null, sale: { id: 4 } },
      { id: null, made: null, sale: { id: 5 } },
      { id: null, made: null, sale: { id: 6 } },
      { id: 4, made: { name: "cap" }, sale: null },
    ],
    text: "",
  },
  {
    name: "by a condition with a range and a parameter",
    run: ({ sales }) =>
      sales
        .query()
        .fullJoinOn(
          "price",
          prices,
          and(
            compare("productId", "=", "price.productId"),
            compare("at", ">=", "price.from"),
            or(isNull("price.to"), compare("at", "<", "price.to")),
            c("qty", ">", "least"),
          ),
        )
        .fields("id", "price.id")
        .where("id", "!=", "not")
        .orderBy("id", "asc")
        .orderBy("price.id", "asc"),
    params: { least: 2, not: 6 },
    rows: [1, 2, 3, 4, 5].map((id) => ({ id, price: id === 2 ? { id: 2 } : null })),
    text: "",
  },
  {
    name: "of a query whose only columns may be null",
    run: ({ sales, products: made }) =>
      sales
        .query()
        .fullJoinQuery(
          made.query().leftJoin("sales").fields(sum("sales.qty").as("sold")).groupBy("name").as("per"),
          "qty",
          "sold",
        )
        .fields("id", "per.sold")
        .orderBy("id", "asc")
        .orderBy("per.sold", "asc"),
    rows: [
      { id: 1, per: null },
      { id: 2, per: null },
      { id: 3, per: { sold: 1 } },
      { id: 4, per: null },
      { id: 5, per: { sold: 4 } },
      { id: 6, per: null },
      { id: null, per: { sold: 7 } },
      { id: null, per: { sold: null } },
    ],
    text: '"found"',
  },
  {
    name: "scopes on both sides hold before the join",
    run: ({ sales, products: made }) =>
      sales
        .scope({ tenantId: 2 })
        .query()
        .fullJoinOn("made", made.scope({ tenantId: 1 }), "productId", "id")
        .fields("id", "made.id")
        .orderBy("id", "asc")
        .orderBy("made.id", "asc"),
    rows: [
      { id: 5, made: null },
      { id: 6, made: null },
      { id: null, made: { id: 1 } },
      { id: null, made: { id: 2 } },
      { id: null, made: { id: 4 } },
    ],
    text: 'FROM (SELECT "id", "product_id", "tenantId", "qty", "sold_at" FROM "sales" WHERE "tenantId" = $1) "sales" FULL JOIN (SELECT "id", "name", "tenantId" FROM "products" WHERE "tenantId" = $2) "made"',
  },
  {
    name: "two of them, and a right join behind",
    run: ({ sales }) =>
      sales
        .query()
        .fullJoin("product")
        .fullJoinOn("price", prices, "product.id", "productId")
        .rightJoinOn("every", products, "price.productId", "id")
        .fields("id", "product.id", "price.id", "every.id")
        .whereOr(isNull("id"), isNull("price.id"), c("id", ">", "id"))
        .orderBy("every.id", "asc"),
    params: { id: 2 },
    rows: [
      { id: 3, product: { id: 2 }, price: { id: 3 }, every: { id: 2 } },
      { id: null, product: null, price: null, every: { id: 3 } },
      { id: null, product: { id: 4 }, price: { id: 4 }, every: { id: 4 } },
    ],
    text: "",
  },
  {
    name: "counted",
    run: ({ sales }) =>
      sales.query().fullJoin("product").fields(count().as("n"), countDistinct("product.id").as("products")),
    rows: [{ n: 7, products: 4 }],
    text: "COUNT(*)",
  },
];

const onPostgres = marketOn(postgres());
// The stand-in for Oracle has no full joins, so its grammar judges alone.
const asked: readonly string[] = ["sqlite", "postgres"];

test.each(cases)("the text of a full join $name", ({ run, text }) => {
  const { sql } = run(onPostgres).render().native;
  expect(sql).toContain("FULL JOIN");
  expect(sql).toContain(text);
  // Oracle and SQLite write the same but for their placeholders.
  const plain = (of: Untyped) => of.render().native.sql.replace(/\?|:p\d+|\$\d+/g, "?");
  const bare = (of: Untyped) =>
    plain(of)
      .replace(/^SELECT .*? FROM | ORDER BY .*$/g, "")
      .replace(/substr\((.*?) \|\| '.000', 1, 23\)/g, "$1");
  expect(bare(run(marketOn(sqlite())))).toContain("FULL JOIN");
  expect(bare(run(marketOn(oracle())))).toBe(bare(run(onPostgres)));
});

for (const { dialect, available, open } of courts.filter((court) => asked.includes(court.dialect)))
  describe.skipIf(!available)(`full joins before the judge of ${dialect}`, () => {
    let judge: Judge;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ judge, close } = await open(...Object.values(market)));
    }, COURT_MS);
    afterAll(() => close());

    test.each(cases)("$name", async ({ run }) => {
      const of = marketOn(dialect === "sqlite" ? sqlite() : postgres());
      expect(await judge(run(of).render().native.sql)).toBeUndefined();
    });
  });

describe("full joins before the grammar of Oracle", () => {
  beforeAll(warmUpOracle, ORACLE_WARM_UP_MS);

  test.each(cases)("$name", async ({ run }) => {
    const { sql } = run(marketOn(oracle())).render().native;
    await judgeOracle(sql, [...new Set(sql.match(/:p\d+/g) ?? [])]);
  });
});

// MariaDB has none, and neither has the stand-in for Oracle.
const without = ["mariadb", "h2"];

for (const server of serversAndLocales.filter(({ name }) => !without.some((one) => name.startsWith(one))))
  describe.skipIf(!server.available)(`the rows of full joins on ${titleOf(server)}`, () => {
    let lent: Lent;
    let of: Market;
    beforeAll(async () => {
      lent = await server.lend();
      await openMarket(lent.db);
      of = marketOn(lent.db);
    });
    afterAll(() => lent.close());

    test.each(cases)("$name", async ({ run, params, rows }) => {
      expect(await run(of).exec(params)).toEqual(rows);
    });

    test("in a stream, as one row, as a count and as a question", async () => {
      const joined = () => of.sales.query().fullJoin("product");
      const streamed: unknown[] = [];
      for await (const row of joined()
        .fields("id", "product.id")
        .where("product.id", "=", "id")
        .stream({ id: 4 }))
        streamed.push(row);
      expect(streamed).toEqual([{ id: null, product: { id: 4 } }]);
      expect(
        await of.sales.select().fullJoin("product").fields("id", "product.id").whereNull("id").exec(),
      ).toEqual(streamed[0]);
      expect(await of.sales.count().fullJoin("product").exec()).toBe(7);
      expect(await of.sales.sum("qty").fullJoinOn("made", products, "productId", "id").exec()).toBe(24);
      expect(await (joined() as unknown as { count(): Untyped }).count().exec()).toBe(7);
      expect(await (joined().whereNull("id") as unknown as { exists(): Untyped }).exists().exec()).toBe(true);
    });
  });

const { sales } = marketOn(sqlite());

function faultOf(builder: Untyped): string {
  const { code, message } = sqlErrorIn(() => builder.render());
  return `${code}: ${message}`;
}

describe("a right or full join is refused", () => {
  const query = () => sales.query();
  const ranged = compare("at", ">=", "price.from");

  test.each<[string, () => Untyped, string]>([
    [
      "after fields",
      () => query().fields("id").rightJoin("product"),
      "INVALID_RELATION: rightJoin comes before fields and with",
    ],
    [
      "of a table, after fields",
      () => query().fields("id").fullJoinOn("price", prices, "productId", "productId"),
      "INVALID_RELATION: fullJoinOn comes before fields and with",
    ],
    [
      "of a query, after nested rows",
      () => query().with("product").rightJoinQuery(marketOn(sqlite()).prices.query().as("p"), "id", "id"),
      "INVALID_RELATION: rightJoinQuery takes a query of the same database",
    ],
    [
      "after nested rows",
      () => query().with("product").fullJoin("product", "made"),
      "INVALID_RELATION: fullJoin comes before fields and with",
    ],
    [
      "with a page",
      () =>
        query()
          .rightJoin("product")
          .orderBy("id", "asc")
          .orderBy("product.id", "asc")
          .page(5) as unknown as Untyped,
      "UNSTABLE_ORDER: rows of a right or full join have no key",
    ],
    [
      "with a lock",
      () => query().rightJoin("product").forUpdate(),
      "UNSUPPORTED: sqlite does not support row locks",
    ],
    [
      "with a lock where there are locks",
      () => onPostgres.sales.query().rightJoin("product").forUpdate(),
      "UNSUPPORTED: postgres does not support row locks of right and full joins",
    ],
    [
      "full, on MariaDB",
      () => marketOn(mariadb()).sales.query().fullJoin("product"),
      "UNSUPPORTED: mariadb does not support full joins: read ours by a left join (leftJoin), and theirs without ours by an anti-join (whereNotExists)",
    ],
    [
      "full, by a range alone, on PostgreSQL",
      () => onPostgres.sales.query().fullJoinOn("price", prices, ranged),
      "UNSUPPORTED: postgres does not support full joins without an equality",
    ],
    [
      "full, by an equality that need not hold, on PostgreSQL",
      () => onPostgres.sales.query().fullJoinOn("price", prices, or(ranged, compare("id", "=", "price.id"))),
      "UNSUPPORTED: postgres does not support full joins without an equality",
    ],
    [
      "full, by an equality that is negated, on PostgreSQL",
      () => onPostgres.sales.query().fullJoinOn("price", prices, not(compare("id", "=", "price.id"))),
      "UNSUPPORTED: postgres does not support full joins without an equality",
    ],
    [
      "full, by an equality with a parameter, on PostgreSQL",
      () => onPostgres.sales.query().fullJoinOn("price", prices, and(ranged, c("price.id", "=", "id"))),
      "UNSUPPORTED: postgres does not support full joins without an equality",
    ],
    [
      "of an unknown relation",
      () => query().rightJoin("produkt"),
      'INVALID_RELATION: unknown relation "produkt"',
    ],
    ["without a path", () => query().fullJoin(undefined), "INVALID_RELATION: a relation must be a text, not"],
    [
      "under the name of a field",
      () => query().rightJoin("product", "qty"),
      "INVALID_ALIAS: a joined table cannot",
    ],
    [
      "whose condition names no field of theirs",
      () => query().rightJoinOn("price", prices, c("qty", ">", "least")),
      'INVALID_CONDITION: the condition names no field of "price"',
    ],
  ])("%s", (_, builder, message) => {
    expect(faultOf(builder())).toContain(message);
  });

  test("is nothing that a spec can hold, nor that a spec can ask for", () => {
    for (const builder of [query().rightJoin("product"), query().fullJoinOn("price", prices, "id", "id")])
      expect(sqlErrorIn(() => builder.toSpec()).code).toBe("INVALID_SPEC");
    for (const kind of ["right", "full", "cross"])
      expect(
        sqlErrorIn(() => sales.queryFromSpec({ joins: [{ relation: "product", kind }] }).render()).message,
      ).toContain(`kind of a join must be inner or left, not "${kind}"`);
  });
});
