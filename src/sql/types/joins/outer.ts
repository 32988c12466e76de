/**
 * What right and full joins do: they keep rows of the joined side without ours. Our fields may then be null one by one, and
 * the parts that were joined before as a whole.
 */
import type { Absent } from "../joined.js";
import type { AnyModel } from "../model.js";
import type { Fewer } from "../nesting.js";
import type { OnDialect } from "../on-dialect.js";
import type { SqlTypeError } from "../sentences.js";

/** `F` before `fields` and `with`, whose rows it would change; then a sentence. */
export type Early<S, Method extends string, F> = [S] extends ["all columns" | Fewer]
  ? F
  : SqlTypeError<`${Method} comes before fields and with`>;

/** The dialects that have full joins. */
export type FullJoining = "postgres" | "sqlite" | "oracle";

/** The same on these. */
export type EarlyFull<M extends AnyModel, S, Method extends string, F> = OnDialect<
  M,
  FullJoining,
  "FULL JOIN: take leftJoin, and whereNotExists for the others",
  Early<S, Method, F>
>;

/** The row without its own table. */
export type Nulled<R> = { [K in keyof R]: R[K] | null };

/** `M` where its own row may be missing, and so may all that it has joined. */
export interface Outer<M extends AnyModel> {
  readonly dialect: M["dialect"];
  readonly row: Nulled<M["row"]>;
  readonly insert: M["insert"];
  readonly update: M["update"];
  readonly field: M["field"];
  readonly own: M["own"];
  readonly shown: M["shown"];
  readonly columns: { readonly [F in M["field"] as F]: Absent<M["columns"][F]> };
  readonly rangeField: M["rangeField"];
  readonly numberField: M["numberField"];
  readonly vectorField: M["vectorField"];
  readonly keyField: M["keyField"];
  readonly ruled: M["ruled"];
  readonly table: M["table"];
  readonly tables: M["tables"];
  readonly relations: M["relations"];
  readonly relation: M["relation"];
  readonly alias: M["alias"];
  readonly joins: M["joins"];
  readonly joined: M["joined"];
  readonly missing: M["missing"] | M["joins"];
  readonly every: M["every"];
}
