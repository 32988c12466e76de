/** One number over the matching rows. */
import { keyOf } from "../ast/key.js";
import type { AggregateSpec } from "../ast/spec.js";
import type { AggregateKind, AggregateStatement } from "../ast/statement.js";
import { fetchNumber } from "../exec/execute.js";
import type { Params } from "../exec/params.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions } from "../words/options.js";
import { OptionallyFilteredBuilder } from "./optional.js";

abstract class AggregateBuilder extends OptionallyFilteredBuilder<AggregateSpec> {
  protected abstract readonly kind: AggregateKind;
  protected abstract readonly operation: Operation;

  /** The aggregate of a field. */
  of(field: string): this {
    return this.step(keyOf("of", field), () => this.with({ field }));
  }

  /** Nothing to sum up is zero, of the kind of the column. */
  async exec(params?: Params, options?: ExecOptions): Promise<number | bigint> {
    if (this.isLast(params, options)) return this.exec(undefined, params);
    const { prepared, values } = this.bound(params);
    const isBigint = prepared.plan.output.some(({ kind }) => kind === "bigint");
    return fetchNumber(prepared, values, this.call(options, this.operation), isBigint ? 0n : 0);
  }

  statement(): AggregateStatement {
    return { kind: this.kind, table: this.context.table, spec: this.spec };
  }
}

export class CountBuilder extends AggregateBuilder {
  protected readonly kind = "count";
  protected readonly operation = "COUNT";
}

export class SumBuilder extends AggregateBuilder {
  protected readonly kind = "sum";
  protected readonly operation = "SUM";
}

export class AvgBuilder extends AggregateBuilder {
  protected readonly kind = "avg";
  protected readonly operation = "AVG";
}

export class MinBuilder extends AggregateBuilder {
  protected readonly kind = "min";
  protected readonly operation = "MIN";
}

export class MaxBuilder extends AggregateBuilder {
  protected readonly kind = "max";
  protected readonly operation = "MAX";
}
