/**
 * Checks the values of a security configuration at program start: a missing or wrong value throws a `DeclarationError`
 * then, and is not a security hole later.
 */
import { DeclarationError, describeType, readKeys, readParts } from "../../core/errors.js";

/**
 * An endpoint of a provider. It receives secrets and sends keys. Therefore it uses https; the loopback may use http.
 * @throws DeclarationError
 */
export function endpoint(text: unknown, what: string): URL {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  if (url === undefined || (url.protocol !== "https:" && !(url.protocol === "http:" && local))) {
    throw new DeclarationError(`${what} is an https URL (http on the loopback only)`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new DeclarationError(`${what} carries no user name or password`);
  }
  return url;
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** A copy of an object, whose properties are read once. @throws DeclarationError */
export function object<T extends object>(value: T, what: string): T {
  const read = readParts(value);
  if (read === undefined)
    throw new DeclarationError(`${what}: an object was expected, not ${describeType(value)}`);
  // It has the properties of the value.
  return read as T;
}

/** The names of all options of an interface: the compiler requires each of them. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true };

/**
 * A copy of an object that may have only these options, each of which is read once.
 * @param of the owner of the options, for the message.
 * @throws DeclarationError for an unknown option, with the list of the options
 */
export function known<Options extends object>(
  value: Options,
  names: OptionNames<Options>,
  of: string,
): Options {
  const words = { must: `the options of ${of} are an object`, noun: "option", of } as const;
  const result = readKeys(value, Object.keys(names), words);
  if ("fault" in result) throw new DeclarationError(result.fault);
  // The copy has the known keys of the value.
  return result.read as Options;
}

/** A text that is not empty. @throws DeclarationError */
export function filled(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "") {
    throw new DeclarationError(`${what} is non-empty text`);
  }
  return text;
}

/** A duration or a size. @throws DeclarationError */
export function positive(value: unknown, what: string, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) {
    throw new DeclarationError(`${what} is a number above 0`);
  }
  return value;
}
