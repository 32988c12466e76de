/** A condition outside of any builder: the result of `c`, `and`, `isNull` and similar functions. */
import { type ConditionNames, markCondition } from "../words/condition.js";
import type { ConstantNode } from "./given-node.js";
import type { Offered } from "./inner-query.js";
import { namesIn } from "./names-in.js";
import type { ConditionSpec } from "./spec.js";

/** A key that is computed when it is first needed. Repeated conditions are usually compared without it. */
export type LateKey = (() => string | undefined) | undefined;

export class ConditionValue {
  static {
    // biome-ignore lint/complexity/noThisInStatic: the class is not named yet.
    markCondition(this.prototype);
  }

  readonly spec: ConditionSpec;
  /** The queries that its key names by their ids. */
  readonly queries: readonly Offered[];
  /** The nesting depth of its groups: 0 if it is not a group. */
  readonly levels: number;
  /** The constants in it, in the order of its parts. */
  readonly constants: readonly ConstantNode[] | undefined;
  #key: string | undefined;
  #late: LateKey;

  constructor(
    spec: ConditionSpec,
    key: LateKey,
    queries: readonly Offered[],
    levels: number,
    constants?: readonly ConstantNode[],
  ) {
    this.spec = Object.freeze(spec);
    this.queries = queries;
    this.levels = levels;
    this.constants = constants;
    this.#late = key;
    Object.freeze(this);
  }

  /** The key of the condition; undefined if a part of it is not text. */
  get key(): string | undefined {
    if (this.#late !== undefined) {
      this.#key = this.#late();
      this.#late = undefined;
    }
    return this.#key;
  }

  /** What it names, for a declaration that keeps it. */
  get names(): ConditionNames {
    return namesIn(this.spec);
  }

  /** The value as one of our conditions; undefined for any other value, including a proxy of a condition. */
  static own(value: unknown): ConditionValue | undefined {
    return typeof value === "object" && value !== null && #key in value ? value : undefined;
  }
}
