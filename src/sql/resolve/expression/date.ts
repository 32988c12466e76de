/** Resolves functions of dates. All operands are written in one form, whatever form the columns store. */
import { listed, quoted } from "../../../core/errors.js";
import type { DateNode, OperandNode } from "../../ast/expression.js";
import { type Binder, zoneBinder } from "../../value/binder.js";
import { ParameterError } from "../../words/errors.js";
import {
  type DateFunction,
  type DateUnit,
  dateUnits,
  type PartUnit,
  partUnits,
  truncUnits,
} from "../../words/functions.js";
import { isTimeUnit, zoneName } from "../../words/zones.js";
import type { Resolution } from "../scope/resolution.js";
import type { Form, ResolvedCall, ResolvedExpression } from "../scope/resolved.js";
import { nameOf, type ResolvedValue, type ValueResult } from "../scope/result.js";
import { parametersOf } from "../scope/walk.js";
import { instantOf } from "./instants.js";
import { argument, binderOf, constantParameter } from "./param.js";

const date: ValueResult = { storage: { kind: "date" }, nullable: false };
const count: ValueResult = { storage: { kind: "number", integer: true }, nullable: false };

const zoneText = { kind: "text" } as const;
const zoneForm: Form & { readonly column: object } = {
  operand: "argument",
  column: { kind: "text", storage: zoneText },
};

interface DateForm {
  readonly name: string;
  readonly units: readonly string[];
  /** Its other argument. */
  readonly other?: ValueResult;
  readonly gives: ValueResult;
}

const forms: { readonly [F in DateFunction]: DateForm } = {
  trunc: { name: "dateTrunc", units: truncUnits, gives: date },
  part: { name: "datePart", units: partUnits, gives: count },
  add: { name: "dateAdd", units: dateUnits, other: count, gives: date },
  diff: { name: "dateDiff", units: dateUnits, other: date, gives: count },
};

/** Resolves a function of dates. */
export function resolveDate(node: DateNode, path: string, resolution: Resolution): ResolvedValue | undefined {
  const { func, unit, date: operand, other, zone: givenZone } = node;
  const inOneForm = resolution.seeing(resolution.scope.ofInstants);
  const form = forms[func];
  const known = isUnit(func, unit, path, resolution);
  const value = operandOf(func, operand, date, path, inOneForm);
  const beside =
    other === undefined ? undefined : operandOf(func, other, form.other ?? date, path, inOneForm);
  const zone = givenZone === undefined ? undefined : resolveZone(givenZone, form.name, path, resolution);
  if (!known || value === undefined || (other !== undefined && beside === undefined)) return undefined;
  if (givenZone !== undefined && zone === undefined) return undefined;
  const expression = callOf(func, unit as DateUnit | PartUnit, value, beside, zone, resolution);
  if (timesWritten(expression) > MOST_TIMES) {
    const hint = "let a query make the inner date, or calculate with it in the application";
    resolution.unsupported(`${form.name} of dates that are calculated so often`, hint, path);
    return undefined;
  }
  return { expression, ...form.gives, nullable: value.nullable || beside?.nullable === true };
}

function callOf(
  func: DateFunction,
  unit: DateUnit | PartUnit,
  { expression: date }: ResolvedValue,
  beside: ResolvedValue | undefined,
  zone: ResolvedExpression | undefined,
  resolution: Resolution,
): ResolvedCall {
  const { expressions } = resolution.grammar;
  const others = beside === undefined ? [] : [beside.expression];
  const plain = { kind: "call", operands: [date], separator: "" } as const;
  const isOfTime = isTimeUnit(unit) && forms[func].other !== undefined;
  // Hours are as long everywhere.
  if (isOfTime && zone !== undefined) resolution.shared.unwritten.push(...parametersOf(zone));
  if (isOfTime || zone === undefined)
    return { ...plain, template: expressions.date(func, unit, false), params: others };
  const template = expressions.date(func, unit, true);
  return { ...plain, template, params: [zone, ...others], zoned: true };
}

/**
 * Resolves the time zone of a function.
 * @param func the name of the function, for errors.
 * @throws {ParameterError} for a name that is no IANA zone.
 */
function resolveZone(
  zone: OperandNode,
  func: string,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  if (typeof zone === "string") return { kind: "literal", sql: `'${requireZone(zone, func, resolution)}'` };
  if (zone.kind === "constant") {
    const name = requireZone(zone.value, func, resolution);
    return constantParameter(zone.value, zoneForm, () => () => name, resolution);
  }
  if (zone.kind === "param") return parameterOf(zone, path, resolution);
  const given = zone.kind === "invalid" ? zone.what : "an expression";
  const message = `the zone of ${func} is the IANA name of a time zone, param(…) or value(…), not ${given}`;
  resolution.add("INVALID_CONDITION", message, path);
  return undefined;
}

function parameterOf(
  { name: given, of }: Extract<OperandNode, { readonly kind: "param" }>,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  const name = resolution.param(given, path);
  if (name === undefined) return undefined;
  if (of !== undefined && of.storage.kind !== "text") {
    const message = `parameter ${quoted(name)} is the name of a time zone, and its schema is not of text`;
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  const bind = () => zoneBinder({ param: name, table: resolution.table });
  return argument(
    name,
    zoneText,
    of === undefined ? bind : () => both(binderOf(of, name, resolution)(), bind()),
    resolution,
  );
}

/** Checks by the schema of a parameter, too. */
function both(check: Binder, bind: Binder): Binder {
  return (value) => {
    check(value);
    return bind(value);
  };
}

function requireZone(value: unknown, func: string, { table }: Resolution): string {
  const name = zoneName(value);
  if (name !== undefined) return name;
  const message = `the zone of ${func} is no IANA name of a time zone, such as Europe/Berlin`;
  throw new ParameterError("PARAM_TYPE", "zone", table.name, message);
}

function isUnit(func: DateFunction, unit: unknown, path: string, resolution: Resolution): boolean {
  const { name, units } = forms[func];
  const allowed: readonly unknown[] = units;
  if (allowed.includes(unit)) return true;
  const message = `${name} takes a unit, not ${quoted(unit)}; units: ${listed(units)}`;
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
  const message = `${forms[func].name} takes ${what}, not ${nameOf(value)} (${kind})`;
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
