/**
 * Random specs of all kinds over the table of `people.ts`, for property tests: each is one that its dialect takes. And
 * the same spec written by the methods of a builder.
 */

import fc, { type Arbitrary } from "fast-check";
import type {
  AggregateSpec,
  CompoundQuerySpec,
  ConditionSpec,
  CreateSpec,
  DeleteSpec,
  Dialect,
  FieldSpec,
  HavingAggSpec,
  OrderBySpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "rowtype";

/** A spec and what it is a spec of. */
export type SpecCase =
  | { readonly kind: "query"; readonly spec: QuerySpec }
  | { readonly kind: "select"; readonly spec: SelectSpec }
  | { readonly kind: "compound"; readonly spec: CompoundQuerySpec }
  | { readonly kind: "insert"; readonly spec: CreateSpec }
  | { readonly kind: "modify"; readonly spec: UpdateSpec }
  | { readonly kind: "remove"; readonly spec: DeleteSpec }
  | { readonly kind: "count" | "sum" | "avg" | "min" | "max"; readonly spec: AggregateSpec };

export type SpecKind = SpecCase["kind"];

const comparison = ["=", "!=", ">", ">=", "<", "<="];
const ordered = [...comparison, "IN", "NOT IN"];
const pattern = [
  "LIKE",
  "NOT LIKE",
  "ILIKE",
  "NOT ILIKE",
  "CONTAINS",
  "STARTS WITH",
  "ENDS WITH",
  "ICONTAINS",
  "ISTARTS WITH",
  "IENDS WITH",
];
const regex = ["~", "~*", "!~", "!~*"];

/** The fields by what they hold. */
const byKind = {
  text: ["email", "name", "role"],
  number: ["id", "age", "score", "teamId"],
  bigint: ["balance"],
  date: ["bornAt", "createdAt"],
  boolean: ["active"],
  bytes: ["photo"],
  array: ["tags"],
  json: ["settings"],
} as const;

const fields: readonly string[] = Object.values(byKind).flat();
// What every dialect can put in order and tell apart.
const comparable: readonly string[] = [
  ...byKind.text,
  ...byKind.number,
  ...byKind.bigint,
  ...byKind.date,
  ...byKind.boolean,
];
const withOrder: readonly string[] = comparable.filter((field) => field !== "active");
const numbers: readonly string[] = [...byKind.number, ...byKind.bigint];
/** Whose tables an update may set: all but what the database generates. */
const settable = fields;

/** The operators that a field takes on a dialect. */
function operatorsOf(field: string, dialect: Dialect): readonly string[] {
  const has = (kind: keyof typeof byKind) => (byKind[kind] as readonly string[]).includes(field);
  if (has("text")) return [...ordered, ...pattern, ...(dialect === "postgres" ? regex : [])];
  if (has("boolean")) return ["=", "!=", "IN", "NOT IN"];
  if (has("bytes")) return ["=", "!="];
  if (has("array")) return dialect === "postgres" ? ["=", "!=", "@>", "<@", "&&"] : ["=", "!="];
  return has("json") ? [] : ordered;
}

const oneOf = <T>(values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values);
const someOf = <T>(values: readonly T[], minLength = 1): Arbitrary<T[]> =>
  fc.shuffledSubarray([...values], { minLength, maxLength: Math.min(4, values.length) });
const maybe = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Names of parameters, awkward ones among them. */
const param = oneOf(["p", "q", "min", "_1", "constructor", "toString", "__proto__", "P".repeat(63)]);
const aliases = ["n", "total", "Last", "select", "rows", "A_9", "z".repeat(63)];
const direction = oneOf(["asc", "desc"] as const);

/** Without the members that are undefined. */
const tidy = <T extends object>(spec: Arbitrary<T>): Arbitrary<T> =>
  // Leaving out what is undefined changes no type of it.
  spec.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as T);

