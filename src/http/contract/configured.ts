/**
 * Values of a configuration that guards something, judged while the program starts: what is missing or odd is a
 * `DeclarationError` there, and not an open door later.
 */
import { describeType, isReadable } from "../../core/errors.js";
import { DeclarationError } from "./declaration-error.js";

/**
 * An endpoint of a provider. What travels there are secrets and keys, so it is https; on this machine http will do.
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

/** Options that can be read. @throws DeclarationError */
export function object<T extends object>(value: T, what: string): T {
  if (!isReadable(value))
    throw new DeclarationError(`${what}: an object was expected, not ${describeType(value)}`);
  return value;
}

/** Text that is there. @throws DeclarationError */
export function filled(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "") {
    throw new DeclarationError(`${what} is text that is not empty`);
  }
  return text;
}

/** A length of time or a size. @throws DeclarationError */
export function positive(value: unknown, what: string, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) {
    throw new DeclarationError(`${what} is a number above 0`);
  }
  return value;
}
