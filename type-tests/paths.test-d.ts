/** Paths into JSON columns: what they give, what they take, and what is refused. */
import {
  add,
  c,
  coalesce,
  column,
  type Database,
  field,
  json,
  length,
  lower,
  max,
  min,
  type ParamsOf,
  param,
  path,
  type ResultOf,
  sum,
  table,
  upper,
  value,
} from "rowtype";
import { expectType } from "tsd";
import { z } from "zod";

const Profile = table(
  "profiles",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    meta: json(
      z.object({
        theme: z.enum(["dark", "light"]).nullable(),
        title: z.string(),
        score: z.number(),
        beta: z.boolean().optional(),
        tags: z.array(z.string()),
        size: z.object({ w: z.number(), unit: z.string() }).optional(),
        at: z.date(),
        pair: z.tuple([z.string(), z.number()]),
        by: z.record(z.string(), z.number()),
        any: z.unknown(),
        kind: z.union([
          z.object({ a: z.string(), x: z.number() }),
          z.object({ b: z.number(), x: z.number() }),
        ]),
        deep: z.object({
          a: z.object({ b: z.object({ c: z.object({ d: z.string(), e: z.object({ f: z.string() }) }) }) }),
        }),
      }),
    ),
    extra: json(z.object({ title: z.string() })).nullable(),
  }),
);
declare const db: Database<"postgres" | "sqlite">;
const profiles = db.repository(Profile);
type RowOf<B> = ResultOf<B> extends readonly (infer R)[] ? R : never;

// What stands there, null exactly where it may be absent.
const all = profiles
  .query()
  .fields(
    path("meta", "theme").as("theme"),
    path("meta", "title").as("title"),
    path("meta", "beta").as("beta"),
    path("meta", "tags", 0).as("tag"),
    path("meta", "tags").as("tags"),
    path("meta", "size", "w").as("w"),
    path("meta", "at").as("at"),
    path("meta", "pair", 1).as("second"),
    path("meta", "by", "x").as("x"),
    path("meta", "any", "thing", 3).as("thing"),
    path("meta", "kind", "a").as("a"),
    path("meta", "kind", "x").as("both"),
    path("meta", "deep", "a", "b", "c", "d").as("five"),
    path("meta", "deep", "a", "b", "c", "e", "f").as("six"),
    path("extra", "title").as("other"),
    path(path("meta", "size"), "unit").as("unit"),
    path(field("meta"), "score").as("points"),
  );
expectType<{
  theme: "dark" | "light" | null;
  title: string;
  beta: boolean | null;
  tag: string | null;
  tags: string[];
  w: number | null;
  at: Date;
  second: number;
  x: number | null;
  thing: unknown;
  a: string | null;
  both: number;
  five: string;
  six: unknown;
  other: string | null;
  unit: string | null;
  points: number;
}>({} as RowOf<typeof all>);

// Operators, parameters and functions are those of the kind at the end.
const found = profiles
  .query()
  .fields("id", upper(path("meta", "title")).as("upper"), add(path("meta", "score"), value(1)).as("more"))
  .where(path("meta", "title"), "ICONTAINS", "title")
  .where(path("meta", "theme"), "IN", "themes")
  .where(path("meta", "score"), ">", "score")
  .where(path("meta", "beta"), "=", "beta")
  .where(lower(path("meta", "tags", 0)), "=", "tag")
  .whereAnd(c(path("meta", "size", "w"), "<=", "w"))
  .whereBetween(path("meta", "by", "x"), "low", "high")
  .whereNotNull(path("meta", "size"))
  .whereFields(path("meta", "title"), "=", "name")
  .orderBy(path("meta", "score"), "desc");
expectType<{ id: number; upper: string; more: number }>({} as RowOf<typeof found>);
expectType<{
  title: string;
  themes: readonly ("dark" | "light")[];
  score: number;
  beta: boolean;
  tag: string;
  w: number;
  low: number;
  high: number;
}>({} as ParamsOf<typeof found>);

const groups = profiles
  .query()
  .fields(
    path("meta", "theme").as("theme"),
    max(path("meta", "score")).as("most"),
    min(path("meta", "title")).as("first"),
    sum(path("meta", "by", "x")).as("sum"),
  )
  .groupBy(path("meta", "theme"));
