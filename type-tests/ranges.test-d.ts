// A range is of values that have an order, whichever form it has: the right call, the wrong call, the boundary.
import {
  between,
  c,
  coalesce,
  column,
  field,
  json,
  length,
  lower,
  notBetween,
  or,
  type ParamsOf,
  path,
  table,
  value,
  vector,
} from "rowtype";
import { postgres } from "rowtype/postgres";
import { expectType } from "tsd";
import { z } from "zod";

const Part = table(
  "parts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string().nullable(),
    made: z.date(),
    big: z.bigint(),
    sold: z.boolean(),
    photo: z.instanceof(Uint8Array),
    tags: z.array(z.string()),
    place: vector(3),
    meta: json(
      z.object({
        size: z.object({ w: z.number() }),
        title: z.string().optional(),
        list: z.array(z.number()),
        live: z.boolean(),
        at: z.date(),
        open: z.unknown(),
        either: z.union([z.string(), z.number()]),
      }),
    ),
  }),
);
const parts = postgres().repository(Part);
const upsert = parts.insert().onConflict("id").doUpdate();

// Fields, and expressions of every kind that has an order
const ranged = parts
  .query()
  .whereBetween("name", "a", "b")
  .whereBetween(field("made"), "c", "d")
  .whereNotBetween(coalesce("big", value(1n)), "e", "f")
  .whereBetween(length("name"), "g", "h")
  .whereNotBetween(path("meta", "size", "w"), "i", "j")
  .whereBetween(path("meta", "title"), "k", "l")
  .whereBetween(path("meta", "list", 0), "m", "n")
  .whereOr(between(path("meta", "title"), "o", "p"), notBetween("made", "q", "r"));
expectType<{
  a: string;
  b: string;
  c: Date;
  d: Date;
  e: bigint;
  f: bigint;
  g: number;
  h: number;
  i: number;
  j: number;
  k: string;
  l: string;
  m: number;
  n: number;
  o: string;
  p: string;
  q: Date;
  r: Date;
}>({} as ParamsOf<typeof ranged>);
parts
  .modify()
  .whereBetween(lower("name"), "a", "b")
  .whereNotBetween(path("meta", "size", "w"), "i", "j");
parts.remove().whereBetween(path("meta", "title"), "a", "b");
parts.count().whereNotBetween(path("meta", "title"), "a", "b");
parts.query().dynamic().whereBetween("name", "a", "b").whereNotBetween(path("meta", "title"), "a", "b");
upsert.whereBetween(path("meta", "title"), "a", "b").whereNotBetween(field("made"), "c", "d");
upsert.dynamic().whereBetween(path("meta", "title"), "a", "b").whereNotBetween("made", "c", "d");

// Fields of the kinds that have none
// @ts-expect-error: booleans have no order
parts.query().whereBetween("sold", "a", "b");
// @ts-expect-error: bytes have no order
parts.query().whereBetween("photo", "a", "b");
// @ts-expect-error: lists have no order
parts.query().whereNotBetween("tags", "a", "b");
// @ts-expect-error: vectors have no order
parts.query().whereNotBetween("place", "a", "b");
// @ts-expect-error: JSON has no order
parts.query().whereBetween("meta", "a", "b");

// The same as expressions
// @ts-expect-error: booleans have no order
parts.query().whereBetween(field("sold"), "a", "b");
// @ts-expect-error: bytes have no order
parts.query().whereNotBetween(field("photo"), "a", "b");
// @ts-expect-error: lists have no order
parts.query().whereBetween(field("tags"), "a", "b");
// @ts-expect-error: vectors have no order
parts.query().whereBetween(field("place"), "a", "b");
// @ts-expect-error: JSON has no order
parts.query().whereBetween(field("meta"), "a", "b");
// @ts-expect-error: booleans have no order
parts.query().whereBetween(coalesce("sold", value(true)), "a", "b");

// Places in JSON, by the schema of what stands there
// @ts-expect-error: an object has no order
parts.query().whereBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: nor outside of the range
parts.query().whereNotBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: a list has no order
parts.query().whereBetween(path("meta", "list"), "a", "b");
// @ts-expect-error: booleans have no order
parts.query().whereBetween(path("meta", "live"), "a", "b");
// @ts-expect-error: a date in JSON is a text in any form
parts.query().whereBetween(path("meta", "at"), "a", "b");
// @ts-expect-error: it may be anything
parts.query().whereBetween(path("meta", "open"), "a", "b");
// @ts-expect-error: a text or a number
parts.query().whereBetween(path("meta", "either"), "a", "b");

// Every builder that has conditions
// @ts-expect-error: an object has no order
parts.modify().whereBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
parts.remove().whereNotBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
parts.count().whereBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
parts.query().dynamic().whereBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
parts.query().dynamic().whereNotBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
upsert.whereBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
upsert.whereNotBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
upsert.dynamic().whereBetween(path("meta", "size"), "a", "b");
// @ts-expect-error: an object has no order
upsert.dynamic().whereNotBetween(path("meta", "size"), "a", "b");

// Conditions as values, and groups of them
// @ts-expect-error: an object has no order
parts.query().whereAnd(between(path("meta", "size"), "a", "b"));
// @ts-expect-error: an object has no order
parts.query().whereOr(c("id", "=", "id"), notBetween(path("meta", "size"), "a", "b"));
// @ts-expect-error: lists have no order
parts.query().whereAnd(or(c("id", "=", "id"), between("tags", "a", "b")));
// @ts-expect-error: an object has no order
parts.query().whereOptional(between(path("meta", "size"), "a", "b"));
