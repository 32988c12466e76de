/** Binders: they check the value of a parameter and encode it for the driver. */

import type { $ZodType } from "zod/v4/core";
import { describeType, quoted } from "../../core/errors.js";
import { onlyOverwrites } from "../../schema/overwrites.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { Grammar, OperatorForm } from "../dialect/grammar/grammar.js";
import { isCleanText } from "../kind/faults.js";
import { ParameterError } from "../words/errors.js";
import { fieldOrExpression } from "../words/names.js";
import { zoneName } from "../words/zones.js";
import { codecOf, type Stored } from "./column-codec.js";
import { saysTypeOnly, validatedOutput } from "./validate.js";

/** Encodes the value of a parameter for the driver, or throws a {@link ParameterError}. */
export type Binder = (value: unknown) => unknown;

/** The place of a binder, for its errors. */
export interface BinderPlace {
  /** The parameter; for a constant the field that it is compared with. */
  readonly param: string;
  readonly table: AnyTable;
  readonly isConstant?: boolean | undefined;
}

/** The target of a value: a column, or an expression with a noun for errors. */
export type BinderTarget = Stored & { readonly property: string };

/** Gives a value the form in which a column stores it. */
type StoredForm = (value: unknown) => unknown;

/**
 * The overwrites of a column's schema (`trim`, `toLowerCase`), which an insert applies too; `undefined` if it has
 * none. Checks do not apply: a value that no row can have finds none.
 */
export function storedForm(column: Stored | undefined): StoredForm | undefined {
  const schema = column?.schema === undefined ? undefined : onlyOverwrites(column.schema);
  if (schema === undefined) return undefined;
  return (value) => {
    const result = validatedOutput(schema, value);
    return result.success ? result.data : value;
  };
}

/** A value that is compared with a column. */
export function operandBinder(
  column: BinderTarget,
  grammar: Grammar,
  place: BinderPlace,
  stored?: StoredForm,
): Binder {
  const { fault, encode } = codecOf(column, grammar);
  return (given) => {
    if (given === null)
      throw refused(place, column, "a value in a comparison, not null: use whereNull or whereNotNull");
    const value = stored === undefined ? given : stored(given);
    const problem = fault(value);
    if (problem !== undefined) throw refused(place, column, problem);
    return encode(value);
  };
}

/**
 * A list that is compared with a column.
 * @param spread returns all stored values of one item, if it has several.
 */
export function listBinder(
  column: BinderTarget,
  grammar: Grammar,
  place: BinderPlace,
  spread?: (encoded: unknown) => readonly unknown[],
  stored?: StoredForm,
): Binder {
  const { fault, encode } = codecOf(column, grammar);
  return (value) => {
    if (!Array.isArray(value)) throw refused(place, column, `a list, not ${describeType(value)}`);
    // A copy by index, in which holes become undefined: every column refuses that. `Array.from` takes twice the time.
    const items: unknown[] = [];
    // A list that grows while it is read would not end.
    const { length } = value;
    for (let i = 0; i < length; i++) {
      const given: unknown = value[i];
      if (given === null) throw refused(place, column, "a list without null");
      const item = stored === undefined ? given : stored(given);
      const problem = fault(item);
      if (problem !== undefined) throw refused(place, column, `a list whose items are each ${problem}`);
      items.push(encode(item));
    }
    return grammar.encodeList(spread === undefined ? items : items.flatMap(spread));
  };
}

/** A pattern of LIKE or of a regular expression. */
export function patternBinder(column: BinderTarget, form: OperatorForm, place: BinderPlace): Binder {
  return (value) => {
    if (typeof value !== "string")
      throw refused(place, column, `a pattern as text, not ${describeType(value)}`);
    if (!isCleanText(value)) throw refused(place, column, "a pattern without NUL and lone surrogates");
    if (value === "" && form.refusesEmpty === true)
      throw refused(place, column, 'a pattern with a character: here "" is NULL');
    if (endsInEscape(value))
      throw refused(place, column, "a pattern that does not end in a single backslash");
    return form.bind === undefined ? value : form.bind(value);
  };
}

/** A plain text, which the operator's form converts to a pattern. The empty text is part of every text. */
export function soughtBinder(column: BinderTarget, { bind }: OperatorForm, place: BinderPlace): Binder {
  return (value) => {
    if (typeof value !== "string")
      throw refused(place, column, `a text to look for, not ${describeType(value)}`);
    if (!isCleanText(value)) throw refused(place, column, "a text without NUL and lone surrogates");
    return bind === undefined ? value : bind(value);
  };
}

