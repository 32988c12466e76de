/** The headers of a success: fixed, computed from the output, or given by a reply. */
import type { Response } from "express";
import { ignore } from "../../core/values.js";
import type { OutputSteps } from "../../schema/schema-reader.js";
import type { ReplyHeaders } from "../contract/reply.js";
import type { CompiledHeaders, TypedHeader } from "./successes.js";

/** A header's name and text. */
type Written = readonly [name: string, text: string];

/**
 * Sets the headers of a success.
 * @throws for one that is missing or that cannot be sent; none is set then
 */
export function setSuccessHeaders(
  response: Response,
  declared: CompiledHeaders | undefined,
  output: unknown,
  given: ReplyHeaders | undefined,
): Promise<void> | undefined {
  if (declared === undefined && given === undefined) return undefined;
  const computed = declared?.compute === undefined ? {} : computedBy(declared.compute, output);
  const known: Written[] = [...Object.entries(declared?.fixed ?? {}), ...Object.entries(computed)];
  const own = ownHeaders(declared?.typed ?? NONE, given ?? {});
  if (own.some((one) => one instanceof Promise))
    return Promise.all(own).then((texts) => setHeaders(response, [...known, ...texts]));
  // None is a promise.
  setHeaders(response, [...known, ...(own as Written[])]);
  return undefined;
}

const NONE: ReadonlyMap<string, TypedHeader> = new Map();

function computedBy(
  compute: NonNullable<CompiledHeaders["compute"]>,
  output: unknown,
): Readonly<Record<string, string>> {
  const computed: unknown = compute(output);
  if (!(computed instanceof Promise)) return computed as Readonly<Record<string, string>>;
  // No other code awaits it: its rejection would end the process.
  computed.catch(ignore);
  throw new TypeError("responseHeaders returned a promise; it returns the headers themselves");
}

function ownHeaders(
  typed: ReadonlyMap<string, TypedHeader>,
  given: ReplyHeaders,
): readonly (Written | Promise<Written>)[] {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const names = new Set(entries.map(([name]) => name.toLowerCase()));
  for (const [key, { name, isOptional }] of typed) {
    if (!isOptional && !names.has(key)) throw new TypeError(`the reply lacks the header ${name}`);
  }
  return entries.map(([name, value]) => {
    const header = typed.get(name.toLowerCase());
    if (header === undefined) return [name, textOf(name, value)];
    const wire = wireOf(header.steps, value);
    if (!(wire instanceof Promise)) return [header.name, textOf(name, wire)];
    return wire.then((encoded): Written => [header.name, textOf(name, encoded)]);
  });
}

/** The wire form of a header's value. @throws the validation error, where outputs are validated */
function wireOf(steps: OutputSteps, value: unknown): unknown {
  if (steps.parse !== undefined) return steps.parse(value);
  if (steps.validate === undefined) return steps.encode(value);
  return steps.validate(value).then(() => steps.encode(value));
}

/** The text form of a parameter: a list is separated by commas. */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(", ");
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return `${value}`;
  if (typeof value === "number" && Number.isFinite(value)) return `${value}`;
  throw new TypeError(`the header ${name} has a value that text cannot carry`);
}

/** Sets all headers or, if Node refuses one, none of them. */
export function setHeaders(response: Response, headers: readonly Written[]): void {
  const names: string[] = [];
  try {
    for (const [name, value] of headers) {
      response.setHeader(name, value);
      names.push(name);
    }
  } catch (error) {
    for (const name of names) response.removeHeader(name);
    throw error;
  }
}
