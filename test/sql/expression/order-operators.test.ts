/**
 * The operators that need an order, in every place where a condition stands: each kind of values that has none is
 * refused there, with its code and its path, on every dialect, and numbers are taken. Then distances of vectors as
 * operands, optional comparisons whose operand has parameters itself, and aggregates where rows are chosen.
 */
import * as rowtype from "rowtype";
import { BuildError, column, json, many, table, UnsupportedError, vector } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Kind, kinds } from "../../../src/sql/words/kinds.js";
import { distanceOperators } from "../../../src/sql/words/operators.js";
import { sqlErrorOf } from "../../kit/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: the compiler refuses what is tested here.
type Untyped = any;

const {
  abs,
  add,
  and,
  avg,
  between,
  boolAnd,
  c,
  caseWhen,
  coalesce,
  compare,
  count,
  countDistinct,
  distance,
  exists,
  field,
  greatest,
  inQuery,
  isNull,
  least,
  listAgg,
  max,
  min,
  not,
  notBetween,
  of,
  or,
  param,
  raw,
  round,
  rowNumber,
  sum,
  textAgg,
  upper,
  value,
  when,
}: Untyped = rowtype;

const dialects = ["postgres", "mariadb", "sqlite", "oracle"] as const;
type Dialect = (typeof dialects)[number];

/** A column of each kind that has no order, and its schema in raw text. */
const unordered = {
  boolean: z.boolean(),
  bytes: z.instanceof(Uint8Array),
  array: z.array(z.string()),
  json: json(z.object({ a: z.string() })),
  vector: vector(2),
};
const { vector: _, ...everywhere } = unordered;

const numbers = { id: column(z.int(), { primaryKey: true }), n: z.int(), s: z.string() };
const relations = { relations: { kids: many("items", "n") } };

/** A database that sends nothing, the table with a column of each kind, and those columns. Vectors are PostgreSQL's. */
function worldOf(dialect: Dialect) {
  const schemas: Readonly<Record<string, z.ZodType>> = dialect === "postgres" ? unordered : everywhere;
  const Item = table("items", z.object({ ...numbers, ...schemas } as typeof numbers), relations);
  const { items }: Untyped = recording(dialect).repositories({ items: Item });
  const operands = Object.entries(schemas).flatMap(([kind, schema]): Operand[] => [
    [kind, kind],
    [`raw text of ${kind}`, raw(schema)`${field(kind)}`],
  ]);
  return { items, Item, operands };
}
const worlds = Object.fromEntries(dialects.map((dialect) => [dialect, worldOf(dialect)])) as Record<
  Dialect,
  ReturnType<typeof worldOf>
>;

/** What it is, and a field or an expression. */
type Operand = readonly [name: string, operand: Untyped];

/** Numbers, which every place takes. */
const ordered: readonly Operand[] = [
  ["a number", "n"],
  ["raw text of a number", raw(z.int())`${field("n")}`],
];

/** An operator that needs an order: as a condition, as a step of a builder, as a spec of a client. */
interface Tested {
  readonly name: string;
  readonly condition: (operand: Untyped, items: Untyped) => Untyped;
  readonly step: (builder: Untyped, operand: Untyped, items: Untyped) => Untyped;
  readonly spec?: (field: string) => object;
  readonly ofQueries?: true;
}

const comparisons = kinds.number.operators.filter(
  (operator) => !(kinds.boolean.operators as readonly string[]).includes(operator),
);
const tested: readonly Tested[] = [
  ...comparisons.flatMap((operator): Tested[] => [
    {
      name: `${operator} a parameter`,
      condition: (operand) => c(operand, operator, "p"),
      step: (builder, operand) => builder.where(operand, operator, "p"),
      spec: (name) => ({ field: name, operator, param: "p" }),
    },
    {
      name: `${operator} a value`,
      condition: (operand) => compare(operand, operator, operand),
      step: (builder, operand) => builder.whereFields(operand, operator, operand),
    },
    {
      name: `${operator} a query`,
      ofQueries: true,
      condition: (operand, items) => inQuery(operand, operator, items.query().count()),
      step: (builder, operand, items) =>
        builder.whereQuery === undefined
          ? builder.whereAnd(inQuery(operand, operator, items.query().count()))
          : builder.whereQuery(operand, operator, items.query().count()),
    },
  ]),
  {
    name: "BETWEEN",
    condition: (operand) => between(operand, "p", "q"),
    step: (builder, operand) => builder.whereBetween(operand, "p", "q"),
    spec: (name) => ({ field: name, operator: "BETWEEN", low_param: "p", high_param: "q" }),
  },
  {
    name: "NOT BETWEEN",
    condition: (operand) => notBetween(operand, "p", "q"),
    step: (builder, operand) => builder.whereNotBetween(operand, "p", "q"),
    spec: (name) => ({ field: name, operator: "NOT BETWEEN", low_param: "p", high_param: "q" }),
  },
];

