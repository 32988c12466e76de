/** The tables of `relation-world.ts` as the package declares them, and random queries as it builds them. */
import * as rowtype from "rowtype";
import { column, type Database, decimal, json, many, one, table } from "rowtype";
import { z } from "zod";
import { type Built, built, builtCondition, given } from "./expression-builder.js";
import type { Tree, Type } from "./expression-trees.js";
import {
  type Aggregate,
  type Order,
  type Pick,
  type Query,
  type Question,
  type Test,
  typeOfAggregate,
} from "./relation-plans.js";
import { tables as plain, plainOf, type World } from "./relation-world.js";

const id = () => column(z.int(), { primaryKey: true });
const document = json(z.record(z.string(), z.unknown()));

const regions = table(
  "regions",
  z.object({
    id: id(),
    name: z.string(),
    parentId: column(z.int().nullable(), { name: "parent" }),
    area: decimal(9, 4).nullable(),
    open: z.boolean(),
    founded: column(z.date().nullable(), { name: "since" }),
  }),
  {
    relations: {
      parent: one("regions", "parentId"),
      parts: many("regions", "parentId"),
      people: many("people", "regionId"),
    },
  },
);

const people = table(
  "people",
  z.object({
    id: id(),
    name: z.string(),
    mail: column(z.string().nullable(), { unique: true }),
    bossId: z.int().nullable(),
    regionId: column(z.int().nullable(), { name: "region" }),
    since: z.date().nullable(),
    credit: decimal(10, 2).nullable(),
    size: z.bigint(),
    member: z.boolean().nullable(),
    meta: document.nullable(),
  }),
  {
    relations: {
      boss: one("people", "bossId"),
      staff: many("people", "bossId"),
      region: one("regions", "regionId"),
      bought: many("orders", "buyerId"),
      paid: many("orders", "payerId"),
      marks: many("marks", "personId"),
    },
  },
);

const orders = table(
  "orders",
  z.object({
    id: id(),
    buyerId: column(z.int().nullable(), { name: "buyer" }),
    payerId: z.int().nullable(),
    total: decimal(10, 2),
    weight: z.bigint().nullable(),
    placed: z.date(),
    note: column(z.string().nullable(), { name: "people" }),
    urgent: z.boolean().nullable(),
    rate: z.number(),
    meta: document,
  }),
  {
    relations: {
      buyer: one("people", "buyerId"),
      payer: one("people", "payerId"),
      items: many("items", "orderId"),
      marks: many("marks", "orderId"),
    },
  },
);

const items = table(
  "items",
  z.object({
    id: id(),
    orderId: z.int(),
    sku: z.string(),
    qty: z.int().nullable(),
    price: decimal(9, 4).nullable(),
    count: decimal(6, 0),
    ratio: z.number().nullable(),
    sold: z.date().nullable(),
  }),
  { relations: { order: one("orders", "orderId") } },
);

const marks = table(
  "marks",
  z.object({
    orderId: z.int().nullable(),
    personId: z.int().nullable(),
    mail: z.string().nullable(),
    label: column(z.string().nullable(), { name: "orders" }),
    points: z.int().nullable(),
    worth: decimal(10, 2).nullable(),
    weight: z.bigint().nullable(),
    at: z.date().nullable(),
    flag: z.boolean().nullable(),
  }),
  {
    relations: {
      order: one("orders", "orderId"),
      person: one("people", "personId"),
      writer: one("people", "mail", { key: "mail" }),
    },
  },
);

export const tables = { regions, people, orders, items, marks };

/** Makes the tables of a world, and fills them. */
export async function openWorld(db: Database, world: World): Promise<void> {
  await db.createTables(...Object.values(tables));
  for (const [name, declared] of Object.entries(tables)) {
    const records = (world[name] ?? []).map((row) =>
      Object.fromEntries(
        Object.entries(plain[name]?.fields ?? {}).map(([field, type]) => [
          field,
          plainOf(row[field] ?? null, type),
        ]),
      ),
    );
    await db
      .repository(declared as rowtype.AnyTable)
      .insert()
      .execBatch(records);
  }
}

