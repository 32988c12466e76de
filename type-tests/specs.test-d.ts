// What the compiler knows of the schemas of specs: narrowed to the allowed fields, and of use where specs are taken.
import {
  column,
  decimal,
  many,
  one,
  type QuerySpec,
  type SpecSchema,
  type SpecSchemas,
  table,
} from "rowtype";
import { createEngine, POST } from "rowtype/http";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectAssignable, expectType } from "tsd";
import { z } from "zod";

const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    email: z.email(),
    age: z.int().nullable(),
    passwordHash: column(z.string(), { name: "password_hash" }),
  }),
);
const users = sqlite().repository(User);

// All fields, or those that are allowed

const all = users.specs();
const some = users.specs({ fields: ["id", "email"], maxLimit: 100, defaultLimit: 10, maxDepth: 2 });
expectType<SpecSchemas<"id" | "email" | "age" | "passwordHash">>(all);
expectType<SpecSchemas<"id" | "email">>(some);
expectType<SpecSchema<QuerySpec<"id" | "email">>>(some.query);
postgres().repository(User).specs({ locks: true, regex: true, maxConditions: 10 });
users.specs({ operators: ["=", "ICONTAINS", "IS NULL", "BETWEEN"], aggregates: ["count"] });
users.specs({ operators: [], aggregates: false });
// @ts-expect-error: no operator
users.specs({ operators: ["=="] });
// @ts-expect-error: no aggregate
users.specs({ aggregates: ["median"] });
// @ts-expect-error: misspelt
users.specs({ fields: ["id", "emial"] });
// @ts-expect-error: the name of a column
users.specs({ fields: ["password_hash"] });
// @ts-expect-error: no such option
users.specs({ maxlimit: 10 });
// @ts-expect-error: not a number
users.specs({ maxDepth: "8" });

// What a schema gives is narrowed, and a spec

type Search = z.infer<typeof some.query>;
expectAssignable<QuerySpec>({} as Search);
expectAssignable<QuerySpec<"id" | "email">>({} as Search);
expectAssignable<Search>({ fields: ["id", { func: "max", field: "email", alias: "last" }] });
expectAssignable<Search>({
  where: [
    { field: "id", operator: "IN", param: "ids", optional: true },
    { logic: "OR", group: [{ field: "email", operator: "=", right_field: "email" }] },
    { field: "email", is_null: true },
  ],
  order_by: [{ field: "last", direction: "asc", nulls: "first" }],
  group_by: ["id"],
  having: [{ field: "last", operator: ">", param: "p" }],
  having_agg: [{ func: "count", field: "*", operator: ">", param: "n" }],
  limit: 1,
  offset_param: "from",
});
expectType<"id" | "email">({} as NonNullable<Search["group_by"]>[number]);
expectType<number | undefined>({} as Search["limit"]);
// @ts-expect-error: a hidden field
expectAssignable<Search>({ fields: ["passwordHash"] });
// @ts-expect-error: a hidden field in a group
expectAssignable<Search>({ where: [{ logic: "OR", group: [{ field: "age", is_null: true }] }] });
// @ts-expect-error: a hidden field in an aggregate
expectAssignable<Search>({ fields: [{ func: "max", field: "passwordHash", alias: "x" }] });
// @ts-expect-error: a select has no limit
expectAssignable<z.infer<typeof some.select>>({ limit: 1 });

// The other kinds: what they need, and what they name