/** The problems of a statement, or what the dialect lacks; nothing where it is taken. */
function problemsOf(make: () => Untyped): readonly (readonly [code: string, path: string | undefined])[] {
  try {
    make().build();
    return [];
  } catch (error) {
    if (error instanceof BuildError) return error.problems.map(({ code, path }) => [code, path]);
    if (error instanceof UnsupportedError) return [[error.code, ""]];
    throw error;
  }
}

const [ofQuery] = tested.filter(({ ofQueries }) => ofQueries === true) as [Tested, ...Tested[]];
const upserts: ReadonlySet<string> = new Set(["CASE in the update of an upsert", "the update of an upsert"]);

const refusedAt = (path: string) => [["INVALID_OPERATOR", path]];
const labels = (condition: Untyped) => caseWhen(z.string()).when(condition, "label").else("other");

/** Where a condition stands, by the path of what is wrong in it. */
const conditionPlaces: Readonly<
  Record<string, readonly [path: string, make: (items: Untyped, condition: Untyped) => Untyped]>
> = {
  whereAnd: ["where[0].group[0]", (items, one) => items.query().whereAnd(one)],
  whereOr: ["where[0].group[1]", (items, one) => items.query().whereOr(isNull("n"), one)],
  "a group inside groups": [
    "where[0].group[1].group[0].not.group[1]",
    (items, one) => items.query().whereAnd(isNull("n"), or(not(and(isNull("s"), one)))),
  ],
  "whereOptional of a condition": ["where[0]", (items, one) => items.query().whereOptional(one)],
  "whereOptional of a group": [
    "where[0].group[0]",
    (items, one) => items.query().whereOptional(or(one, isNull("n"))),
  ],
  "CASE in fields": ["fields[0].when[0]", (items, one) => items.query().fields(labels(one).as("x"))],
  "CASE in WHERE": [
    "where[0].field.when[0]",
    (items, one) => items.query().fields("id").where(labels(one), "=", "r"),
  ],
  "when in fields": ["fields[0].when", (items, one) => items.query().fields(when(one).as("x"))],
  "when in a window": [
    "fields[0].over.partitionBy[0].when",
    (items, one) =>
      items.query().fields(
        rowNumber()
          .over({ partitionBy: [when(one)] })
          .as("x"),
      ),
  ],
  "when in the order of a list": [
    "fields[0].orderBy[0].when",
    (items, one) => items.query().fields(listAgg("n", { orderBy: [[when(one), "asc"]] }).as("x")),
  ],
  "when in an order": [
    "order_by[0].field.when",
    (items, one) => items.query().fields("id").orderBy(when(one), "asc"),
  ],
  "when in GROUP BY": [
    "group_by[0].when",
    (items, one) => items.query().fields(count().as("x")).groupBy(when(one)),
  ],
  boolAnd: ["fields[0].field.when", (items, one) => items.query().fields(boolAnd(one).as("x"))],
  filter: ["fields[0].filter", (items, one) => items.query().fields(count().filter(one).as("x"))],
  "filter over a window": [
    "fields[0].filter",
    (items, one) => items.query().fields(count().filter(one).over().as("x")),
  ],
  "filter in HAVING": [
    "having[0].field.filter",
    (items, one) => items.query().fields("n").groupBy("n").having(count().filter(one), ">", "r"),
  ],
  "filter of an aggregate of related rows": [
    "fields[0].fields[0].filter",
    (items, one) => items.query().fields(of("kids", count().filter(one)).as("x")),
  ],
  "CASE in a change": [
    "set.s.when[0]",
    (items, one) => items.modify().set("s", labels(one)).where("id", "=", "r"),
  ],
  "CASE in the update of an upsert": [
    "conflict_set.s.when[0]",
    (items, one) => items.insert().onConflict("id").doUpdate().set("s", labels(one)),
  ],
};

/** Statements with conditions of their own. */
const stepPlaces: Readonly<
  Record<
    string,
    readonly [
      path: string,
      make: (items: Untyped, step: (builder: Untyped) => Untyped, world: { Item: Untyped }) => Untyped,
    ]
  >
