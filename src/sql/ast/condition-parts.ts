/** Conditions that no spec has: raw text, negations, distances. */
import { BuilderOnly } from "./builder-only.js";
import type { DistanceNode, RawNode } from "./expression.js";
import type { GivenMap } from "./given-node.js";
import { mapGiven } from "./map-given.js";
import type { ConditionSpec } from "./spec.js";

/** Raw text that is a condition. */
export class RawCondition extends BuilderOnly {
  readonly what = "raw conditions";
  readonly text: RawNode;

  constructor(text: RawNode) {
    super();
    this.text = text;
    Object.freeze(this);
  }
}

/** The operand of a negated condition. `{ not }` is valid only with it, so no spec from outside has it. */
export class Negated extends BuilderOnly {
  readonly what = "negated conditions";
  readonly condition: ConditionSpec;

  constructor(condition: ConditionSpec) {
    super();
    this.condition = condition;
    Object.freeze(this);
  }

  override mapped(map: GivenMap): Negated {
    return new Negated(mapGiven(this.condition, map));
  }
}

/** `distance(field, :param) < :limit`. */
export class DistanceCondition extends BuilderOnly {
  readonly what = "distances in conditions";
  readonly distance: DistanceNode;
  readonly comparison: string;
  readonly limit: unknown;

  constructor(distance: DistanceNode, comparison: string, limit: unknown) {
    super();
    this.distance = distance;
    this.comparison = comparison;
    this.limit = limit;
    Object.freeze(this);
  }

  override mapped(map: GivenMap): DistanceCondition {
    const distance = mapGiven(this.distance, map);
    return new DistanceCondition(distance, this.comparison, mapGiven(this.limit, map));
  }
}
