/** Resolves the greatest and the least of several values of one kind. */
import type { ExtremeNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import type { ExtremeForm } from "../../dialect/grammar/extremes.js";
import { meets } from "../../words/kinds.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import { areOfOneKind, isStoredField, nameOf, type ResolvedValue } from "../scope/result.js";
import { resolveBeside } from "./arithmetic.js";
import { comparableDate, requireOrder } from "./comparison.js";
import { inGreatestScale } from "./decimals.js";

/** Resolves `greatest` and `least`. */
export function resolveExtreme(
  { func, operands }: ExtremeNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const values = resolveBeside(operands, path, resolution);
  const [first] = values ?? [];
  if (values === undefined) return undefined;
  if (first === undefined) {
    resolution.add("INVALID_CONDITION", `${func} needs at least one operand`, path);
    return undefined;
  }
  for (const value of values) {
    const { kind } = value.storage;
    let fault: string | undefined;
    if (!meets(kind, "a scalar"))
      fault = `${func} takes values that have an order, ${nameOf(value)} holds ${kind}`;
    else if (!areOfOneKind(first.storage, value.storage))
      fault = `${func} takes values of one kind, not ${nameOf(first)} (${first.storage.kind}) and ${nameOf(value)} (${kind}): cast one`;
    if (fault !== undefined) {
      resolution.add("INVALID_CONDITION", fault, path);
      return undefined;
    }
    requireOrder(value, path, resolution);
    if (value.expression.kind === "field") resolution.comparable(value.expression.column, path);
  }
  const scaled = inGreatestScale(values, resolution);
  const storage = storageOf(scaled.map((value) => value.storage));
  const nullable = values.every((value) => value.nullable);
  const { grammar } = resolution;
  const form = (isColumn: boolean) => grammar.expressions.extremes(func, storage, isColumn);
  const parts = scaled.map((value): Part => {
    const expression = inOneForm(value, storage, resolution);
    return { expression, nullable: value.nullable, form: form(isStoredField(expression)) };
  });
  const { expression } = joined(parts, form(false), grammar.expressions.mostArguments);
  return { expression, storage, nullable };
}

interface Part {
  readonly expression: ResolvedExpression;
  readonly nullable: boolean;
  readonly form: ExtremeForm;
}

/** One call, or nested calls with the same result if a function takes a limited number of arguments. */
function joined(parts: readonly Part[], form: ExtremeForm, most = Number.POSITIVE_INFINITY): Part {
  const [first, another] = parts;
  // On SQLite a function of one value is an aggregate.
  if (first !== undefined && another === undefined) return first;
  if (parts.length <= most) {
    const nullable = parts.every((part) => part.nullable);
    const operands = parts.map(operandOf);
    return { expression: called(nullable ? form.allNullable : form.all, operands), nullable, form };
  }
  const groups: Part[] = [];
  for (let from = 0; from < parts.length; from += most)
    groups.push(joined(parts.slice(from, from + most), form));
  return joined(groups, form, most);
}

function operandOf({ expression, nullable, form }: Part): ResolvedExpression {
  return called(nullable ? form.nullable : form.operand, [expression]);
}

function called(template: string, operands: readonly ResolvedExpression[]): ResolvedExpression {
  const [only] = operands;
  if (template === "{f}" && only !== undefined) return only;
  const call: ResolvedCall = { kind: "call", template, operands, separator: ", ", params: [] };
  return call;
}

/** The common storage of the values of all operands. */
function storageOf(all: readonly Storage[]): Storage {
  const [{ kind } = { kind: "text" } as const] = all;
  const every = (is: (one: Storage) => boolean) => all.every(is);
  const integer = every((one) => one.integer === true);
  const wide = every((one) => one.wide === true);
  const scale = Math.max(...all.map((one) => one.scale ?? 0));
  const whole = Math.max(...all.map((one) => (one.precision ?? 0) - (one.scale ?? 0)));
  const values = all.flatMap((one) => [...(one.values ?? [])]);
  return {
    kind,
    ...(integer ? { integer } : {}),
    ...(wide ? { wide } : {}),
    ...(kind === "decimal" ? { precision: whole + scale, scale } : {}),
    ...(every((one) => one.values !== undefined) ? { values: new Set(values) } : {}),
  };
}

/** An operand in the form in which values of the result are compared: one form of dates, one of bigints. */
function inOneForm(
  { expression, storage }: ResolvedValue,
  result: Storage,
  { grammar }: Resolution,
): ResolvedExpression {
  if (storage.kind === "date") {
    const dates = grammar.dates(storage);
    return dates.comparable === "{f}" ? expression : comparableDate(expression, dates);
  }
  if (storage.wide === true && result.wide !== true)
    return called(grammar.expressions.numbers.operand(storage, { from: "other" }), [expression]);
  return expression;
}
