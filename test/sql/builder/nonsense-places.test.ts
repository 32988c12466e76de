/**
 * Every place of every function of expressions and of every method of every builder, given one hostile value alone:
 * what comes of it is something, or an error with a code. The functions and methods are found, not listed.
 */
import { readdirSync, readFileSync } from "node:fs";
import * as rowtype from "rowtype";
import { column, SqlError, table } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rounds } from "../../rounds.js";

// biome-ignore lint/suspicious/noExplicitAny: no compiler stops these callers.
type Untyped = any;

const OURS = "a value of the caller throws";
const refuse = () => {
  throw new Error(OURS);
};
const handler = { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, apply: refuse };
const sparse = () => {
  const list: unknown[] = [];
  list[2] = "id";
  return list;
};

/** What is given, made anew each time. */
const hostile: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  bigint: () => 10n,
  symbol: () => Symbol("s"),
  "a function": () => () => 1,
  "an object": () => ({}),
  "no prototype": () => Object.create(null),
  "toString throws": () => ({ toString: refuse }),
  "toString gives a text": () => ({ toString: () => "text" }),
  "valueOf throws": () => ({ valueOf: refuse }),
  "toPrimitive throws": () => ({ [Symbol.toPrimitive]: refuse }),
  "toJSON throws": () => ({ toJSON: refuse }),
  "a proxy": () => new Proxy({}, handler),
  "a proxy of a function": () => new Proxy(() => 1, handler),
  "a sparse list": sparse,
  "a list of a proxy": () => [new Proxy({}, handler)],
  "a list of a symbol": () => [Symbol("s")],
  "an invalid date": () => new Date(Number.NaN),
};

const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }), label: z.string() }), {
  relations: { members: rowtype.many("people", "teamId") },
});
const Person = table(
  "people",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    at: z.date(),
    meta: rowtype.json(z.object({ a: z.string() })),
    teamId: z.int(),
  }),
  { relations: { team: rowtype.one("teams", "teamId") } },
);
const db = recording("postgres");
const { people, teams }: Untyped = db.repositories({ people: Person, teams: Team });
const { c, sum, count } = rowtype;
const condition = c("id", "=", "p");

/** A call of each function that works. */
const right: Readonly<Record<string, readonly unknown[]>> = {
  abs: ["id"],
  add: ["id", "id"],
  and: [condition],
  avg: ["id"],
  between: ["id", "a", "b"],
  boolAnd: [condition],
  boolOr: [condition],
  c: ["id", "=", "p"],
  caseWhen: [z.int()],
  cast: ["id", "text"],
  ceil: ["id"],
  coalesce: ["id", "p"],
  compare: ["id", "=", "id"],
  concat: ["name", "name"],
  count: ["id"],
  countDistinct: ["id"],
  currentDate: [],
  currentTime: [],
  currentTimestamp: [],
  dateAdd: ["at", rowtype.value(1), "day"],
  dateDiff: ["day", "at", "at"],
  datePart: ["day", "at"],
  dateTrunc: ["day", "at"],
  denseRank: [],
  distance: ["id", "<->", "p"],
  div: ["id", "id"],
  exists: ["team", teams.query()],
  existsOn: [teams.query(), "id", "id"],
  field: ["id"],
  firstValue: ["id"],
  floor: ["id"],
  greatest: ["id", "id"],
  inQuery: ["id", "IN", teams.query().fields("id")],
  inserted: ["id"],
  isNull: ["id"],
  lag: ["id", 1],
  lastValue: ["id"],
  lead: ["id", 1],
  least: ["id", "id"],
  length: ["name"],
  listAgg: ["id", { orderBy: [["id", "asc"]] }],
  lower: ["name"],
  ltrim: ["name"],
  max: ["id"],
  min: ["id"],
  mod: ["id", "id"],
  mul: ["id", "id"],
  neg: ["id"],
  not: [condition],
  notBetween: ["id", "a", "b"],
  notExists: ["team", teams.query()],
  notExistsOn: [teams.query(), "id", "id"],
  notNull: ["id"],
  now: [],
  ntile: [2],
  nullIf: ["id", "p"],
  of: ["team", sum("id")],
  or: [condition],
  param: ["p", z.int()],
  path: ["meta", "a"],
  power: ["id", "p"],
  rank: [],
  raw: [z.int()],
  replace: ["name", "a", "b"],
  round: ["id", 1],
  rowNumber: [],
  rtrim: ["name"],
  sqrt: ["id"],
  sub: ["id", "id"],
  substring: ["name", "a", "b"],
  sum: ["id"],
  textAgg: ["name", "s", { orderBy: [["id", "asc"]] }],
  trim: ["name"],
  upper: ["name"],
  value: [1],
  when: [condition],
};

