/** Values that fields are set to, in updates and upserts: of every kind, one text for all, and refused by name. */
import { column, decimal, json, lower, table, value } from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Thing = table(
  "set_things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string().min(2),
    n: z.int(),
    score: z.number().nullable(),
    big: z.bigint(),
    price: decimal(9, 2),
    at: z.date().nullable(),
    on: z.boolean(),
    state: z.enum(["open", "paid"]),
    bytes: z.instanceof(Uint8Array).nullable(),
    doc: json(z.object({ a: z.string(), b: z.object({ n: z.int() }) })).nullable(),
    tags: z.array(z.string()),
  }),
);
const record = {
  id: 1,
  name: "one",
  n: 1,
  score: 0.5,
  big: 1n,
  price: "1.00",
  at: new Date("2026-01-01T00:00:00.000Z"),
  on: false,
  state: "open",
  bytes: new Uint8Array([1]),
  doc: { a: "x", b: { n: 1 } },
  tags: ["a"],
} as const;
const thing = { ...record, tags: [...record.tags] };

/** What each field can be set to. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  name: ['it\'s "quoted" \\ $1 ? :x', "\u{1F600} b"],
  n: [7, -7],
  score: [1.25, null],
  big: [9007199254740993n],
  price: ["1234567.89"],
  at: [new Date("2026-02-03T04:05:06.789Z"), null],
  on: [true],
  state: ["paid"],
  bytes: [new Uint8Array([0, 255, 39]), new Uint8Array(), null],
  doc: [{ a: "y", b: { n: 2 } }, null],
  tags: [[], ["b,c", 'quote "', ""]],
};
const cases = Object.entries(values).flatMap(([field, list]) => list.map((one) => [field, one] as const));

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`values that are set on ${server.name}`, () => {
    let lent: Lent | undefined;
    const things = () => {
      if (lent === undefined) throw new Error("no database was lent");
      return lent.db.repository(Thing);
    };
    const stored = () => things().select().where("id", "=", value(1)).exec();
    beforeEach(async () => {
      lent ??= await server.lend();
      await lent.db.dropTables(Thing);
      await lent.db.createTables(Thing);
      await things().insert().exec(thing);
    });
    afterAll(() => lent?.close());

    test.each(cases)("%s is set to %o by an update and by an upsert", async (field, given) => {
      const update = things()
        .modify()
        .set(field as "name", value(given as string))
        .where("id", "=", value(1));
      expect(await update.exec()).toEqual({ ...record, [field]: given });
      const back = things()
        .modify()
        .set(field as "name", field as "name")
        .where("id", "=", value(1));
      await back.exec({ [field]: record[field as keyof typeof record] } as never);
      const upsert = things()
        .insert()
        .onConflict("id")
        .doUpdate()
        .set(field as "name", value(given as string));
      expect(await upsert.exec(thing)).toEqual({ ...record, [field]: given });
      expect(await stored()).toEqual({ ...record, [field]: given });
    });

    test("arithmetic, a member of JSON, and an upsert with a condition", async () => {
      const { n, doc } = await things()
        .modify()
        .setExpr("n", "+", value(41))
        .setPath("doc", ["b", "n"], value(9))
        .where("id", "=", value(1))
        .exec();
      expect({ n, doc }).toEqual({ n: 42, doc: { a: "x", b: { n: 9 } } });
      const upsert = things().insert().onConflict("id").doUpdate();
      const inner = upsert.setPath("doc", ["a"], value("z")).set("n", value(5));
      expect(await inner.where("n", ">", value(100)).exec(thing)).toBeNull();
      expect(await inner.where("n", "=", value(42)).exec(thing)).toMatchObject({
        n: 5,
        doc: { a: "z", b: { n: 9 } },
      });
      expect(await inner.where("n", "=", value(5)).execBatch([thing, { ...thing, id: 2 }])).toBe(2);
    });

    test("many changes at once, and all rows back", async () => {
      await things()
        .insert()
        .exec({ ...thing, id: 2 });
      const paid = things().modify().set("state", value("paid")).set("name", "name").where("id", "=", "id");
      expect(
        await paid.execBatch([
          { id: 1, name: "aa" },
          { id: 2, name: "bb" },
          { id: 3, name: "cc" },
        ]),
      ).toBe(2);
      const more = things()
        .modify()
        .setExpr("n", "+", value(1))
        .set("bytes", value(null))
        .where("id", "=", "id");
      const rows = await more.execEach([{ id: 2 }, { id: 1 }, { id: 2 }, { id: 9 }]);
      expect(rows.map((row) => row && [row.id, row.n, row.name, row.state, row.bytes])).toEqual([
        [2, expect.any(Number), "bb", "paid", null],
        [1, 2, "aa", "paid", null],
        [2, 3, "bb", "paid", null],
        null,
      ]);
      const all = things().modify().set("on", value(true)).where("n", ">", value(0));
      expect(await all.execMany()).toHaveLength(2);
      expect(
        await things()
          .modify()
          .set("name", lower("name"))
          .set("n", value(0))
          .where("id", "=", value(1))
          .exec(),
      ).toMatchObject({ n: 0 });
    });

    test("a value that the field does not take is PARAM_TYPE, names the field and not the value", async () => {
      const wrong: readonly (readonly [string, unknown])[] = [
        ["name", 5],
        ["name", "s"],
        ["name", null],
        ["n", 1.5],
        ["n", "secret"],
        ["n", null],
        ["score", Number.NaN],
        ["price", "1.234"],
        ["at", "secret"],
        ["state", "secret"],
        ["doc", { a: 1 }],
        ["tags", "secret"],
        ["tags", [1]],
      ];
      for (const [field, given] of wrong)
        for (const change of [
          () =>
            things()
              .modify()
              .set(field as "name", value(given as string))
              .where("id", "=", value(1))
              .exec(),
          () =>
            things()
              .insert()
              .onConflict("id")
              .doUpdate()
              .set(field as "name", value(given as string))
              .exec(thing),
        ]) {
          const error = await sqlErrorOf((async () => change())());
          expect(error, `${field} ${String(given)}`).toMatchObject({ code: "PARAM_TYPE" });
          expect(error.message).toContain(`"${field}"`);
          expect(error.message).not.toContain("secret");
        }
      const path = () =>
        things()
          .modify()
          .setPath("doc", ["b", "n"], value("secret" as never))
          .where("id", "=", value(1));
      expect(await sqlErrorOf((async () => path().exec())())).toMatchObject({ code: "PARAM_TYPE" });
      expect(await stored()).toEqual(record);
    });
  });

describe("one text for all values", () => {
  test("however often an update is made with others", async () => {
    const db = recording("postgres", () => [thing as never]);
    const things = db.repository(Thing);
    const texts = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const update = things
        .modify()
        .set("name", value(`name ${i}`))
        .set("at", value(i % 2 === 0 ? null : new Date(i)))
        .setExpr("n", "+", value(i))
        .where("id", "=", value(i));
      texts.add(update.render().native.sql);
      expect(update.render().params).toEqual([]);
      await update.execMany();
    }
    expect(texts.size).toBe(1);
    expect(new Set(db.statements.map(({ sql }) => sql)).size).toBe(1);
    expect(db.statements.at(-1)?.params).toEqual([
      "name 199",
      expect.stringContaining("1970-01-01"),
      199,
      199,
    ]);
  });
});
