/** Resolves CASE: conditions, and the labels of the rows that meet them. */

import type { CaseNode, OperandNode } from "../../ast/expression.js";
import { operandBinder, storedBinder } from "../../value/binder.js";
import type { Resolution } from "../scope/resolution.js";
import type { Case, ResolvedExpression } from "../scope/resolved.js";
import { areAlike, type ResolvedValue } from "../scope/result.js";
import { oneOf } from "./call.js";
import { resolveCondition } from "./condition.js";
import { excessOf, inScale } from "./decimals.js";
import { inOneForm } from "./instants.js";
import { argument, typed } from "./param.js";

/** Resolves a CASE. */
export function resolveCase(
  { labels, whens, otherwise }: CaseNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  let nullable = labels.nullable || otherwise === undefined;
  const labelAt = (operand: OperandNode, place: string): ResolvedExpression | undefined => {
    const label = labelOf(labels, operand, place, resolution);
    if (label?.nullable === true) nullable = true;
    return label?.expression;
  };
  const resolved = whens.flatMap(({ condition, label }, i) => {
    const place = `${path}.when[${i}]`;
    const holds = resolveCondition(condition, place, resolution);
    const result = labelAt(label, place);
    return holds === undefined || result === undefined ? [] : { condition: holds, result };
  });
  if (whens.length === 0)
    resolution.add("INVALID_CONDITION", "caseWhen needs at least one condition: call when(…)", path);
  const last = otherwise === undefined ? undefined : labelAt(otherwise, `${path}.else`);
  const { storage, schema } = labels;
  const expression: Case = { kind: "case", whens: resolved, otherwise: last };
  return { expression: oneOf(expression, storage, resolution), storage, nullable, schema };
}

function labelOf(
  labels: CaseNode["labels"],
  operand: OperandNode,
  path: string,
  resolution: Resolution,
): Pick<ResolvedValue, "expression" | "nullable"> | undefined {
  if (typeof operand === "string" || operand.kind !== "param" || operand.of !== undefined) {
    const value = resolution.node(operand, path, labels);
    if (value === undefined) return value;
    const alike = areAlike(labels.storage, value.storage);
    const excess = excessOf(value.storage, labels.storage);
    if (alike && excess === undefined) {
      const [, own] = inOneForm([{ ...value, ...labels }, value], resolution);
      return inScale(own ?? value, labels.storage.scale ?? 0, resolution);
    }
    const message = alike
      ? `a label of this CASE has ${excess}`
      : `a label of this CASE is of kind ${labels.storage.kind}, not ${value.storage.kind}`;
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  const param = resolution.param(operand.name, path);
  if (param === undefined) return undefined;
  const { grammar, table } = resolution;
  const target = { ...labels, property: "the label of a CASE" };
  const bindAs = labels.nullable ? storedBinder : operandBinder;
  const binder = () => bindAs(target, grammar, { param, table });
  const parameter = argument(param, labels.storage, binder, resolution);
  return { expression: typed(parameter, labels.storage, resolution), nullable: false };
}
