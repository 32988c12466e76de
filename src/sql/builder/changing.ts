/** Shared by update and removal: batches. */
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import type { CallParams } from "../exec/params.js";
import type { ChangeStatement } from "../resolve/statement.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions } from "../words/options.js";
import { type BatchOutcome, ChangeBatch } from "./batch.js";
import type { BoundCall } from "./bound.js";
import { inTransaction } from "./builder.js";
import type { ChangeDraft } from "./draft/change-draft.js";
import { FilteredBuilder } from "./filtered.js";
import { returningAlso } from "./selected.js";

/** A builder that changes rows. */
export abstract class ChangingBuilder<T extends ChangeStatement> extends FilteredBuilder<T, ChangeDraft<T>> {
  returning(...names: readonly unknown[]): this {
    return this.take(returningAlso(names));
  }

  /** The operation of its batches. */
  protected abstract get batchOperation(): Operation;

  abstract execMany(params?: CallParams, options?: ExecOptions): Promise<DecodedRow[]>;

  /** A call of `execMany` for `atomic`. */
  bindMany(params?: CallParams): BoundCall {
    return this.bound(params, (tx, given) => this.execMany(given, inTransaction(tx)));
  }

  protected override checkParams(params: CallParams): void {
    this.draft.requestFor("rows", this.given(params));
  }

  /** Checks and binds every call of a batch before the first is sent, runs them all or none, and counts the rows. */
  async execBatch(list: readonly CallParams[], options?: ExecOptions): Promise<number> {
    const batch = new ChangeBatch(this, list, "nothing");
    if (batch.length === 0) return 0;
    const run = async (call: RequestCall) => batch.send(call);
    const call = this.#batchCall(options);
    const { affected } = await this.#carriedOut(batch, call, batch.isOne(call), run);
    return affected;
  }

  /** The same, and returns the row of each call, or null. */
  async execEach(list: readonly CallParams[], options?: ExecOptions): Promise<(DecodedRow | null)[]> {
    const batch = new ChangeBatch(this, list, "rows");
    if (batch.length === 0) return [];
    const run = async (call: RequestCall) => this.#seen(await batch.send(call), call);
    // A change of several rows for one call must be undone.
    const batchCall = this.#batchCall(options);
    const isOne = this.draft.fixesKey && batch.isOne(batchCall);
    const { rows } = await this.#carriedOut(batch, batchCall, isOne, run);
    return rows;
  }

  #batchCall(options: ExecOptions | undefined): RequestCall {
    return this.call(options, this.batchOperation);
  }

  async #carriedOut(
    batch: ChangeBatch<T>,
    batchCall: RequestCall,
    isOne: boolean,
    run: (call: RequestCall) => Promise<BatchOutcome>,
  ): Promise<BatchOutcome> {
    try {
      return await (isOne ? this.undoable(batchCall, run) : this.atomically(batchCall, run));
    } catch (error) {
      if (!batch.mayGoOneByOne) throw error;
    }
    return this.atomically(batchCall, async (call) => this.#seen(await batch.sendOneByOne(call), call));
  }

  /** Calls `onScan` with the rows, in the order of the calls. */
  async #seen(outcome: BatchOutcome, call: RequestCall): Promise<BatchOutcome> {
    if (this.callsBack())
      for (const [i, row] of outcome.rows.entries()) if (row !== null) await this.scanned([row], call, i);
    return outcome;
  }
}
