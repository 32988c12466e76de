/** One row. */
import type { SelectSpec } from "../ast/spec.js";
import type { SelectStatement } from "../ast/statement.js";
import { NoRowsError, type Problem } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { fetchRows } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import type { Plan } from "../render/plan.js";
import { renderQuery } from "../render/select.js";
import type { Params } from "./builder.js";
import { SelectingBuilder } from "./selecting.js";

export class SelectBuilder extends SelectingBuilder<SelectSpec> {
  async exec(params?: Params, options?: ExecOptions): Promise<Row> {
    const row = await this.execOrNull(params, options);
    if (row === null) throw new NoRowsError(this.source.table.name);
    return row;
  }

  execTx(tx: TransactionHandle, params?: Params): Promise<Row> {
    return this.exec(params, { tx });
  }

  async execOrNull(params?: Params, options?: ExecOptions): Promise<Row | null> {
    const { prepared, values } = this.bound(params);
    const [row] = await fetchRows(prepared, values, this.call(options, "SELECT"));
    return row ?? null;
  }

  protected derive(spec: SelectSpec, problems?: readonly Problem[]): this {
    return new SelectBuilder(this.source, spec, problems) as this;
  }

  protected statement(spec: SelectSpec): SelectStatement {
    return { kind: "select", table: this.source.table, spec };
  }

  protected plan(spec: SelectSpec): Plan {
    return renderQuery(this.statement(spec), this.source.grammar);
  }
}
