/** The tables of `relation-world.ts` as the package declares them, and random queries as it builds them. */
import * as rowtype from "rowtype";
import { type AnyTable, column, type Database, decimal, json, many, one, table } from "rowtype";
import { z } from "zod";
import { type Built, built, builtCondition, given } from "./expression-builder.js";
import type { Tree, Type } from "./expression-trees.js";
import type { Dress } from "./relation-dress.js";
import {
  type Aggregate,
  type Join,
  type Order,
  type Pick,
  type Query,
  type Recursion,
  type Test,
  typeOfAggregate,
  type ValueQuestion,
} from "./relation-plans.js";
import { type Field, tables as plain, plainOf, type World } from "./relation-world.js";

/** The tables of a world as the package declares them, in the names of a dress. */
export interface Declared {
  readonly dress: Dress;
  /** By the names of their exports, which are plain. */
  readonly tables: Readonly<Record<string, AnyTable>>;
}

const document = json(z.record(z.string(), z.unknown()));
const digits: Readonly<Record<number, number>> = { 0: 6, 2: 10, 4: 9 };

function schemaOf({ kind, scale }: Type | Field): z.ZodType {
  switch (kind) {
    case "int":
      return z.int();
    case "big":
      return z.bigint();
    case "dec":
      return decimal(digits[scale] ?? 18, scale);
    case "num":
      return z.number();
    case "text":
      return z.string();
    case "bool":
      return z.boolean();
    case "date":
      return z.date();
    case "json":
      return document;
  }
}

/** Declares the tables. */
export function declaredIn(dress: Dress): Declared {
  const field = (name: string) => dress.fields.get(name) ?? name;
  const tables = Object.entries(plain).map(([name, { fields, keys, relations }]) => {
    const shape = Object.entries(fields).map(([property, type]) => {
      const schema = type.nullable ? schemaOf(type).nullable() : schemaOf(type);
      const key = property === "id" ? { primaryKey: true } : { unique: keys.includes(property) };
      const stored = dress.type?.(type, keys.includes(property));
      const meta = {
        name: dress.column(name, property),
        ...key,
        ...(stored === undefined ? {} : { type: stored }),
      };
      return [field(property), column(schema, meta)] as const;
    });
    const ways = Object.entries(relations).map(([relation, { table: to, mine, theirs, isMany }]) => {
      const options = theirs === "id" ? undefined : { key: field(theirs) };
      const way = isMany ? many(to, field(theirs)) : one(to, field(mine), options);
      return [dress.relations.get(relation) ?? relation, way] as const;
    });
    const namespace = dress.namespace?.(name);
    const options = {
      relations: Object.fromEntries(ways),
      ...(namespace === undefined ? {} : { schema: namespace }),
    };
    return [name, table(dress.table(name), z.object(Object.fromEntries(shape)), options as object)] as const;
  });
  return { dress, tables: Object.fromEntries(tables) as Declared["tables"] };
}

/** Makes the tables of a world, and fills them. */
export async function openWorld(db: Database, world: World, { tables, dress }: Declared): Promise<void> {
  await db.createTables(...Object.values(tables));
  for (const [name, declared] of Object.entries(tables)) {
    const records = (world[name] ?? []).map((row) =>
      Object.fromEntries(
        Object.entries(plain[name]?.fields ?? {}).map(([field, type]) => [
          dress.fields.get(field) ?? field,
          plainOf(row[field] ?? null, type),
        ]),
      ),
    );
    await db.repository(declared).insert().execBatch(records);
  }
}

/** A builder, or a repository, whose methods take what the compiler does not know. */
export interface Loose {
  readonly [method: string]: (...args: readonly unknown[]) => Loose;
}

/** The repositories by the names of their tables, and the database. */
export interface Repositories {
  readonly db: Loose;
  readonly named: Readonly<Record<string, Loose>>;
  readonly declared: Declared;
}

export type Params = Record<string, unknown>;

export const repositoriesOf = (db: Database, declared: Declared): Repositories => ({
  db: db as unknown as Loose,
  named: db.repositories(declared.tables) as unknown as Repositories["named"],
  declared,
});

export function call(of: Loose, method: string, ...args: readonly unknown[]): Loose {
  const known = of[method];
  if (known === undefined) throw new Error(`no such method: ${method}`);
  return known.apply(of, args as unknown[]);
}

const functions = rowtype as unknown as Readonly<Record<string, (...of: unknown[]) => Built>>;

function builtAggregate({ func, of, filter }: Aggregate, params: Params): Built {
  const known = functions[func];
  if (known === undefined) throw new Error(`no such function: ${func}`);
  const operand = of === undefined ? [] : [of.op === "field" ? of.name : built(of, params)];
  const aggregate = known(...operand) as Built & { filter(condition: unknown): Built };
  return filter === undefined ? aggregate : aggregate.filter(builtCondition(filter, params));
}

