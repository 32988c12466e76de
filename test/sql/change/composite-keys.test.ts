/** Keys of several fields: updates that set some of them give the rows back, and joins over them repeat no sum unseen. */
import { and, avg, c, column, compare, count, type Database, max, sum, table } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const seats = table(
  "key_seats",
  z.object({ hall: z.int(), name: z.string(), price: z.int(), note: z.string() }),
  { primaryKey: ["hall", "name"] },
);
const halls = table("key_halls", z.object({ id: column(z.int(), { primaryKey: true }), size: z.int() }));
const tables = { seats, halls };
const typed = (db: Database) => (db as unknown as Database<"sqlite">).repositories(tables);

type Seat = z.infer<typeof seats.schema>;
const rows: readonly Seat[] = [
  { hall: 1, name: "a", price: 10, note: "x" },
  { hall: 1, name: "b", price: 20, note: "y" },
  { hall: 2, name: "a", price: 30, note: "x" },
];
const sets: readonly Partial<Seat>[] = [
  { hall: 7 },
  { name: "z" },
  { hall: 7, name: "z" },
  { name: "z", hall: 7 },
  { hall: 1, note: "new" },
  { hall: 7, name: "a", price: 5, note: "new" },
];
const conditions: readonly (readonly [string, Partial<Seat>])[] = [
  ["the whole key", { hall: 1, name: "a" }],
  ["the key in the other order", { name: "a", hall: 1 }],
  ["the first field and another", { hall: 1, price: 10 }],
  ["the second field and another", { name: "a", price: 10 }],
  ["no field of the key", { price: 10 }],
];

// biome-ignore lint/suspicious/noExplicitAny: fields are given by name.
type Any = any;

for (const server of servers)
  describe.skipIf(!server.available)(`keys of several fields on ${server.name}`, () => {
    let lent: Lent;
    let of: ReturnType<typeof typed>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(...Object.values(tables));
      of = typed(lent.db);
    });
    beforeEach(async () => {
      await of.seats.remove().where("price", ">", "least").exec({ least: 0 });
      await of.seats.insert().execBatch(rows);
    });
    afterAll(() => lent.close());

    const stored = () => of.seats.query().orderBy("price", "asc").exec();
    const changed = (change: Partial<Seat>) =>
      rows.map((row, i) => (i === 0 ? { ...row, ...change } : row)).sort((a, b) => a.price - b.price);

    test.each(conditions)(
      "an update found by %s sets fields of the key, and gives the row",
      async (_, by) => {
        for (const change of sets)
          for (const way of ["exec", "execMany", "execPatch", "execBatch"] as const) {
            await of.seats.remove().where("price", ">", "least").exec({ least: 0 });
            await of.seats.insert().execBatch(rows);
            let update = of.seats.modify() as Any;
            const params: Record<string, unknown> = {};
            for (const [name, value] of Object.entries(by)) {
              update = update.where(name, "=", `by_${name}`);
              params[`by_${name}`] = value;
            }
            if (way !== "execPatch")
              for (const [name, value] of Object.entries(change)) {
                update = update.set(name, `to_${name}`);
                params[`to_${name}`] = value;
              }
            const title = `${way} ${JSON.stringify(change)}`;
            const row = { ...rows[0], ...change };
            if (way === "exec") expect(await update.exec(params), title).toEqual(row);
            if (way === "execMany") expect(await update.execMany(params), title).toEqual([row]);
            if (way === "execPatch") expect(await update.execPatch(change, params), title).toEqual(row);
            if (way === "execBatch") expect(await update.execBatch([params]), title).toBe(1);
            expect(await stored(), title).toEqual(changed(change));
          }
      },
    );

    test("an update of several rows sets one field of the key, and gives each of them", async () => {
      const hall = of.seats.modify().set("hall", "hall").where("hall", "=", "of");
      const moved = [
        { ...rows[0], hall: 9 },
        { ...rows[1], hall: 9 },
      ];
      const byPrice = (a: Any, b: Any) => a.price - b.price;
      expect([...(await hall.execMany({ hall: 9, of: 1 }))].sort(byPrice)).toEqual(moved);
      const name = of.seats.modify().set("name", "name").where("name", "=", "of");
      const named = [
        { ...moved[0], name: "q" },
        { ...rows[2], name: "q" },
      ];
      expect([...(await name.execMany({ name: "q", of: "a" }))].sort(byPrice)).toEqual(named);
      expect(await stored()).toEqual([named[0], moved[1], named[1]]);
    });

    test("FAN_OUT: a part of a key may be that of many rows, and a key of one field is not", async () => {
      await of.halls.remove().where("id", ">", "least").exec({ least: 0 });
      await of.halls.insert().execBatch([
        { id: 1, size: 100 },
        { id: 2, size: 200 },
      ]);
      const byPart = [
        () => (of.halls.query() as Any).joinOn("seat", seats, "id", "hall"),
        () => (of.halls.query() as Any).leftJoinOn("seat", seats, "id", "hall"),
        () => (of.seats.query() as Any).joinOn("seat", seats, "name", "name"),
        () => (of.halls.query() as Any).joinOn("seat", seats, (compare as Any)("id", "=", "seat.hall")),
      ];
      for (const [i, joined] of byPart.entries()) {
        const own = i === 2 ? "price" : "size";
        for (const func of [sum, avg] as readonly Any[])
          expect(
            sqlErrorIn(() => joined().fields(func(own).as("x")).render()),
            `${i}`,
          ).toMatchObject({ code: "FAN_OUT" });
        // What is of the rows that are joined is theirs once each.
        expect(() =>
          joined()
            .fields(sum("seat.price" as Any).as("x"))
            .render(),
        ).not.toThrow();
        expect(() =>
          joined()
            .fields(max(own as Any).as("x"))
            .render(),
        ).not.toThrow();
      }
      // A condition that fixes the whole key leads to one row at most.
      const fixed = and(compare("hall" as Any, "=", "seat.hall" as Any), c("seat.name" as Any, "=", "name"));
      const one = (of.seats.query() as Any).joinOn("seat", seats, fixed).fields(sum("price").as("own"));
      expect(await one.exec({ name: "a" })).toEqual([{ own: 60 }]);
      const whole = (of.seats.query() as Any).joinOn("of", halls, "hall", "id");
      const totals = whole.fields(
        sum("price").as("own"),
        count().as("rows"),
        max("of.size" as Any).as("most"),
      );
      expect(await totals.exec()).toEqual([{ own: 60, rows: 3, most: 200 }]);
    });
  });
