/** Removal of rows. */
import type { DeleteSpec } from "../ast/spec.js";
import type { DeleteStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import { fetchAffected, fetchRows } from "../exec/execute.js";
import type { Params } from "../exec/params.js";
import type { ExecOptions } from "../words/options.js";
import { ChangingBuilder } from "./changing.js";

export class RemoveBuilder extends ChangingBuilder<DeleteSpec> {
  protected readonly gives = "nothing";

  async exec(params?: Params, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const { prepared, values } = this.boundFor("nothing", params);
    const call = this.call(options, "DELETE");
    return call.session.changing(() => fetchAffected(prepared, values, call), call.signal);
  }

  async execMany(params?: Params, options?: ExecOptions): Promise<Row[]> {
    if (this.isLast(params, options)) return this.execMany(undefined, params);
    const { prepared, values } = this.boundFor("rows", params);
    const call = this.call(options, "DELETE");
    return call.session.changing(() => fetchRows(prepared, values, call), call.signal);
  }

  async execBatch(list: readonly Params[], options?: ExecOptions): Promise<number> {
    const batch = this.boundBatch(list);
    if (batch.length === 0) return 0;
    return this.atomically(options, "DELETE_BATCH", (call) => this.affectedBy(batch, call));
  }

  statement(): DeleteStatement {
    return { kind: "delete", table: this.context.table, spec: this.spec };
  }
}
