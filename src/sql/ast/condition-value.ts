/** A condition that stands outside of any builder: what `c`, `and`, `isNull` and their kind give. */
import type { Offered } from "./inner-query.js";
import type { ConditionSpec } from "./spec.js";

/** A key that is written when it is first asked for: conditions that are written again are mostly told without it. */
export type LateKey = (() => string | undefined) | undefined;

export class ConditionValue {
  readonly spec: ConditionSpec;
  /** The queries that its key names by their ids. */
  readonly queries: readonly Offered[];
  /** How many groups nest in it: 0 for one that is no group. */
  readonly levels: number;
  #key: string | undefined;
  #late: LateKey;

  constructor(spec: ConditionSpec, key: LateKey, queries: readonly Offered[], levels: number) {
    this.spec = Object.freeze(spec);
    this.queries = queries;
    this.levels = levels;
    this.#late = key;
    Object.freeze(this);
  }

  /** What identifies the condition; undefined where a part of it is not text. */
  get key(): string | undefined {
    if (this.#late !== undefined) {
      this.#key = this.#late();
      this.#late = undefined;
    }
    return this.#key;
  }

  /** The value as a condition of ours; undefined for any other value, including a proxy of a condition. */
  static own(value: unknown): ConditionValue | undefined {
    return typeof value === "object" && value !== null && #key in value ? value : undefined;
  }
}
