/** Calls that were checked and wait for `atomic`, as their users see them. */
import type { Dialect } from "../words/dialect.js";
import type { Isolation } from "../words/options.js";

declare const bound: unique symbol;

/**
 * A call of a builder with its values: checked, immutable, and executed by `atomic`, as often as it is given. `R` is what
 * `exec` resolves to.
 */
export interface Bound<out R, out D extends Dialect = Dialect> {
  readonly [bound]: R;
  readonly dialect: D;
}

/** What a list of calls resolves to, in its order. */
export type BoundResults<B extends readonly Bound<unknown>[]> = {
  -readonly [K in keyof B]: B[K] extends Bound<infer R> ? R : never;
};

/** Options of `atomic`. */
export interface AtomicCallOptions {
  /** Ends it: nothing is stored unless everything was. */
  readonly signal?: AbortSignal | undefined;
  readonly isolation?: Isolation | undefined;
}

/** Where bound calls run together: a database. */
export interface RunsAtomic<out D extends Dialect> {
  /**
   * Executes bound calls in order, all or nothing, and resolves to their results in that order; `[]` for none.
   * @throws {SqlError} what a call rejects with, with its place in the list as `index`; `TRANSACTION_REQUIRED` for a call
   * of another database, and inside a transaction of this one; `PARAM_TYPE` for what is no bound call.
   * @example
   * const [order, left] = await db.atomic([
   *   orders.insert().bind({ total: "9.50" }),
   *   products.query().fields("stock").where("id", "=", "id").bind({ id: 7 }),
   * ]);
   */
  atomic<const B extends readonly Bound<unknown, D>[]>(
    calls: B,
    options?: AtomicCallOptions,
  ): Promise<BoundResults<B>>;
}
