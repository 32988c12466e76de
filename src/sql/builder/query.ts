/** All matching rows. */
import { countKey, keyOf } from "../ast/key.js";
import type { QueryStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import type { Params } from "../exec/params.js";
import type { ExecOptions } from "../words/options.js";
import { CompoundBuilder } from "./compound.js";
import { faultOfPaging, type Paging } from "./paging.js";
import { SelectingBuilder } from "./selecting.js";

type State = QueryStatement["spec"];

export class QueryBuilder extends SelectingBuilder<State> {
  union(other: unknown): CompoundBuilder {
    return this.#compound().union(other);
  }

  unionAll(other: unknown): CompoundBuilder {
    return this.#compound().unionAll(other);
  }

  intersect(other: unknown): CompoundBuilder {
    return this.#compound().intersect(other);
  }

  intersectAll(other: unknown): CompoundBuilder {
    return this.#compound().intersectAll(other);
  }

  except(other: unknown): CompoundBuilder {
    return this.#compound().except(other);
  }

  exceptAll(other: unknown): CompoundBuilder {
    return this.#compound().exceptAll(other);
  }

  // The last of `limit` and `limitParam` wins, and so with `offset`.
  limit(count: number): this {
    return this.#paged(countKey("limit", count), "limit", { limit: count, limit_param: undefined });
  }

  limitParam(param: string): this {
    return this.#paged(keyOf("limitParam", param), "limit_param", { limit: undefined, limit_param: param });
  }

  offset(count: number): this {
    return this.#paged(countKey("offset", count), "offset", { offset: count, offset_param: undefined });
  }

  offsetParam(param: string): this {
    return this.#paged(keyOf("offsetParam", param), "offset_param", {
      offset: undefined,
      offset_param: param,
    });
  }

  exec(params?: Params, options?: ExecOptions): Promise<Row[]> {
    return this.allOf(params, options, "QUERY");
  }

  stream(params?: Params, options?: ExecOptions): AsyncIterable<Row> {
    return this.rowsOf(params, options, "QUERY");
  }

  async explain(params?: Params, options?: ExecOptions): Promise<string> {
    return this.planOf(params, options, "QUERY");
  }

  statement(): QueryStatement {
    return { kind: "query", table: this.context.table, spec: this.spec };
  }

  #paged(step: string | undefined, key: keyof Paging, values: Paging): this {
    return this.step(step, () => {
      const fault = faultOfPaging(key, values[key]);
      return fault === undefined ? this.with(values) : this.failing(fault);
    });
  }

  #compound(): CompoundBuilder {
    return this.step("compound", () => {
      const parts = { base: this.statement(), operands: [] };
      return this.other((context) => new CompoundBuilder(context, parts, this.problems));
    });
  }
}
