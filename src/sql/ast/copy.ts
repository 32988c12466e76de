/** Copies and freezes specs and names from a caller, so that they cannot change between check and rendering. */
import { BuildError } from "../words/errors.js";
import { itemsOf } from "../words/lists.js";
import { BuilderOnly } from "./builder-only.js";
import { pathTo } from "./path.js";

const MAX_DEPTH = 256;
// An object in memory may contain one object many times, or itself. This limit bounds its size as JSON.
const MAX_VALUES = 1_000_000;

/**
 * Returns a frozen copy of plain JSON. As in JSON, undefined members are dropped.
 * @param most the maximum number of values; default a million.
 * @throws {BuildError} `INVALID_SPEC` if it nests more than 256 levels, holds more values, holds a value that is
 * not JSON, or cannot be read.
 */
export function frozenCopy(value: unknown, most: number = MAX_VALUES): unknown {
  return new Copier(most).copy(value);
}

/** A frozen copy of a list of names, with undefined for a hole; one name as it is. A list that cannot be read is no name. */
export function namesGiven(given: unknown): unknown {
  try {
    return Array.isArray(given) ? Object.freeze(itemsOf(given)) : given;
  } catch {
    return undefined;
  }
}

class Copier {
  /** The keys that lead to the value that is being copied. */
  readonly #trail: (string | number)[] = [];
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  copy(value: unknown): unknown {
    try {
      return this.#copied(value);
    } catch (error) {
      if (error instanceof BuildError) throw error;
      // A getter or a proxy of the caller may throw anything.
      throw this.#invalid("a spec that cannot be read");
    }
  }

  #copied(value: unknown): unknown {
    const type = typeof value;
    if (type === "function" || type === "symbol" || type === "bigint")
      throw this.#invalid(`a ${type} is not JSON`);
    if (typeof value !== "object" || value === null) return value;
    if (this.#trail.length > MAX_DEPTH) throw this.#invalid(`a spec nests more than ${MAX_DEPTH} levels`);
    if (BuilderOnly.isOne(value)) {
      const { shown } = value;
      if (shown === undefined) throw this.#invalid(`a spec cannot hold ${value.what} such as this one`);
      return this.#copied(shown);
    }
    return Array.isArray(value) ? this.#list(value) : this.#members(value);
  }

  #list(list: readonly unknown[]): unknown {
    const { length } = list;
    this.#take(length);
    const copy: unknown[] = [];
    for (let i = 0; i < length; i++) {
      this.#trail.push(i);
      copy.push(this.#copied(list[i]));
      this.#trail.pop();
    }
    return Object.freeze(copy);
  }

  #members(object: object): unknown {
    const keys = Object.keys(object);
    this.#take(keys.length);
    const copy: Record<string, unknown> = {};
    for (const key of keys) {
      this.#trail.push(key);
      if (key === "__proto__") throw this.#invalid('unknown key "__proto__"');
      // Own enumerable keys of an object of unknown shape.
      const member = (object as Record<string, unknown>)[key];
      if (member !== undefined) copy[key] = this.#copied(member);
      this.#trail.pop();
    }
    return Object.freeze(copy);
  }

  #take(count: number): void {
    this.#left -= count;
    if (!(this.#left >= 0)) throw this.#invalid(`a spec holds more than ${this.#most} values`);
  }

  #invalid(message: string): BuildError {
    const path = this.#trail.reduce<string>(pathTo, "");
    return new BuildError([{ code: "INVALID_SPEC", message, path }]);
  }
}