function leaf(dialect: Dialect): Arbitrary<ConditionSpec> {
  const field = oneOf(fields);
  const compared = oneOf(fields.filter((one) => operatorsOf(one, dialect).length > 0)).chain((one) =>
    fc.record({ field: fc.constant(one), operator: oneOf(operatorsOf(one, dialect)), param }),
  );
  const alike = oneOf([
    ["id", "age"],
    ["score", "teamId"],
    ["email", "role"],
    ["bornAt", "createdAt"],
  ] as const).chain(([left, right]) =>
    fc.record({ field: fc.constant(left), operator: oneOf(comparison), right_field: fc.constant(right) }),
  );
  const leaves = fc.oneof(
    { weight: 4, arbitrary: compared },
    alike,
    fc.record({ field, operator: oneOf(["IS NULL", "IS NOT NULL"]), is_null: fc.constant(true) }),
    fc.record({ field, operator: oneOf(["IS NULL", "IS NOT NULL"]) }),
    fc.record({ field, is_null: fc.constant(true) }),
    fc.record({
      field: oneOf(withOrder),
      operator: oneOf(["BETWEEN", "NOT BETWEEN"]),
      low_param: param,
      high_param: param,
    }),
  );
  // The operators are text here, which the specs list.
  return leaves as Arbitrary<ConditionSpec>;
}

function condition(dialect: Dialect): Arbitrary<ConditionSpec> {
  const { all } = fc.letrec<{ all: ConditionSpec; group: ConditionSpec }>((tie) => ({
    group: fc.record({
      logic: oneOf(["AND", "OR"] as const),
      group: fc.array(tie("all"), { minLength: 1, maxLength: 3 }),
    }),
    all: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf(dialect), tie("group")),
  }));
  return all;
}

function conditions(dialect: Dialect, minLength = 0): Arbitrary<ConditionSpec[]> {
  return fc.array(condition(dialect), { minLength, maxLength: 3 });
}

/** Conditions of which some count only where their parameter is given. */
function someOptional(dialect: Dialect): Arbitrary<ConditionSpec[]> {
  const optional = (one: ConditionSpec): ConditionSpec => ("param" in one ? { ...one, optional: true } : one);
  return fc
    .tuple(conditions(dialect), fc.boolean())
    .map(([list, flag]) => (flag ? list.map(optional) : list));
}

function order(names: readonly string[], maxLength = 3): Arbitrary<OrderBySpec[]> {
  const places = fc.oneof(
    fc.constant({}),
    fc.record({ nulls: oneOf(["first", "last"] as const) }),
    fc.record({ nulls_first: fc.boolean() }),
    fc.record({ nulls_last: fc.boolean() }),
  );
  const term = fc
    .tuple(oneOf(names), direction, places)
    .map(([field, dir, place]): OrderBySpec => ({ field, direction: dir, ...place }));
  return fc.array(term, { minLength: 1, maxLength });
}

const paging = fc
  .record({
    limit: fc.oneof(
      fc.constant({}),
      fc.record({ limit: fc.nat(1000) }),
      fc.record({ limit_param: param }),
      fc.record({ limit_param: param, limit: fc.nat(1000) }),
    ),
    offset: fc.oneof(
      fc.constant({}),
      fc.record({ offset: fc.nat(1000) }),
      fc.record({ offset_param: param }),
    ),
  })
  .map(({ limit, offset }) => ({ ...limit, ...offset }));

function aggregates(): Arbitrary<FieldSpec[]> {
  const call = fc.oneof(
    fc.record({ func: fc.constant("count" as const) }),
    fc.record({ func: fc.constant("count" as const), field: oneOf(["*", ...fields]) }),
    fc.record({ func: oneOf(["sum", "avg"] as const), field: oneOf(numbers) }),
    fc.record({ func: oneOf(["min", "max"] as const), field: oneOf(withOrder) }),
    fc.record({ func: fc.constant("count_distinct" as const), field: oneOf(comparable) }),
  );
  return someOf(aliases, 1).chain((names) =>
    fc.tuple(...names.map((alias) => call.map((one): FieldSpec => ({ ...one, alias })))),
  );
}

function havingAgg(): Arbitrary<HavingAggSpec> {
  return fc.oneof(
    fc.record({
      func: fc.constant("count" as const),
      field: oneOf(["*", ...fields]),
      operator: oneOf(ordered),
      param,
    }),
    fc.record({
      func: oneOf(["sum", "avg"] as const),
      field: oneOf(numbers),
      operator: oneOf(ordered),
      param,
    }),
    fc.record({
      func: oneOf(["min", "max"] as const),
      field: oneOf(withOrder),
      operator: oneOf(ordered),
      param,
    }),
    // The operators are text here, which the specs list.
  ) as Arbitrary<HavingAggSpec>;
}

