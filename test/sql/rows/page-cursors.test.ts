/** Cursors: what they hold, whom they are refused to, and that nothing that was made of one is another query. */
import { type Database, ParameterError } from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cursorText } from "../../../src/sql/exec/page-cursor.js";
import { Chance } from "../../campaigns/expression-chance.js";
import { openShop, type Pages, type Shop, shopOn } from "../../kit/shop.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const SEED = 5;
const TAMPERED = rounds({ small: 400, full: 100_000 });

/** The pages that all of these are about, and a cursor of them. */
const pagesOf = ({ orders }: Shop, size = 2): Pages =>
  orders
    .query()
    .fields("id")
    .orderBy("placedAt", "asc")
    .orderBy("total", "desc")
    .orderBy("id", "asc")
    .page(size);

// The order, as its cursors are signed.
const SIGNATURE = JSON.stringify([
  "orders",
  ["placedAt", "asc", "last", "date", null],
  ["total", "desc", "first", "bigint", null],
  ["id", "asc", "last", "number", null],
]);

const encoded = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url");
const decoded = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, "base64url").toString());

describe.each(servers.filter(({ available }) => available))("cursors on $name", (server) => {
  let lent: Lent;
  let shop: Shop;
  let cursor: string;
  beforeAll(async () => {
    lent = await server.lend();
    await openShop(lent.db);
    shop = shopOn(lent.db);
    cursor = (await pagesOf(shop).exec()).next ?? "";
  });
  afterAll(() => lent.close());

  test("hold the values of the order, without loss", () => {
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decoded(cursor).slice(1)).toEqual(["2024-05-06T08:09:10.123Z", "40", 4]);
  });

  test("serve pages of another size, and those of the same order with other fields and conditions", async () => {
    expect((await pagesOf(shop, 9).exec({}, { after: cursor })).rows).toEqual([{ id: 3 }, { id: 2 }]);
    const other = shop.orders
      .query()
      .where("id", ">", "least")
      .fields("note", "total")
      .orderBy("placedAt", "asc")
      .orderBy("total", "desc")
      .orderBy("id", "asc")
      .page(9);
    expect((await other.exec({ least: 2 }, { after: cursor })).rows).toEqual([{ note: null, total: 30n }]);
  });

  test("are refused by other orders", async () => {
    const start = shop.orders.query();
    const others = [
      shop.orders.query().orderBy("placedAt", "asc").orderBy("total", "desc").orderBy("id", "desc"),
      shop.orders.query().orderBy("placedAt", "asc").orderBy("id", "asc").orderBy("total", "desc"),
      start.orderBy("total", "desc").orderBy("id", "asc"),
      start.orderBy("placedAt", "asc").orderBy("total", "desc").orderBy("id", "asc").orderBy("note", "asc"),
      shop.customers.query().orderBy("since", "asc").orderBy("id", "asc"),
      shop.lines.query().orderBy("id", "asc"),
    ];
    for (const other of others) await refused(other.page(2).exec({}, { after: cursor }));
  });
});

async function refused(call: Promise<unknown>): Promise<void> {
  const error = await sqlErrorOf(call);
  expect(error).toBeInstanceOf(ParameterError);
  expect(error).toMatchObject({ code: "PARAM_TYPE", param: "after" });
  expect(error.message.length).toBeLessThan(300);
}

const row = { id: 4, total: 40n, placedAt: new Date("2024-05-06T08:09:10.123Z") };
const three = () => [row, row, row];

