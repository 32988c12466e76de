/** One number over the matching rows. */
import { keyOf } from "../ast/key.js";
import type { AggregateStatement } from "../ast/statement.js";
import { fetchNumber } from "../exec/execute.js";
import type { CallParams } from "../exec/params.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions } from "../words/options.js";
import { JoiningBuilder } from "./joining.js";

const operations: { readonly [K in AggregateStatement["kind"]]: Operation } = {
  count: "COUNT",
  sum: "SUM",
  avg: "AVG",
  min: "MIN",
  max: "MAX",
};

export class AggregateBuilder extends JoiningBuilder<AggregateStatement> {
  /** The aggregate of a field. */
  of(field: string): this {
    return this.take({ key: keyOf("of", field), on: (draft) => draft.with({ field }) });
  }

  protected override shownSpec(): object {
    // The spec of a counted query holds only the parts that affect the count.
    const { counted: _, ...spec }: AggregateStatement["spec"] & { readonly counted?: unknown } = this.spec;
    return spec;
  }

  /** Without values the result is zero, in the kind of the column. */
  async exec(params?: CallParams, options?: ExecOptions): Promise<number | bigint | string> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const request = this.draft.request(this.given(params));
    return fetchNumber(request, this.call(options, operations[this.draft.kind]));
  }
}