> = {
  query: ["where[0]", (items, step) => step(items.query().fields("id"))],
  select: ["where[0]", (items, step) => step(items.select().fields("id"))],
  count: ["where[0]", (items, step) => step(items.count())],
  "the count of a query": ["where[0]", (items, step) => step(items.query()).count()],
  "exists() of a query": ["where[0]", (items, step) => step(items.query()).exists()],
  max: ["where[0]", (items, step) => step(items.max("n"))],
  modify: ["where[0]", (items, step) => step(items.modify().set("n", "v"))],
  remove: ["where[0]", (items, step) => step(items.remove())],
  "the update of an upsert": ["where[0]", (items, step) => step(items.insert().onConflict("id").doUpdate())],
  whereExists: [
    "where[0].where[0]",
    (items, step) => items.query().fields("id").whereExists("kids", step(items.query())),
  ],
  "exists in a group": [
    "where[0].group[0].where[0]",
    (items, step) =>
      items
        .query()
        .fields("id")
        .whereOr(exists("kids", step(items.query()))),
  ],
  "nested rows": [
    "with.kids.where[0]",
    (items, step) =>
      items
        .query()
        .fields("id")
        .with("kids", step(items.query().fields("id"))),
  ],
  union: [
    "operands[0].query.where[0]",
    (items, step) =>
      items
        .query()
        .fields("id")
        .union(step(items.query().fields("id"))),
  ],
  "a query whose values are compared": [
    "where[0].query.where[0]",
    (items, step) =>
      items
        .query()
        .fields("id")
        .whereQuery("n", "IN", step(items.query().fields("n"))),
  ],
};

/** What a client may send, as JSON. */
const specPlaces: Readonly<
  Record<string, readonly [path: string, make: (items: Untyped, condition: object) => Untyped]>
> = {
  "a query": ["where[0]", (items, one) => items.queryFromSpec({ fields: ["id"], where: [one] })],
  "a query, optional": [
    "where[0]",
    (items, one) => items.queryFromSpec({ fields: ["id"], where: [{ ...one, optional: true }] }),
  ],
  "a query, in an optional group": [
    "where[0].group[0]",
    (items, one) =>
      items.queryFromSpec({ fields: ["id"], where: [{ logic: "AND", group: [one], optional: true }] }),
  ],
  "a query, in groups": [
    "where[1].group[0].group[1]",
    (items, one) => {
      const known = { field: "n", is_null: true };
      const group = [{ logic: "OR", group: [known, one] }];
      return items.queryFromSpec({ fields: ["id"], where: [known, { logic: "AND", group }] });
    },
  ],
  "a select": ["where[0]", (items, one) => items.selectFromSpec({ fields: ["id"], where: [one] })],
  "a change": ["where[0]", (items, one) => items.modifyFromSpec({ set: { n: "v" }, where: [one] })],
  "a removal": ["where[0]", (items, one) => items.removeFromSpec({ where: [one] })],
};

test("the kinds without an order are those of the table of kinds", () => {
  const without = (Object.keys(kinds) as Kind[]).filter(
    (kind) => !(kinds[kind].meets as readonly string[]).includes("an order"),
  );
  expect(Object.keys(unordered).sort()).toEqual(without.sort());
  expect(comparisons.toSorted()).toEqual(["<", "<=", ">", ">="]);
});

