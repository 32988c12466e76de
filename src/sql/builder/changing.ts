/** Shared by update and removal: batches. */
import type { RequestCall } from "../exec/call.js";
import { fetchAffected } from "../exec/execute.js";
import { asList, type CallParams, eachOf } from "../exec/params.js";
import type { PlanRequest } from "../exec/prepared.js";
import type { ChangeStatement } from "../resolve/statement.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions } from "../words/options.js";
import type { ChangeDraft } from "./draft/change-draft.js";
import { FilteredBuilder } from "./filtered.js";
import { returningAlso } from "./selected.js";

/** A builder that changes rows. */
export abstract class ChangingBuilder<T extends ChangeStatement> extends FilteredBuilder<T, ChangeDraft<T>> {
  returning(...names: readonly unknown[]): this {
    return this.take(returningAlso(names));
  }

  /** Checks and binds every call of a batch before the first is sent. */
  protected requestsFor(list: readonly CallParams[]): PlanRequest[] {
    // The items of an untyped caller are checked like parameters.
    return eachOf(asList(list, this.draft.source.table), (params) =>
      this.draft.requestFor("nothing", params as CallParams),
    );
  }

  /** Runs the calls of a batch and adds up the changed rows. A single call needs no transaction or savepoint. */
  protected async runBatch(
    batch: readonly PlanRequest[],
    options: ExecOptions | undefined,
    operation: Operation,
  ): Promise<number> {
    const run = async (call: RequestCall) => {
      let affected = 0;
      for (const request of batch) affected += await fetchAffected(request, call);
      return affected;
    };
    const call = this.call(options, operation);
    const { failureEndsTransaction } = this.draft.source.grammar;
    // If a failed statement does not end the transaction, the server has already undone it.
    const isAlone = batch.length === 1 && !(failureEndsTransaction && call.session.isTransaction);
    if (!isAlone) return this.atomically(options, operation, run);
    return call.session.changing(() => run(call), call.signal);
  }
}
