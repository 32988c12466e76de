/**
 * Whether the records of a batch can be changed by one statement: every condition with a parameter is `=` on a field,
 * and no change of one record affects another. Then a row meets all records that have one and the same key, and no other.
 */
import { type Constrained, constraintsOf } from "../../dialect/grammar/constraints.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { Field, ParameterPlace, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import type { KeyCondition, ResolvedChange, TogetherConditions } from "../scope/resolved-change.js";
import { expressionsOf, mayRead, parametersOf, partsOf } from "../scope/walk.js";

/** The conditions; undefined if each record needs a statement of its own. */
export function togetherConditions(change: ResolvedChange, grammar: Grammar): TogetherConditions | undefined {
  const assignments = change.kind === "modify" ? change.assignments : [];
  const where = change.where.flatMap(membersOf);
  // What a rule sets changes once for each record, and no other record may rely on its value.
  const set = assignments.flatMap(({ field, isOfRule }) => (isOfRule === true ? [] : [field]));
  const compared = where.flatMap(expressionsOf);
  const values = assignments.flatMap(({ value, unseen }) =>
    unseen === undefined ? [value] : [value, unseen],
  );
  const returned = change.returned?.map(({ expression }) => expression) ?? [];
  if (![...compared, ...values, ...returned].every(isOfRow)) return undefined;
  if (compared.some((one) => mayRead(one, set))) return undefined;
  if (assignments.some(({ requires }) => requires !== undefined) || refersToItself(change, set, grammar))
    return undefined;
  // Some servers assign one after the other in a statement of several tables.
  if (change.kind === "modify" && change.readsAssigned && grammar.assignsTogether !== undefined)
    return undefined;
  const key: KeyCondition[] = [];
  const rest: ResolvedCondition[] = [];
  for (const condition of where) {
    const one = keyCondition(condition);
    if (one !== undefined) key.push(one);
    else if (expressionsOf(condition).every((part) => parametersOf(part).length === 0)) rest.push(condition);
    else return undefined;
  }
  return { key, rest };
}

function membersOf(condition: ResolvedCondition): readonly ResolvedCondition[] {
  if (condition.kind !== "group" || condition.logic !== "AND") return [condition];
  return condition.members.flatMap(membersOf);
}

// Text of the program may contain anything, and a query may read what another record changes.
function isOfRow(expression: ResolvedExpression): boolean {
  return !OF_OTHERS.has(expression.kind) && partsOf(expression).every(isOfRow);
}

const OF_OTHERS: ReadonlySet<string> = new Set(["fragment", "subquery", "nested", "aggregate", "window"]);

function keyCondition(condition: ResolvedCondition): KeyCondition | undefined {
  if (condition.kind === "comparison" && condition.isEquality)
    return keyOn(condition.left, onlyParameter(condition.right), condition);
  // The stored values of one date.
  if (condition.kind !== "range" || condition.word !== " BETWEEN ") return undefined;
  const [low, high] = [onlyParameter(condition.low), onlyParameter(condition.high)];
  return low?.name === high?.name ? keyOn(condition.operand, high, condition) : undefined;
}

function keyOn(
  left: ResolvedExpression,
  value: ParameterPlace | undefined,
  condition: ResolvedCondition,
): KeyCondition | undefined {
  return left.kind === "field" && value !== undefined ? { field: left, value, condition } : undefined;
}

/** The parameter that a value is, alone or in the template of its kind. */
function onlyParameter(value: ResolvedExpression): ParameterPlace | undefined {
  if (value.kind === "parameter") return value.constant === undefined ? value : undefined;
  if (value.kind !== "call" || value.operands.length > 0 || value.params.length !== 1) return undefined;
  const [only] = value.params;
  return only === undefined ? undefined : onlyParameter(only);
}

// A row that goes may take another with it, or must go after it.
function refersToItself(change: ResolvedChange, set: readonly Field[], grammar: Grammar): boolean {
  const { table } = change.table;
  const own = constraintsOf(table as Constrained, grammar).references.filter(
    ({ references }) => (typeof references === "string" ? references : references().name) === table.name,
  );
  if (change.kind === "remove") return own.length > 0;
  return own.some(({ target }) => {
    const key = target ?? table.primaryKey;
    return set.some(({ column }) => key.includes(column.property));
  });
}