/** Where an expression or a condition goes. */
const places: readonly ((made: Untyped) => Untyped)[] = [
  (made) => people.query().fields(made?.as ? made.as("x_") : made),
  (made) => (made?.as ? people.query().where(made, "=", "z") : people.query().whereAnd(made)),
  (made) => people.query().fields("id").groupBy(made),
  (made) => people.query().orderBy(made, "asc"),
  (made) => people.modify().set("id", made).where("id", "=", "i"),
];

/** A value that a function made, made an expression. */
function finished(made: Untyped): Untyped {
  const text = typeof made === "function" ? made`1` : made;
  const labelled = typeof text?.when === "function" ? text.when(condition, "q") : text;
  return typeof labelled?.over === "function" && labelled.as === undefined
    ? labelled.over({ orderBy: [["id", "asc"]] })
    : labelled;
}

/** What a call throws that is none of ours. */
function foreign(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return typeof Object(error).code === "string" ? undefined : String(Object(error).message);
  }
}

describe("functions of expressions", () => {
  const functions = Object.keys(rowtype.fn);

  test("have a right call here", () => {
    expect(functions.filter((name) => right[name] === undefined)).toEqual([]);
  });

  test("take one hostile value in each place", () => {
    const wrong: string[] = [];
    for (const name of new Set([...functions, ...Object.keys(right)])) {
      const args = right[name] ?? [];
      for (const i of [...args.keys(), args.length])
        for (const [what, make] of Object.entries(hostile))
          for (const [p, place] of places.entries()) {
            const call = () => {
              const made = finished(
                (rowtype as Untyped)[name](...args.slice(0, i), make(), ...args.slice(i + 1)),
              );
              const builder = place(made);
              builder.safeRender();
              builder.toSpec();
            };
            const said = foreign(call);
            if (said !== undefined) wrong.push(`${name}[${i}] ${what}, place ${p}: ${said}`);
          }
    }
    expect(wrong).toEqual([]);
  });

  test("of windows, filters and names", () => {
    const wrong: string[] = [];
    const chains: Readonly<Record<string, (bad: unknown) => Untyped>> = {
      as: (bad) => sum("id").as(bad as Untyped),
      filter: (bad) =>
        sum("id")
          .filter(bad as Untyped)
          .as("x_"),
      over: (bad) =>
        sum("id")
          .over(bad as Untyped)
          .as("x_"),
      partitionBy: (bad) =>
        sum("id")
          .over({ partitionBy: bad } as Untyped)
          .as("x_"),
      orderBy: (bad) =>
        sum("id")
          .over({ orderBy: bad } as Untyped)
          .as("x_"),
      term: (bad) =>
        sum("id")
          .over({ orderBy: [bad] } as Untyped)
          .as("x_"),
      direction: (bad) =>
        sum("id")
          .over({ orderBy: [["id", bad]] } as Untyped)
          .as("x_"),
      frame: (bad) =>
        sum("id")
          .over({ orderBy: [["id", "asc"]], frame: bad } as Untyped)
          .as("x_"),
      rows: (bad) =>
        sum("id")
          .over({ orderBy: [["id", "asc"]], frame: { rows: bad } } as Untyped)
          .as("x_"),
      bound: (bad) =>
        sum("id")
          .over({ frame: { rows: [{ preceding: bad }, "current row"] } } as Untyped)
          .as("x_"),
      when: (bad) =>
        rowtype
          .caseWhen(z.int())
          .when(bad as Untyped, "q")
          .as("x_"),
      label: (bad) =>
        rowtype
          .caseWhen(z.int())
          .when(condition as Untyped, bad as Untyped)
          .as("x_"),
      else: (bad) =>
        (rowtype.caseWhen(z.int()).when(condition as Untyped, "q") as Untyped).else(bad).as("x_"),
      hole: (bad) => (rowtype.raw(z.int()) as Untyped)`a ${bad}`.as("x_"),
    };
    for (const [name, chain] of Object.entries(chains))
      for (const [what, make] of Object.entries(hostile)) {
        const said = foreign(() => people.query().fields(chain(make())).safeRender());
        if (said !== undefined) wrong.push(`${name} ${what}: ${said}`);
      }
    expect(wrong).toEqual([]);
  });
});

