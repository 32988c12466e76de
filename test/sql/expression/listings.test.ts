/** `textAgg` and `listAgg`: their texts, before the judges of each dialect, their rows on each server, what is refused. */
import { c, column, decimal, listAgg, max, param, table, textAgg, value } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { type Lent, servers, titleOf } from "../../servers.js";
import { listingCases } from "./listings.cases.js";

describeCases("all values of a group", listingCases);

const Entry = table(
  "entries",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string().nullable(),
    real: z.number(),
    price: decimal(18, 2).nullable(),
    role: z.enum(["a", "b"]).nullable(),
    fine: column(z.date(), {
      type: {
        postgres: "timestamp(6)",
        mariadb: "timestamp(6)",
        sqlite: "integer",
        oracle: "timestamp(6) with time zone",
      },
    }),
  }),
);

const texts = ['quote " and \\ and \u0001\n\t', "comma, [x] {y}", "\u{1F600}\u{FFFD}é", null, " blank "];
const reals = [0.1 + 0.2, 1.7976931348623157e308, 5e-324, -123456789.12345679, 1e21];
const prices = ["9007199254740993.01", "-0.05", null, "0.00", "12.50"];
const fine = new Date("2024-06-30T23:30:00.123Z");
const entries = texts.map((text, i) => ({
  id: i + 1,
  text,
  real: reals[i] ?? 0,
  price: prices[i] ?? null,
  role: i === 0 ? null : i % 2 === 0 ? ("a" as const) : ("b" as const),
  fine: new Date(fine.getTime() + i),
}));

