/** Hostile words in every place of a builder that takes text of the program: refused with a code, or bound. */
import * as rowtype from "rowtype";
import { column, json, many, one, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hostileWords } from "../../kit/hostile-edits.js";

// biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
type Untyped = any;

const id = () => column(z.int(), { primaryKey: true });
const teams = table("teams", z.object({ id: id(), city: z.string() }), {
  relations: { members: many("members", "teamId") },
});
const members = table(
  "members",
  z.object({
    id: id(),
    teamId: z.int().nullable(),
    name: z.string(),
    pay: z.int(),
    since: z.date(),
    settings: json(z.object({ theme: z.string(), tags: z.array(z.string()) })),
  }),
  { relations: { team: one("teams", "teamId") } },
);

const fn: Untyped = rowtype;
const { value } = fn;

interface World {
  readonly db: Untyped;
  readonly members: Untyped;
  readonly teams: Untyped;
}
type Place = (world: World, word: string) => Untyped;

/** A word where a name, a direction, a unit or a value of the program stands. */
const places: Readonly<Record<string, Place>> = {
  "a relation of a join": ({ members }, word) => members.query().join(word),
  "the name of a join": ({ members }, word) => members.query().join("team", word),
  "the name of a joined table": ({ members }, word) => members.query().joinOn(word, teams, "teamId", "id"),
  "a field of a join": ({ members }, word) => members.query().joinOn("t", teams, word, "id"),
  "their field of a join": ({ members }, word) => members.query().joinOn("t", teams, "teamId", word),
  "the name of a joined query": ({ members, teams }, word) =>
    members.query().joinQuery(teams.query().as(word), "teamId", "id"),
  "a field of a joined query": ({ members, teams }, word) =>
    members.query().joinQuery(teams.query().as("t"), "teamId", word),
  "a joined field": ({ members }, word) => members.query().join("team").fields(`team.${word}`),
  "all fields of a joined table": ({ members }, word) => members.query().join("team").fields(`${word}.*`),
  "a joined field of a condition": ({ members }, word) =>
    members.query().join("team").where(`team.${word}`, "=", "p"),
  "a relation of exists": ({ members }, word) => members.query().whereExists(word),
  "a field of existsOn": ({ members, teams }, word) =>
    members.query().whereExistsOn(teams.query(), word, "id"),
  "their field of existsOn": ({ members, teams }, word) =>
    members.query().whereExistsOn(teams.query(), "teamId", word),
  "a condition inside exists": ({ members, teams }, word) =>
    members.query().whereExists("team", teams.query().where(word, "=", "p")),
  "the operator beside a query": ({ members, teams }, word) =>
    members.query().whereQuery("teamId", word, teams.query().fields("id")),
  "the field of a query of values": ({ members, teams }, word) =>
    members.query().whereQuery("teamId", "IN", teams.query().fields(word)),
  "a relation of nested rows": ({ members }, word) => members.query().with(word),
  "the name of nested rows": ({ members, teams }, word) =>
    members.query().withOn(word, teams.query(), "teamId", "id"),
  "the order of nested rows": ({ members, teams }, word) =>
    teams.query().with("members", members.query().orderBy(word, "asc")),
  "the direction of nested rows": ({ members, teams }, word) =>
    teams.query().with("members", members.query().orderBy("id", word)),
  "an alias in nested rows": ({ members, teams }, word) =>
    teams.query().with("members", members.query().fields(fn.upper("name").as(word))),
  "a relation of an aggregate": ({ teams }, word) => teams.query().fields(fn.of(word, fn.count()).as("n")),
  "the field of an aggregate of a relation": ({ teams }, word) =>
    teams.query().fields(fn.of("members", fn.sum(word)).as("n")),
  "the order of pages": ({ members }, word) => members.query().orderBy(word, "asc").page(5),
  "the direction of pages": ({ members }, word) => members.query().orderBy("id", word).page(5),
  "where nulls go in pages": ({ members }, word) =>
    members.query().orderByNulls("teamId", "asc", word).orderBy("id", "asc").page(5),
  "the name of a query as a table": ({ db, members }, word) => db.from(members.query().as(word)),
  "a field of a query as a table": ({ db, members }, word) =>
    db.from(members.query().fields("id", "name").as("m")).fields(word),
  "an alias inside a query as a table": ({ db, members }, word) =>
    db.from(members.query().fields(fn.upper("name").as(word)).as("m")),
  "the name of a query that is written once": ({ db, members }, word) =>
    db.from(db.with(word, members.query().fields("id"))),
  "the name of a recursion": ({ db, members }, word) =>
    db.from(db.recursive(word, members.query().fields("id"), (self: Untyped) => db.from(self).fields("id"))),
  "the level of a recursion": ({ db, members }, word) => {
    const start = members.query().fields("id");
    return db.from(db.recursive("r", start, (self: Untyped) => db.from(self).fields("id"), { depth: word }));
  },
  "the field that setFrom sets": ({ members }, word) =>
    members.modify().setFrom(word, "team", "city").where("id", "=", "id"),
  "the relation of setFrom": ({ members }, word) =>
    members.modify().setFrom("name", word, "city").where("id", "=", "id"),
  "their field of setFrom": ({ members }, word) =>
    members.modify().setFrom("name", "team", word).where("id", "=", "id"),
  "what a change returns": ({ members }, word) => members.remove().where("id", "=", "id").returning(word),
  "a field of returned values": ({ members }, word) =>
    members.remove().where("id", "=", "id").returning(fn.upper(word).as("x")),
  "the field of setPath": ({ members }, word) =>
    members.modify().setPath(word, ["theme"], "t").where("id", "=", "id"),
  "a step of setPath": ({ members }, word) =>
    members.modify().setPath("settings", [word], "t").where("id", "=", "id"),
  "a step of a path": ({ members }, word) => members.query().fields(fn.path("settings", word).as("x")),
  "the proposed value of an upsert": ({ members }, word) =>
    members.insert().onConflict("id").doUpdate().set("name", fn.inserted(word)),
  "the key of an upsert": ({ members }, word) => members.insert().onConflict(word).doNothing(),
  "an alias": ({ members }, word) => members.query().fields(fn.add("pay", value(1)).as(word)),
  "a name in groups": ({ members }, word) => members.query().fields("name").groupBy(word),
  "a name in having": ({ members }, word) =>
    members.query().fields("name", fn.count().as("n")).groupBy("name").having(word, ">", "p"),
  "an operator": ({ members }, word) => members.query().where(fn.lower("name"), word, "p"),
  "an operator between operands": ({ members }, word) =>
    members.query().whereFields("name", word, fn.lower("name")),
  "a field of arithmetic": ({ members }, word) => members.query().fields(fn.add(word, "pay").as("x")),
  "a unit of dateTrunc": ({ members }, word) => members.query().fields(fn.dateTrunc(word, "since").as("x")),
  "a part of a date": ({ members }, word) => members.query().fields(fn.datePart(word, "since").as("x")),
  "a unit of dateAdd": ({ members }, word) =>
    members.query().fields(fn.dateAdd("since", value(1), word).as("x")),
  "a unit of dateDiff": ({ members }, word) =>
    members.query().fields(fn.dateDiff(word, "since", "since").as("x")),
  "the target of a cast": ({ members }, word) => members.query().fields(fn.cast("name", word).as("x")),
  "the digits of a round": ({ members }, word) => members.query().fields(fn.round("pay", word).as("x")),
  "the buckets of ntile": ({ members }, word) => members.query().fields(fn.ntile(word).over().as("x")),
  "the rows of lag": ({ members }, word) => members.query().fields(fn.lag("pay", word).over().as("x")),
  "the parts of a window": ({ members }, word) =>
    members.query().fields(
      fn
        .rowNumber()
        .over({ partitionBy: [word] })
        .as("x"),
    ),
  "the direction of a window": ({ members }, word) =>
    members.query().fields(
      fn
        .rowNumber()
        .over({ orderBy: [["id", word]] })
        .as("x"),
    ),
  "the frame of a window": ({ members }, word) =>
    members.query().fields(
      fn
        .sum("pay")
        .over({ orderBy: [["id", "asc"]], frame: { rows: [word, word] } })
        .as("x"),
    ),
  "the length of a frame": ({ members }, word) =>
    members.query().fields(
      fn
        .sum("pay")
        .over({ orderBy: [["id", "asc"]], frame: { rows: [{ preceding: word }, "current row"] } })
        .as("x"),
    ),
  "the separator of a list": ({ members }, word) =>
    members.query().fields(fn.textAgg("name", value(word)).as("x")),
  "the order of a list": ({ members }, word) =>
    members.query().fields(fn.listAgg("id", { orderBy: [[word, "asc"]] }).as("x")),
  "the direction of a list": ({ members }, word) =>
    members.query().fields(fn.listAgg("id", { orderBy: [["id", word]] }).as("x")),
  "a label of a case": ({ members }, word) =>
    members
      .query()
      .fields(fn.caseWhen(z.string()).when(fn.isNull("teamId"), value(word)).else(value("other")).as("x")),
  "a constant": ({ members }, word) => members.query().fields(fn.concat("name", value(word)).as("x")),
  "a field of raw text": ({ members }, word) =>
    members.query().fields(fn.raw(z.string())`upper(${fn.field(word)})`.as("x")),
  "a constant of raw text in nested rows": ({ members, teams }, word) =>
    teams
      .query()
      .with("members", members.query().whereRaw(fn.raw(z.boolean())`${fn.field("name")} = ${value(word)}`)),
  "a constant of raw text in a query as a table": ({ db, members }, word) =>
    db.from(
      members
        .query()
        .fields("id", fn.raw(z.string())`lower(${value(word)})`.as("x"))
        .as("m"),
    ),
  "a constant of raw text that is set": ({ members }, word) =>
    members
      .modify()
      .set("name", fn.raw(z.string())`lower(${value(word)})`)
      .where("id", "=", "id"),
  "a constant of raw text in an order": ({ members }, word) =>
    members.query().orderBy(fn.raw(z.string())`lower(${value(word)})`, "asc"),
  "the value of a scope": ({ members }, word) => members.scope({ name: word }).query(),
  "the name of a parameter": ({ members }, word) => members.query().where("name", "=", word),
};

const databases = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
/** Where a star is all fields. */
const starred: ReadonlySet<string> = new Set([
  "a joined field",
  "a field of a query as a table",
  "what a change returns",
]);

describe.each(Object.entries(databases))("hostile words on %s", (_, db: Untyped) => {
  const world: World = { db, ...db.repositories({ teams, members }) };
  const textOf = (place: string, word: string): string => places[place]?.(world, word).render().native.sql;

  test.each(Object.keys(places))("%s", (place) => {
    for (const word of hostileWords) {
      let sql: string;
      try {
        sql = textOf(place, word);
      } catch (error) {
        expect(error, JSON.stringify(word)).toBeInstanceOf(rowtype.SqlError);
        expect((error as rowtype.SqlError).message.length).toBeLessThan(300);
        continue;
      }
      // A name of letters, digits and _ stands in quotes. Of anything else the text knows nothing.
      if (/^\w{1,63}$/.test(word) || (word === "*" && starred.has(place))) continue;
      expect(sql, JSON.stringify(word)).toBe(textOf(place, "harmless"));
    }
  });
});
