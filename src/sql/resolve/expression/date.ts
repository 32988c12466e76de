/** Resolves functions of dates. All operands are written in one form, whatever form the columns store. */
import { listed, quoted } from "../../../core/errors.js";
import type { DateNode, OperandNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import {
  type DateFunction,
  type DateUnit,
  dateUnits,
  type PartUnit,
  partUnits,
  truncUnits,
} from "../../words/functions.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import { nameOf, type ResolvedValue, type ValueResult } from "../scope/result.js";
import { instantOf } from "./instants.js";

const date: ValueResult = { storage: { kind: "date" }, nullable: false };
const count: ValueResult = { storage: { kind: "number", integer: true }, nullable: false };

const names: { readonly [F in DateFunction]: string } = {
  trunc: "dateTrunc",
  part: "datePart",
  add: "dateAdd",
  diff: "dateDiff",
};

const units: { readonly [F in DateFunction]: readonly string[] } = {
  trunc: truncUnits,
  part: partUnits,
  add: dateUnits,
  diff: dateUnits,
};

/** Resolves a function of dates. */
export function resolveDate(node: DateNode, path: string, resolution: Resolution): ResolvedValue | undefined {
  const { func, unit, date: operand, other } = node;
  const inOneForm = resolution.ofInstants;
  const known = isUnit(func, unit, path, resolution);
  const value = operandOf(func, operand, date, path, inOneForm);
  const beside =
    other === undefined ? undefined : operandOf(func, other, func === "add" ? count : date, path, inOneForm);
  if (!known || value === undefined || (other !== undefined && beside === undefined)) return undefined;
  const expression: ResolvedCall = {
    kind: "call",
    template: resolution.grammar.expressions.date(func, unit as DateUnit | PartUnit),
    operands: [value.expression],
    separator: "",
    params: beside === undefined ? [] : [beside.expression],
  };
  if (timesWritten(expression) > MOST_TIMES) {
    const hint = "let a query make the inner date, or calculate with it in the application";
    resolution.unsupported(`${names[func]} of dates that are calculated so often`, hint, path);
    return undefined;
  }
  const storage: Storage = func === "trunc" || func === "add" ? date.storage : count.storage;
  return { expression, storage, nullable: value.nullable || beside?.nullable === true };
}

function isUnit(func: DateFunction, unit: unknown, path: string, resolution: Resolution): boolean {
  const allowed: readonly unknown[] = units[func];
  if (allowed.includes(unit)) return true;
  const message = `${names[func]} takes a unit, not ${quoted(unit)}; units: ${listed(units[func])}`;
  resolution.add("INVALID_CONDITION", message, path);
  return false;
}

function operandOf(
  func: DateFunction,
  operand: OperandNode,
  beside: ValueResult,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const value = resolution.node(operand, path, beside);
  if (value === undefined) return undefined;
  const { kind, integer } = value.storage;
  const fits =
    beside === date ? kind === "date" : integer === true && (kind === "number" || kind === "bigint");
  if (fits) return instantOf(value, resolution);
  const what = beside === date ? "dates" : "a whole number of units";
  const message = `${names[func]} takes ${what}, not ${nameOf(value)} (${kind})`;
  resolution.add(typeof operand === "string" ? "INVALID_OPERATOR" : "INVALID_CONDITION", message, path);
  return undefined;
}

// A template may contain its operands several times, and these may contain their own.
const MOST_TIMES = 1_000;

function timesWritten(expression: ResolvedExpression): number {
  if (expression.kind !== "call") return 1;
  const { template, operands, params } = expression;
  const times = (place: string, parts: readonly ResolvedExpression[]) =>
    (template.split(place).length - 1) * Math.max(0, ...parts.map(timesWritten));
  return Math.max(times("{f}", operands), ...params.map((param, i) => times(`{${i}}`, [param])), 1);
}