describe("what is not a cursor", () => {
  const db = recording("postgres", three);
  const shop = shopOn(db as unknown as Database);
  const pages = pagesOf(shop);

  test("is refused before anything is sent", async () => {
    const cursor = (await pages.exec()).next ?? "";
    await pages.exec({}, { after: cursor });
    const before = db.statements.length;
    const deep = "[".repeat(200_000);
    const nonsense: readonly unknown[] = [
      ...["", " ", "null", "1", "[]", "W10", "e30", "\0", "💥", "../../etc/passwd", "' OR 1 = 1 --"],
      ...[
        null,
        0,
        1,
        Number.NaN,
        true,
        4n,
        [],
        {},
        [cursor],
        { toString: () => cursor },
        () => cursor,
        Symbol("x"),
      ],
      ...[deep, Buffer.from(deep).toString("base64url"), "A".repeat(5_000_000)],
      ...[`${cursor}=`, `${cursor}\n`, ` ${cursor}`, cursor.slice(1), cursor.slice(0, -1), cursor + cursor],
      ...[[], [1], ["", 1], [null], {}, "x", 1, null, decoded(cursor).slice(1)].map(encoded),
    ];
    for (const after of nonsense) await refused(pages.exec({}, { after }));
    expect(db.statements.length).toBe(before);
  });

  test(`${TAMPERED} cursors with a few other characters are refused`, async () => {
    const cursor = (await pages.exec()).next ?? "";
    const before = db.statements.length;
    const chance = new Chance(SEED);
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=";
    for (let i = 0; i < TAMPERED; i++) {
      const after = [...cursor];
      for (let times = 1 + chance.below(3); times > 0; times--)
        after.splice(chance.below(after.length), chance.below(2), chance.of([...letters]));
      const text = after.join("");
      if (text !== cursor) await refused(pages.exec({}, { after: text }));
    }
    expect(db.statements.length).toBe(before);
  });

  test("values of other kinds are refused, whoever made the text", async () => {
    const date = row.placedAt.toISOString();
    for (const values of [
      [],
      [date, "40"],
      [date, "40", 4, 4],
      [date, "40", "4"],
      [date, "40", 4.5],
      [date, "40", null],
      [date, "40", true],
      [date, "40", [4]],
      [date, "40", { id: 4 }],
      [date, 40, 4],
      [date, "4e1", 4],
      [date, "99999999999999999999", 4],
      ["2024-05-06", "40", 4],
      ["2024-13-06T08:09:10.123Z", "40", 4],
      ["+010000-01-01T00:00:00.000Z", "40", 4],
      [1714982950123, "40", 4],
      [null, "40", 4],
    ])
      await refused(pages.exec({}, { after: cursorText(SIGNATURE, values) }));
  });

  test("other values of the kinds are another place in the same query", async () => {
    const { sql } = pages.renderAfter().native;
    const values = ["0001-01-01T00:00:00.000Z", "-9223372036854775808", 0];
    expect((await pages.exec({}, { after: cursorText(SIGNATURE, values) })).rows).toHaveLength(2);
    expect(db.statements.at(-1)).toEqual({ sql, params: values });
    const texts = shop.lines.query().fields("id").orderBy("sku", "asc").orderBy("id", "asc").page(3);
    const signature = JSON.stringify([
      "lines",
      ["sku", "asc", "last", "text", null],
      ["id", "asc", "last", "number", null],
    ]);
    for (const text of ["'; DROP TABLE lines; --", "$1", ":after.0", "\\", '"', "%", "\u2028"]) {
      await texts.exec({}, { after: cursorText(signature, [text, 1]) });
      expect(db.statements.at(-1)).toEqual({ sql: texts.renderAfter().native.sql, params: [text, 1] });
    }
    await refused(texts.exec({}, { after: cursorText(signature, ["a\0b", 1]) }));
    await refused(texts.exec({}, { after: cursorText(signature, ["\ud800", 1]) }));
  });

  test("parameters are checked beside a cursor as without one", async () => {
    const asked = shop.orders.query().where("id", ">", "least").orderBy("id", "asc").page(2);
    const { next: after } = await asked.exec({ least: 0 });
    for (const [params, code] of [
      [{}, "MISSING_PARAM"],
      [{ least: "x" }, "PARAM_TYPE"],
      [{ least: 0, more: 1 }, "EXTRA_PARAM"],
      [{ least: 0, "after.0": 3 }, "EXTRA_PARAM"],
    ] as const) {
      expect((await sqlErrorOf(asked.exec(params, { after }))).code).toBe(code);
      expect((await sqlErrorOf(asked.exec(params))).code).toBe(code);
    }
  });
});