expectAssignable<z.infer<typeof some.insert>>({ on_conflict: ["id"], conflict_action: "nothing" });
expectAssignable<z.infer<typeof some.modify>>({
  set: { email: "email" },
  set_expr: { id: { operator: "+", param: "n" } },
  where: [{ field: "id", operator: "=", param: "id" }],
});
// @ts-expect-error: an update needs a condition
expectAssignable<z.infer<typeof some.modify>>({ set: { email: "email" } });
// @ts-expect-error: so does a removal
expectAssignable<z.infer<typeof some.remove>>({});
// @ts-expect-error: a hidden field
expectAssignable<z.infer<typeof some.modify>>({ set: { passwordHash: "p" }, where: [] });
// @ts-expect-error: a hidden field
expectAssignable<z.infer<typeof some.aggregate>>({ field: "age" });
expectAssignable<z.infer<typeof some.compound>>({
  base: { fields: ["id"] },
  operands: [{ operation: "union", query: { fields: ["id"] } }],
});
// @ts-expect-error: a compound query has operands
expectAssignable<z.infer<typeof some.compound>>({ base: {} });

// Each is taken by the builder of its kind

const body: unknown = {};
users.queryFromSpec(some.query.parse(body)).exec({ anything: 1 });
users.selectFromSpec(some.select.parse(body)).execOrNull({});
users.insertFromSpec(some.insert.parse(body)).render();
users.modifyFromSpec(some.modify.parse(body)).execMany({});
users.removeFromSpec(some.remove.parse(body)).exec({});
users.countFromSpec(some.aggregate.parse(body)).exec({});
users.sumFromSpec(some.aggregate.parse(body)).exec({});
users.compoundFromSpec(some.compound.parse(body)).exec({});

// As the body of a handler, alone or extended

const search = POST(
  "/search",
  { body: some.query.extend({ params: z.record(z.string(), z.unknown()).optional() }) },
  async ({ body: { params, ...spec } }) => {
    expectType<{ [x: string]: unknown } | undefined>(params);
    expectAssignable<QuerySpec<"id" | "email">>(spec);
    return users.queryFromSpec(spec).exec(params ?? {});
  },
);
const find = POST("/find", { body: some.compound }, ({ body: spec }) =>
  users.compoundFromSpec(spec).exec({}),
);
createEngine().withHandlers(search, find);

// Nothing is any

type IsAny<T> = 0 extends 1 & T ? true : false;
expectType<false>(false as IsAny<Search["fields"]>);
expectType<false>(false as IsAny<NonNullable<Search["where"]>[number]>);
expectType<false>(false as IsAny<z.input<typeof some.query>["where"]>);
expectType<false>(false as IsAny<z.infer<typeof some.compound>["base"]>);

// Words of a spec that is written out

users.queryFromSpec({ order_by: [{ field: "id", direction: "asc" }] });
// @ts-expect-error: no order has this direction
users.queryFromSpec({ order_by: [{ field: "id", direction: "up" }] });
// @ts-expect-error: no condition has this operator
users.queryFromSpec({ where: [{ field: "id", operator: "==", param: "id" }] });

// Over several tables
const shopTables = {
  carts: table("carts", z.object({ id: column(z.int(), { primaryKey: true }), buyerId: z.int() }), {
    relations: { buyer: one("buyers", "buyerId"), items: many("items", "cartId") },
  }),
  buyers: table("buyers", z.object({ id: column(z.int(), { primaryKey: true }), name: z.string() })),
  items: table("items", z.object({ id: z.int(), cartId: z.int(), sku: z.string() }), {
    relations: { cart: one("carts", "cartId") },
  }),
};
const { carts } = sqlite().repositories(shopTables);
const related = carts.specs({
  fields: ["id"],
  maxRows: 500,
  relations: {
    buyer: { fields: ["name"] },
    items: { fields: ["sku"], maxLimit: 5, relations: { cart: { fields: ["id"] } } },
  },
});
expectType<SpecSchemas<"id", "buyer" | "items">>(related);
expectAssignable<QuerySpec>(related.query.parse({}));
// @ts-expect-error: a field of another table
carts.specs({ relations: { buyer: { fields: ["sku"] } } });
// @ts-expect-error: no fields
carts.specs({ relations: { buyer: {} } });
// @ts-expect-error: no such relation
carts.specs({ relations: { buyr: { fields: ["name"] } } });
// @ts-expect-error: not a relation of that table
carts.specs({ relations: { items: { fields: ["sku"], relations: { buyer: { fields: ["name"] } } } } });