expectType<{ theme: "dark" | "light" | null; most: number | null; first: string | null; sum: number | null }>(
  {} as RowOf<typeof groups>,
);
const filled = profiles
  .query()
  .fields(coalesce(path("meta", "size", "unit"), param("none")).as("unit"))
  .groupBy("unit")
  .having(max(path("meta", "score")), ">", "least");
expectType<{ none: string; least: number }>({} as ParamsOf<typeof filled>);

const named = profiles
  .query()
  .fields(path("meta", "theme").as("theme"), max(length(path("meta", "title"))).as("n"))
  .groupBy("theme");
expectType<{ theme: "dark" | "light" | null; n: number | null }>({} as RowOf<typeof named>);

// A misspelt step, and one that leads nowhere.
// @ts-expect-error no member "theem"
profiles.query().fields(path("meta", "theem").as("x"));
// @ts-expect-error no member "h" in size
profiles.query().fields(path("meta", "size", "h").as("x"));
// @ts-expect-error no member inside a text
profiles.query().fields(path("meta", "title", "x").as("x"));
// @ts-expect-error a list is read by its places
profiles.query().fields(path("meta", "tags", "first").as("x"));
// @ts-expect-error an object is not read by places
profiles.query().fields(path("meta", 0).as("x"));
// @ts-expect-error the tuple has two places
profiles.query().fields(path("meta", "pair", 2).as("x"));
// @ts-expect-error a misspelt step in a condition
profiles.query().where(path("meta", "theem"), "=", "x");
// @ts-expect-error a misspelt step in a group of conditions
profiles.query().whereAnd(c(path("meta", "theem"), "=", "x"));
// @ts-expect-error a misspelt field
profiles.query().fields(path("mete", "theme").as("x"));
// @ts-expect-error a field of text has no members
profiles.query().fields(path("name", "length").as("x"));
// @ts-expect-error a path takes a step
path("meta");

// What the kind does not take.
// @ts-expect-error LIKE on a number
profiles.query().where(path("meta", "score"), "LIKE", "x");
// @ts-expect-error an order of booleans
profiles.query().where(path("meta", "beta"), ">", "x");
// @ts-expect-error an object has no operators
profiles.query().where(path("meta", "size"), "=", "x");
// @ts-expect-error a date in JSON has no operators
profiles.query().where(path("meta", "at"), ">", "x");
// @ts-expect-error upper of a number
profiles.query().fields(upper(path("meta", "score")).as("x"));
// @ts-expect-error the sum of texts
profiles.query().fields(sum(path("meta", "title")).as("x"));
// @ts-expect-error a number and a text
profiles.query().whereFields(path("meta", "score"), "=", "name");

// An update takes it where the type fits.
const set = profiles.modify().set("name", path("meta", "title")).where("id", "=", "id");
expectType<{ id: number }>({} as ParamsOf<typeof set>);
// @ts-expect-error it may be absent, and the name is never null
profiles.modify().set("name", path("meta", "tags", 0));

// setPath: the parameter is of the member's schema.
const sets = profiles
  .modify()
  .setPath("meta", ["theme"], "theme")
  .setPath("meta", ["beta"], "beta")
  .setPath("meta", ["tags", 0], "tag")
  .setPath("meta", ["size"], "size")
  .setPath("meta", ["by", "x"], "x")
  .setPath("extra", ["title"], "title")
  .where("id", "=", "id");
expectType<{
  theme: "dark" | "light" | null;
  beta: boolean;
  tag: string;
  size: { w: number; unit: string };
  x: number;
  title: string;
  id: number;
}>({} as ParamsOf<typeof sets>);
const upsert = profiles.insert().onConflict("id").doUpdate().setPath("meta", ["title"], "to");
expectType<{ to: string }>({} as NonNullable<Parameters<typeof upsert.exec>[1]>);
profiles.modify().dynamic().setPath("meta", ["title"], "to");
// @ts-expect-error no member "theem"
profiles.modify().setPath("meta", ["theem"], "x");
// @ts-expect-error a field of text has no members
profiles.modify().setPath("name", ["length"], "x");
// @ts-expect-error a path takes a step
profiles.modify().setPath("meta", [], "x");
// @ts-expect-error the name of a parameter of an upsert is not that of a field
profiles.insert().onConflict("id").doUpdate().setPath("meta", ["title"], "name");
// @ts-expect-error an update without a condition
profiles.modify().setPath("meta", ["title"], "x").exec({ x: "title" });
