/** What select and query share: the columns that come out and their order. */
import type { LockSpec, SelectSpec } from "../ast/spec.js";
import { QueryError } from "../errors.js";
import type { Operation } from "../events.js";
import type { Call } from "../exec/execute.js";
import type { ExecOptions, LockOptions } from "../exec/options.js";
import { lockOf } from "../render/select.js";
import { OptionallyFilteredBuilder } from "./optional.js";

/** A builder of rows. */
export abstract class SelectingBuilder<S extends SelectSpec> extends OptionallyFilteredBuilder<S> {
  fields(...names: readonly string[]): this {
    return this.adding("fields", names);
  }

  distinct(): this {
    // `S` has at least the keys of a select spec.
    return this.with({ distinct: true } as Partial<S>);
  }

  distinctOn(...fields: readonly string[]): this {
    return this.adding("distinct_on", fields);
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
    return this.adding("order_by", [{ field, direction }]);
  }

  orderByNulls(field: string, direction: string, nulls: string): this {
    return this.adding("order_by", [{ field, direction, nulls }]);
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
    return this.with({ for_locking: lock } as Partial<S>);
  }
}