describe.each(dialects)("operators that need an order on %s", (dialect) => {
  const world = worlds[dialect];
  const { items, operands } = world;

  /** Every operator with every operand: the operands without an order are refused at the path, the others taken. */
  function expectRefused(place: string, path: string, make: (one: Tested, operand: Untyped) => Untyped) {
    // The update of an upsert takes no queries at all, whatever they are compared with.
    const isOfUpsert = problemsOf(() => make(ofQuery, "n")).some(([, at]) => at?.endsWith(".query") === true);
    expect(isOfUpsert).toBe(upserts.has(place));
    const used = isOfUpsert ? tested.filter(({ ofQueries }) => ofQueries !== true) : tested;
    const outcomes = (of: readonly Operand[], expected: readonly unknown[]) =>
      used.flatMap((one) =>
        of.map(([name, operand]) => ({
          of: `${name} ${one.name}`,
          found: problemsOf(() => make(one, operand)),
          expected,
        })),
      );
    const all = [...outcomes(ordered, []), ...outcomes(operands, refusedAt(`${path}.operator`))];
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(({ found, expected }) => JSON.stringify(found) !== JSON.stringify(expected))).toEqual(
      [],
    );
  }

  test.each(Object.entries(conditionPlaces))("%s", (name, [path, make]) => {
    expectRefused(name, path, (one, operand) => make(items, one.condition(operand, items)));
  });

  test.each(Object.entries(stepPlaces))("the conditions of %s", (name, [path, make]) => {
    expectRefused(name, path, (one, operand) =>
      make(items, (builder) => one.step(builder, operand, items), world),
    );
  });

  test("the columns of joined tables", () => {
    const joins: readonly ((query: Untyped) => Untyped)[] = [
      (query) => query.join("kids"),
      (query) => query.joinOn("kids", world.Item, "n", "n"),
    ];
    for (const join of joins)
      expectRefused("a join", "where[0]", (one, operand) => {
        const name = typeof operand === "string" ? `kids.${operand}` : operand;
        return one.step(join(items.query().fields("id")), name, items);
      });
  });

  test("whereOptional", () => {
    for (const operator of comparisons)
      for (const [[, operand], problems] of [
        ...ordered.map((one) => [one, []] as const),
        ...operands.map((one) => [one, refusedAt("where[0].operator")] as const),
      ])
        expect(problemsOf(() => items.query().whereOptional(operand, operator, "p"))).toEqual(problems);
  });

  test("HAVING, by a name and by itself", () => {
    const refused = (make: () => Untyped) => problemsOf(make).filter(([code]) => code === "INVALID_OPERATOR");
    for (const operator of comparisons)
      for (const [name, operand] of [...ordered, ...operands]) {
        if (typeof operand === "string") continue;
        const isWrong = operands.some(([one]) => one === name);
        const groups = items.query().fields("s").groupBy("s");
        expect(refused(() => groups.having(operand, operator, "p"))).toEqual(
          isWrong ? refusedAt("having[0].operator") : [],
        );
        const named = items.query().fields(operand.as("x")).groupBy("x").having("x", operator, "p");
        // Rows are not gathered by JSON of an expression at all.
        const path = name.endsWith("json") ? "fields[0]" : "having[0].operator";
        expect(refused(() => named)).toEqual(isWrong ? refusedAt(path) : []);
      }
  });

  test("HAVING of what gathers rows", () => {
    const groups = items.query().fields("n").groupBy("n");
    for (const operator of comparisons) {
      expect(problemsOf(() => groups.having(max("id"), operator, "p"))).toEqual([]);
      for (const operand of [boolAnd(isNull("n")), listAgg("id")])
        expect(problemsOf(() => groups.having(operand, operator, "p"))).toEqual(
          refusedAt("having[0].operator"),
        );
    }
  });

  test.each(Object.entries(specPlaces))("the spec of a client: %s", (_name, [path, make]) => {
    for (const { spec } of tested) {
      if (spec === undefined) continue;
      expect(problemsOf(() => make(items, spec("n")))).toEqual([]);
      for (const [name, operand] of operands)
        if (typeof operand === "string")
          expect(problemsOf(() => make(items, spec(name)))).toEqual(refusedAt(`${path}.operator`));
    }
  });

  test("the schema of the specs of clients", () => {
    const { query } = items.specs();
    for (const { spec } of tested) {
      if (spec === undefined) continue;
      for (const more of [{}, { optional: true }]) {
        const isTaken = (name: string) =>
          query.safeParse({ fields: ["id"], where: [{ ...spec(name), ...more }] }).success;
        expect(isTaken("n")).toBe(true);
        for (const [name, operand] of operands)
          if (typeof operand === "string") expect([name, isTaken(name)]).toEqual([name, false]);
      }
    }
  });

  test("min and max", () => {
    // What is asked of their result is refused too.
    const refused = (make: () => Untyped) =>
      problemsOf(make).filter(([code]) => code === "INVALID_AGGREGATE");
    for (const [func, make] of [
      ["min", min],
      ["max", max],
    ])
      for (const [[name, operand], wrong] of [
        ...ordered.map((one) => [one, false] as const),
        ...operands.map((one) => [one, true] as const),
      ]) {
        const at = (path: string) => (wrong ? [["INVALID_AGGREGATE", path]] : []);
        const made = make(operand);
        expect(problemsOf(() => items.query().fields(made.as("x")))).toEqual(at("fields[0].field"));
        expect(problemsOf(() => items.query().fields(made.over().as("x")))).toEqual(at("fields[0].field"));
        const groups = items.query().fields("n").groupBy("n");
        expect(refused(() => groups.orderBy(made, "asc"))).toEqual(at("order_by[0].field.field"));
        if (typeof operand !== "string") continue;
        const filter = { func, field: name === "a number" ? "n" : name, operator: ">", param: "p" };
        const spec = { fields: ["s"], group_by: ["s"], having_agg: [filter] };
        expect(refused(() => items.queryFromSpec(spec))).toEqual(at("having_agg[0].field"));
        expect(problemsOf(() => items[func](operand))).toEqual(at("field"));
      }
  });

  test("greatest and least: of booleans too, and of nothing else without an order", () => {
    for (const make of [greatest, least])
      for (const [name, operand] of [...ordered, ...operands]) {
        const isWrong = operands.some(([one]) => one === name) && !name.endsWith("boolean");
        const expected = isWrong ? [["INVALID_CONDITION", "fields[0]"]] : [];
        expect([name, problemsOf(() => items.query().fields(make(operand, operand).as("x")))]).toEqual([
          name,
          expected,
        ]);
      }
  });

  test("ORDER BY takes stored values of every kind that the server orders, and no JSON of an expression", () => {
    const orders: readonly (readonly [string, (operand: Untyped) => Untyped])[] = [
      ["order_by[0].field", (operand) => items.query().fields("id").orderBy(operand, "desc")],
      [
        "fields[0].over.orderBy[0]",
        (operand) =>
          items.query().fields(
            rowNumber()
              .over({ orderBy: [[operand, "asc"]] })
              .as("x"),
          ),
      ],
      [
        "fields[0].orderBy[0]",
        (operand) => items.query().fields(listAgg("n", { orderBy: [[operand, "asc"]] }).as("x")),
      ],
    ];
    for (const [path, make] of orders)
      for (const [name, operand] of [...ordered, ...operands]) {
        const isLarge = dialect === "oracle" && ["bytes", "array", "json"].includes(name);
        const isJson = name === "raw text of json";
        const expected = isLarge ? [["UNSUPPORTED", ""]] : isJson ? refusedAt(path) : [];
        expect([name, problemsOf(() => make(operand))]).toEqual([name, expected]);
      }
  });

  test("joinOn asks for equality, which JSON and vectors have not", () => {
    for (const [name, operand] of operands) {
      if (typeof operand !== "string") continue;
      const problems = problemsOf(() =>
        items.query().fields("id").joinOn("other", world.Item, operand, operand),
      );
      const isWrong = name === "json" || name === "vector";
      expect([name, problems]).toEqual([name, isWrong ? refusedAt("joins[0]") : []]);
    }
  });
});