/** A query of columns. */
function plainRows(dialect: Dialect): Arbitrary<QuerySpec> {
  const chosen = maybe(someOf(fields));
  const lock =
    dialect === "postgres"
      ? ["update", "no_key_update", "share", "key_share"]
      : dialect === "mariadb"
        ? ["update", "share"]
        : [];
  const lockSpec =
    lock.length === 0
      ? fc.constant({})
      : fc.oneof(
          { weight: 4, arbitrary: fc.constant({}) },
          fc.record({ for_locking: oneOf(lock) }),
          fc.record({ for_locking: fc.record({ mode: oneOf(lock), skip_locked: fc.boolean() }) }),
          fc.record({ for_locking: fc.record({ mode: oneOf(lock), no_wait: fc.boolean() }) }),
        );
  const free = fc
    .tuple(
      tidy(
        fc.record({
          fields: chosen,
          where: maybe(someOptional(dialect)),
          order_by: maybe(order(comparable)),
        }),
      ),
      lockSpec,
    )
    .map(([rows, one]) => ({ ...rows, ...one }));
  const distinct = someOf(comparable).chain((names) =>
    tidy(
      fc.record({
        fields: fc.constant(names),
        where: maybe(someOptional(dialect)),
        order_by: maybe(order(names)),
        distinct: fc.constant(true),
      }),
    ),
  );
  const distinctOn = someOf(comparable).chain((names) =>
    fc.record({
      fields: chosen.map((list) => list ?? ["id"]),
      distinct_on: fc.constant(names),
      order_by: fc.constant(names.map((field): OrderBySpec => ({ field, direction: "asc" }))),
    }),
  );
  const all = [{ weight: 3, arbitrary: free }, distinct, ...(dialect === "postgres" ? [distinctOn] : [])];
  // The modes of locks are text here, which the specs list.
  return fc.oneof(...all) as Arbitrary<QuerySpec>;
}

/** A query of groups. */
function groupedRows(dialect: Dialect): Arbitrary<QuerySpec> {
  return fc.tuple(maybe(someOf(comparable)), aggregates()).chain(([groups = [], gathered]) => {
    const names = gathered.flatMap((one) => (typeof one === "string" ? [] : [one.alias]));
    const numeric = gathered.flatMap((one) =>
      typeof one !== "string" && (one.func === "count" || one.func === "sum") ? [one.alias] : [],
    );
    const having = numeric.length === 0 ? fc.constant(undefined) : maybe(filters(numeric));
    return tidy(
      fc.record({
        fields: fc.shuffledSubarray([...groups, ...gathered], { minLength: groups.length + gathered.length }),
        where: maybe(someOptional(dialect)),
        group_by: fc.constant(groups.length === 0 ? undefined : groups),
        having,
        having_agg: maybe(fc.array(havingAgg(), { minLength: 1, maxLength: 2 })),
        order_by: maybe(order([...groups, ...names])),
      }),
    ) as Arbitrary<QuerySpec>;
  });
}

function filters(names: readonly string[]): Arbitrary<{ field: string; operator: string; param: string }[]> {
  return fc.array(fc.record({ field: oneOf(names), operator: oneOf(comparison), param }), {
    minLength: 1,
    maxLength: 2,
  });
}

function query(dialect: Dialect): Arbitrary<QuerySpec> {
  return fc
    .tuple(fc.oneof(plainRows(dialect), groupedRows(dialect)), paging)
    .map(([rows, pages]) => ({ ...rows, ...pages }));
}

function select(dialect: Dialect): Arbitrary<SelectSpec> {
  const rows = fc.oneof(plainRows(dialect), groupedRows(dialect));
  if (dialect === "sqlite") return rows;
  return fc.tuple(rows, fc.boolean()).map(([spec, flag]): SelectSpec => {
    const locks = spec.for_locking === undefined && spec.distinct !== true && spec.distinct_on === undefined;
    const grouped =
      spec.group_by !== undefined || spec.fields?.some((one) => typeof one !== "string") === true;
    return flag && locks && !grouped && spec.having_agg === undefined ? { ...spec, for_update: true } : spec;
  });
}