const operandOf = (by: string | Tree, params: Params): unknown =>
  typeof by === "string" ? by : built(by, params);

/** The builder of a query; its parameters are added to `params`. */
export function builtQuery(query: Query, of: Repositories, params: Params, start = "query"): Loose {
  return asked(query, startOf(query, start, of, params), of, params);
}

function startOf({ table, source }: Query, start: string, of: Repositories, params: Params): Loose {
  if (source === undefined) return call(repositoryOf(of, table), start);
  return call(of.db, "from", builtSource(source, table, of, params));
}

// What has a name for the whole statement is one source, wherever it stands.
const shared = new WeakMap<Params, Map<string, Loose>>();

function builtSource(source: Query, name: string, of: Repositories, params: Params): Loose {
  const { called, recursion } = source;
  if (called === undefined) return call(builtQuery(source, of, params), "as", name);
  const sources = shared.get(params) ?? new Map<string, Loose>();
  shared.set(params, sources);
  const before = sources.get(called);
  if (before !== undefined) return before;
  const made =
    recursion === undefined
      ? call(of.db, "with", called, builtQuery(source, of, params))
      : builtRecursion(source, recursion, called, of, params);
  sources.set(called, made);
  return made;
}

function builtRecursion(
  source: Query,
  { mine, theirs, tests, depth, maxDepth }: Recursion,
  name: string,
  of: Repositories,
  params: Params,
): Loose {
  const { table, picks = [] } = source;
  const step = (self: unknown) => {
    let next = call(call(repositoryOf(of, table), "query"), "joinQuery", self, mine, theirs);
    for (const test of tests) next = tested(next, test, of, params);
    return call(next, "fields", ...picks.map((pick) => builtPick(pick, params)));
  };
  const options = depth === undefined ? { maxDepth } : { maxDepth, depth };
  return call(of.db, "recursive", name, builtQuery(source, of, params), step, options);
}

function asked(query: Query, start: Loose, of: Repositories, params: Params): Loose {
  let builder = conditioned(query, start, of, params);
  if (query.picks !== undefined)
    builder = call(builder, "fields", ...query.picks.map((pick) => builtPick(pick, params)));
  if (query.groupBy.length > 0) builder = call(builder, "groupBy", ...query.groupBy);
  for (const { of: by, operator, param, value } of query.having) {
    params[param] = given(value, typeOfValue(by, query));
    if (typeof by === "string") builder = call(builder, "having", by, operator, param);
    else if (by.filter === undefined && (by.of === undefined || by.of.op === "field"))
      builder = call(builder, "havingAgg", by.func, by.of?.name ?? "*", operator, param);
    else builder = call(builder, "having", builtAggregate(by, params), operator, param);
  }
  if (query.isDistinct) builder = call(builder, "distinct");
  for (const { name, way, query: inside } of query.nested) {
    const rows = inside === undefined ? [] : [builtQuery(inside, of, params)];
    builder =
      way.op === "on"
        ? call(builder, "withOn", name, ...rows, way.mine, way.theirs)
        : call(builder, "with", name, ...rows);
  }
  for (const order of query.orders) builder = ordered(builder, order, params);
  for (const part of ["limit", "offset"] as const) {
    const { [part]: count, counts } = query;
    if (count === undefined) continue;
    if (counts !== undefined) params[counts[part]] = count;
    builder = counts === undefined ? call(builder, part, count) : call(builder, `${part}Param`, counts[part]);
  }
  return builder;
}

function typeOfValue(by: string | Aggregate, { picks = [] }: Query): Type {
  if (typeof by !== "string") return typeOfAggregate(by);
  const pick = picks.find((one) => one.op === "aggregate" && one.alias === by);
  if (pick?.op !== "aggregate") throw new Error(`no such aggregate: ${by}`);
  return typeOfAggregate(pick.aggregate);
}

export function conditioned({ joins, tests }: Query, start: Loose, of: Repositories, params: Params): Loose {
  let builder = start;
  for (const join of joins) builder = joined(builder, join, of, params);
  for (const test of tests) builder = tested(builder, test, of, params);
  return builder;
}

function joined(
  builder: Loose,
  { way, name, isNamed, isLeft }: Join,
  of: Repositories,
  params: Params,
): Loose {
  const verb = isLeft ? "leftJoin" : "join";
  if (way.op === "relation") return call(builder, verb, way.path, ...(isNamed ? [name] : []));
  const { mine, theirs } = way;
  if (way.op === "source")
    return call(builder, `${verb}Query`, builtSource(way.source, name, of, params), mine, theirs);
  return call(builder, `${verb}On`, name, of.declared.tables[way.table], mine, theirs);
}

