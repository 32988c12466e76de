/**
 * Zod schemas of the specs of one table, for specs from clients: a search endpoint takes one as its body, and
 * the document lists the real fields.
 */
import type { ZodObject, ZodOptional, ZodType } from "zod";
import * as z from "zod";
import type { $strict } from "zod/v4/core";
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
import { type RelationWays, sayingWhole } from "../ast/whole.js";
import { meets } from "../words/kinds.js";
import { mostValues } from "./bounds.js";
import { checkedObject } from "./checked-object.js";
import { conditionSchema, nameOfParam } from "./conditions.js";
import { exampleOf } from "./examples.js";
import { type Keys, madeOnce, objectOf } from "./members.js";
import { aloneOf, anyField, oneOf } from "./names.js";
import { type AnySpecOptions, type Permissions, permissionsOf } from "./permissions.js";
import { chosenKeys, operandKeys, withKey } from "./related.js";
import { cursorSchema, lockKeys, orderSchema, pagingKeys, rowsKeys } from "./rows.js";
import { problemsOfSpec, type SpecKind } from "./spec-problems.js";

/**
 * The Zod object of a spec `S`: use it directly, or extend it with your own keys. `R` are its required keys. Without
 * relations it has neither joins nor nested rows.
 */
export type SpecSchema<S, R extends keyof S = never, Left = "joins" | "with"> = ZodObject<
  {
    readonly [K in Exclude<keyof S, Left>]-?: K extends R
      ? Part<Exclude<S[K], undefined>>
      : ZodOptional<Part<Exclude<S[K], undefined>>>;
  },
  $strict
>;

/** A schema whose output equals its input. */
type Part<T> = ZodType<T, T>;

/**
 * The schemas by kind of builder, narrowed to the fields that a client may name. `J` are the relations that it may use.
 * The names of joined fields have a dot.
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

/** The schemas of the specs that only read: those of a view. */
export interface ReadingSchemas<F extends string, J = never>
  extends Pick<SpecSchemas<F, J>, "query" | "select" | "aggregate" | "compound"> {}

/**
 * Makes the schemas of a table.
 * @throws {DeclarationError} for invalid options
 */
export function specSchemas(of: Parameters<typeof permissionsOf>[0], options: AnySpecOptions = {}): object {
  const permissions = permissionsOf(of, options);
  // Changes and set operations use a single table.
  const alone = aloneOf(permissions);
  const ways = hasWhole(permissions) ? waysOf(permissions) : undefined;
  const some: Keys = { where: () => z.array(conditionSchema(alone)).min(1) };
  const schema = (kind: SpecKind, keys: () => Keys) => () => {
    const checked = checkedObject(madeOnce(keys()), {
      problemsOf: (spec) => problemsOfSpec(kind, spec, permissions),
      mostValues: mostValues(permissions),
      mostByParam: permissions.maxLimit,
      completed: ways && ((spec) => sayingWhole(spec, ways)),
    });
    const example = exampleOf(kind, permissions);
    return example === undefined ? checked : checked.meta({ example });
  };
  const changes = {
    insert: schema("insert", () => conflictKeys(permissions)),
    modify: schema("modify", () => ({ ...setKeys(permissions), ...some })),
    remove: schema("remove", () => some),
  };
  const schemas: Readonly<Partial<Record<SpecKind, () => ZodObject>>> = {
    query: schema("query", () => ({
      ...readingKeys(permissions),
      ...pagingKeys(permissions),
      after: cursorSchema,
      ...lockKeys(permissions, false),
    })),
    select: schema("select", () => ({ ...readingKeys(permissions), ...lockKeys(permissions, true) })),
    ...(permissions.table.view === undefined ? changes : {}),
    aggregate: schema("aggregate", () => ({
      field: () => anyField(permissions).optional(),
      ...chosenKeys(permissions),
    })),
    compound: schema("compound", () => compoundKeys(alone)),
  };
  return madeOnce(schemas);
}

function hasWhole({ isWhole, relations }: Permissions): boolean {
  return isWhole || [...relations.values()].some(hasWhole);
}

function waysOf({ isWhole, relations }: Permissions): RelationWays {
  return {
    isWhole,
    targetOf: (relation) => {
      const target = relations.get(relation);
      return target && waysOf(target);
    },
  };
}

function readingKeys(permissions: Permissions): Keys {
  return { ...rowsKeys(permissions), ...chosenKeys(permissions), ...withKey(permissions) };
}

function compoundKeys(permissions: Permissions): Keys {
  const query = operandSchema(permissions);
  const operation = z.enum(["union", "union_all", "intersect", "intersect_all", "except", "except_all"]);
  return {
    base: () => query,
    operands: () => z.array(z.strictObject({ operation, query })).min(1),
    order_by: () => orderSchema(permissions),
    ...pagingKeys(permissions),
  };
}

function operandSchema(permissions: Permissions): ZodType {
  const query = objectOf(operandKeys(permissions));
  nameSchema(query, `${schemaName(permissions.table.schema)}Query`);
  return query;
}

function conflictKeys(permissions: Permissions): Keys {
  return {
    on_conflict: () => z.array(oneOf(permissions.columns.map(({ property }) => property))).optional(),
    conflict_action: () => z.enum(["nothing", "update"]).optional(),
    conflict_set: () => byField(settable(permissions), nameOfParam()),
  };
}

function setKeys(permissions: Permissions): Keys {
  const columns = settable(permissions);
  const operator = z.enum(["+", "-", "*", "/", "%"]);
  const param = nameOfParam();
  const numbers = columns.filter(({ kind }) => meets(kind, "a number"));
  return {
    set: () => byField(columns, param),
    set_expr: () => byField(numbers, z.strictObject({ operator, param })),
  };
}

function settable({ columns }: Permissions): Permissions["columns"] {
  return columns.filter(({ readOnly }) => !readOnly);
}

/** An object with optional keys for fields. */
function byField(columns: Permissions["columns"], value: ZodType): ZodType {
  const keys = columns.map(({ property }) => [property, () => value.optional()] as const);
  return objectOf(Object.fromEntries(keys)).optional();
}