function compound(dialect: Dialect): Arbitrary<CompoundQuerySpec> {
  const operation = oneOf([
    "union",
    "union_all",
    "intersect",
    "intersect_all",
    "except",
    "except_all",
  ] as const);
  return someOf(comparable).chain((names) => {
    const operand = tidy(
      fc.record({
        fields: fc.shuffledSubarray(names, { minLength: names.length }),
        where: maybe(someOptional(dialect)),
        order_by: maybe(order(comparable)),
        limit: maybe(fc.nat(1000)),
        offset_param: maybe(param),
      }),
    ) as Arbitrary<QuerySpec>;
    return fc
      .tuple(
        tidy(
          fc.record({
            base: operand,
            operands: fc.array(fc.record({ operation, query: operand }), { minLength: 1, maxLength: 4 }),
            order_by: maybe(order(names)),
          }),
        ),
        paging,
      )
      .map(([parts, pages]): CompoundQuerySpec => ({ ...parts, ...pages }) as CompoundQuerySpec);
  });
}

/** A field whose proposed value another field can hold. */
function proposedFor(field: string): Arbitrary<string> {
  if (field === "email" || field === "name") return oneOf(byKind.text);
  return field === "score" ? oneOf(byKind.number) : fc.constant(field);
}

function insert(): Arbitrary<CreateSpec> {
  const key = oneOf([["id"], ["email"]]);
  return fc.oneof(
    fc.constant({}),
    fc.record({ on_conflict: key, conflict_action: oneOf(["nothing", "update"] as const) }),
    fc.constant({ on_conflict: [], conflict_action: "nothing" as const }),
    fc.record({
      on_conflict: key,
      conflict_action: fc.constant("update" as const),
      conflict_set: someOf(settable).chain((names) =>
        // A field, whose proposed value it takes, or a parameter.
        fc
          .tuple(...names.map((name) => fc.oneof(proposedFor(name), param)))
          .map((values) => Object.fromEntries(names.map((name, i) => [name, values[i] ?? "p"]))),
      ),
    }),
  );
}

function modify(dialect: Dialect): Arbitrary<UpdateSpec> {
  const assigned = someOf(settable).chain((names) =>
    fc
      .tuple(...names.map(() => param))
      .map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]]))),
  );
  const expression = fc.record({ operator: oneOf(["+", "-", "*", "/", "%"] as const), param });
  const computed = someOf(numbers).chain((names) =>
    fc
      .tuple(...names.map(() => expression))
      .map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]]))),
  );
  return fc
    .tuple(maybe(assigned), maybe(computed), conditions(dialect, 1))
    .map(([set, computes = {}, where]) => {
      const free = Object.entries(computes).filter(
        ([name]) => set === undefined || !Object.hasOwn(set, name),
      );
      const setExpr = free.length === 0 ? {} : { set_expr: Object.fromEntries(free) };
      const any = set ?? (free.length === 0 ? { name: "p" } : undefined);
      // The parameters are there for every name.
      return { ...(any === undefined ? {} : { set: any }), ...setExpr, where } as UpdateSpec;
    });
}

function aggregate(field: Arbitrary<string | undefined>, dialect: Dialect): Arbitrary<AggregateSpec> {
  return tidy(fc.record({ field, where: maybe(someOptional(dialect)) }));
}

/** Specs of all kinds that a dialect takes. */
export function specCases(dialect: Dialect): Arbitrary<SpecCase> {
  const of = <K extends SpecKind, S>(kind: K, spec: Arbitrary<S>) => spec.map((one) => ({ kind, spec: one }));
  const cases = [
    { weight: 4, arbitrary: of("query", query(dialect)) },
    of("select", select(dialect)),
    { weight: 2, arbitrary: of("compound", compound(dialect)) },
    of("insert", insert()),
    { weight: 2, arbitrary: of("modify", modify(dialect)) },
    of("remove", fc.record({ where: conditions(dialect, 1) })),
    of("count", aggregate(maybe(oneOf(fields)), dialect)),
    oneOf(["sum", "avg", "min", "max"] as const).chain((kind) =>
      of(kind, aggregate(oneOf(numbers), dialect)),
    ),
  ];
  // Each pair is of one kind.
  return fc.oneof(...cases) as Arbitrary<SpecCase>;
}
