/** The allowed values of a number as JSON Schema. Limits that the type or its format already implies are omitted. */
import type { $ZodTypes } from "zod/v4/core";
import type { Json } from "../json.js";

/** OpenAPI's names of Zod's number formats. */
const NAMES = new Map([
  ["int32", "int32"],
  ["float32", "float"],
  ["float64", "double"],
]);

/** A Zod 4 number. */
export function describeNumber(schema: $ZodTypes): Json {
  const number = new NumberKeywords();
  const own = schema._zod.traits.has("$ZodCheck") ? [schema._zod.def] : [];
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def);
  for (const def of [...own, ...checks] as readonly object[]) {
    if (!("check" in def)) continue;
    if (def.check === "number_format" && "format" in def) number.format(String(def.format));
    else if (def.check === "multiple_of" && "value" in def) number.multipleOf(def.value);
    else if ("value" in def && "inclusive" in def) {
      if (def.check === "greater_than") number.above(def.value, def.inclusive === true);
      else if (def.check === "less_than") number.below(def.value, def.inclusive === true);
    }
  }
  return number.json();
}

interface Bound {
  readonly value: number;
  readonly inclusive: boolean;
}

/** Collects the facts about a number, in any order. */
export class NumberKeywords {
  #isInteger = false;
  #format: string | undefined;
  #low: Bound | undefined;
  #high: Bound | undefined;
  readonly #factors = new Set<number>();

  integer(): void {
    this.#isInteger = true;
  }

  format(name: string): void {
    if (name.includes("int")) this.#isInteger = true;
    if (name === "uint32") {
      this.above(0, true);
      this.below(4_294_967_295, true);
    }
    const known = NAMES.get(name);
    // A float that must also be an integer is described as an integer.
    if (known !== undefined && this.#format !== "int32") this.#format = known;
  }

  above(value: unknown, inclusive: boolean): void {
    if (typeof value !== "number" || !Number.isFinite(value)) return;
    const low = this.#low;
    if (low === undefined || value > low.value || (value === low.value && !inclusive))
      this.#low = { value, inclusive };
  }

  below(value: unknown, inclusive: boolean): void {
    if (typeof value !== "number" || !Number.isFinite(value)) return;
    const high = this.#high;
    if (high === undefined || value < high.value || (value === high.value && !inclusive))
      this.#high = { value, inclusive };
  }

  /** A negative factor has the same multiples as its absolute value. Zero and infinities have no JSON form. */
  multipleOf(factor: unknown): void {
    if (typeof factor === "number" && Number.isFinite(factor) && factor !== 0)
      this.#factors.add(Math.abs(factor));
  }

  json(): Json {
    const json: Json = { type: this.#isInteger ? "integer" : "number" };
    const format = this.#isInteger && this.#format !== "int32" ? undefined : this.#format;
    if (format !== undefined) json["format"] = format;
    const { low, high } = { low: this.#low, high: this.#high };
    if (low !== undefined && !(this.#isInteger && low.value <= Number.MIN_SAFE_INTEGER))
      json[low.inclusive ? "minimum" : "exclusiveMinimum"] = low.value;
    if (high !== undefined && !(this.#isInteger && high.value >= Number.MAX_SAFE_INTEGER))
      json[high.inclusive ? "maximum" : "exclusiveMaximum"] = high.value;
    const [first, ...more] = this.#factors;
    if (first !== undefined) json["multipleOf"] = first;
    if (more.length > 0) json["allOf"] = more.map((multipleOf) => ({ multipleOf }));
    return json;
  }
}
