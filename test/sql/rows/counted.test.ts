/** A count of a query's rows takes the parameters of the query, also those of parts that no count has. */
import * as rowtype from "rowtype";
import { many, param, table } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: each part is added in the same way, by its name.
type Untyped = any;

const { add, column }: Untyped = rowtype;

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), n: z.int(), parent: z.int() }) as Untyped,
  { relations: { kids: many("items", "parent") } } as Untyped,
);

/** Parts of a query that do not change how many rows there are, and what each asks for beside `least`. */
const parts: Readonly<Record<string, (query: Untyped, items: Untyped) => Untyped>> = {
  "a limit": (query) => query.limitParam("most"),
  "an offset": (query) => query.offsetParam("most"),
  "a field": (query) => query.fields("id", add("n", param("most", z.int())).as("x")),
  "an order": (query) => query.orderBy(add("n", param("most", z.int())), "asc"),
  "rows inside": (query, items) => query.with("kids", items.query().where("n", "<", "most")),
};

describe.each(["postgres", "mariadb", "sqlite", "oracle"] as const)("counted on %s", (dialect) => {
  test.each(Object.entries(parts))("%s", async (_name, addTo) => {
    const db: Untyped = recording(dialect);
    const { items }: Untyped = db.repositories({ items: Item });
    const plain = items.query().where("n", ">", "least");
    const query = addTo(plain, items);
    await plain.count().exec({ least: 1 });
    await query.count().exec({ least: 1, most: 2 });
    const [expected, counted] = db.statements;
    expect(counted).toEqual(expected);
    const code = async (params: object) => (await sqlErrorOf(query.count().exec(params))).code;
    expect(await code({ least: 1, most: "2" })).toBe("PARAM_TYPE");
    expect(await code({ least: 1, most: 2, more: 3 })).toBe("EXTRA_PARAM");
    expect(await code({ most: 2 })).toBe("MISSING_PARAM");
    expect(db.statements).toHaveLength(2);
  });
});