// In a scope, whose fields are not there
const ofBuyer = carts.scope({ buyerId: 1 });
expectType<SpecSchemas<"id">>(ofBuyer.specs());
expectType<SpecSchemas<"id", "buyer">>(
  ofBuyer.specs({ fields: ["id"], relations: { buyer: { fields: ["name"], whole: true } } }),
);
// @ts-expect-error: a field of the scope
ofBuyer.specs({ fields: ["id", "buyerId"] });
// @ts-expect-error: whole is a word of relations
ofBuyer.specs({ whole: true });

// Related tables that a scope narrows do not show its fields either, at any level
const tenantTables = {
  tasks: table("tasks", z.object({ id: z.int(), tenantId: z.int(), ownerId: z.int() }), {
    relations: { owner: one("people", "ownerId"), labels: many("labels", "taskId") },
  }),
  people: table("people", z.object({ id: column(z.int(), { primaryKey: true }), tenantId: z.int() }), {
    relations: { tasks: many("tasks", "ownerId") },
  }),
  // A field of that name and another kind is a field as any other.
  labels: table("labels", z.object({ taskId: z.int(), tenantId: z.string() }), {
    relations: { task: one("tasks", "taskId") },
  }),
};
const { tasks } = sqlite().repositories(tenantTables);
const ofTenant = tasks.scope({ tenantId: 1 });
expectType<SpecSchemas<"id" | "ownerId", "owner" | "labels">>(
  ofTenant.specs({
    relations: {
      owner: { fields: ["id", "tenantId"], whole: true, relations: { tasks: { fields: ["id"] } } },
      labels: { fields: ["tenantId"], maxLimit: 5 },
    },
  }),
);
tasks.specs({ relations: { owner: { fields: ["id", "tenantId"] } } });
// @ts-expect-error: the scope fixes the field of the related table, too
ofTenant.specs({ relations: { owner: { fields: ["tenantId"] } } });
// @ts-expect-error: nor if it is said that the table is not whole
ofTenant.specs({ relations: { owner: { fields: ["id", "tenantId"], whole: false } } });
ofTenant.specs({
  // @ts-expect-error: nor behind a table that is whole
  relations: { owner: { fields: ["id"], whole: true, relations: { tasks: { fields: ["tenantId"] } } } },
});
ofTenant.specs({
  // @ts-expect-error: nor behind one whose field is of another kind
  relations: { labels: { fields: ["taskId"], relations: { task: { fields: ["tenantId"] } } } },
});
// A decimal and a text are of two kinds, though the values of both are strings
const pricedTables = {
  sales: table("sales", z.object({ id: z.int(), code: decimal(5, 0), sameId: z.int(), otherId: z.int() }), {
    relations: { same: one("prices", "sameId"), other: one("notes", "otherId") },
  }),
  prices: table(
    "prices",
    z.object({
      id: column(z.int(), { primaryKey: true }),
      code: column(decimal(9, 2), { default: "0", unique: true }).nullable(),
    }),
  ),
  notes: table("notes", z.object({ id: column(z.int(), { primaryKey: true }), code: z.string().nullable() })),
};
const ofCode = sqlite().repositories(pricedTables).sales.scope({ code: "1" });
ofCode.specs({ relations: { other: { fields: ["id", "code"] } } });
// @ts-expect-error: a decimal of the same name is narrowed
ofCode.specs({ relations: { same: { fields: ["id", "code"] } } });
const ofOne = tasks.scope({ id: 1 }).scope({ tenantId: 1 });
// @ts-expect-error: nor in a scope of a scope
ofOne.specs({ relations: { labels: { fields: ["taskId"], relations: { task: { fields: ["id"] } } } } });
