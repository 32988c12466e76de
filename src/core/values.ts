/** Small functions that every part of the package needs. */

/** Whether a value is an object and not a list. */
export function isObject<T>(value: T): value is T & Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The handler of an error that is reported elsewhere, or that cannot be handled. */
export function ignore(): undefined {
  return undefined;
}
