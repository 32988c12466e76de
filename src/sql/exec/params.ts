/** Checks the names of a call's parameters: none missing, none unknown. */
import { CodedError, describeType, listed, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import { ParameterError } from "../words/errors.js";
import { itemsOf } from "../words/lists.js";
import type { ExecOptions } from "../words/options.js";
import type { GivenConstant } from "../words/rendered.js";

/** The parameters of a call, as an untyped caller may pass them. */
export type CallParams = Readonly<Record<string, unknown>> | undefined;

// Not a name: no caller can give it, and the checks of names pass over it.
const CONSTANTS = Symbol("constants");
const NONE: readonly GivenConstant[] = Object.freeze([]);

/** The parameters of a call with the constants of its builder. */
export function withConstants(
  params: CallParams,
  constants: readonly GivenConstant[],
  table: Pick<AnyTable, "name">,
): Readonly<Record<string, unknown>> {
  // In Node 20 a spread with further members costs seven times as much.
  const own = { [CONSTANTS]: constants };
  return reading("parameters", table, () => Object.assign({}, asRecord(params, table), own));
}

/** The constants that were given with the parameters of a call. */
export function constantsOf(params: Readonly<Record<string, unknown>>): readonly GivenConstant[] {
  const { [CONSTANTS]: constants = NONE }: { readonly [CONSTANTS]?: readonly GivenConstant[] } = params;
  return constants;
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
  table: Pick<AnyTable, "name">,
): Readonly<Record<string, unknown>> {
  const record = asRecord(params, table);
  const names = reading("parameters", table, () => {
    for (const name of required)
      if (!isGiven(record, name))
        throw new ParameterError("MISSING_PARAM", name, table.name, `parameter ${quoted(name)} is missing`);
    let some = 0;
    for (const _ in record) some++;
    return some;
  });
  // All required names are present, and there are no other names: none can be unknown.
  if (names === required.length) return record;
  for (const name of Object.keys(record))
    if (!known.has(name)) {
      const hint = known.size === 0 ? "there are no parameters" : `parameters: ${listed(known)}`;
      throw new ParameterError("EXTRA_PARAM", name, table.name, `unknown parameter ${quoted(name)}; ${hint}`);
    }
  return record;
}

/**
 * Whether an argument in the place of the parameters can be options: it has at least one of their keys, and no other.
 * @param also another key that options of this call have.
 */
export function areOptions(params: unknown, also?: string): params is ExecOptions {
  if (typeof params !== "object" || params === null) return false;
  let some = false;
  try {
    for (const key in params) {
      if (key !== "tx" && key !== "signal" && key !== also) return false;
      some = true;
    }
  } catch {
    // A proxy throws; the error is reported where parameters are read.
    return false;
  }
  return some;
}

/** Whether a parameter is given: `undefined` and inherited values do not count. */
export function isGiven(params: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(params, name) && params[name] !== undefined;
}

/** The parameters as an object; without any, an empty one. */
export function asRecord(params: unknown, table: Pick<AnyTable, "name">): Readonly<Record<string, unknown>> {
  if (params === undefined) return {};
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw new ParameterError(
      "PARAM_TYPE",
      "",
      table.name,
      `parameters must be an object, not ${describeType(params)}`,
    );
  // Typed as a record of unknown values; only own properties are read.
  return params as Readonly<Record<string, unknown>>;
}

/** Reads an object of the caller, which may throw: a proxy, for example. */
export function reading<T>(what: string, { name }: Pick<AnyTable, "name">, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new ParameterError("PARAM_TYPE", "", name, `${what} must be an object that can be read`);
  }
}

/** A copy of the list of a batch. */
export function asList(value: unknown, table: AnyTable): readonly unknown[] {
  if (Array.isArray(value)) return reading("the list of a batch", table, () => itemsOf(value));
  throw new ParameterError("PARAM_TYPE", "", table.name, `a batch takes a list, not ${describeType(value)}`);
}

/** Calls a function for each item of a batch; a {@link ParameterError} then has the index of the item. */
export function eachOf<T, R>(items: readonly T[], work: (item: T, index: number) => R): R[] {
  return items.map((item, index) => {
    try {
      return work(item, index);
    } catch (error) {
      throw error instanceof ParameterError && error.index === undefined ? error.at(index) : error;
    }
  });
}