test.each(dialects)("two values are compared by operators of one value only, on %s", (dialect) => {
  const { items } = worlds[dialect];
  for (const operator of kinds.text.operators) {
    const isOfValues = ["=", "!=", ...comparisons].includes(operator);
    for (const one of [
      items.query().whereFields("s", operator, "s"),
      items.query().whereFields(upper("s"), operator, raw(z.string())`${field("s")}`),
    ])
      expect([operator, problemsOf(() => one)]).toEqual([operator, isOfValues ? [] : refusedAt("where[0]")]);
  }
});

describe.each(dialects)("aggregates and windows where rows are chosen on %s", (dialect) => {
  const { items } = worlds[dialect];
  const numbered = rowNumber().over({ orderBy: [["id", "asc"]] });
  /** Conditions with one in them, however deep. */
  const chosenBy = (operand: Untyped): readonly Untyped[] => [
    c(operand, ">", "p"),
    compare("n", "<", operand),
    between(operand, "p", "q"),
    isNull(operand),
    or(isNull("n"), not(c(add(operand, "n"), "<=", "p"))),
    c(labels(c(operand, "=", "p")), "=", "q"),
    inQuery(operand, "IN", items.query().fields("n")),
  ];
  const wrong = [...chosenBy(sum("n")), ...chosenBy(count()), ...chosenBy(numbered)];

  const aggregates: Readonly<Record<string, Untyped>> = {
    count: count(),
    countDistinct: countDistinct("n"),
    sum: sum("n"),
    avg: avg("n"),
    min: min("n"),
    max: max("n"),
    boolAnd: boolAnd(isNull("n")),
    listAgg: listAgg("n"),
    textAgg: textAgg("s", value(", ")),
  };

  test.each(Object.entries(aggregates))("the filter of %s has neither", (_name, aggregate) => {
    for (const condition of wrong) {
      const filtered = aggregate.filter(condition);
      expect(problemsOf(() => items.query().fields(filtered.as("x")))).toEqual([
        ["INVALID_CONDITION", "fields[0].filter"],
      ]);
      expect(problemsOf(() => items.query().fields("n").groupBy("n").orderBy(filtered, "asc"))).toEqual([
        ["INVALID_CONDITION", "order_by[0].field.filter"],
      ]);
    }
    expect(problemsOf(() => items.query().fields(aggregate.filter(isNull("n")).as("x")))).toEqual([]);
  });

  test("nor has WHERE, and the filter of what HAVING asks, of related rows, or over a window", () => {
    for (const condition of wrong) {
      expect(problemsOf(() => items.query().whereAnd(condition))).toEqual([
        ["INVALID_CONDITION", "where[0]"],
      ]);
      const filtered = count().filter(condition);
      expect(problemsOf(() => items.query().fields("n").groupBy("n").having(filtered, ">", "r"))).toEqual([
        ["INVALID_CONDITION", "having[0].field.filter"],
      ]);
      expect(problemsOf(() => items.query().fields(of("kids", filtered).as("x")))).toEqual([
        ["INVALID_CONDITION", "fields[0].fields[0].filter"],
      ]);
      expect(problemsOf(() => items.query().fields(filtered.over().as("x")))).toEqual([
        ["INVALID_CONDITION", "fields[0].filter"],
      ]);
    }
  });

  const takers: readonly ((operand: Untyped) => Untyped)[] = [
    count,
    countDistinct,
    sum,
    avg,
    min,
    max,
    listAgg,
    (operand) => boolAnd(c(operand, ">", "p")),
    (operand) => textAgg(rowtype.cast(operand, "text"), value(", ")),
  ];
  test.each(takers.map((take, i) => [i, take] as const))("no aggregate takes one: %i", (_i, take) => {
    for (const operand of [sum("n"), numbered, add(sum("n"), value(1)), add("n", numbered)]) {
      expect(problemsOf(() => items.query().fields(take(operand).as("x")))).toEqual([
        ["INVALID_AGGREGATE", "fields[0].field"],
      ]);
    }
    expect(problemsOf(() => items.query().fields(take("n").as("x")))).toEqual([]);
  });

  test("the values of a list are ordered by their rows", () => {
    for (const operand of [sum("n"), numbered, add("n", count())])
      for (const list of [
        listAgg("n", { orderBy: [[operand, "asc"]] }),
        textAgg("s", value(", "), { orderBy: [[operand, "asc"]] }),
      ])
        expect(problemsOf(() => items.query().fields(list.as("x")))).toEqual([
          ["INVALID_AGGREGATE", "fields[0].orderBy"],
        ]);
  });

  test("a window over groups takes aggregates, and no window takes another", () => {
    const groups = items.query().fields("n").groupBy("n");
    for (const window of [{ partitionBy: [sum("id")] }, { orderBy: [[sum("id"), "asc"]] }])
      for (const over of [count().over(window), rowNumber().over(window)])
        expect(problemsOf(() => groups.orderBy(over, "asc"))).toEqual([]);
    for (const window of [{ partitionBy: [numbered] }, { orderBy: [[numbered, "asc"]] }])
      for (const over of [count().over(window), rowNumber().over(window)])
        expect(problemsOf(() => items.query().fields(over.as("x")))).toEqual([
          ["INVALID_AGGREGATE", "fields[0].over"],
        ]);
  });

  test("HAVING and GROUP BY have no windows, by a name and by itself", () => {
    const groups = items.query().fields("n", numbered.as("x")).groupBy("n", "id");
    expect(problemsOf(() => groups.having("x", ">", "p"))).toEqual([["INVALID_AGGREGATE", "having[0]"]]);
    for (const operand of [numbered, add(numbered, "n")]) {
      expect(problemsOf(() => groups.having(operand, ">", "p"))).toEqual([
        ["INVALID_AGGREGATE", "having[0].field"],
      ]);
      expect(problemsOf(() => items.query().fields(count().as("x")).groupBy(operand))).toEqual([
        ["INVALID_AGGREGATE", "group_by[0]"],
      ]);
    }
  });

  test("DISTINCT ON is of what the rows have", () => {
    if (dialect !== "postgres") {
      expect(problemsOf(() => items.query().fields("id").distinctOn("n"))).toEqual([["UNSUPPORTED", ""]]);
      return;
    }
    const groups = items.query().fields("n").groupBy("n");
    expect(problemsOf(() => groups.distinctOn(sum("id")))).toEqual([]);
    expect(problemsOf(() => groups.distinctOn("n"))).toEqual([]);
    expect(problemsOf(() => groups.distinctOn("s"))).toEqual([["INVALID_AGGREGATE", "distinct_on[0]"]]);
    expect(problemsOf(() => items.query().fields("id").distinctOn(sum("n")))).toEqual([
      ["INVALID_AGGREGATE", "distinct_on"],
    ]);
    expect(problemsOf(() => items.query().fields("id").distinctOn(numbered))).toEqual([]);
  });
});

