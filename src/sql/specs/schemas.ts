/**
 * Zod schemas of the specs of one table, for specs from clients: a search endpoint takes one as its body, and
 * the document lists the real fields.
 */
import * as z from "zod";
import { nameSchema, schemaName } from "../../schema/names.js";
import type {
  AggregateSpec,
  CompoundQuerySpec,
  CreateSpec,
  DeleteSpec,
  QuerySpec,
  SelectSpec,
  UpdateSpec,
} from "../ast/spec.js";
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { meets } from "../words/kinds.js";
import { mostValues } from "./bounds.js";
import { checkedObject } from "./checked-object.js";
import { conditionSchema, nameOfParam, oneOf } from "./conditions.js";
import { exampleOf } from "./examples.js";
import { type Permissions, permissionsOf, type SpecOptions } from "./permissions.js";
import { type Keys, lockKeys, orderKey, pagingKeys, rowsKeys } from "./rows.js";
import { problemsOfSpec, type SpecKind } from "./spec-problems.js";

/**
 * The Zod object of a spec `S`: use it directly, or extend it with your own keys. `R` are its required keys. Specs from
 * clients have no joins.
 */
export type SpecSchema<S, R extends keyof S = never> = z.ZodObject<
  {
    readonly [K in Exclude<keyof S, "joins">]-?: K extends R
      ? Part<Exclude<S[K], undefined>>
      : z.ZodOptional<Part<Exclude<S[K], undefined>>>;
  },
  z.core.$strict
>;

/** A schema whose output equals its input. */
type Part<T> = z.ZodType<T, T>;

/** The schemas by kind of builder, narrowed to the fields that a client may name. */
export interface SpecSchemas<F extends string> {
  readonly query: SpecSchema<QuerySpec<F>>;
  readonly select: SpecSchema<SelectSpec<F>>;
  readonly insert: SpecSchema<CreateSpec<F>>;
  readonly modify: SpecSchema<UpdateSpec<F>, "where">;
  readonly remove: SpecSchema<DeleteSpec<F>, "where">;
  /** The spec of all five aggregates: a count does not need a field. */
  readonly aggregate: SpecSchema<AggregateSpec<F>>;
  readonly compound: SpecSchema<CompoundQuerySpec<F>, "base" | "operands">;
}

/**
 * Makes the schemas of a table.
 * @throws {DeclarationError} for invalid options
 */
export function specSchemas<F extends string>(
  table: AnyTable,
  grammar: Grammar,
  options: SpecOptions<F> = {},
): SpecSchemas<F> {
  const permissions = permissionsOf(table, grammar, options);
  const { maxLimit, columns } = permissions;
  const conditions = z.array(conditionSchema(permissions));
  const some = { where: conditions.min(1) };
  const any = { where: conditions.optional() };
  const rows = { ...rowsKeys(permissions), ...any };
  const schema = (kind: SpecKind, shape: Keys) => {
    const checked = checkedObject(shape, {
      problemsOf: (spec) => problemsOfSpec(kind, spec, permissions),
      mostValues: mostValues(permissions),
      mostByParam: maxLimit,
    });
    const example = exampleOf(kind, permissions);
    return example === undefined ? checked : checked.meta({ example });
  };
  const schemas: Readonly<Record<SpecKind, z.ZodObject>> = {
    query: schema("query", { ...rows, ...pagingKeys(permissions), ...lockKeys(permissions, false) }),
    select: schema("select", { ...rows, ...lockKeys(permissions, true) }),
    insert: schema("insert", conflictKeys(permissions)),
    modify: schema("modify", { ...setKeys(permissions), ...some }),
    remove: schema("remove", some),
    aggregate: schema("aggregate", {
      field: oneOf(columns.map(({ property }) => property)).optional(),
      ...any,
    }),
    compound: schema("compound", compoundKeys(permissions, rows)),
  };
  // The schemas are made from the fields of the table, so their output has the types of the specs.
  return schemas as unknown as SpecSchemas<F>;
}

// The limit of an operand is not restricted: `maxLimit` applies to the returned rows.
function compoundKeys(permissions: Permissions, rows: Keys): Keys {
  const unbounded = pagingKeys({ maxLimit: undefined, defaultLimit: undefined });
  const query = z.strictObject({ ...rows, ...unbounded });
  nameSchema(query, `${schemaName(permissions.table.schema)}Query`);
  const operation = z.enum(["union", "union_all", "intersect", "intersect_all", "except", "except_all"]);
  return {
    base: query,
    operands: z.array(z.strictObject({ operation, query })).min(1),
    order_by: orderKey(permissions),
    ...pagingKeys(permissions),
  };
}

function conflictKeys(permissions: Permissions): Keys {
  return {
    on_conflict: z.array(oneOf(permissions.columns.map(({ property }) => property))).optional(),
    conflict_action: z.enum(["nothing", "update"]).optional(),
    conflict_set: byField(settable(permissions), nameOfParam()),
  };
}

function setKeys(permissions: Permissions): Keys {
  const columns = settable(permissions);
  const operator = z.enum(["+", "-", "*", "/", "%"]);
  const param = nameOfParam();
  const numbers = columns.filter(({ kind }) => meets(kind, "a number"));
  return {
    set: byField(columns, param),
    set_expr: byField(numbers, z.strictObject({ operator, param })),
  };
}

function settable({ columns }: Permissions): Permissions["columns"] {
  return columns.filter(({ readOnly }) => !readOnly);
}

/** An object with optional keys for fields. */
function byField(columns: Permissions["columns"], value: z.ZodType): z.ZodType {
  const shape: Keys = Object.create(null);
  for (const { property } of columns) shape[property] = value.optional();
  return z.strictObject(shape).optional();
}