/** A builder, or a repository, whose methods take what the compiler does not know. */
export interface Loose {
  readonly [method: string]: (...args: readonly unknown[]) => Loose;
}

/** What a question is asked with: a builder that can be executed. */
export interface Asked {
  render(): { readonly native: { readonly sql: string } };
  exec(params: object): Promise<unknown>;
  execOrNull(params: object): Promise<unknown>;
}

export type Repositories = Readonly<Record<string, Loose>>;
type Params = Record<string, unknown>;

export const repositoriesOf = (db: Database): Repositories =>
  db.repositories(tables) as unknown as Repositories;

function call(of: Loose, method: string, ...args: readonly unknown[]): Loose {
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
  const repository = of[query.table];
  if (repository === undefined) throw new Error(`no such table: ${query.table}`);
  return asked(query, call(repository, start), of, params);
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
  for (const order of query.orders) builder = ordered(builder, order, params);
  if (query.limit !== undefined) builder = call(builder, "limit", query.limit);
  return query.offset === undefined ? builder : call(builder, "offset", query.offset);
}

function typeOfValue(by: string | Aggregate, { picks = [] }: Query): Type {
  if (typeof by !== "string") return typeOfAggregate(by);
  const pick = picks.find((one) => one.op === "aggregate" && one.alias === by);
  if (pick?.op !== "aggregate") throw new Error(`no such aggregate: ${by}`);
  return typeOfAggregate(pick.aggregate);
}

function conditioned({ joins, tests }: Query, start: Loose, of: Repositories, params: Params): Loose {
  let builder = start;
  for (const { way, name, isNamed, isLeft } of joins) {
    const verb = isLeft ? "leftJoin" : "join";
    builder =
      way.op === "relation"
        ? call(builder, verb, way.path, ...(isNamed ? [name] : []))
        : call(builder, `${verb}On`, name, tables[way.table as keyof typeof tables], way.mine, way.theirs);
  }
  for (const test of tests) builder = tested(builder, test, of, params);
  return builder;
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
      const { way } = test;
      const query = test.query && builtQuery(test.query, of, params);
      if (way.op === "relation")
        return call(builder, verb, way.path, ...(query === undefined ? [] : [query]));
      return call(
        builder,
        `${verb}On`,
        query ?? call(repositoryOf(of, way.table), "query"),
        way.mine,
        way.theirs,
      );
    }
  }
}

function repositoryOf(of: Repositories, name: string): Loose {
  const repository = of[name];
  if (repository === undefined) throw new Error(`no such table: ${name}`);
  return repository;
}

function builtPick(pick: Pick, params: Params): unknown {
  if (pick.op === "field") return pick.name;
  if (pick.op === "all") return pick.of === "" ? "*" : `${pick.of}.*`;
  if (pick.op === "tree") return built(pick.tree, params).as(pick.alias);
  return builtAggregate(pick.aggregate, params).as(pick.alias);
}

function ordered(builder: Loose, { by, direction, nulls }: Order, params: Params): Loose {
  const operand = operandOf(by, params);
  return nulls === undefined
    ? call(builder, "orderBy", operand, direction)
    : call(builder, "orderByNulls", operand, direction, nulls);
}

/** The builder of a question; its parameters are added to `params`. */
export function builtQuestion(question: Question, of: Repositories, params: Params): Asked {
  const { query } = question;
  const asks = (builder: Loose) => builder as unknown as Asked;
  if (question.op === "value") {
    const start = call(repositoryOf(of, query.table), question.func, question.of);
    return asks(conditioned(query, start, of, params));
  }
  const builder = builtQuery(query, of, params, question.op === "first" ? "select" : "query");
  return asks(question.op === "rows" || question.op === "first" ? builder : call(builder, question.op));
}
