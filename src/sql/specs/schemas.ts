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
import { meets } from "../words/kinds.js";
import { mostValues } from "./bounds.js";
import { checkedObject } from "./checked-object.js";
import { conditionSchema, nameOfParam } from "./conditions.js";
import { exampleOf } from "./examples.js";
import { fieldName, mayJoin, oneOf } from "./names.js";
import { type AnySpecOptions, type Permissions, permissionsOf } from "./permissions.js";
import { joinsKey, withKey } from "./related.js";
import { cursorKey, type Keys, lockKeys, orderKey, pagingKeys, rowsKeys } from "./rows.js";
import { problemsOfSpec, type SpecKind } from "./spec-problems.js";

/**
 * The Zod object of a spec `S`: use it directly, or extend it with your own keys. `R` are its required keys. Without
 * relations it has neither joins nor nested rows.
 */
export type SpecSchema<S, R extends keyof S = never, Left = "joins" | "with"> = z.ZodObject<
  {
    readonly [K in Exclude<keyof S, Left>]-?: K extends R
      ? Part<Exclude<S[K], undefined>>
      : z.ZodOptional<Part<Exclude<S[K], undefined>>>;
  },
  z.core.$strict
>;

/** A schema whose output equals its input. */
type Part<T> = z.ZodType<T, T>;

/**
 * The schemas by kind of builder, narrowed to the fields that a client may name. `J` are the relations that it may use;
 * the names of joined fields have a dot.
 */
export interface SpecSchemas<F extends string, J = never> {
  readonly query: SpecSchema<QuerySpec<Named<F, J>>, never, Left<J>>;
  readonly select: SpecSchema<SelectSpec<Named<F, J>>, never, Left<J>>;
  readonly insert: SpecSchema<CreateSpec<F>>;
  readonly modify: SpecSchema<UpdateSpec<F>, "where">;
  readonly remove: SpecSchema<DeleteSpec<F>, "where">;
  /** The spec of all five aggregates: a count does not need a field. */
  readonly aggregate: SpecSchema<AggregateSpec<Named<F, J>>, never, Left<J>>;
  readonly compound: SpecSchema<CompoundQuerySpec<F>, "base" | "operands">;
}

type Named<F extends string, J> = [J] extends [never] ? F : F | `${string}.${string}`;
type Left<J> = [J] extends [never] ? "joins" | "with" : never;

/** The schemas of what only reads: those of a view. */
export interface ReadingSchemas<F extends string, J = never>
  extends Pick<SpecSchemas<F, J>, "query" | "select" | "aggregate" | "compound"> {}

/**
 * Makes the schemas of a table.
 * @throws {DeclarationError} for invalid options
 */
export function specSchemas(of: Parameters<typeof permissionsOf>[0], options: AnySpecOptions = {}): object {
  const permissions = permissionsOf(of, options);
  const { maxLimit } = permissions;
  const conditions = z.array(conditionSchema(permissions));
  const any = { where: conditions.optional(), ...joinsKey(permissions) };
  const rows = { ...rowsKeys(permissions), ...any, ...withKey(permissions) };
  // What follows is of the table alone.
  const alone: Permissions = { ...permissions, maxJoins: 0 };
  const ofTable = mayJoin(permissions) ? z.array(conditionSchema(alone)) : conditions;
  const some = { where: ofTable.min(1) };
  const schema = (kind: SpecKind, shape: Keys) => {
    const checked = checkedObject(shape, {
      problemsOf: (spec) => problemsOfSpec(kind, spec, permissions),
      mostValues: mostValues(permissions),
      mostByParam: maxLimit,
    });
    const example = exampleOf(kind, permissions);
    return example === undefined ? checked : checked.meta({ example });
  };
  const schemas: Readonly<Partial<Record<SpecKind, z.ZodObject>>> = {
    query: schema("query", {
      ...rows,
      ...pagingKeys(permissions),
      after: cursorKey(),
      ...lockKeys(permissions, false),
    }),
    select: schema("select", { ...rows, ...lockKeys(permissions, true) }),
    ...(permissions.table.view === undefined
      ? {
          insert: schema("insert", conflictKeys(permissions)),
          modify: schema("modify", { ...setKeys(permissions), ...some }),
          remove: schema("remove", some),
        }
      : {}),
    aggregate: schema("aggregate", {
      field: fieldName(permissions)?.optional() ?? z.never(),
      ...any,
    }),
    compound: schema("compound", compoundKeys(alone, { ...rowsKeys(alone), where: ofTable.optional() })),
  };
  return schemas;
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
