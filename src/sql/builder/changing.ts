/** What update and removal share: one statement with and without RETURNING, and a bound on what it changes. */
import { checkBounded } from "../check/scope.js";
import { type Call, fetchAffected, Prepared } from "../exec/execute.js";
import { asList, asRecord, eachOf, type Params } from "../exec/params.js";
import type { Returning } from "../render/change.js";
import type { Plan } from "../render/plan.js";
import { type Filtered, FilteredBuilder } from "./filtered.js";
import type { Bound } from "./statement.js";

/** A builder that changes rows. */
export abstract class ChangingBuilder<S extends Filtered> extends FilteredBuilder<S> {
  readonly #prepared = new Map<Returning, Prepared>();

  protected abstract readonly verb: "update" | "delete";
  /** What `exec` sends, and `render` shows. */
  protected abstract readonly returning: Returning;
  /** The text of the checked spec. The placeholders are the same whatever comes back. */
  protected abstract planFor(returning: Returning): Plan;

  protected plan(): Plan {
    return this.planFor(this.returning);
  }

  /** Checks and binds a call of the statement that gives rows, or only their number. */
  protected boundFor(returning: Returning, params: Params): Bound {
    const { prepared: shown, values } = this.bound(params);
    checkBounded(this.verb, this.spec.where, asRecord(params, this.source.table));
    if (returning === this.returning) return { prepared: shown, values };
    const prepared = this.#prepared.get(returning) ?? new Prepared(this.planFor(returning));
    this.#prepared.set(returning, prepared);
    return { prepared, values };
  }

  /** Checks and binds every call of a batch before the first is sent. */
  protected boundBatch(list: readonly Params[]): Bound[] {
    // An untyped caller's items are checked as parameters are.
    return eachOf(asList(list, this.source.table), (params) => this.boundFor("nothing", params as Params));
  }

  /** Runs the calls of a batch and adds up the rows that they changed. */
  protected async affectedBy(batch: readonly Bound[], call: Call): Promise<number> {
    let affected = 0;
    for (const { prepared, values } of batch) affected += await fetchAffected(prepared, values, call);
    return affected;
  }
}