const builders: Readonly<Record<string, () => Untyped>> = {
  query: () => people.query(),
  select: () => people.select(),
  joined: () => people.query().join("team"),
  grouped: () => people.query().fields("teamId", count().as("n")).groupBy("teamId"),
  compound: () => people.query().union(people.query()),
  page: () => people.query().orderBy("id", "asc").page(2),
  dynamic: () => people.query().dynamic(),
  count: () => people.count(),
  sum: () => people.sum("id"),
  exists: () => people.query().exists(),
  insert: () => people.insert(),
  conflict: () => people.insert().onConflict("id"),
  upsert: () => people.insert().onConflict("id").doUpdate(),
  modify: () => people.modify().set("name", "n").where("id", "=", "i"),
  remove: () => people.remove().where("id", "=", "i"),
  repository: () => people,
};

// The public types name the methods; what else the classes have is their own.
const folder = new URL("../../../src/sql/types/", import.meta.url);
const typed = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));
const declared = [
  ...typed,
  readFileSync(new URL("../../../src/sql/door/repository.ts", import.meta.url), "utf8"),
];
const isPublic: ReadonlySet<string> = new Set(
  declared.flatMap((text) =>
    [...text.matchAll(/^ {2}(?:readonly )?(\w+)(?:<|\(|:)/gm)].map(([, name = ""]) => name),
  ),
);

/** The names of the public methods of a value, its own and inherited. */
function methodsOf(value: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { value: own }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof own === "function" && name !== "constructor" && isPublic.has(name)) names.add(name);
  return [...names];
}

/** Arguments that fit some method in each place; what matters is the one that is hostile. */
const fits: readonly (readonly unknown[])[] = [
  ["id", "=", "p"],
  ["id", "asc", "first"],
  ["team", teams.query(), "id"],
  ["other", Team, "teamId", "id"],
  [teams.query().as("t"), "teamId", "id"],
];

const runs = /^(exec|stream|explain)/;

// Each method gets a share of them, and the next method the next one: each builder gets all of them.
const SHARE = rounds({ small: 3, full: 1 });
let turn = 0;

describe.each(Object.entries(builders))("methods of %s", (_, make) => {
  test("take one hostile value in each place", async () => {
    const wrong: string[] = [];
    const pending: Promise<void>[] = [];
    for (const method of methodsOf(make()))
      for (const [what, bad] of Object.entries(hostile))
        for (const args of fits)
          for (const i of args.keys()) {
            if (turn++ % SHARE !== 0) continue;
            const given = args.with(i, bad());
            const note = (said: string | undefined) => {
              if (said !== undefined) wrong.push(`${method}[${i}] ${what}: ${said}`);
            };
            note(
              foreign(() => {
                const made = make()[method](...given);
                if (typeof made?.then === "function")
                  pending.push(
                    made.then(
                      () => undefined,
                      (error: unknown) =>
                        note(
                          foreign(() => {
                            throw error;
                          }),
                        ),
                    ),
                  );
                else if (runs.test(method))
                  pending.push(
                    made?.[Symbol.asyncIterator]?.()
                      .next()
                      .then(
                        () => undefined,
                        (error: unknown) =>
                          note(
                            foreign(() => {
                              throw error;
                            }),
                          ),
                      ),
                  );
                else made?.safeRender?.();
              }),
            );
          }
    await Promise.all(pending);
    people.onScan(null);
    people.onRecord(null);
    expect([...new Set(wrong)]).toEqual([]);
  });
});

test("an error of ours is an SqlError", () => {
  expect(() =>
    people
      .query()
      .fields(rowtype.round("id", Symbol("s") as Untyped).as("x_"))
      .render(),
  ).toThrow(SqlError);
});