function tested(builder: Loose, test: Test, of: Repositories, params: Params): Loose {
  switch (test.op) {
    case "plain":
      return call(builder, "whereAnd", builtCondition(test.condition, params));
    case "fields":
      return call(builder, "whereFields", test.left, test.operator, test.right);
    case "optional": {
      const own: Params = {};
      const condition = builtCondition(test.condition, own);
      const names = Object.keys(own).slice(0, { all: undefined, one: 1, none: 0 }[test.given]);
      for (const name of names) params[name] = own[name];
      return call(builder, "whereOptional", condition);
    }
    case "exists": {
      const verb = test.is ? "whereExists" : "whereNotExists";
      const [on, operands] = existing(test, of, params);
      return call(builder, `${verb}${on}`, ...operands);
    }
    case "in":
      return call(builder, "whereQuery", test.field, test.operator, builtQuery(test.query, of, params));
    case "value":
      return call(builder, "whereQuery", test.field, test.operator, builtValue(test.of, of, params));
    case "beside":
      return call(builder, "whereAnd", builtTest(test, of, params));
    case "group":
      return call(
        builder,
        test.logic === "and" ? "whereAnd" : "whereOr",
        ...test.members.map((one) => builtTest(one, of, params)),
      );
    case "not":
      return call(builder, "whereAnd", builtTest(test, of, params));
  }
}

function existing(
  { way, query }: Extract<Test, { op: "exists" }>,
  of: Repositories,
  params: Params,
): readonly [on: "" | "On", operands: readonly unknown[]] {
  const rows = query && builtQuery(query, of, params);
  if (way.op === "relation") return ["", rows === undefined ? [way.path] : [way.path, rows]];
  if (way.op === "source") throw new Error("rows of a query have no relation");
  return ["On", [rows ?? call(repositoryOf(of, way.table), "query"), way.mine, way.theirs]];
}

/** A test as a condition of a group. */
function builtTest(test: Test, of: Repositories, params: Params): unknown {
  const make = (name: string, ...operands: readonly unknown[]) => {
    const known = functions[name];
    if (known === undefined) throw new Error(`no such condition: ${name}`);
    return known(...operands);
  };
  switch (test.op) {
    case "plain":
      return builtCondition(test.condition, params);
    case "fields":
      return make("compare", test.left, test.operator, test.right);
    case "exists": {
      const [on, operands] = existing(test, of, params);
      return make(`${test.is ? "exists" : "notExists"}${on}`, ...operands);
    }
    case "in":
      return make("inQuery", test.field, test.operator, builtQuery(test.query, of, params));
    case "value":
      return make("inQuery", test.field, test.operator, builtValue(test.of, of, params));
    case "beside":
      params[test.param] = given(test.value, typeOfAggregate(test.aggregate));
      return make(
        "c",
        make("of", test.path, builtAggregate(test.aggregate, params)),
        test.operator,
        test.param,
      );
    case "group":
      return make(test.logic, ...test.members.map((one) => builtTest(one, of, params)));
    case "not":
      return make("not", builtTest(test.member, of, params));
    case "optional":
      throw new Error("an optional condition in a group");
  }
}

export function repositoryOf(of: Repositories, name: string): Loose {
  const repository = of.named[name];
  if (repository === undefined) throw new Error(`no such table: ${name}`);
  return repository;
}

function builtPick(pick: Pick, params: Params): unknown {
  if (pick.op === "field") return pick.name;
  if (pick.op === "all") return pick.of === "" ? "*" : `${pick.of}.*`;
  if (pick.op === "tree") return built(pick.tree, params).as(pick.alias);
  const aggregate = builtAggregate(pick.aggregate, params);
  if (pick.op === "aggregate") return aggregate.as(pick.alias);
  const beside = functions["of"];
  if (beside === undefined) throw new Error("no such function: of");
  return beside(pick.path, aggregate).as(pick.alias);
}

export function ordered(builder: Loose, { by, direction, nulls }: Order, params: Params): Loose {
  const operand = operandOf(by, params);
  return nulls === undefined
    ? call(builder, "orderBy", operand, direction)
    : call(builder, "orderByNulls", operand, direction, nulls);
}

/** The builder of one value over the rows of a query, or of their number. */
export function builtValue(question: ValueQuestion, of: Repositories, params: Params): Loose {
  const { query } = question;
  if (question.op === "count") return call(builtQuery(query, of, params), "count");
  const start = call(repositoryOf(of, query.table), question.func, question.of);
  return conditioned(query, start, of, params);
}
