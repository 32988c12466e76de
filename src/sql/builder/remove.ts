/** Removes rows. */
import type { RemoveStatement } from "../ast/statement.js";
import type { DecodedRow } from "../exec/decode.js";
import { fetchAffected, fetchRows } from "../exec/execute.js";
import type { CallParams } from "../exec/params.js";
import type { ExecOptions } from "../words/options.js";
import { ChangingBuilder } from "./changing.js";

export class RemoveBuilder extends ChangingBuilder<RemoveStatement> {
  async exec(params?: CallParams, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const request = this.draft.requestFor("nothing", params);
    const call = this.call(options, "DELETE");
    return call.session.changing(() => fetchAffected(request, call), call.signal);
  }

  async execMany(params?: CallParams, options?: ExecOptions): Promise<DecodedRow[]> {
    if (this.isLast(params, options)) return this.execMany(undefined, params);
    const request = this.draft.requestFor("rows", params);
    const call = this.call(options, "DELETE");
    return call.session.changing(() => fetchRows(request, call), call.signal);
  }

  protected override get batchOperation(): "DELETE_BATCH" {
    return "DELETE_BATCH";
  }
}
