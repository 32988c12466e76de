// Methods that take a field or an expression have a signature for each: neither takes what is no argument of the other.
import { c, count, isNull, lower, sum, table, upper, value } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const Item = table(
  "items",
  z.object({ id: z.int(), name: z.string(), done: z.boolean(), note: z.string().nullable() }),
);
const items = sqlite().repository(Item);
declare const isLoud: boolean;
declare const whichever: "name" | "note";

// A field of two, an expression of two.
expectType<Promise<number>>(items.query().where(whichever, "=", "name").count().exec({ name: "a" }));
expectType<Promise<number>>(
  items
    .query()
    .where(isLoud ? upper("name") : lower("note"), "=", "name")
    .count()
    .exec({ name: "a" }),
);
items.query().orderBy(isLoud ? upper("name") : lower("note"), "asc");

const either = isLoud ? ("id" as const) : lower("name");
// @ts-expect-error a field or an expression, which no signature takes
items.query().where(either, "=", "name");
// @ts-expect-error the same
items.query().whereNull(either);
// @ts-expect-error the same
items.query().whereBetween(either, "a", "b");
// @ts-expect-error the same
items.query().orderBy(either, "asc");
// @ts-expect-error the same
items.modify().where(either, "=", "name");

for (const nothing of [null, undefined]) {
  // @ts-expect-error no field
  items.query().where(nothing, "=", "name");
  // @ts-expect-error no field
  items.query().whereNull(nothing);
  // @ts-expect-error no field
  items.query().orderBy(nothing, "asc");
  // @ts-expect-error no field
  items.modify().set(nothing, "name");
  // @ts-expect-error no parameter
  items.modify().set("name", nothing);
  // @ts-expect-error no parameter
  items.query().where("name", "=", nothing);
}

// @ts-expect-error one argument is too few
items.query().where("name");
// @ts-expect-error a condition stands in whereAnd
items.query().where(c("name", "=", "name"));
// @ts-expect-error the same
items.modify().where(isNull("name"));
// @ts-expect-error two are too few
items.query().where("name", "=");
// @ts-expect-error four are too many
items.query().where("name", "=", "name", "name");
// @ts-expect-error four are too many of an expression, too
items.query().where(lower("name"), "=", "name", "name");
// @ts-expect-error no argument at all
items.query().whereNull();
// @ts-expect-error one argument is too few
items.query().orderBy("name");
// @ts-expect-error one argument is too few
items.modify().set({ name: "a" });

// @ts-expect-error an expression of a field that is not there
items.query().where(lower("nmae"), "=", "name");
// @ts-expect-error the number has no lower case
items.query().where(lower("id"), "=", "name");
// @ts-expect-error a sum gathers rows
items.query().where(sum("id"), "=", "n");
// @ts-expect-error a boolean has no order
items.query().whereBetween(value(true), "a", "b");
// @ts-expect-error an expression of a field that is not there
items.query().whereBetween(lower("nmae"), "a", "b");
// @ts-expect-error an expression of a field that is not there
items.query().whereNull(lower("nmae"));
// @ts-expect-error an expression of a field that is not there
items.query().orderBy(lower("nmae"), "asc");
// @ts-expect-error an expression of a field that is not there
items.modify().set("name", lower("nmae"));
// @ts-expect-error a count has no patterns
items.query().having(count(), "LIKE", "n");

// @ts-expect-error a number is no name of a parameter
items.query().where("id", "=", 5);
// @ts-expect-error a number is no name of a parameter
items.query().whereBetween("id", 1, 5);
