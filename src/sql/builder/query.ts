/** All matching rows. */
import type { QuerySpec } from "../ast/spec.js";
import type { QueryStatement } from "../ast/statement.js";
import type { Problem } from "../errors.js";
import type { Row } from "../exec/decode.js";
import { fetchRows } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import type { Plan } from "../render/plan.js";
import { renderQuery } from "../render/select.js";
import type { Params } from "./builder.js";
import { SelectingBuilder } from "./selecting.js";

export class QueryBuilder extends SelectingBuilder<QuerySpec> {
  // The last of `limit` and `limitParam` wins, and so with `offset`.
  limit(count: number): this {
    const { limit_param: _, ...spec } = this.spec;
    return this.derive({ ...spec, limit: count }, this.problems);
  }

  limitParam(param: string): this {
    const { limit: _, ...spec } = this.spec;
    return this.derive({ ...spec, limit_param: param }, this.problems);
  }

  offset(count: number): this {
    const { offset_param: _, ...spec } = this.spec;
    return this.derive({ ...spec, offset: count }, this.problems);
  }

  offsetParam(param: string): this {
    const { offset: _, ...spec } = this.spec;
    return this.derive({ ...spec, offset_param: param }, this.problems);
  }

  async exec(params?: Params, options?: ExecOptions): Promise<Row[]> {
    const { prepared, values } = this.bound(params);
    return fetchRows(prepared, values, this.call(options, "QUERY"));
  }

  execTx(tx: TransactionHandle, params?: Params): Promise<Row[]> {
    return this.exec(params, { tx });
  }

  protected derive(spec: QuerySpec, problems?: readonly Problem[]): this {
    return new QueryBuilder(this.source, spec, problems) as this;
  }

  protected statement(spec: QuerySpec): QueryStatement {
    return { kind: "query", table: this.source.table, spec };
  }

  protected plan(spec: QuerySpec): Plan {
    return renderQuery(this.statement(spec), this.source.grammar);
  }
}
