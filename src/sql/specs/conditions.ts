/** The Zod schemas of conditions: what a field is compared with, and groups of conditions. */
import * as z from "zod";
import { nameSchema, schemaName } from "../../schema/names.js";
import { isMissing } from "../dialect/grammar.js";
import { hasOrder, operandOf, operatorsOf } from "../resolve/operators.js";
import { PARAM_NAME } from "../resolve/resolution.js";
import type { Operator } from "../words/operators.js";
import type { Permissions } from "./permissions.js";

/** The name of a parameter. */
export function nameOfParam(): z.ZodString {
  return z.string().regex(PARAM_NAME).describe("The name of a parameter.");
}

/** A value out of a list that has one. */
export function oneOf(values: Iterable<string>): z.ZodEnum {
  return z.enum([...values]);
}

/** The operators that a permissions allows on fields of some kinds. */
export function operatorsFor(
  kinds: Iterable<Parameters<typeof operatorsOf>[0]>,
  { grammar, regex }: Permissions,
): ReadonlySet<Operator> {
  const operators = [...kinds].flatMap((kind) => [...operatorsOf(kind)]);
  const isAllowed = (operator: Operator) =>
    !isMissing(grammar.operators[operator]) && (regex || !operator.includes("~"));
  return new Set(operators.filter(isAllowed));
}

/** One condition, or a group of them. */
export function conditionSchema(permissions: Permissions): z.ZodType {
  const { columns, table } = permissions;
  const field = oneOf(columns.map(({ property }) => property));
  const operators = operatorsFor(new Set(columns.map(({ kind }) => kind)), permissions);
  const ordered = columns.filter(({ kind }) => hasOrder(kind));
  const isTrue = z.literal(true);
  const param = nameOfParam();
  const leaves: z.ZodType[] = [
    z.strictObject({ field, operator: z.enum(["IS NULL", "IS NOT NULL"]), is_null: isTrue.optional() }),
    z.strictObject({ field, is_null: isTrue }),
  ];
  if (operators.size > 0) {
    const between = [...operators].filter((operator) => operandOf(operator) === "value");
    leaves.unshift(
      z.strictObject({
        field,
        operator: oneOf(operators),
        param,
        optional: z.boolean().optional(),
        is_null: z.literal(false).optional(),
      }),
      z.strictObject({ field, operator: oneOf(between), right_field: field }),
    );
  }
  if (ordered.length > 0)
    leaves.push(
      z.strictObject({
        field: oneOf(ordered.map(({ property }) => property)),
        operator: z.enum(["BETWEEN", "NOT BETWEEN"]),
        low_param: param,
        high_param: param,
      }),
    );
  const condition: z.ZodType = z.union([
    ...leaves,
    z.strictObject({
      logic: z.enum(["AND", "OR"]),
      get group(): z.ZodArray {
        return z.array(condition).min(1);
      },
    }),
  ]);
  nameSchema(condition, `${schemaName(table.schema)}Condition`);
  return condition;
}
