/** Small functions that every part of the package needs. */

/** Whether a value is an object and not a list. */
export function isObject<T>(value: T): value is T & Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives an object a member of any name, `__proto__` too, whatever its prototype has. */
export function defineOwn(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The handler of an error that is reported elsewhere, or that cannot be handled. */
export function ignore(): undefined {
  return undefined;
}

/** Calls a function with a value, at once or when its promise resolves. A value at hand costs no turn of the queue. */
export function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Whether `await` would wait for a value. @throws the error that its `then` throws when it is read */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
