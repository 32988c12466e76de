/** What the builders of one statement share: how a call of it runs. */
import type { Statement } from "../ast/statement.js";
import { callOf } from "../exec/call.js";
import type { Row } from "../exec/decode.js";
import { fetchRows } from "../exec/execute.js";
import { explained } from "../exec/explain.js";
import type { Params } from "../exec/params.js";
import { rowsOneByOne } from "../exec/stream.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { Builder, inTransaction } from "./builder.js";
import type { StatementDraft } from "./statement-draft.js";

/** A builder of one statement. */
export abstract class StatementBuilder<T extends Statement, D extends StatementDraft<T>> extends Builder<
  T,
  D
> {
  abstract exec(params?: Params, options?: ExecOptions): Promise<unknown>;

  async execTx(tx: TransactionHandle, params?: Params): Promise<unknown> {
    return this.exec(params, inTransaction(tx));
  }

  /** The server's plan for a call, which takes no locks and so needs no transaction. */
  protected async planOf(
    params: Params,
    options: ExecOptions | undefined,
    operation: Operation,
  ): Promise<string> {
    if (this.isLast(params, options)) return this.planOf(undefined, params, operation);
    const request = this.draft.request(params);
    return explained(request, callOf(this.place.session, options, operation));
  }

  /** All rows of a call. */
  protected async allOf(
    params: Params,
    options: ExecOptions | undefined,
    operation: Operation,
  ): Promise<Row[]> {
    if (this.isLast(params, options)) return this.allOf(undefined, params, operation);
    const request = this.draft.request(params);
    const call = this.call(options, operation);
    const answer = fetchRows(request, call);
    const rows = answer instanceof Promise ? await answer : answer;
    const scanned = this.scanned(rows, call);
    if (scanned !== undefined) await scanned;
    return rows;
  }

  /** The rows of a call one by one; each iteration sends it again. */
  protected rowsOf(
    params: Params,
    options: ExecOptions | undefined,
    operation: Operation,
  ): AsyncIterable<Row> {
    return rowsOneByOne(() => {
      const isLast = this.isLast(params, options);
      const call = this.call(isLast ? params : options, operation);
      const request = this.draft.request(isLast ? undefined : params);
      return {
        request,
        call,
        callsBack: () => this.callsBack(),
        onRow: (row) => this.scanned([row], call),
      };
    });
  }
}
