/** The state of an update or removal, and the methods that wait for one. */
import type { SqlTypeError } from "../sentences.js";

/** Whether a removal has a condition. */
export type Scope = "no condition" | "with condition";

/**
 * Whether an update has a condition, and whether it sets a field; for one from a spec, the check at run time
 * decides.
 */
export type UpdateState = Scope | "sets, no condition" | "sets, with condition" | "from a spec";

/** The state of an update after a condition. A look-up costs the compiler less than a conditional type. */
export interface AfterCondition {
  readonly "no condition": "with condition";
  readonly "with condition": "with condition";
  readonly "sets, no condition": "sets, with condition";
  readonly "sets, with condition": "sets, with condition";
  readonly "from a spec": "from a spec";
}

/** The state of an update after a field is set. */
export interface AfterSet {
  readonly "no condition": "sets, no condition";
  readonly "with condition": "sets, with condition";
  readonly "sets, no condition": "sets, no condition";
  readonly "sets, with condition": "sets, with condition";
  readonly "from a spec": "from a spec";
}

/** The type of a method that waits for a condition: a sentence before it. */
export type Gated<S extends UpdateState, Verb extends string, F> = S extends
  | "no condition"
  | "sets, no condition"
  ? SqlTypeError<`${Verb} needs a condition first: call where(…)`>
  : F;

/** The type of a method that waits for a condition and a field that is set. */
export type Changing<S extends UpdateState, F> = S extends "sets, with condition" | "from a spec"
  ? F
  : S extends "with condition"
    ? SqlTypeError<"UPDATE sets nothing: call set(…) or setExpr(…)">
    : SqlTypeError<"UPDATE needs a condition first: call where(…)">;
