/** One row. */
import type { SelectStatement } from "../ast/statement.js";
import type { DecodedRow } from "../exec/decode.js";
import type { CallParams } from "../exec/params.js";
import { NoRowsError } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import type { Sendable } from "./bound.js";
import { allOf, serverPlanOf } from "./reading.js";
import { SelectingBuilder } from "./selecting.js";

export class SelectBuilder extends SelectingBuilder<SelectStatement> {
  async exec(params?: CallParams, options?: ExecOptions): Promise<DecodedRow> {
    const row = await this.execOrNull(params, options);
    if (row === null) throw new NoRowsError(this.draft.source.table.name);
    return row;
  }

  async execOrNull(params?: CallParams, options?: ExecOptions): Promise<DecodedRow | null> {
    const [row] = await allOf(this, params, options, "SELECT");
    return row ?? null;
  }

  // The row must be there.
  protected override sendingOf(params: CallParams): Sendable {
    return { ...super.sendingOf(params), isSure: false };
  }

  async explain(params?: CallParams, options?: ExecOptions): Promise<string> {
    return serverPlanOf(this, params, options, "SELECT");
  }
}
