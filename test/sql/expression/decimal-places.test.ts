/** Decimals keep their digits and their type wherever they go: through joins, tables made of queries, windows, changes. */
import {
  add,
  avg,
  c,
  caseWhen,
  coalesce,
  column,
  count,
  type Database,
  decimal,
  div,
  field,
  firstValue,
  greatest,
  inserted,
  lag,
  least,
  listAgg,
  many,
  max,
  min,
  mul,
  nullIf,
  of,
  one,
  param,
  raw,
  round,
  sub,
  sum,
  table,
  value,
} from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true });

const Bill = table(
  "bills",
  z.object({
    id: id(),
    total: decimal(12, 2),
    paid: decimal(10, 4).nullable(),
    partId: z.int().nullable(),
  }),
  { relations: { parts: many("parts", "billId"), first: one("parts", "partId") } },
);
const Part = table(
  "parts",
  z.object({
    id: id(),
    billId: z.int(),
    qty: z.int(),
    price: decimal(10, 2),
    rate: decimal(5, 4).nullable(),
  }),
  { relations: { bill: one("bills", "billId") } },
);
const tables = { bills: Bill, parts: Part };

const billRows = [
  { id: 1, total: "10.10", paid: "0.0001", partId: 1 },
  { id: 2, total: "-9999999999.99", paid: null, partId: null },
  { id: 3, total: "0.00", paid: "-123456.7890", partId: 3 },
];
const partRows = [
  { id: 1, billId: 1, qty: 3, price: "0.10", rate: "0.1900" },
  { id: 2, billId: 1, qty: -2, price: "99999999.99", rate: null },
  { id: 3, billId: 3, qty: 0, price: "-0.01", rate: "9.9999" },
  { id: 4, billId: 2, qty: 7, price: "1.00", rate: "0.0000" },
];

