/** One number over the matching rows. */
import type { AggregateSpec } from "../ast/spec.js";
import type { CountStatement } from "../ast/statement.js";
import { fetchNumber } from "../exec/execute.js";
import type { ExecOptions } from "../exec/options.js";
import type { Params } from "../exec/params.js";
import type { Plan } from "../render/plan.js";
import { renderCount } from "../render/select.js";
import { OptionallyFilteredBuilder } from "./optional.js";

export class AggregateBuilder extends OptionallyFilteredBuilder<AggregateSpec> {
  async exec(params?: Params, options?: ExecOptions): Promise<number> {
    const { prepared, values } = this.bound(params);
    return fetchNumber(prepared, values, this.call(options, "COUNT"));
  }

  protected statement(spec: AggregateSpec = this.spec): CountStatement {
    return { kind: "count", table: this.source.table, spec };
  }

  protected plan(spec: AggregateSpec): Plan {
    return renderCount(this.statement(spec), this.source.grammar);
  }
}
