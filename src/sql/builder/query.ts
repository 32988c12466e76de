/** All matching rows. */
import type { QuerySpec } from "../ast/spec.js";
import type { QueryStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import { fetchRows } from "../exec/execute.js";
import type { ExecOptions } from "../exec/options.js";
import type { Params } from "../exec/params.js";
import type { Plan } from "../render/plan.js";
import { renderQuery } from "../render/select.js";
import { SelectingBuilder } from "./selecting.js";

export class QueryBuilder extends SelectingBuilder<QuerySpec> {
  // The last of `limit` and `limitParam` wins, and so with `offset`.
  limit(count: number): this {
    return this.with({ limit: count, limit_param: undefined });
  }

  limitParam(param: string): this {
    return this.with({ limit: undefined, limit_param: param });
  }

  offset(count: number): this {
    return this.with({ offset: count, offset_param: undefined });
  }

  offsetParam(param: string): this {
    return this.with({ offset: undefined, offset_param: param });
  }

  async exec(params?: Params, options?: ExecOptions): Promise<Row[]> {
    const { prepared, values } = this.bound(params);
    const call = this.call(options, "QUERY");
    const rows = await fetchRows(prepared, values, call);
    await this.scanned(rows, call);
    return rows;
  }

  protected statement(spec: QuerySpec = this.spec): QueryStatement {
    return { kind: "query", table: this.source.table, spec };
  }

  protected plan(spec: QuerySpec): Plan {
    return renderQuery(this.statement(spec), this.source.grammar);
  }
}
