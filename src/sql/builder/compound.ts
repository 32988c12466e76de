/** Queries put together from left to right; order and paging are of the whole. */

import { describeType } from "../../core/errors.js";
import { countKey, keyOf } from "../ast/key.js";
import type { CompoundQuerySpec } from "../ast/spec.js";
import type { CompoundParts, CompoundStatement, Operand, QueryStatement } from "../ast/statement.js";
import type { Row } from "../exec/decode.js";
import type { Params } from "../exec/params.js";
import type { ResolvedReading } from "../resolve/resolved.js";
import { resolveReading } from "../resolve/statement.js";
import { BuildError } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import { faultOfPaging, type Paging } from "./paging.js";
import { SelectingBuilder } from "./selecting.js";
import { StatementBuilder } from "./statement.js";

export class CompoundBuilder extends StatementBuilder<CompoundParts, ResolvedReading> {
  union(other: unknown): this {
    return this.#with("union", other);
  }

  unionAll(other: unknown): this {
    return this.#with("union_all", other);
  }

  intersect(other: unknown): this {
    return this.#with("intersect", other);
  }

  intersectAll(other: unknown): this {
    return this.#with("intersect_all", other);
  }

  except(other: unknown): this {
    return this.#with("except", other);
  }

  exceptAll(other: unknown): this {
    return this.#with("except_all", other);
  }

  orderBy(field: string, direction: string): this {
    return this.step(keyOf("orderBy", field, direction), () =>
      this.adding("order_by", [{ field, direction }]),
    );
  }

  orderByNulls(field: string, direction: string, nulls: string): this {
    return this.step(keyOf("orderByNulls", field, direction, nulls), () =>
      // What is left out would be where the dialect puts them.
      this.adding("order_by", [{ field, direction, nulls: nulls ?? null }]),
    );
  }

  orderByExpr(field: string, operator: string, param: string, direction: string): this {
    return this.step(keyOf("orderByExpr", field, operator, param, direction), () =>
      this.adding("order_by", [{ field, operator, param, direction }]),
    );
  }

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
    return this.allOf(params, options, "COMPOUND");
  }

  stream(params?: Params, options?: ExecOptions): AsyncIterable<Row> {
    return this.rowsOf(params, options, "COMPOUND");
  }

  async explain(params?: Params, options?: ExecOptions): Promise<string> {
    return this.planOf(params, options, "COMPOUND");
  }

  statement(): CompoundStatement {
    return { kind: "compound", table: this.context.table, spec: this.spec };
  }

  protected resolve(): ResolvedReading {
    return resolveReading(this.statement(), this.context.grammar, this.problems);
  }

  // A spec says the queries of the table that the builder is of.
  protected override shownSpec(): object {
    const { base, operands, ...rest } = this.spec;
    const specOf = ({ table, spec }: QueryStatement, path: string) => {
      if (table === this.context.table) return spec;
      throw new BuildError([{ code: "INVALID_SPEC", message: "a spec has queries of one table only", path }]);
    };
    // What a spec from outside has in place of an operand is shown as it came.
    const shown = (operand: Operand, i: number) =>
      isObject(operand) ? { ...operand, query: specOf(operand.query, `operands[${i}].query`) } : operand;
    return { base: specOf(base, "base"), operands: operands.map(shown), ...rest };
  }

  #paged(step: string | undefined, key: keyof Paging, values: Paging): this {
    return this.step(step, () => {
      const fault = faultOfPaging(key, values[key]);
      return fault === undefined ? this.with(values) : this.failing(fault);
    });
  }

  #with(operation: Operand["operation"], other: unknown): this {
    const operand = SelectingBuilder.own(other);
    const make = () => this.#combined(operation, other);
    return this.step(countKey(operation, operand?.id), make, operand);
  }

  #combined(operation: Operand["operation"], other: unknown): this {
    const { statement, grammar, problems = [] } = SelectingBuilder.own(other)?.asOperand() ?? {};
    if (statement?.kind !== "query") return this.#refusing(`another query, not ${describeType(other)}`);
    if (grammar !== this.context.grammar) return this.#refusing("a query of the same dialect");
    const step: Operand = { operation, query: statement };
    return problems.reduce((builder, problem) => builder.failing(problem), this.adding("operands", [step]));
  }

  #refusing(expected: string): this {
    const message = `a set operation takes ${expected}`;
    return this.failing({ code: "INVALID_SPEC", message, path: "operands" });
  }
}

/** The parts of a spec from outside: its queries become statements of the table. */
export function partsOf(spec: CompoundQuerySpec, table: QueryStatement["table"]): CompoundParts {
  const statement = (query: QueryStatement["spec"]): QueryStatement => ({
    kind: "query",
    table,
    spec: query,
  });
  // Nothing is believed of a foreign spec: what is no list or no object here, the check finds.
  const operands = Array.isArray(spec.operands)
    ? spec.operands.map((operand) =>
        isObject(operand) ? { ...operand, query: statement(operand.query) } : operand,
      )
    : [];
  return { ...spec, base: statement(spec.base), operands };
}

function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null;
}
