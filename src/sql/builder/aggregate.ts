/** One number over the matching rows. */
import type { AggregateSpec } from "../ast/spec.js";
import type { CountStatement } from "../ast/statement.js";
import { exactInteger } from "../dialect/values.js";
import { DecodeError, type Problem } from "../errors.js";
import { fetchValue } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import type { Plan } from "../render/plan.js";
import { renderCount } from "../render/select.js";
import type { Params } from "./builder.js";
import { FilteredBuilder } from "./filtered.js";

export class AggregateBuilder extends FilteredBuilder<AggregateSpec> {
  async exec(params?: Params, options?: ExecOptions): Promise<number> {
    const { prepared, values } = this.bound(params);
    return fetchValue(prepared, values, this.call(options, "COUNT"), (value) => {
      const count = exactInteger(value);
      if (count === undefined) throw new DecodeError(this.source.table.name, "count", "a whole number");
      return count;
    });
  }

  execTx(tx: TransactionHandle, params?: Params): Promise<number> {
    return this.exec(params, { tx });
  }

  protected derive(spec: AggregateSpec, problems?: readonly Problem[]): this {
    return new AggregateBuilder(this.source, spec, problems) as this;
  }

  protected statement(spec: AggregateSpec): CountStatement {
    return { kind: "count", table: this.source.table, spec };
  }

  protected plan(spec: AggregateSpec): Plan {
    return renderCount(this.statement(spec), this.source.grammar);
  }
}
