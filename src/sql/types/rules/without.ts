/** The types of `without`: a table some of whose rules are not in force. */
import type { AnyModel, SameFields } from "../model.js";
import type { AnyParam, Param } from "../params.js";
import type { SqlTypeError } from "../sentences.js";

/** The names of the rules of a table. */
export type RuleName<M extends AnyModel> = [M["ruled"]["names"]] extends [never]
  ? SqlTypeError<"this table has no rules">
  : M["ruled"]["names"];

/** The model of a table without the rules `N`. */
export interface WithoutRules<M extends AnyModel, N> extends SameFields<M> {
  readonly row: M["row"];
  readonly insert: WithTimes<M["insert"], M, N>;
  readonly update: WithTimes<M["update"], M, N>;
  readonly keyField: M["keyField"];
  readonly ruled: RulesWithout<M["ruled"], N>;
  readonly alias: M["alias"];
  readonly missing: M["missing"];
}

interface RulesWithout<R extends AnyModel["ruled"], N> {
  readonly keys: R["keys"];
  readonly demanded: DemandedWithout<R["demanded"], N>;
  readonly names: R["names"];
  readonly hiding: Exclude<R["hiding"], N>;
}

type DemandedWithout<P extends AnyParam, N> =
  P extends Param<infer V, unknown> ? (V extends N ? never : P) : never;

// A version still counts, whoever changes a row.
type WithTimes<R, M extends AnyModel, N> = R & {
  readonly [F in Exclude<N & M["own"], M["ruled"]["demanded"]["name"]>]?: M["columns"][F]["type"] | undefined;
} extends infer Both
  ? { [K in keyof Both]: Both[K] }
  : never;