/** A value that a column is set to: checked against the column's schema, as in an insert. */
export function assignedBinder(column: ColumnInfo, grammar: Grammar, place: BinderPlace): Binder {
  const store = storedBinder(column, grammar, place);
  // A view has no such schema. A scope of a view also fixes fields.
  const { updateSchema }: Partial<AnyTable> = place.table;
  const schema = updateSchema?.shape[column.property] ?? column.schema;
  if (saysTypeOnly(schema))
    return (value) => {
      if (value === null && !column.nullable) throw refused(place, column, "a value, not null");
      return store(value);
    };
  return (value) => {
    const result = validatedOutput(schema, value);
    if (!result.success) throw refused(place, column, result.message);
    return store(result.data);
  };
}

/** A value inside JSON, as JSON text: checked against its own schema. */
export function memberBinder(
  column: BinderTarget & { readonly schema: $ZodType },
  grammar: Grammar,
  place: BinderPlace,
): Binder {
  const { fault, encode } = codecOf({ storage: { kind: "json" }, schema: column.schema }, grammar);
  return (value) => {
    const result = validatedOutput(column.schema, value);
    if (!result.success) throw refused(place, column, result.message);
    if (result.data === undefined) throw refused(place, column, "a value, not undefined");
    const problem = fault(result.data);
    if (problem !== undefined) throw refused(place, column, problem);
    return encode(result.data);
  };
}

/** A value of a validated record. */
export function storedBinder(
  column: BinderTarget & { readonly nullable: boolean },
  grammar: Grammar,
  place: BinderPlace,
): Binder {
  const { fault, encode } = codecOf(column, grammar);
  const isNull = (value: unknown) =>
    value === null ||
    (value === "" && column.nullable && column.storage.kind === "text" && grammar.emptyTextIsNull);
  return (value) => {
    if (isNull(value)) return null;
    const problem = fault(value);
    if (problem !== undefined) throw refused(place, column, problem);
    return encode(value);
  };
}

/** A number of rows or characters. */
export function countBinder(place: BinderPlace, least = 0): Binder {
  return (value) => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
    throw refusedParam(place, `a whole number from ${least}`);
  };
}

/** A number of rows; a greater number than the maximum is replaced by the maximum. */
export function cappedBinder(place: BinderPlace, most: number | undefined): Binder {
  const bind = countBinder(place);
  if (most === undefined) return bind;
  return (value) => Math.min(Number(bind(value)), most);
}

/** A number that belongs to no column. */
export function numberBinder(place: BinderPlace): Binder {
  return (value) => {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw refusedParam(place, "a finite number");
  };
}

/** A text that belongs to no column. */
export function textBinder(place: BinderPlace): Binder {
  return (value) => {
    if (typeof value === "string" && isCleanText(value)) return value;
    throw refusedParam(place, "text without NUL and lone surrogates");
  };
}

/** The name of a time zone. */
export function zoneBinder(place: BinderPlace): Binder {
  return (value) => {
    const name = zoneName(value);
    if (name !== undefined) return name;
    throw refusedParam(place, "the IANA name of a time zone, such as Europe/Berlin");
  };
}

/** A divisor, which must not be 0: some servers fail and others return NULL. */
export function divisorBinder(column: BinderTarget, grammar: Grammar, place: BinderPlace): Binder {
  const bind = operandBinder(column, grammar, place);
  return (value) => {
    if (value === 0 || value === 0n) throw refused(place, column, "a divisor other than 0");
    return bind(value);
  };
}

function refusedParam(place: BinderPlace, expected: string): ParameterError {
  const { param, table } = place;
  return new ParameterError("PARAM_TYPE", param, table.name, `${nameOf(place)} takes ${expected}`);
}

function refused(place: BinderPlace, column: BinderTarget, expected: string): ParameterError {
  const { param, table } = place;
  const message = `${nameOf(place)}: ${fieldOrExpression(column.property)} takes ${expected}`;
  return new ParameterError("PARAM_TYPE", param, table.name, message);
}

function nameOf({ param, isConstant }: BinderPlace): string {
  return isConstant === true ? "value(…)" : `parameter ${quoted(param)}`;
}

function endsInEscape(pattern: string): boolean {
  let backslashes = 0;
  while (pattern.at(-1 - backslashes) === "\\") backslashes++;
  return backslashes % 2 === 1;
}