describe("distances of vectors as operands", () => {
  const { items } = worlds.postgres;
  const far = (operator: string, name = "vector") => distance(name, operator, "point");

  /** Where the number that a distance is may stand. */
  const taken: Readonly<Record<string, (operand: Untyped) => Untyped>> = {
    fields: (operand) => items.query().fields(operand.as("x")),
    where: (operand) => items.query().fields("id").where(operand, "<", "p"),
    whereOptional: (operand) => items.query().fields("id").whereOptional(operand, ">=", "p"),
    whereBetween: (operand) => items.query().fields("id").whereBetween(operand, "p", "q"),
    whereFields: (operand) =>
      items
        .query()
        .fields("id")
        .whereFields(operand, "<", add(operand, value(1))),
    "IN a list": (operand) => items.query().fields("id").where(operand, "IN", "list"),
    "a group": (operand) =>
      items
        .query()
        .fields("id")
        .whereOr(isNull("n"), not(c(operand, ">", "p"))),
    "a condition of a change": (operand) => items.remove().where(operand, ">", "p"),
    CASE: (operand) => items.query().fields(labels(c(operand, "<", "p")).as("x")),
    "a label of CASE": (operand) =>
      items.query().fields(caseWhen(z.number()).when(isNull("n"), operand).as("x")),
    filter: (operand) =>
      items.query().fields(
        count()
          .filter(c(operand, "<", "p"))
          .as("x"),
      ),
    "an aggregate": (operand) => items.query().fields(avg(operand).as("x"), min(operand).as("y")),
    having: (operand) => items.query().fields("n").groupBy("n").having(max(operand), "<", "p"),
    "an order": (operand) => items.query().fields("id").orderBy(operand, "asc"),
    "the order of a window": (operand) =>
      items.query().fields(
        rowNumber()
          .over({ orderBy: [[operand, "asc"]] })
          .as("x"),
      ),
    calculations: (operand) => items.query().fields(round(abs(add(operand, "n"))).as("x")),
    "the greatest": (operand) => items.query().fields(greatest(operand, operand).as("x")),
    coalesce: (operand) => items.query().fields(coalesce(operand, value(0)).as("x")),
    "GROUP BY": (operand) => items.query().fields(operand.as("x")).groupBy("x"),
  };
  test.each(Object.entries(taken))("taken: %s", (_name, make) => {
    for (const operator of distanceOperators) {
      expect(problemsOf(() => make(far(operator)))).toEqual([]);
      expect(make(far(operator)).render().native.sql).toContain(`"vector" ${operator} $`);
    }
  });

  test("refused where a text, a pattern, a boolean or a vector is asked for", () => {
    for (const operator of distanceOperators) {
      const one = far(operator);
      const wrong: readonly (readonly [Untyped, string, string])[] = [
        [items.query().fields(upper(one).as("x")), "INVALID_OPERATOR", "fields[0]"],
        [items.query().where(one, "LIKE", "p"), "INVALID_OPERATOR", "where[0].operator"],
        [items.query().where(one, "&&", "p"), "INVALID_OPERATOR", "where[0].operator"],
        [items.query().where(one, operator, "p"), "INVALID_OPERATOR", "where[0].operator"],
        [items.query().where("vector", operator, "p"), "INVALID_OPERATOR", "where[0].operator"],
        [items.query().whereFields(one, "<", "s"), "INVALID_OPERATOR", "where[0]"],
        [items.query().whereFields(one, "<", "vector"), "INVALID_OPERATOR", "where[0]"],
        [items.query().fields(textAgg(one, value(",")).as("x")), "INVALID_AGGREGATE", "fields[0]"],
      ];
      for (const [built, code, path] of wrong) expect(problemsOf(() => built)).toEqual([[code, path]]);
    }
  });

  test("a limit of a distance is < or <=, in conditions of the statement", () => {
    for (const comparison of ["<", "<=", ">", ">=", "=", "!=", "BETWEEN", "", undefined, "< 1 OR 1 ="]) {
      const isRight = comparison === "<" || comparison === "<=";
      for (const builder of [items.query().fields("id"), items.select()]) {
        const built = builder.whereDistance("vector", "<->", "point", comparison, "most");
        expect(problemsOf(() => built)).toEqual(isRight ? [] : refusedAt("where[0]"));
      }
    }
  });

  test.each(dialects)("a distance of anything else, or by another operator: refused on %s", (dialect) => {
    const { items: own, operands } = worlds[dialect];
    for (const name of ["n", "s", "id", ...operands.map(([one]) => one)]) {
      if (name.startsWith("raw text")) continue;
      for (const operator of [...distanceOperators, "<", "-", "<->; --", undefined]) {
        const isKnown = (distanceOperators as readonly unknown[]).includes(operator);
        if (isKnown && name === "vector") continue;
        const part = isKnown ? "field" : "operator";
        const at = (path: string) => refusedAt(`${path}.${part}`);
        const one = distance(name, operator, "point");
        expect(problemsOf(() => own.query().fields(one.as("x")))).toEqual(at("fields[0]"));
        expect(problemsOf(() => own.query().where(one, "<", "p"))).toEqual(at("where[0].field"));
        expect(problemsOf(() => own.query().fields("id").orderBy(one, "asc"))).toEqual(
          at("order_by[0].field"),
        );
        expect(problemsOf(() => own.query().whereDistance(name, operator, "point", "<", "most"))).toEqual(
          at("where[0]"),
        );
      }
    }
  });
});