for (const server of servers)
  describe.skipIf(!server.available)(`lists of a group on ${titleOf(server)}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Entry);
      await lent.db.repository(Entry).insert().execBatch(entries);
    });
    afterAll(() => lent.close());
    const query = () => lent.db.repository(Entry).query();
    const byId = { orderBy: [["id", "asc"]] } as const;

    test("hold every character and every digit", async ({ skip }) => {
      if (server.name === "h2") skip("H2 has lists as JSON only, and not as text");
      const rows = await query()
        .fields(
          listAgg("text", byId).as("texts"),
          listAgg("real", byId).as("reals"),
          listAgg("price", byId).as("prices"),
          listAgg("role", byId).as("roles"),
          listAgg("fine", byId).as("dates"),
        )
        .exec();
      expect(rows).toEqual([
        {
          texts: texts.filter((text) => text !== null),
          reals,
          prices: prices.filter((price) => price !== null),
          roles: ["b", "a", "b", "a"],
          dates: entries.map((entry) => entry.fine),
        },
      ]);
    });

    test("have no order of their own, but all values", async ({ skip }) => {
      if (server.name === "h2") skip("H2 has lists as JSON only, and not as text");
      const [row] = await query()
        .fields(listAgg("id").as("ids"), textAgg("role", value("")).as("roles"))
        .exec();
      expect([...(row?.ids ?? [])].sort()).toEqual([1, 2, 3, 4, 5]);
      expect([...(row?.roles ?? "")].sort().join("")).toBe("aabb");
    });

    test("a separator may have any characters", async ({ skip }) => {
      if (server.name === "h2") skip("H2 reads some of these characters otherwise");
      for (const by of ["'\\", "\u{1F600}é", "\n", " "]) {
        const rows = await query()
          .fields(textAgg("text", param("by"), byId).as("all"))
          .exec({ by });
        expect(rows).toEqual([{ all: texts.filter((text) => text !== null).join(by) }]);
      }
    });

    test("nothing is cut silently", async ({ skip }) => {
      if (server.dialect === "oracle") skip("a text has 4,000 bytes here, and a longer one is an error");
      const long = "x".repeat(700_000);
      const repository = lent.db.repository(Entry);
      await repository.insert().execBatch(
        [1, 2, 3].map((i) => ({
          ...entries[0],
          id: 10 + i,
          real: 1,
          fine,
          text: long,
          price: null,
          role: null,
        })),
      );
      const rows = await query()
        .fields(textAgg("text", "by").as("all"), listAgg("text").as("list"))
        .where("id", ">", "id")
        .exec({ by: "-", id: 10 });
      expect(rows[0]?.all?.length).toBe(3 * 700_000 + 2);
      expect(rows[0]?.list.map((one) => one.length)).toEqual([700_000, 700_000, 700_000]);
      const plan = await query().fields(textAgg("text", "by").as("all")).explain({ by: "-" });
      expect(plan).not.toBe("");
    });
  });

describe("textAgg and listAgg are refused", () => {
  const people = sqlite().repository(Person).query();
  // What the compiler refuses, an untyped caller still gives.
  type Untyped = (...operands: unknown[]) => {
    as(alias: string): never;
    over(window?: object): { as(a: string): never };
  };
  const text = textAgg as unknown as Untyped;
  const list = listAgg as unknown as Untyped;
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("no keys");
      },
    },
  );

  test.each([
    ["numbers as texts", () => text("age", "by").as("x"), 'textAgg takes texts, "age" holds number'],
    [
      "lists of lists",
      () => list("tags").as("x"),
      'listAgg takes values that are not lists or objects, "tags" holds array',
    ],
    [
      "lists of objects",
      () => list("settings").as("x"),
      'listAgg takes values that are not lists or objects, "settings" holds json',
    ],
    [
      "aggregates",
      () => list(max("age")).as("x"),
      "list_agg cannot contain an aggregate: it reads the single rows of a group",
    ],
    ["a window", () => text("name", "by").over({}).as("x"), "textAgg cannot be used over a window"],
    ["a window", () => list("name").over({}).as("x"), "listAgg cannot be used over a window"],
    [
      "a separator that is a field",
      () => text("name", cOf("email")).as("x"),
      "the separator of textAgg is a parameter, or a constant that is a text",
    ],
    [
      "a separator that is a number",
      () => text("name", value(1)).as("x"),
      "the separator of textAgg is a parameter, or a constant that is a text",
    ],
    [
      "an order by aggregates",
      () => list("id", { orderBy: [[max("age"), "asc"]] }).as("x"),
      "the values of a group are ordered by values of their rows",
    ],
    [
      "an order of no terms",
      () => list("id", { orderBy: ["id"] }).as("x"),
      "an order term must be a field and a direction",
      "INVALID_SPEC",
    ],
    [
      "a direction",
      () => list("id", { orderBy: [["id", "up"]] }).as("x"),
      'direction must be asc or desc, not "up"',
      "INVALID_DIRECTION",
    ],
    ["an unknown option", () => list("id", { order: [] }).as("x"), /order/, "INVALID_SPEC"],
    ["null", () => list("id", null).as("x"), /must be an object/, "INVALID_SPEC"],
    ["a number", () => text("name", "by", 7).as("x"), /must be an object/, "INVALID_SPEC"],
    ["what throws", () => list("id", hostile).as("x"), /must be an object/, "INVALID_SPEC"],
  ] as const)("%s", (_, make, message, code: string = "INVALID_AGGREGATE") => {
    const wanted = typeof message === "string" ? message : expect.stringMatching(message);
    expect(() => people.fields(make()).render()).toThrow(expect.objectContaining({ code, message: wanted }));
  });

  test("a list that is compared", () => {
    const compared = people
      .groupBy("role")
      .fields("role")
      .having(list("id") as never, "=" as never, "ids");
    expect(() => compared.render()).toThrow(expect.objectContaining({ code: "INVALID_OPERATOR" }));
  });

  test("a separator that is not text", async () => {
    const query = oracle().repository(Person).query().fields(textAgg("name", "by").as("x"));
    await expect(
      (query as unknown as { exec(p: object): Promise<unknown> }).exec({ by: 1 }),
    ).rejects.toMatchObject({ code: "PARAM_TYPE" });
  });

  function cOf(field: string): unknown {
    return max(field as never).filter(c("id", "=", "id"));
  }
});
