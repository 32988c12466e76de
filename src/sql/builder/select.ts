/** One row. */
import type { SelectStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import type { Params } from "../exec/params.js";
import { NoRowsError } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import { allOf, planOf } from "./reading.js";
import { SelectingBuilder } from "./selecting.js";

export class SelectBuilder extends SelectingBuilder<SelectStatement> {
  async exec(params?: Params, options?: ExecOptions): Promise<Row> {
    const row = await this.execOrNull(params, options);
    if (row === null) throw new NoRowsError(this.draft.source.table.name);
    return row;
  }

  async execOrNull(params?: Params, options?: ExecOptions): Promise<Row | null> {
    const [row] = await allOf(this, params, options, "SELECT");
    return row ?? null;
  }

  async explain(params?: Params, options?: ExecOptions): Promise<string> {
    return planOf(this, params, options, "SELECT");
  }
}