describe.each(dialects)("optional comparisons whose operand has parameters on %s", (dialect) => {
  const { Item } = worlds[dialect];
  const start = () => {
    const db: Untyped = recording(dialect);
    return { db, items: db.repository(Item) };
  };
  const operand = add("n", param("more", z.int()));

  /** Conditions of which `more` is a parameter of the operand, with the others that they compare with. */
  const forms: Readonly<
    Record<string, readonly [others: readonly string[], add: (query: Untyped) => Untyped]>
  > = {
    ...Object.fromEntries(
      [...comparisons, "=", "!="].flatMap((operator) => [
        [operator, [["p"], (query: Untyped) => query.whereOptional(operand, operator, "p")] as const],
        [
          `${operator}, a condition`,
          [["p"], (query: Untyped) => query.whereOptional(c(operand, operator, "p"))] as const,
        ],
      ]),
    ),
    "a value": [[], (query) => query.whereOptional(compare(operand, ">", "n"))],
    "a null test": [[], (query) => query.whereOptional(isNull(operand))],
    BETWEEN: [["p", "q"], (query) => query.whereOptional(between(operand, "p", "q"))],
    "NOT BETWEEN": [["p", "q"], (query) => query.whereOptional(notBetween(operand, "p", "q"))],
    not: [["p"], (query) => query.whereOptional(not(c(operand, "<", "p")))],
    or: [["p"], (query) => query.whereOptional(or(c("n", "=", "p"), isNull(operand)))],
    CASE: [
      ["label", "other", "text"],
      (query) => query.whereOptional(labels(isNull(operand)), "STARTS WITH", "text"),
    ],
  };
  const right: Readonly<Record<string, unknown>> = { more: 1, p: 2, q: 3, label: "a", other: "b", text: "a" };

  test.each(Object.entries(forms))("%s", async (_form, [others, addTo]) => {
    const names = ["more", ...others];
    for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
      const present = names.filter((_, i) => (chosen & (1 << i)) !== 0);
      const params = Object.fromEntries(present.map((name) => [name, right[name]]));
      const absent = Object.fromEntries(names.map((name) => [name, undefined]));
      const isWhole = present.length === names.length;
      const { db, items } = start();
      await addTo(items.query().fields("id")).exec(params);
      await addTo(items.query().fields("id")).exec({ ...absent, ...params });
      await addTo(items.count()).exec(params);
      for (const { sql, params: sent } of db.statements) {
        expect({ present, hasWhere: sql.includes("WHERE") }).toEqual({ present, hasWhere: isWhole });
        expect(sent.length > 0).toBe(isWhole);
      }
      expect(db.statements).toHaveLength(3);
    }
  });

  test("a parameter that stands in a condition which always applies is required", async () => {
    const { db, items } = start();
    const query = items.query().fields("id").where("n", ">", "more").whereOptional(operand, "<", "p");
    expect((await sqlErrorOf(query.exec({}))).code).toBe("MISSING_PARAM");
    expect((await sqlErrorOf(query.exec({ p: 1 }))).code).toBe("MISSING_PARAM");
    expect((await sqlErrorOf(query.exec({ more: 1, p: 1, q: 1 }))).code).toBe("EXTRA_PARAM");
    await query.exec({ more: 1 });
    await query.exec({ more: 1, p: 2 });
    expect(db.statements.map(({ params }: Untyped) => new Set(params.map(Number)))).toEqual([
      new Set([1]),
      new Set([1, 2]),
    ]);
  });

  test("one parameter needs no group: the text is that of a condition which always applies", async () => {
    const { db, items } = start();
    const query = items.query().fields("id");
    for (const one of ["n", add("n", value(7))]) {
      await query.whereOptional(one, "<", "p").exec({ p: 1 });
      await query.where(one, "<", "p").exec({ p: 1 });
      const [optional, always] = db.statements.slice(-2);
      expect(optional).toEqual(always);
    }
  });

  test("a parameter of the operand is checked where it is given, and a constant is none", async () => {
    const { db, items } = start();
    const query = items.query().fields("id").whereOptional(operand, "<", "p");
    const error = await sqlErrorOf(query.exec({ more: "1", p: 1 }));
    expect([error.code, Object(error).param]).toEqual(["PARAM_TYPE", "more"]);
    const fixed = items
      .query()
      .fields("id")
      .whereOptional(add("n", value(7)), "<", "p");
    await fixed.exec({});
    await fixed.exec({ p: 8 });
    expect(db.statements.map(({ sql }: Untyped) => sql.includes("WHERE"))).toEqual([false, true]);
  });

  test("only one of two is left out, and not in a condition that always applies", async () => {
    const { db, items } = start();
    const two = items
      .query()
      .fields("id")
      .where(add("n", param("always", z.int())), ">", "r")
      .whereOptional(operand, "<", "p")
      .whereOptional(add("n", param("other", z.int())), ">=", "p");
    const texts = async (params: object) => {
      await two.exec(params);
      const { sql } = db.statements.at(-1);
      return [" > ", " < ", " >= "].filter((operator) => sql.includes(operator));
    };
    const always = { always: 1, r: 2 };
    expect(await texts(always)).toEqual([" > "]);
    expect(await texts({ ...always, p: 1 })).toEqual([" > "]);
    expect(await texts({ ...always, p: 1, more: 1 })).toEqual([" > ", " < "]);
    expect(await texts({ ...always, p: 1, other: 1 })).toEqual([" > ", " >= "]);
    expect(await texts({ ...always, p: 1, more: 1, other: 1 })).toEqual([" > ", " < ", " >= "]);
    expect((await sqlErrorOf(two.exec({ r: 2, p: 1, more: 1 }))).code).toBe("MISSING_PARAM");
  });
});
