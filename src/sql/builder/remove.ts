/** Removal of rows. */
import type { DeleteSpec } from "../ast/spec.js";
import type { DeleteStatement } from "../ast/statement.js";
import type { Problem } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { fetchAffected, fetchRows, type Prepared, prepare } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { renderDelete } from "../render/change.js";
import type { Plan } from "../render/plan.js";
import type { Params } from "./builder.js";
import { FilteredBuilder } from "./filtered.js";

export class RemoveBuilder extends FilteredBuilder<DeleteSpec> {
  #returning: Prepared | undefined;

  async exec(params?: Params, options?: ExecOptions): Promise<number> {
    const { prepared, values } = this.bound(params);
    return fetchAffected(prepared, values, this.call(options, "DELETE"));
  }

  execTx(tx: TransactionHandle, params?: Params): Promise<number> {
    return this.exec(params, { tx });
  }

  async execMany(params?: Params, options?: ExecOptions): Promise<Row[]> {
    const { values } = this.bound(params);
    return fetchRows(this.#givingRows(), values, this.call(options, "DELETE"));
  }

  async execBatch(list: readonly Params[], options?: ExecOptions): Promise<number> {
    const bound = list.map((params) => this.bound(params));
    if (bound.length === 0) return 0;
    return this.atomically(options, "DELETE_BATCH", async (call) => {
      let affected = 0;
      for (const { prepared, values } of bound) affected += await fetchAffected(prepared, values, call);
      return affected;
    });
  }

  protected derive(spec: DeleteSpec, problems?: readonly Problem[]): this {
    return new RemoveBuilder(this.source, spec, problems) as this;
  }

  protected statement(spec: DeleteSpec): DeleteStatement {
    return { kind: "delete", table: this.source.table, spec };
  }

  protected plan(spec: DeleteSpec): Plan {
    return renderDelete(this.statement(spec), this.source.grammar, "nothing");
  }

  // The same statement with RETURNING: its parameters are those of `plan`.
  #givingRows(): Prepared {
    const { grammar } = this.source;
    this.#returning ??= prepare(renderDelete(this.statement(this.spec), grammar, "rows"), grammar);
    return this.#returning;
  }
}