function worldOf(db: Database<"postgres" | "sqlite">) {
  return { db, ...db.repositories(tables) };
}

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`decimals everywhere on ${server.name}`, () => {
    let lent: Lent;
    let world: ReturnType<typeof worldOf>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Part, Bill);
      // What is asked here all dialects have.
      world = worldOf(lent.db as unknown as Database<"postgres" | "sqlite">);
      await world.bills.insert().execBatch(billRows);
      await world.parts.insert().execBatch(partRows);
    });
    afterAll(() => lent.close());

    test("in left joins, also where the joined row is not there", async () => {
      const rows: { id: number; first: { price: string; rate: string | null } | null; due: string | null }[] =
        await world.bills
          .query()
          .leftJoin("first")
          .fields("id", "first.price", "first.rate", sub("total", "first.price").as("due"))
          .where(coalesce("first.price", value("0.00")), "<", "most")
          .orderBy(mul("first.price", "total"), "asc")
          .orderBy("id", "asc")
          .exec({ most: "5" });
      expect(rows).toEqual([
        { id: 3, first: { price: "-0.01", rate: "9.9999" }, due: "0.01" },
        { id: 1, first: { price: "0.10", rate: "0.1900" }, due: "10.00" },
        { id: 2, first: null, due: null },
      ]);
      const sums: { s: string | null; a: string | null; n: number }[] = await world.bills
        .query()
        .leftJoin("first")
        .fields(sum("first.price").as("s"), avg(mul("first.price", "total")).as("a"), count().as("n"))
        .exec();
      expect(sums).toEqual([{ s: "0.09", a: "0.50500000", n: 3 }]);
    });

    test("in nested rows, one and many", async () => {
      const rows: {
        id: number;
        parts: { price: string; rate: string | null; worth: string }[];
        first: { price: string } | null;
      }[] = await world.bills
        .query()
        .fields("id")
        .with(
          "parts",
          world.parts
            .query()
            .fields("price", "rate", mul("price", "qty").as("worth"))
            .where("price", ">", "least")
            .orderBy("id", "asc"),
        )
        .with("first", world.parts.query().fields("price"))
        .orderBy("id", "asc")
        .exec({ least: "-0.1" });
      expect(rows).toEqual([
        {
          id: 1,
          parts: [
            { price: "0.10", rate: "0.1900", worth: "0.30" },
            { price: "99999999.99", rate: null, worth: "-199999999.98" },
          ],
          first: { price: "0.10" },
        },
        { id: 2, parts: [{ price: "1.00", rate: "0.0000", worth: "7.00" }], first: null },
        { id: 3, parts: [{ price: "-0.01", rate: "9.9999", worth: "0.00" }], first: { price: "-0.01" } },
      ]);
    });

    test("in coalesce, nullIf, greatest, least and caseWhen, and in sums of them", async () => {
      const worth = caseWhen(decimal(10, 4))
        .when(c("qty", ">", "none"), "price")
        .else("rate");
      const rows: {
        id: number;
        c: string;
        n: string | null;
        g: string;
        l: string;
        w: string | null;
        all: string | null;
      }[] = await world.parts
        .query()
        .fields(
          "id",
          coalesce("rate", field("price")).as("c"),
          nullIf("price", value("1")).as("n"),
          greatest("price", "rate", value("0.5")).as("g"),
          least("rate", "price").as("l"),
          worth.as("w"),
          add(coalesce(nullIf("price", param("gone")), field("rate")), greatest("price", value("0"))).as(
            "all",
          ),
        )
        .orderBy("id", "asc")
        .exec({ none: 0, gone: "99999999.99", price: "2", rate: "0.5" });
      expect(rows).toEqual([
        { id: 1, c: "0.1900", n: "0.10", g: "0.5000", l: "0.1000", w: "2.0000", all: "0.2000" },
        {
          id: 2,
          c: "99999999.9900",
          n: "99999999.99",
          g: "99999999.9900",
          l: "99999999.9900",
          w: "0.5000",
          all: null,
        },
        { id: 3, c: "9.9999", n: "-0.01", g: "9.9999", l: "-0.0100", w: "0.5000", all: "-0.0100" },
        { id: 4, c: "0.0000", n: null, g: "1.0000", l: "0.0000", w: "2.0000", all: "2.0000" },
      ]);
      const sums: { a: string | null; b: string | null; d: string | null }[] = await world.parts
        .query()
        .fields(
          sum(coalesce("rate", field("price"))).as("a"),
          avg(greatest("price", "rate")).as("b"),
          max(nullIf("price", value("99999999.99"))).as("d"),
        )
        .exec();
      expect(sums).toEqual([{ a: "100000010.1799", b: "25000002.79497500", d: "1.00" }]);
    });

    test("in windows, and in aggregates with filters", async () => {
      const window = { orderBy: [["id", "asc"]] } as const;
      const rows: { id: number; running: string | null; before: string | null; first: string | null }[] =
        await world.parts
          .query()
          .fields(
            "id",
            sum("price")
              .over({ ...window, frame: { rows: ["unbounded preceding", "current row"] } })
              .as("running"),
            lag("rate").over(window).as("before"),
            firstValue(mul("price", "qty")).over(window).as("first"),
          )
          .orderBy("id", "asc")
          .exec();
      expect(rows).toEqual([
        { id: 1, running: "0.10", before: null, first: "0.30" },
        { id: 2, running: "100000000.09", before: "0.1900", first: "0.30" },
        { id: 3, running: "100000000.08", before: null, first: "0.30" },
        { id: 4, running: "100000001.08", before: "9.9999", first: "0.30" },
      ]);
      const filtered: { s: string | null; m: string | null; l: string[]; q: string | null }[] =
        await world.parts
          .query()
          .fields(
            sum("price")
              .filter(c("price", "<", "most"))
              .as("s"),
            min("rate")
              .filter(c("rate", ">", "least"))
              .as("m"),
            listAgg("price", { orderBy: [["price", "desc"]] })
              .filter(c("price", "<", "most"))
              .as("l"),
            div(sum("price").filter(c("price", "<", "most")), count()).as("q"),
          )
          .having(sum("price").filter(c("price", "<", "most")), ">", "lowest")
          .exec({ most: "50", least: "0.0001", lowest: "0.01" });
      expect(filtered).toEqual([{ s: "1.09", m: "0.1900", l: ["1.00", "0.10", "-0.01"], q: "0.272500" }]);
    });

    test("in set operations", async () => {
      const of = world.parts
        .query()
        .fields("price")
        .where("price", "<", "most")
        .union(
          world.db
            .from(world.bills.query().fields(field("total").as("price")).as("totals"))
            .where("price", "=", "same"),
        )
        .orderBy("price", "desc");
      const rows: { price: string }[] = await of.exec({ most: "50", same: "10.1" });
      expect(rows).toEqual([{ price: "10.10" }, { price: "1.00" }, { price: "0.10" }, { price: "-0.01" }]);
      const calculated: { worth: string | null }[] = await world.parts
        .query()
        .fields(mul("price", "qty").as("worth"))
        .where("id", "<", "id")
        .unionAll(world.bills.query().fields(coalesce("total", value("0.00")).as("worth")))
        .orderBy("worth", "asc")
        .exec({ id: 2 });
      expect(calculated).toEqual([
        { worth: "-9999999999.99" },
        { worth: "0.00" },
        { worth: "0.30" },
        { worth: "10.10" },
      ]);
    });

    test("in queries as tables, by from, joinQuery and with", async () => {
      const worth = world.parts
        .query()
        .fields(
          "billId",
          sum(mul("price", "rate")).as("tax"),
          avg("price").as("mean"),
          max("rate").as("most"),
        )
        .groupBy("billId");
      const rows: { billId: number; tax: string | null; more: string | null; mean: string | null }[] =
        await world.db
          .from(worth.as("worth"))
          .fields("billId", "tax", add("tax", "mean").as("more"), "mean")
          .where("tax", ">=", "low")
          .where(mul("mean", value("2")), "!=", "not")
          .orderBy("tax", "desc")
          .exec({ low: "-1", not: "0.00001" });
      expect(rows).toEqual([
        { billId: 1, tax: "0.019000", more: "50000000.064000", mean: "50000000.045000" },
        { billId: 2, tax: "0.000000", more: "1.000000", mean: "1.000000" },
        { billId: 3, tax: "-0.099999", more: "-0.109999", mean: "-0.010000" },
      ]);
      const once = world.db.with("once", worth);
      const joined: { id: number; due: string | null; once: { most: string | null } | null }[] =
        await world.bills
          .query()
          .leftJoinQuery(once, "id", "billId")
          .fields("id", sub("total", "once.tax").as("due"), "once.most")
          .where("once.most", "<", "top")
          .orderBy("once.most", "asc")
          .exec({ top: "9.9999" });
      expect(joined).toEqual([
        { id: 2, due: "-9999999999.990000", once: { most: "0.0000" } },
        { id: 1, due: "10.081000", once: { most: "0.1900" } },
      ]);
      const sums: { s: string | null }[] = await world.db.from(once).fields(sum("tax").as("s")).exec();
      expect(sums).toEqual([{ s: "-0.080999" }]);
    });

    test("in what changes give back, and in what they set", async () => {
      const part = { id: 9, billId: 3, qty: 2, price: "2.5", rate: "0.1" };
      const made: { price: string; tax: string | null; worth: string } | null = await world.parts
        .insert()
        .onConflict("id")
        .doUpdate()
        .set("price", add("price", inserted("price")))
        .returning("price", mul("price", "rate").as("tax"), mul("price", "qty").as("worth"))
        .exec(part);
      expect(made).toEqual({ price: "2.50", tax: "0.250000", worth: "5.00" });
      expect(
        await world.parts
          .insert()
          .onConflict("id")
          .doUpdate()
          .set("price", add("price", inserted("price")))
          .returning("price")
          .exec(part),
      ).toEqual({ price: "5.00" });
      const raised: { price: string; twice: string } = await world.parts
        .modify()
        .set("price", round(mul("price", param("by", decimal(5, 3))), 2))
        .set("rate", coalesce(nullIf("rate", value("0.1")), value("0.2")))
        .where("id", "=", "id")
        .returning("price", mul("price", value(2)).as("twice"))
        .exec({ by: "1.015", id: 9 });
      expect(raised).toEqual({ price: "5.08", twice: "10.16" });
      const gone: { price: string; rate: string | null }[] = await world.parts
        .remove()
        .where("id", "=", "id")
        .returning("price", "rate")
        .execMany({ id: 9 });
      expect(gone).toEqual([{ price: "5.08", rate: "0.2000" }]);
    });

    test("in dynamic builders, in fragments of the program, and among related rows", async () => {
      const loose: { price: string; tax: string | null }[] = await world.parts
        .query()
        .fields("price", mul("price", "rate").as("tax"))
        .dynamic()
        .where(mul("price", "rate"), ">", "low")
        .orderBy("id", "asc")
        .exec({ low: "0.001" });
      expect(loose).toEqual([{ price: "0.10", tax: "0.019000" }]);
      const rough: { r: string; s: string; t: string | null }[] = await world.parts
        .query()
        .fields(
          raw(decimal(10, 2))`${field("price")}`.as("r"),
          add(raw(decimal(10, 2))`${field("price")}`, "price").as("s"),
          raw(decimal(12, 4).nullable())`coalesce(NULL, ${mul("price", param("by", decimal(5, 2)))})`.as("t"),
        )
        .where(raw(decimal(10, 2))`${field("price")}`, "=", "same")
        .exec({ by: "0.5", same: "0.1" });
      expect(rough).toEqual([{ r: "0.10", s: "0.20", t: "0.0500" }]);
      const related: { id: number; all: string | null; top: string | null }[] = await world.bills
        .query()
        .fields("id", of("parts", sum("price")).as("all"), of("parts", max(mul("price", "rate"))).as("top"))
        .where(of("parts", sum("price")), "<", "most")
        .orderBy("id", "asc")
        .exec({ most: "50.5" });
      expect(related).toEqual([
        { id: 2, all: "1.00", top: "0.000000" },
        { id: 3, all: "-0.01", top: "-0.099999" },
      ]);
      const found: { id: number }[] = await world.bills
        .query()
        .fields("id")
        .whereQuery("total", ">", world.parts.avg("price").where("price", "<", "price"))
        .orderBy("id", "asc")
        .exec({ price: "50" });
      expect(found).toEqual([{ id: 1 }]);
    });
  });
