/** All matching rows. */
import { countKey, keyOf } from "../ast/key.js";
import type { QueryStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import type { ExecOptions } from "../exec/options.js";
import type { Params } from "../exec/params.js";
import { CompoundBuilder } from "./compound.js";
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
    return this.step(countKey("limit", count), () => this.with({ limit: count, limit_param: undefined }));
  }

  limitParam(param: string): this {
    return this.step(keyOf("limitParam", param), () => this.with({ limit: undefined, limit_param: param }));
  }

  offset(count: number): this {
    return this.step(countKey("offset", count), () => this.with({ offset: count, offset_param: undefined }));
  }

  offsetParam(param: string): this {
    return this.step(keyOf("offsetParam", param), () =>
      this.with({ offset: undefined, offset_param: param }),
    );
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
    return { kind: "query", table: this.source.table, spec: this.spec };
  }

  #compound(): CompoundBuilder {
    return this.step("compound", () => {
      const parts = { base: this.statement(), operands: [] };
      return new CompoundBuilder(this.source, parts, this.problems);
    });
  }
}
