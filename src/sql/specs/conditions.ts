/** The Zod schemas of conditions: comparisons of fields, and groups of conditions. */
import type { ZodArray, ZodString, ZodType } from "zod";
import * as z from "zod";
import { nameSchema, schemaName } from "../../schema/names.js";
import { isMissing } from "../dialect/grammar/grammar.js";
import { hasOrder, operandOf, operatorsOf } from "../resolve/expression/operators.js";
import { PARAM_NAME } from "../resolve/scope/resolution.js";
import type { Operator } from "../words/operators.js";
import { keptFor, objectOf } from "./members.js";
import { anyField, columnsSeen, fieldName, leadsOn, oneOf, relationPath } from "./names.js";
import { isRegex, type Permissions } from "./permissions.js";

/** The name of a parameter. */
export function nameOfParam(): ZodString {
  return z.string().regex(PARAM_NAME).describe("The name of a parameter.");
}

/** The operators that the permissions allow on fields of some kinds. */
export function operatorsFor(
  kinds: Iterable<Parameters<typeof operatorsOf>[0]>,
  { grammar, regex, operators: allowed }: Permissions,
): ReadonlySet<Operator> {
  const operators = [...kinds].flatMap((kind) => [...operatorsOf(kind)]);
  const isAllowed = (operator: Operator) =>
    !isMissing(grammar.operators[operator]) &&
    (regex || !isRegex(operator)) &&
    (allowed === undefined || allowed.has(operator));
  return new Set(operators.filter(isAllowed));
}

const ofLeaf = [
  "field",
  "operator",
  "param",
  "right_field",
  "low_param",
  "high_param",
  "is_null",
  "optional",
];
const ofGroup = ["logic", "group"];
const ofRows = ["exists", "not_exists", "where"];

/** The keys of all forms of conditions. */
export function conditionKeys({ relations }: Permissions): readonly string[] {
  return [...ofLeaf, ...ofGroup, ...(relations.size > 0 ? ofRows : [])];
}

/** One condition, or a group of them. */
export const conditionSchema: (permissions: Permissions) => ZodType = keptFor(madeCondition);

function madeCondition(permissions: Permissions): ZodType {
  const { table, operators: allowed } = permissions;
  const field = anyField(permissions);
  const kinds = new Set([...columnsSeen(permissions).values()].map(({ column }) => column.kind));
  const operators = operatorsFor(kinds, permissions);
  const ordered = fieldName(permissions, ({ column }) => hasOrder(column.kind));
  const isTrue = z.literal(true);
  const optional = z.boolean().optional();
  const param = nameOfParam();
  const some = <T extends string>(tests: readonly T[]) =>
    tests.filter((test) => allowed === undefined || allowed.has(test));
  const leaves: ZodType[] = [];
  if (operators.size > 0)
    leaves.push(
      z.strictObject({
        field,
        operator: oneOf(operators),
        param,
        optional,
        is_null: z.literal(false).optional(),
      }),
    );
  const between = [...operators].filter((operator) => operandOf(operator) === "value");
  if (between.length > 0)
    leaves.push(z.strictObject({ field, operator: oneOf(between), right_field: field, optional }));
  const nullTests = some(["IS NULL", "IS NOT NULL"]);
  if (nullTests.length > 0)
    leaves.push(z.strictObject({ field, operator: oneOf(nullTests), is_null: isTrue.optional(), optional }));
  if (nullTests.includes("IS NULL")) leaves.push(z.strictObject({ field, is_null: isTrue, optional }));
  const ranges = some(["BETWEEN", "NOT BETWEEN"]);
  if (ordered !== undefined && ranges.length > 0)
    leaves.push(
      z.strictObject({
        field: ordered,
        operator: oneOf(ranges),
        low_param: param,
        high_param: param,
        optional,
      }),
    );
  leaves.push(...existsSchemas(permissions));
  const condition: ZodType = z.union([
    ...leaves,
    z.strictObject({
      logic: z.enum(["AND", "OR"]),
      optional,
      get group(): ZodArray {
        return z.array(condition).min(1);
      },
    }),
  ]);
  nameSchema(condition, `${schemaName(table.schema)}Condition`);
  return condition;
}

/** The conditions on the existence of related rows: of the table, or of a joined one. */
function existsSchemas({ relations }: Permissions): readonly ZodType[] {
  if (relations.size === 0) return [];
  const optional = () => z.boolean().optional();
  return ["exists", "not_exists"].flatMap((key) => {
    const rows = (relation: () => ZodType, condition: () => ZodType) =>
      objectOf({ [key]: relation, where: () => z.array(condition()).optional(), optional });
    const own = [...relations].map(([name, target]) =>
      rows(
        () => z.literal(name),
        () => conditionSchema(target),
      ),
    );
    const [first, ...others] = own;
    // The relation selects the schema: the inner conditions are read once, and not once for each schema.
    const ofTable = first === undefined ? [] : [z.discriminatedUnion(key, [first, ...others])];
    if (!leadsOn({ relations })) return ofTable;
    // The allowed conditions depend on the joined table. Only the preceding check knows it.
    const path = () => relationPath("The name of a join");
    return [...ofTable, rows(path, () => z.record(z.string(), z.unknown()))];
  });
}
