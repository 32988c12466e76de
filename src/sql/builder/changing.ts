/** Shared by update and removal: batches. */
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { requireInteractive } from "../exec/gathered.js";
import type { CallParams } from "../exec/params.js";
import type { ChangeStatement, Gives } from "../resolve/statement.js";
import { isStored } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { type BatchOutcome, ChangeBatch } from "./batch.js";
import { type BoundCall, boundCall, type Sendable } from "./bound.js";
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
    const check = (given: CallParams) => this.#sendingFor("rows", given, true);
    const execute = (tx: TransactionHandle, given: CallParams) => this.execMany(given, inTransaction(tx));
    return boundCall(this.place.session, [params], check, execute);
  }

  protected override sendingOf(params: CallParams): Sendable {
    return this.#sendingFor("rows", params, this.takesAnyRows);
  }

  /** Whether `exec` takes any number of rows. */
  protected abstract get takesAnyRows(): boolean;

  /** Where a version is demanded, a call that meets no row asks what it would have met. */
  #sendingFor(gives: Gives, params: CallParams, isSure: boolean): Sendable {
    const sending = this.sending(this.draft.requestFor(gives, this.given(params)), isSure);
    return { ...sending, isOne: () => this.draft.look === undefined && sending.isOne() };
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
    const run = async (call: RequestCall) => {
      if (!this.draft.fixesKey) requireInteractive(call.session);
      return this.#seen(await batch.send(call), call);
    };
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
    const all = (call: RequestCall) => {
      if (this.draft.look !== undefined) requireInteractive(call.session);
      return run(call);
    };
    try {
      return await (isOne ? this.undoable(batchCall, run) : this.atomically(batchCall, all));
    } catch (error) {
      if (!batch.mayGoOneByOne || isStored(error)) throw error;
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
