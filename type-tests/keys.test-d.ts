// The key of an upsert is a declared one: the right call, the wrong call, the boundary.
import { column, type Database, type Insert, type Row, type TableOptions, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const columns = {
  id: column(z.int(), { primaryKey: true, generated: true }),
  shop: z.int(),
  sku: z.string(),
  email: column(z.string(), { unique: true }),
  place: z.string().nullable(),
  day: z.date(),
};
const db = sqlite();
const single = db.repository(table("single", z.object(columns)));
const several = db.repository(
  table("several", z.object(columns), { unique: [["shop", "sku"], ["sku", "place", "day"], ["place"]] }),
);
const primary = db.repository(
  table("primary", z.object({ a: z.int(), b: z.int(), c: z.int() }), { primaryKey: ["a", "b"] }),
);

// Fields of one key, in any order
several.insert().onConflict("shop", "sku").doNothing();
several.insert().onConflict("sku", "shop").doUpdate().set("place", "place");
several.insert().onConflict("day", "sku", "place").doNothing();
several.insert().onConflict("place").doNothing();
several.insert().onConflict("email").doNothing();
several.insert().returning("id").onConflict("sku", "shop").doNothing();
primary.insert().onConflict("b", "a").doNothing();
const spread = ["shop", "sku"] as const;
several
  .insert()
  .onConflict(...spread)
  .doNothing();
declare const either: readonly ["id"] | readonly ["shop", "sku"];
several
  .insert()
  .onConflict(...either)
  .doNothing();

// Fields that are no key together
// @ts-expect-error: two keys, not one of two fields
single.insert().onConflict("id", "email");
// @ts-expect-error: it is in no key
single.insert().onConflict("email", "sku");
// @ts-expect-error: two keys, beside one of two fields
several.insert().onConflict("id", "email");
// @ts-expect-error: it is in no key with that one
several.insert().onConflict("email", "sku");
// @ts-expect-error: a part of one key and a part of another
several.insert().onConflict("shop", "day");
// @ts-expect-error: more than the key
several.insert().onConflict("shop", "sku", "email");
// @ts-expect-error: less than the key
several.insert().onConflict("sku", "place");
// @ts-expect-error: a key with another one only
several.insert().onConflict("shop");
// @ts-expect-error: misspelt
several.insert().onConflict("shop", "skuu");
// @ts-expect-error: no key
primary.insert().onConflict("a", "c");
// @ts-expect-error: no key, after returning
several.insert().returning("id").onConflict("shop", "email");

// In a part of a table the fixed fields join the key
const part = several.scope({ shop: 1 });
part.insert().onConflict("sku").doNothing();
part.insert().onConflict("sku", "shop").doNothing();
several.scope({ day: new Date() }).insert().onConflict("sku", "place").doNothing();
// @ts-expect-error: they are in no key together
part.insert().onConflict("sku", "email");

// Keys that the type does not say are left to the run time
declare const listed: readonly ("shop" | "sku")[];
const open = db.repository(table("open", z.object(columns), { unique: [listed] }));
open.insert().onConflict("sku", "shop").doNothing();
// @ts-expect-error: never in that list
open.insert().onConflict("sku", "email");
declare const options: TableOptions<keyof typeof columns>;
db.repository(table("given", z.object(columns), options))
  .insert()
  .onConflict("sku", "day")
  .doNothing();

// On any dialect, and on one of several builders
declare const two: Database<"postgres" | "sqlite">;
const Pair = table("pair", z.object({ a: z.int(), b: z.string() }), { primaryKey: ["a", "b"] });
two.repository(Pair).insert().onConflict("b", "a").doNothing();
declare const dialect: "sqlite" | "postgres";
({ sqlite: db.repository(Pair), postgres: postgres().repository(Pair) })[dialect]
  .insert()
  .onConflict("a", "b");
db.repositories({ Pair }).Pair.insert().onConflict("a", "b").doNothing();

// What a key adds to the type of a table changes no row
expectType<{ a: number; b: string }>({} as Row<typeof Pair>);
expectType<{ a: number; b: string }>({} as Insert<typeof Pair>);
expectType<{ a: number; b: string }>(Pair.schema.parse({}));
expectType<{ a: number; b: string }>(Pair.insertSchema.parse({}));
expectType<string>(Pair.schema.shape.b.parse(""));
db.repository(Pair).query().where("b", "LIKE", "b").where("a", "<", "a").whereBetween("a", "c", "d");
