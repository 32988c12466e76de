/** What select and query share: the columns that come out and their order. */
import type { LockSpec, OrderBySpec, SelectSpec } from "../ast/spec.js";
import { QueryError } from "../errors.js";
import type { Operation } from "../events.js";
import type { Call } from "../exec/execute.js";
import type { ExecOptions, LockOptions } from "../exec/options.js";
import { lockOf } from "../render/select.js";
import { OptionallyFilteredBuilder } from "./optional.js";

/** A builder of rows. */
export abstract class SelectingBuilder<S extends SelectSpec> extends OptionallyFilteredBuilder<S> {
  fields(...names: readonly string[]): this {
    return this.derive({ ...this.spec, fields: [...(this.spec.fields ?? []), ...names] });
  }

  distinct(): this {
    return this.derive({ ...this.spec, distinct: true });
  }

  distinctOn(...fields: readonly string[]): this {
    return this.derive({ ...this.spec, distinct_on: [...(this.spec.distinct_on ?? []), ...fields] });
  }

  forUpdate(options?: LockOptions): this {
    return this.#lock("update", options);
  }

  forNoKeyUpdate(options?: LockOptions): this {
    return this.#lock("no_key_update", options);
  }

  forShare(options?: LockOptions): this {
    return this.#lock("share", options);
  }

  forKeyShare(options?: LockOptions): this {
    return this.#lock("key_share", options);
  }

  orderBy(field: string, direction: string): this {
    return this.#order({ field, direction });
  }

  orderByNulls(field: string, direction: string, nulls: string): this {
    return this.#order({ field, direction, nulls });
  }

  /** A lock without a transaction would be gone before anybody could use it. */
  protected override call(options: ExecOptions | undefined, operation: Operation): Call {
    const call = super.call(options, operation);
    if (lockOf(this.spec) !== undefined && !call.session.isTransaction)
      throw new QueryError(
        "TRANSACTION_REQUIRED",
        "a row lock is held until the end of a transaction: give one as tx",
      );
    return call;
  }

  #lock(mode: Extract<LockSpec, string>, { skipLocked, noWait }: LockOptions = {}): this {
    const plain = skipLocked === undefined && noWait === undefined;
    const lock: LockSpec = plain ? mode : { mode, skip_locked: skipLocked, no_wait: noWait };
    return this.derive({ ...this.spec, for_locking: lock });
  }

  // What an untyped caller passes is checked with the whole statement.
  #order(term: object): this {
    const orderBy = [...(this.spec.order_by ?? []), term as OrderBySpec];
    return this.derive({ ...this.spec, order_by: orderBy });
  }
}
