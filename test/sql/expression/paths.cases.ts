/** What paths into JSON are in each dialect, and what comes back from every server. */
import {
  add,
  avg,
  c,
  coalesce,
  count,
  countDistinct,
  div,
  length,
  lower,
  max,
  min,
  or,
  param,
  path,
  sum,
  upper,
  value,
} from "rowtype";
import type { profileWorld } from "../../kit/paths.world.js";
import type { Case } from "./expressions.cases.js";
import { texts } from "./paths.texts.js";

type Repositories = ReturnType<typeof profileWorld.repositories>;

const at = new Date("2026-01-02T03:04:05.678Z");

const written: readonly Omit<Case<Repositories>, "texts">[] = [
  {
    name: "texts and numbers, present and absent",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(
          "id",
          path("meta", "title").as("title"),
          path("meta", "theme").as("theme"),
          path("meta", "score").as("score"),
          path("meta", "level").as("level"),
        )
        .orderBy("id", "asc"),
    rows: [
      { id: 1, title: "Zebra", theme: "dark", score: 0.1, level: 9007199254740991 },
      { id: 2, title: "apple", theme: null, score: 1e-7, level: -3 },
      { id: 3, title: "éclair \u{1F600}", theme: "light", score: 10, level: null },
      { id: 4, title: "", theme: null, score: -9.5, level: 0 },
    ],
  },
  {
    name: "booleans, places in lists, and what lies deeper",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(
          path("meta", "beta").as("beta"),
          path("meta", "tags", 0).as("tag"),
          path("meta", "size", "w").as("w"),
        )
        .orderBy("id", "asc"),
    rows: [
      { beta: true, tag: "b", w: 1e300 },
      { beta: false, tag: "B", w: 5e-324 },
      { beta: true, tag: null, w: null },
      { beta: false, tag: null, w: null },
    ],
  },
  {
    name: "objects, lists, and a path behind a path",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(
          "id",
          path("meta", "tags").as("tags"),
          path("meta", "size").as("size"),
          path(path("extra", "notes"), 1).as("second"),
        )
        .whereNotNull(path("extra", "notes"))
        .orderBy("id", "asc"),
    rows: [
      { id: 1, tags: ["b", ""], size: { w: 1e300, unit: "cm" }, second: { text: "second" } },
      { id: 4, tags: [], size: null, second: null },
    ],
  },
  {
    name: "what JSON stores in another form, and text of every character",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(
          path("meta", "at").as("at"),
          path("meta", "total").as("total"),
          path("extra", "notes", 0, "text").as("note"),
        )
        .where("id", "=", "id"),
    params: { id: 1 },
    rows: [{ at, total: 9007199254740993n, note: 'quote " and \\ and \u0001' }],
  },
  {
    name: "an order of texts by code point, by its name, and of numbers",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(path("meta", "title").as("title"))
        .orderBy("title", "asc")
        .orderBy(path("meta", "score"), "desc"),
    rows: [{ title: "" }, { title: "Zebra" }, { title: "apple" }, { title: "éclair \u{1F600}" }],
  },
  {
    name: "an order of numbers with nulls",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields("id")
        .orderBy(path("meta", "size", "w"), "desc")
        .orderBy("id", "asc"),
    rows: [{ id: 3 }, { id: 4 }, { id: 1 }, { id: 2 }],
  },
  {
    name: "conditions on texts, numbers and booleans",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields("id")
        .where(path("meta", "title"), "ICONTAINS", "part")
        .where(path("meta", "score"), "IN", "scores")
        .where(path("meta", "beta"), "=", "beta")
        .whereBetween(path("meta", "level"), "low", "high"),
    params: { part: "ZE", scores: [0.1, 10], beta: true, low: 1, high: 9007199254740991 },
    rows: [{ id: 1 }],
  },
  {
    name: "conditions in groups, on two paths, and null tests",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields("id")
        .whereAnd(or(c(path("meta", "theme"), "=", "theme"), c(path("meta", "tags", 0), "=", "tag")))
        .whereFields(path("meta", "title"), "<", path("meta", "size", "unit"))
        .whereNull(path("meta", "tags", 2)),
    params: { theme: "light", tag: "b" },
    rows: [{ id: 1 }],
  },
  {
    name: "functions and arithmetic of paths",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(
          "id",
          upper(path("meta", "size", "unit")).as("unit"),
          length(path("meta", "title")).as("n"),
          add(path("meta", "score"), value(0.5)).as("more"),
          div(path("meta", "level"), value(2)).as("half"),
          coalesce(path("meta", "theme"), param("none")).as("shown"),
        )
        .where(lower(path("meta", "title")), "=", "title"),
    params: { none: "light", title: "apple" },
    rows: [{ id: 2, unit: "M", n: 5, more: 0.5000001, half: -1, shown: "light" }],
  },
  {
    name: "aggregates of paths",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(
          max(path("meta", "score")).as("most"),
          min(path("meta", "title")).as("first"),
          sum(path("meta", "level")).as("levels"),
          avg(path("meta", "score")).as("mean"),
          count(path("meta", "size")).as("sizes"),
          countDistinct(path("meta", "beta")).as("betas"),
        )
        .where("id", "!=", "none")
        .where("id", "<", "last"),
    params: { none: 1, last: 4 },
    rows: [{ most: 10, first: "apple", levels: -3, mean: 5.00000005, sizes: 1, betas: 2 }],
  },
  {
    name: "groups of a path, by its name, and by itself",
    run: ({ profiles }) =>
      profiles
        .query()
        .fields(path("meta", "beta").as("beta"), path("meta", "theme").as("theme"), count().as("n"))
        .groupBy("beta", path("meta", "theme"))
        .orderBy("beta", "desc")
        .orderBy("theme", "asc"),
    rows: [
      { beta: true, theme: "dark", n: 1 },
      { beta: true, theme: "light", n: 1 },
      { beta: false, theme: null, n: 2 },
    ],
  },
  {
    name: "different values of a path",
    run: ({ profiles }) =>
      profiles.query().fields(path("meta", "beta").as("beta")).distinct().orderBy("beta", "asc"),
    rows: [{ beta: false }, { beta: true }],
  },
];

/** The cases. */
export const pathCases: readonly Case<Repositories>[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
/** Those without texts, for what writes these. */
export const pathQueries: readonly Omit<Case<Repositories>, "texts">[] = written;
