/** Removes rows. */
import type { RemoveStatement } from "../ast/statement.js";
import type { DecodedRow } from "../exec/decode.js";
import { fetchAffected } from "../exec/execute.js";
import type { CallParams } from "../exec/params.js";
import { carryOut } from "../exec/steps.js";
import type { ExecOptions } from "../words/options.js";
import { ChangingBuilder } from "./changing.js";
import { requireCurrent } from "./versions.js";

export class RemoveBuilder extends ChangingBuilder<RemoveStatement> {
  async exec(params?: CallParams, options?: ExecOptions): Promise<number> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const request = this.draft.requestFor("nothing", this.given(params));
    const call = this.call(options, "DELETE");
    const remove = async () => {
      const affected = await fetchAffected(request, call);
      if (affected === 0) await requireCurrent(this.draft, request.params, call);
      return affected;
    };
    return call.session.changing(remove, call.signal);
  }

  override async execMany(params?: CallParams, options?: ExecOptions): Promise<DecodedRow[]> {
    if (this.isLast(params, options)) return this.execMany(undefined, params);
    const request = this.draft.requestFor("rows", this.given(params));
    const call = this.call(options, "DELETE");
    const remove = async () => {
      const rows = await carryOut(request, call);
      if (rows.length === 0) await requireCurrent(this.draft, request.params, call);
      return rows;
    };
    return call.session.changing(remove, call.signal);
  }

  protected override get takesAnyRows(): boolean {
    return true;
  }

  protected override get batchOperation(): "DELETE_BATCH" {
    return "DELETE_BATCH";
  }
}
