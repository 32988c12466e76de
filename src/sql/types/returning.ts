/** The types of `returning`: what the returned rows of a change hold, and the model whose rows are these. */
import type { Expression } from "./expressions.js";
import type { FieldLeaves, FreeLeaf, fields, KindLeaves, leaves } from "./leaves.js";
import type { AnyModel, SameFields } from "./model.js";
import type { LeafOfExpression, names, result, role } from "./operands.js";
import type { AnyParam } from "./params.js";
import type { ParamsOfLeaves, ResultIn } from "./results.js";

/** An expression that a change can return: of one row, and with a name. */
interface FittingReturned<M extends AnyModel> {
  readonly [fields]: M["field"];
  readonly [leaves]: FieldLeaves<M> | KindLeaves<M["dialect"]> | FreeLeaf;
  readonly [role]: "plain";
  readonly [names]: {
    readonly [Name in M["own" | "alias"] | symbol]?: "a name that no field and no join has";
  };
}

/** The arguments of `returning`. */
export type Returnable<M extends AnyModel> = M["field"] | FittingReturned<M>;

/** The model of a table whose changes return rows of type `R`. */
interface ReturningModel<M extends AnyModel, R extends object> extends SameFields<M> {
  readonly row: R;
  readonly insert: M["insert"];
  readonly update: M["update"];
  readonly keyField: M["keyField"];
  readonly ruled: M["ruled"];
  readonly alias: M["alias"];
  readonly missing: M["missing"];
  /** The names given to `returning` so far; a model that it was not called on does not have it. */
  readonly returned: R;
}

/** The model after `returning`: its rows hold exactly what was named. Those of a table that is not known are records. */
export type ReturnedModel<M extends AnyModel, F> = string extends M["field"]
  ? M
  : ReturningModel<M, Returned<M, F> extends infer R extends object ? { [K in keyof R]: R[K] } : never>;

/** The rows after `returning`. */
export type ReturnedRow<M extends AnyModel, F> = ReturnedModel<M, F>["row"];

type Returned<M extends AnyModel, F> = (M extends { readonly returned: infer Before } ? Before : unknown) & {
  [Each in F as Each extends Expression ? Each["alias"] : Each & string]: Each extends Expression
    ? ResultIn<M, Each[typeof result]>
    : M["columns"][Each & M["field"]]["type"];
};

/** The parameters of a builder with those of what it returns. */
export type WithReturned<P extends AnyParam, M extends AnyModel, F> =
  | P
  | ParamsOfLeaves<M, LeafOfExpression<F>>;
