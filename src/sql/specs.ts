/**
 * Zod schemas of the specs of one table, for specs that come from outside: a search endpoint takes one as its
 * body, and its document lists the real fields.
 */
import * as z from "zod";
import { nameSchema, schemaName } from "../schema/names.js";
import type { ConditionSpec, OrderBySpec } from "./ast/spec.js";
import { isOperator, operatorsOf } from "./check/operators.js";
import { PARAM_NAME, unknownField } from "./check/problems.js";
import type { AnyTable } from "./declaration.js";
import { type Grammar, isMissing } from "./dialect/grammar.js";
import { DeclarationError } from "./errors.js";
import type { Operator } from "./types/operators.js";

/** What a client may ask for. */
export interface SpecOptions<F extends string = string> {
  /** The fields that it may name; all when left out. */
  readonly fields?: readonly F[];
  /** How deep groups nest; a group is one level. Default 8. */
  readonly maxDepth?: number;
  /** How many conditions there may be, those in groups included. Default 64. */
  readonly maxConditions?: number;
  /** The largest limit, and the one used when none is given unless `defaultLimit` says another. */
  readonly maxLimit?: number;
  readonly defaultLimit?: number;
  /** Allows the regular expression operators. Default false: a pattern can be made to run for hours. */
  readonly regex?: boolean;
}

/** The keys of a select spec, narrowed to some fields. */
export type SelectSpecShape<F extends string> = {
  readonly fields: z.ZodOptional<z.ZodType<readonly F[]>>;
  readonly where: z.ZodOptional<z.ZodType<readonly ConditionSpec[]>>;
  readonly order_by: z.ZodOptional<z.ZodType<readonly OrderBySpec[]>>;
  readonly distinct: z.ZodOptional<z.ZodBoolean>;
};

/** The keys of a query spec, narrowed to some fields. */
export type QuerySpecShape<F extends string> = SelectSpecShape<F> & {
  readonly limit: z.ZodOptional<z.ZodType<number>>;
  readonly offset: z.ZodOptional<z.ZodType<number>>;
};

/** The schemas by kind of builder: Zod objects, to be used as they are or extended. */
export interface SpecSchemas<F extends string> {
  readonly query: z.ZodObject<QuerySpecShape<F>, z.core.$strict>;
  readonly select: z.ZodObject<SelectSpecShape<F>, z.core.$strict>;
}

/** Makes the schemas of a table. */
export function specSchemas<F extends string>(
  table: AnyTable,
  grammar: Grammar,
  options: SpecOptions<F> = {},
): SpecSchemas<F> {
  const { maxDepth = 8, maxConditions = 64, maxLimit, regex = false } = options;
  const names = options.fields ?? Object.keys(table.columns);
  for (const name of names)
    if (table.columns[name] === undefined) throw new DeclarationError(unknownField(name, table));
  if (names.length === 0) throw new DeclarationError("specs needs at least one allowed field");
  const field = z.enum([...names]);
  const operators = new Set<Operator>();
  for (const name of names)
    for (const operator of operatorsOf(table.columns[name]?.kind ?? "json"))
      if (!isMissing(grammar.operators[operator]) && (regex || !operator.includes("~")))
        operators.add(operator);
  const param = z.string().regex(PARAM_NAME).describe("The name of a parameter.");

  const leaf = z.union([
    z.strictObject({
      field,
      operator: z.enum([...operators].filter(isOperator)),
      param,
      optional: z.literal(true).optional(),
    }),
    z.strictObject({
      field,
      operator: z.enum(["IS NULL", "IS NOT NULL"]),
      is_null: z.literal(true).optional(),
    }),
    z.strictObject({ field, is_null: z.literal(true) }),
    z.strictObject({
      field,
      operator: z.enum(["BETWEEN", "NOT BETWEEN"]),
      low_param: param,
      high_param: param,
    }),
  ]);
  const condition: z.ZodType<ConditionSpec> = z.union([
    leaf,
    z.strictObject({
      logic: z.enum(["AND", "OR"]),
      get group() {
        return z.array(condition).min(1);
      },
    }),
    // Every member is the spec of a condition of this table.
  ]) as z.ZodType<ConditionSpec>;
  nameSchema(condition, `${schemaName(table.schema)}Condition`);

  // Depth and number are judged before the recursive schema descends, so that a deep spec costs nothing.
  const where = z
    .preprocess((value, context) => {
      if (measure(value, maxDepth, maxConditions)) return value;
      context.addIssue(`at most ${maxConditions} conditions, nested at most ${maxDepth} levels`);
      return z.NEVER;
    }, z.array(condition))
    .optional();
  const orderBy = z
    .array(
      z.strictObject({
        field,
        direction: z.enum(["asc", "desc"]),
        nulls: z.enum(["first", "last"]).optional(),
      }),
    )
    .optional();
  const count = z.int().min(0);
  const defaultLimit = options.defaultLimit ?? maxLimit;
  const capped = maxLimit === undefined ? count : count.max(maxLimit);
  const limit = defaultLimit === undefined ? capped.optional() : capped.default(defaultLimit);
  const chosen = z.array(field).min(1);
  const shared = {
    // A spec that names no field asks for all, and all are those that the client may see.
    fields: options.fields === undefined ? chosen.optional() : chosen.default([...options.fields]),
    where,
    order_by: orderBy,
    distinct: z.boolean().optional(),
  };
  const query = z.strictObject({ ...shared, limit, offset: count.optional() });
  const select = z.strictObject(shared);
  // The schemas are built from these fields and operators; their output is what the specs say.
  return {
    query: query as unknown as SpecSchemas<F>["query"],
    select: select as unknown as SpecSchemas<F>["select"],
  };
}

/** Whether a list of conditions keeps to a depth and a number, without recursion. */
function measure(where: unknown, maxDepth: number, maxConditions: number): boolean {
  if (!Array.isArray(where)) return true;
  let level: unknown[] = where;
  let conditions = 0;
  for (let depth = 0; level.length > 0; depth++) {
    conditions += level.length;
    if (depth > maxDepth || conditions > maxConditions) return false;
    level = level.flatMap((one): unknown[] =>
      typeof one === "object" && one !== null && "group" in one && Array.isArray(one.group) ? one.group : [],
    );
  }
  return true;
}
