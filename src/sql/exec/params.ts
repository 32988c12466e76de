/** From the parameters of a call to the values behind the placeholders: nothing missing, extra or of a wrong type. */

import { safeParse } from "zod/v4/core";
import { describeType, listed, quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { ParameterError } from "../errors.js";
import type { Slot } from "../render/plan.js";
import { codecOf, isCleanText } from "./column-codec.js";

/** Turns a value into what the driver gets, or throws a {@link ParameterError}. */
export type Binder = (value: unknown) => unknown;

/** The binder of one place of a statement. */
export function binderOf({ name, use, column, bind }: Slot, table: AnyTable, grammar: Grammar): Binder {
  if (column === undefined) return (value) => countOf(value, name, table);
  const { fault, encode } = codecOf(column, grammar);
  const refuse = (expected: string) => typeError(name, table, `${fieldOf(column)} takes ${expected}`);
  switch (use) {
    case "list":
      return (value) => {
        if (!Array.isArray(value)) throw refuse(`a list, not ${describeType(value)}`);
        return grammar.encodeList(
          value.map((item) => {
            const problem = item === null ? "a list without null" : fault(item);
            if (problem !== undefined)
              throw refuse(item === null ? problem : `a list whose items are each ${problem}`);
            return encode(item);
          }),
        );
      };
    case "pattern":
      return (value) => {
        if (typeof value !== "string") throw refuse(`a pattern as text, not ${describeType(value)}`);
        if (!isCleanText(value)) throw refuse("a pattern without NUL and lone surrogates");
        if (/^(?:[^\\]|\\.)*\\$/su.test(value))
          throw refuse("a pattern that does not end in a single backslash");
        return bind === undefined ? value : bind(value);
      };
    case "assigned":
      return (value) => {
        const result = safeParse(column.schema, value);
        if (!result.success) throw refuse(result.error.issues[0]?.message ?? "another value");
        return stored(result.data);
      };
    case "stored":
      return stored;
    default:
      return (value) => {
        if (value === null) throw refuse("a value in a comparison, not null: use whereNull or whereNotNull");
        const problem = fault(value);
        if (problem !== undefined) throw refuse(problem);
        return encode(value);
      };
  }

  function stored(value: unknown): unknown {
    if (value === null) return null;
    const problem = fault(value);
    if (problem !== undefined) throw refuse(problem);
    return encode(value);
  }
}

/**
 * Checks the names of a call's parameters.
 * @param required names that must be given.
 * @param known all names that may be given.
 */
export function checkNames(
  params: unknown,
  required: readonly string[],
  known: ReadonlySet<string>,
  table: AnyTable,
): Readonly<Record<string, unknown>> {
  const given: unknown = params ?? {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new ParameterError(
      "PARAM_TYPE",
      "",
      table.name,
      `parameters are an object, not ${describeType(given)}`,
    );
  // Seen as a record of unknown values; only own properties are read.
  const record = given as Readonly<Record<string, unknown>>;
  for (const name of required)
    if (!Object.hasOwn(record, name) || record[name] === undefined)
      throw new ParameterError("MISSING_PARAM", name, table.name, `parameter ${quoted(name)} is missing`);
  for (const name of Object.keys(record))
    if (!known.has(name)) {
      const hint = known.size === 0 ? "there are none" : `parameters: ${listed(known)}`;
      throw new ParameterError("EXTRA_PARAM", name, table.name, `unknown parameter ${quoted(name)}; ${hint}`);
    }
  return record;
}

function countOf(value: unknown, name: string, table: AnyTable): unknown {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw typeError(name, table, "takes a whole number from 0");
}

function typeError(name: string, table: AnyTable, expected: string): ParameterError {
  return new ParameterError("PARAM_TYPE", name, table.name, `parameter ${quoted(name)}: ${expected}`);
}

function fieldOf(column: ColumnInfo): string {
  return `field ${quoted(column.property)}`;
}
