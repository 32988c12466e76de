/** The types of rows inside of rows: a list, a row, or a row that may be missing. */

import type { One } from "../words/relations.js";
import type { AllRows, inner } from "./inner.js";
import type { AnyModel } from "./model.js";
import type { RelationTarget } from "./target.js";

/** The state of a builder that has rows inside of its rows. */
export type Nests = "nested rows";

/** The state of a builder that may leave out rows: it has conditions, a limit or an offset. */
export type Fewer = "fewer rows";

// Only these members of a query are looked at: its model as a whole would cost the models that it leads to.
interface Holding {
  readonly [inner]: { readonly row: unknown };
}

interface Stated extends Holding {
  readonly [inner]: {
    readonly row: unknown;
    readonly state: unknown;
    readonly joined: string;
  };
}

/** The row of a query, or that of the whole table where there is none. */
type RowOf<M extends AnyModel, To, Q extends Holding> = [Q] extends [AllRows]
  ? RelationTarget<M, To>["row"]
  : { [K in keyof Q[typeof inner]["row"]]: Q[typeof inner]["row"][K] };

/** The value of a relation in a row: a list for a `many`; a row for a `one`, or null if it may find nothing. */
export type NestedResult<M extends AnyModel, To extends keyof M["relations"], Q extends Stated> =
  M["relations"][To] extends One<string, infer F, infer N, infer W>
    ?
        | RowOf<M, To, Q>
        | (null extends M["row"][F & keyof M["row"]] ? null : N | Missing<Q, RelationTarget<M, To>, W>)
    : RowOf<M, To, Q>[];

/** `null` where a query may leave out the row of a reference: it has conditions, joins, a limit, an offset, or rules. */
type Missing<Q extends Stated, T extends AnyModel, W> = [Q] extends [AllRows]
  ? HiddenIn<T, W>
  : Fewer extends Q[typeof inner]["state"]
    ? null
    : [Q[typeof inner]["joined"]] extends [never]
      ? never
      : null;

type HiddenIn<T extends AnyModel, W> = [T["ruled"]["hiding"]] extends [W] ? never : null;

/** The rows of a query as a list. */
export type NestedList<Q extends Holding> = {
  [K in keyof Q[typeof inner]["row"]]: Q[typeof inner]["row"][K];
}[];
