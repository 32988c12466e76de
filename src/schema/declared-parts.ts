/**
 * What both sides of an intersection declare of a value, found once for each pair of their results. An intersection
 * that contains itself would otherwise merge everything below again at each level.
 */

/** What was merged. A codec may give one result for two values, so the value is compared. */
interface Whole {
  readonly value: unknown;
  readonly whole: unknown;
}

/** The results of two sides that were merged. */
export class DeclaredParts {
  readonly #known = new Map<object, Map<object, Whole>>();

  /** The parts of one value that both sides declare, at every depth. */
  of(one: unknown, other: unknown, value: unknown): unknown {
    if (one === other) return one;
    if (!isObject(one) || !isObject(other)) return one === value ? other : one;
    const known = this.#known.get(one)?.get(other);
    if (known !== undefined && known.value === value) return known.whole;
    const whole = this.#anew(one, other, value);
    this.#keep(one, other, { value, whole });
    if (isObject(whole)) {
      // Merging the result with either of the two again does not change it.
      this.#keep(one, whole, { value, whole });
      this.#keep(whole, other, { value, whole });
    }
    return whole;
  }

  #keep(one: object, other: object, whole: Whole): void {
    const known = this.#known.get(one) ?? new Map<object, Whole>();
    this.#known.set(one, known);
    known.set(other, whole);
  }

  #anew(one: object, other: object, value: unknown): unknown {
    if (Array.isArray(one) && Array.isArray(other)) {
      const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
      return longer.map((item, i) =>
        i < shorter.length ? this.of(item, shorter[i], itemOf(value, i)) : item,
      );
    }
    if (!isFields(one) || !isFields(other)) return one === value ? other : one;
    const both: Record<string, unknown> = Object.assign(Object.create(null), one);
    for (const [key, held] of Object.entries(other))
      both[key] = key in both ? this.of(both[key], held, itemOf(value, key)) : held;
    return both;
  }
}

/** The content of a value under a key or a position, which both sides got. */
function itemOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isFields(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}
