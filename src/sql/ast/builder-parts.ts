/** Parts of statements that change rows which no spec has: a spec from outside with one of these keys is refused. */
import { BuilderOnly } from "./builder-only.js";

/** The conditions that the existing row of an upsert must meet. */
export class ConflictConditions extends BuilderOnly {
  readonly what = "conditions of an upsert";
  readonly list: readonly object[];

  constructor(list: readonly object[]) {
    super();
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }

  /** The value as one of ours; undefined for anything else. */
  static own(value: unknown): ConflictConditions | undefined {
    return BuilderOnly.isOne(value) && value instanceof ConflictConditions ? value : undefined;
  }
}

/** What the returned rows of a change hold: names of fields, and named expressions. */
export class ReturnedFields extends BuilderOnly {
  readonly what = "returned fields";
  readonly list: readonly unknown[];

  constructor(list: readonly unknown[]) {
    super();
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }

  /** The value as one of ours; undefined for anything else. */
  static own(value: unknown): ReturnedFields | undefined {
    return BuilderOnly.isOne(value) && value instanceof ReturnedFields ? value : undefined;
  }
}
