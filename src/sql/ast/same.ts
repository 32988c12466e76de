/**
 * Compares two arguments of a step without their keys. The builder cache does this for repeated chains: comparing the
 * parts of a condition or an expression takes a third of the time of writing and hashing its key. If the result is
 * true, the keys are equal; if it is false, the keys decide.
 */
import { ConditionValue } from "./condition-value.js";
import { constantsIn } from "./constants-in.js";
import {
  ANY_CONSTANT,
  type ExpressionNode,
  ExpressionOperand,
  givenNode,
  NamedExpression,
  paramPart,
} from "./expression.js";
import type { ConditionSpec } from "./spec.js";

/** The argument of a step without its constants, to be compared with those of later calls. */
export function withoutConstants(part: unknown): unknown {
  if (typeof part !== "object" || part === null || constantsIn([part]).length === 0) return part;
  if (Array.isArray(part)) return part.map(withoutConstants);
  const condition = ConditionValue.own(part);
  if (condition === undefined) return ANY_CONSTANT;
  const { spec, queries, levels } = condition;
  return new ConditionValue(anyConstants(spec), undefined, queries, levels);
}

function anyConstants(part: ConditionSpec): ConditionSpec {
  // For other conditions the keys decide.
  if (!("group" in part) && !("field" in part)) return OTHER;
  // A group has conditions, and what stands in the place of a parameter is compared as such.
  if ("query" in part) return OTHER;
  const copy = Object.entries(part).map(([key, value]) => [
    key,
    key === "group" ? value.map(anyConstants) : key.endsWith("param") ? paramPart(value) : value,
  ]);
  return Object.fromEntries(copy);
}

/**
 * @param kept an argument of a step that has a key.
 * @param given any value.
 */
export function isSame(kept: unknown, given: unknown): boolean {
  if (kept === given) return true;
  if (typeof kept !== "object" || kept === null || typeof given !== "object" || given === null) return false;
  if (kept === ANY_CONSTANT) return givenNode(given) !== undefined;
  if (Array.isArray(kept)) return Array.isArray(given) && areSame(kept, given);
  const condition = ConditionValue.own(kept);
  if (condition !== undefined) {
    const other = ConditionValue.own(given);
    return other !== undefined && isSameSpec(condition.spec, other.spec);
  }
  const expression = ExpressionOperand.own(kept);
  const other = ExpressionOperand.own(given);
  if (expression === undefined || other === undefined) return false;
  const alias = expression instanceof NamedExpression ? expression.alias : undefined;
  const otherAlias = other instanceof NamedExpression ? other.alias : undefined;
  return alias === otherAlias && isSameNode(expression.node, other.node);
}

function areSame(kept: readonly unknown[], given: readonly unknown[]): boolean {
  if (kept.length !== given.length) return false;
  for (let i = 0; i < kept.length; i++) if (!isSame(kept[i], given[i])) return false;
  return true;
}

/** The members of a comparable condition. For conditions that are neither groups nor of fields, the keys decide. */
interface Parts {
  readonly field?: unknown;
  readonly operator?: unknown;
  readonly param?: unknown;
  readonly is_null?: unknown;
  readonly low_param?: unknown;
  readonly high_param?: unknown;
  readonly right_field?: unknown;
  readonly query?: unknown;
  readonly logic?: unknown;
  readonly group?: readonly ConditionSpec[];
}

function isSameSpec(kept: ConditionSpec, given: ConditionSpec): boolean {
  if (kept === given) return true;
  // An untyped caller may have given a value instead of a condition; a text describes that value.
  if (typeof given !== "object") return false;
  const one: Parts = kept;
  const other: Parts = given;
  const { group } = one;
  if (group !== undefined) {
    const others = other.group;
    if (others === undefined || one.logic !== other.logic || group.length !== others.length) return false;
    return group.every((spec, i) => isSameSpec(spec, others[i] ?? NONE));
  }
  return (
    one.field !== undefined &&
    one.query === other.query &&
    one.operator === other.operator &&
    isSameParam(one.param, other.param) &&
    one.is_null === other.is_null &&
    isSameParam(one.low_param, other.low_param) &&
    isSameParam(one.high_param, other.high_param) &&
    isSame(one.field, other.field) &&
    isSame(one.right_field, other.right_field)
  );
}

const OTHER = Object.freeze({}) as ConditionSpec;

// A constant is kept as a mark that equals every other.
function isSameParam(kept: unknown, given: unknown): boolean {
  return kept === given || (kept === ANY_CONSTANT && givenNode(given) !== undefined);
}

const NONE: ConditionSpec = Object.freeze({ logic: "AND", group: Object.freeze([]) });

// The parts that the key of each kind contains.
function isSameNode(kept: ExpressionNode, given: ExpressionNode): boolean {
  if (kept === given) return true;
  switch (kept.kind) {
    case "field":
    case "inserted":
      return kept.kind === given.kind && kept.name === given.name;
    case "param":
      return kept.kind === given.kind && kept.name === given.name && kept.of === given.of;
    case "aggregate":
      return (
        kept.kind === given.kind &&
        kept.func === given.func &&
        kept.filter === given.filter &&
        kept.separator === given.separator &&
        kept.options === given.options &&
        isSameOperand(kept.operand, given.operand)
      );
    case "call":
      return (
        kept.kind === given.kind &&
        kept.func === given.func &&
        kept.digits === given.digits &&
        areSameOperands(kept.operands, given.operands) &&
        areSameOperands(kept.params, given.params)
      );
    case "arithmetic":
    case "extreme":
      return (
        kept.kind === given.kind && kept.func === given.func && areSameOperands(kept.operands, given.operands)
      );
    case "cast":
      return kept.kind === given.kind && kept.to === given.to && isSameOperand(kept.operand, given.operand);
    default:
      return false;
  }
}

function areSameOperands(kept: readonly unknown[], given: readonly unknown[]): boolean {
  if (kept.length !== given.length) return false;
  for (let i = 0; i < kept.length; i++) if (!isSameOperand(kept[i], given[i])) return false;
  return true;
}

// Operands are names and our own nodes.
function isSameOperand(kept: unknown, given: unknown): boolean {
  if (kept === given) return true;
  if (typeof kept !== "object" || kept === null || typeof given !== "object" || given === null) return false;
  return isSameNode(kept as ExpressionNode, given as ExpressionNode);
}
