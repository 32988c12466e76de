/** Parameters and constants in the holes of raw text: each is bound in the form of the column in a nearby hole. */

import type { OperandNode, ParamNode } from "../../ast/expression.js";
import type { ConstantNode } from "../../ast/given-node.js";
import type { ByDialect, ColumnInfo, Storage } from "../../declare/declaration.js";
import { textFor } from "../../dialect/grammar/declared.js";
import { codecOf } from "../../value/column-codec.js";
import type { Resolution } from "../scope/resolution.js";
import type { ParameterPlace, ResolvedCall } from "../scope/resolved.js";
import type { ResolvedValue } from "../scope/result.js";
import {
  argument,
  binderOf,
  constantParameter,
  includesStorage,
  inTemplate,
  storageOfConstant,
  withoutValues,
} from "./param.js";

/** The column of a hole that contains only a column. */
export function columnIn(hole: OperandNode, { scope }: Resolution): ColumnInfo | undefined {
  return typeof hole === "object" && hole.kind === "field" ? scope.field(hole.name)?.column : undefined;
}

/**
 * The columns in the holes around one, the likeliest to be compared with it first: those before it, the nearest first,
 * then those after it. Columns that a word such as AND or WHEN separates from it come last.
 */
export function around(
  columns: readonly (ColumnInfo | undefined)[],
  texts: readonly string[],
  hole: number,
): readonly ColumnInfo[] {
  const before = [...columns.keys()].filter((at) => at < hole).reverse();
  const after = [...columns.keys()].filter((at) => at > hole);
  const isParted = (at: number) =>
    texts.slice(Math.min(at, hole) + 1, Math.max(at, hole) + 1).some((text) => PARTS.test(text));
  const places = [...before, ...after];
  return [...places.filter((at) => !isParted(at)), ...places.filter(isParted)].flatMap(
    (at) => columns[at] ?? [],
  );
}

const PARTS = /\b(?:and|or|when|then|else)\b/i;

/** A parameter or a constant in a hole, as a value of the nearest column that holds it; undefined for any other hole. */
export function boundIn(
  hole: OperandNode,
  columns: readonly ColumnInfo[],
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  if (typeof hole !== "object") return undefined;
  if (hole.kind === "constant") return constantIn(hole, columns, path, resolution);
  return hole.kind === "param" ? paramIn(hole, columns, path, resolution) : undefined;
}

function paramIn(
  { name: given, of }: ParamNode,
  columns: readonly ColumnInfo[],
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const column = of && columns.find(({ storage }) => takes(storage, of.storage));
  if (of === undefined || (column === undefined && of.type === undefined)) return undefined;
  const name = resolution.param(given, path);
  if (name === undefined) return undefined;
  const { nullable, schema } = of;
  // The schema takes precedence over the column.
  const storage = of.type !== undefined || column === undefined ? of.storage : inForm(of.storage, column);
  const type = of.type ?? column?.type;
  const result = { storage, nullable, schema };
  const parameter = argument(name, storage, binderOf(result, name, resolution), resolution, type);
  return { expression: typedAs(parameter, { storage, type, column }, resolution), ...result };
}

function constantIn(
  { value }: ConstantNode,
  columns: readonly ColumnInfo[],
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const own = storageOfConstant(value);
  const column = own && columns.find(({ storage }) => takes(storage, own) || isDigits(storage, value));
  if (column === undefined) return undefined;
  const { type } = column;
  const storage = withoutValues(column.storage);
  const { fault, encode } = codecOf({ storage }, resolution.grammar);
  const problem = fault(value);
  if (problem !== undefined) {
    resolution.add(
      "INVALID_CONDITION",
      `a constant for field ${JSON.stringify(column.property)} takes ${problem}`,
      path,
    );
    return undefined;
  }
  const encoded = encode(value);
  const form = { operand: "argument", column: { kind: storage.kind, storage, type } } as const;
  const parameter = constantParameter(value, form, () => () => encoded, resolution);
  return { expression: typedAs(parameter, { storage, type, column }, resolution), storage, nullable: false };
}

/** Whether values of a storage are bound like those of a column. Digits have their own scale. */
function takes(column: Storage, own: Storage): boolean {
  return includesStorage(column, own) && column.item?.kind === own.item?.kind;
}

const DIGITS = /^-?\d+(?:\.\d+)?$/;

/** Whether a constant is a value of a column of exact decimals, which are texts. */
function isDigits({ kind, decimal }: Storage, value: unknown): boolean {
  return typeof value === "string" && (kind === "decimal" || decimal === true) && DIGITS.test(value);
}

/** The storage of a column, with the restrictions that a schema adds. */
function inForm(own: Storage, { storage }: ColumnInfo): Storage {
  return { ...withoutValues(storage), ...own };
}

/** A parameter with the type of a column: its declared one, or that of its kind. */
function typedAs(
  parameter: ParameterPlace,
  {
    storage,
    type,
    column,
  }: { storage: Storage; type: ByDialect | undefined; column: ColumnInfo | undefined },
  { grammar: { dialect, expressions } }: Resolution,
): ResolvedCall {
  const declared = textFor(type, dialect);
  const own = declared === undefined ? undefined : expressions.typedAs?.(declared);
  const isText = column !== undefined && storage.kind === "text";
  const template = own ?? (isText ? expressions.textBeside : undefined) ?? expressions.typed(storage);
  return inTemplate(template, parameter);
}
