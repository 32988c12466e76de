/** The successes of a handler, compiled: how each is written, and the headers that they share. */
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema, OutputSteps } from "../../schema/schema-reader.js";
import { isSchema } from "../contract/any-schema.js";
import { isKind } from "../contract/kind.js";
import { type AnyOptions, type DeclaredSuccess, successesOf } from "../contract/options.js";
import { schemaIn } from "../contract/successes.js";
import { type WriterFor, writersOf } from "./answer-kind.js";

/** One success of a handler. */
export interface CompiledSuccess {
  readonly status: number;
  /** Whether it has no body. */
  readonly isEmpty: boolean;
  /** Whether its value is declared, and therefore one that JSON can hold. */
  readonly isDeclared: boolean;
  /** From the function's value to JSON; from one of its rows where it is rows. */
  readonly steps: OutputSteps;
  /** Present if it is no JSON. */
  readonly kind: WriterFor | undefined;
  /** Whether its form depends on the request's `Accept`. */
  readonly isNegotiated: boolean;
}

/** The headers of all successes of a handler. */
export interface CompiledHeaders {
  readonly fixed: Readonly<Record<string, string>>;
  readonly compute: ((output: unknown) => Readonly<Record<string, string>>) | undefined;
  /** Those that a reply gives, by their names in lower case. */
  readonly typed: ReadonlyMap<string, TypedHeader>;
}

/** A header that a reply gives. */
export interface TypedHeader {
  readonly name: string;
  readonly isOptional: boolean;
  readonly steps: OutputSteps;
}

/** The successes by status. @param isBodyless whether the method has no body in any answer */
export function compileSuccesses(
  options: AnyOptions,
  isBodyless: boolean,
): ReadonlyMap<number, CompiledSuccess> {
  return new Map(
    successesOf(options).map(({ status, output }) => [
      status,
      compile({ status, output: isBodyless ? null : output }, options.outputValidation),
    ]),
  );
}

function compile({ status, output }: DeclaredSuccess, isValidated: boolean): CompiledSuccess {
  const schema = schemaIn(output);
  return {
    status,
    isEmpty: output === null,
    isDeclared: schema !== undefined,
    steps: compileOutput(schema, isValidated),
    kind: isKind(output) ? writersOf(output.facts) : undefined,
    isNegotiated: isKind(output) && output.facts.name === "rows",
  };
}

/** How values of a schema are written; any value, without one. */
export function compileOutput(schema: AnySchema | undefined, isValidated: boolean): OutputSteps {
  if (schema === undefined) return { validate: undefined, parse: undefined, encode: (value) => value };
  return readerOf(schema).output(isValidated);
}

/** The headers, or `undefined` for none. */
export function compileHeaders({
  responseHeaders,
  outputValidation,
}: AnyOptions): CompiledHeaders | undefined {
  if (responseHeaders === undefined) return undefined;
  if (typeof responseHeaders === "function") return { fixed: {}, compute: responseHeaders, typed: new Map() };
  const fixed: Record<string, string> = Object.create(null);
  const typed = new Map<string, TypedHeader>();
  for (const [name, value] of Object.entries(responseHeaders)) {
    if (!isSchema(value)) fixed[name] = value;
    else {
      const reader = readerOf(value);
      const steps = reader.output(outputValidation);
      typed.set(name.toLowerCase(), { name, isOptional: reader.takesUndefined(true), steps });
    }
  }
  return { fixed, compute: undefined, typed };
}
