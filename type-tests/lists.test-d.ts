// Lists and choices of different builders compile: the compiler sees an end when it compares their types.
import { lower, mul, param, sum, table, trim, upper } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectAssignable } from "tsd";
import { z } from "zod";

const People = table(
  "people",
  z.object({ id: z.int(), name: z.string(), note: z.string().nullable(), at: z.date() }),
  { primaryKey: ["id", "name"] },
);
const Goods = table("goods", z.object({ id: z.int(), title: z.string(), price: z.number() }));

const people = sqlite().repository(People);
const goods = sqlite().repository(Goods);
const elsewhere = { postgres: postgres().repository(People), mariadb: mariadb().repository(People) };

// Of one table, of several, with operands, and of several dialects.
const lists = [
  [people.query().where("id", "=", "a"), people.query().where("name", "=", "b"), people.query()],
  [people.query().where(lower("name"), "=", "a"), goods.query().where(mul("price", param("k")), ">", "b")],
  [people.query().fields("id"), people.query().fields("name").where(trim("name"), "=", "a"), people.select()],
  [people.query(), elsewhere.postgres.query(), elsewhere.mariadb.query()],
  [
    people.query().where("id", "=", "a"),
    elsewhere.postgres.query().where(upper("name"), "=", "b"),
    elsewhere.mariadb.query().fields(sum("id").as("n")).groupBy("name"),
  ],
  [people.insert(), goods.insert(), elsewhere.postgres.insert()],
  [people.insert().onConflict("id", "name").doUpdate(), elsewhere.postgres.insert().onConflict().doNothing()],
  [
    people.modify().set("name", "a"),
    goods.modify().set("title", "b").where("id", "=", "c"),
    elsewhere.postgres.remove().where("id", "=", "d"),
    elsewhere.mariadb.modify(),
  ],
  [people.count(), goods.sum("price"), elsewhere.postgres.count()],
];
expectAssignable<readonly unknown[]>(lists);

declare const dialect: "sqlite" | "postgres" | "mariadb";
declare const chosen: boolean;
const repository = { sqlite: people, ...elsewhere }[dialect];
const choice = chosen
  ? people.query().where("id", "=", "a")
  : goods.query().where(upper(trim("title")), "=", "b");
const upsert = { sqlite: people, postgres: elsewhere.postgres }[dialect as "sqlite" | "postgres"]
  .insert()
  .onConflict("id", "name");

expectAssignable<readonly { readonly native: { readonly sql: string } }[]>([
  choice.render(),
  repository.query().render(),
  repository.insert().render(),
  repository.query().distinct().render(),
  upsert.doNothing().render(),
  upsert.doUpdate().render(),
  upsert.doUpdate().set("note", "name").set("at", "when").render(),
]);
