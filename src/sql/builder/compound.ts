/** Queries combined from left to right; order and paging apply to the whole result. */

import { describeType } from "../../core/errors.js";
import { isObject } from "../../core/values.js";
import { InnerQuery, notShown } from "../ast/inner-query.js";
import { draftKey } from "../ast/key.js";
import type { CompoundQuerySpec } from "../ast/spec.js";
import type {
  CompoundOperand,
  CompoundParts,
  CompoundStatement,
  QueryStatement,
  SelectStatement,
} from "../ast/statement.js";
import type { DecodedRow } from "../exec/decode.js";
import type { CallParams } from "../exec/params.js";
import { BuildError, type Problem, UnsupportedError } from "../words/errors.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { type BoundCall, boundCall } from "./bound.js";
import { Builder, inTransaction } from "./builder.js";
import { type ChainStep, failed } from "./draft/draft.js";
import type { ReadingDraft } from "./draft/statement-draft.js";
import { difference } from "./inner.js";
import { orderedBy, orderedByExpr, orderedByNulls, paged } from "./paging.js";
import { allOf, rowsOf, serverPlanOf } from "./reading.js";
import { SelectingBuilder } from "./selecting.js";

export class CompoundBuilder extends Builder<CompoundStatement, ReadingDraft<CompoundStatement>> {
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
    return this.taking(orderedBy, field, direction, undefined);
  }

  orderByNulls(field: string, direction: string, nulls: string): this {
    return this.taking(orderedByNulls, field, direction, nulls);
  }

  orderByExpr(field: string, operator: string, param: unknown, direction: string): this {
    return this.take(orderedByExpr(field, operator, param, direction));
  }

  limit(count: unknown): this {
    return this.taking(paged, "limit", count, undefined);
  }

  limitParam(param: string): this {
    return this.taking(paged, "limit_param", param, undefined);
  }

  offset(count: unknown): this {
    return this.taking(paged, "offset", count, undefined);
  }

  offsetParam(param: string): this {
    return this.taking(paged, "offset_param", param, undefined);
  }

  exec(params?: CallParams, options?: ExecOptions): Promise<DecodedRow[]> {
    return allOf(this, params, options, "COMPOUND");
  }

  execTx(tx: TransactionHandle, params?: CallParams): Promise<DecodedRow[]> {
    return this.exec(params, inTransaction(tx));
  }

  /** A call of `exec` for `atomic`. */
  bind(params?: CallParams): BoundCall {
    const check = (given: CallParams) => this.sending(this.draft.request(this.given(given)), true);
    return boundCall(this.place.session, [params], check, (tx, given) => this.execTx(tx, given));
  }

  stream(params?: CallParams, options?: ExecOptions): AsyncIterable<DecodedRow> {
    return rowsOf(this, params, options, "COMPOUND");
  }

  /** A set operation has no key that identifies its rows. */
  page(): never {
    const feature = "pages of set operations";
    throw new UnsupportedError(this.draft.source.grammar.dialect, feature, "use limit and offset");
  }

  async explain(params?: CallParams, options?: ExecOptions): Promise<string> {
    return serverPlanOf(this, params, options, "COMPOUND");
  }

  // A spec contains only queries of the builder's own table.
  protected override shownSpec(): object {
    const { base, operands, ...rest } = this.spec;
    const specOf = ({ table, spec }: QueryStatement, path: string) => {
      if (table === this.draft.source.table) return spec;
      throw new BuildError([
        { code: "INVALID_SPEC", message: "a spec can combine queries of one table only", path },
      ]);
    };
    // A foreign value in the place of an operand is shown unchanged.
    const shown = (operand: CompoundOperand, i: number) =>
      isObject(operand) ? { ...operand, query: specOf(operand.query, `operands[${i}].query`) } : operand;
    return { base: specOf(base, "base"), operands: operands.map(shown), ...rest };
  }

  #with(operation: CompoundOperand["operation"], other: unknown): this {
    const operand = SelectingBuilder.own(other);
    if (operand?.draft.kind === "query") return this.take(combining(operation, operand));
    return this.take(failed(fault(`another query, not ${describeType(other)}`)));
  }
}

function combining(
  operation: CompoundOperand["operation"],
  {
    draft: operand,
    constants,
  }: Pick<SelectingBuilder<QueryStatement | SelectStatement>, "draft" | "constants">,
): ChainStep<ReadingDraft<CompoundStatement>> {
  const given = new InnerQuery(operand.statement, notShown, undefined, constants);
  return {
    key: draftKey(operation, operand.id),
    operands: [operand],
    parts: [given],
    on: (draft, placed) => {
      const unlike = difference(operand.source, draft.source);
      if (unlike !== undefined) return draft.failing(fault(`a query of the same ${unlike}`));
      const query = placed(given).statement;
      return draft.adding("operands", [{ operation, query }]).failing(...operand.problems);
    },
  };
}

function fault(expected: string): Problem {
  return { code: "INVALID_SPEC", message: `a set operation takes ${expected}`, path: "operands" };
}

/** The parts of a foreign spec: its queries become statements of the table. */
export function compoundPartsOf(
  spec: CompoundQuerySpec,
  { table, tables }: Pick<QueryStatement, "table" | "tables">,
): CompoundParts {
  const statement = (query: QueryStatement["spec"]): QueryStatement => ({
    kind: "query",
    table,
    tables,
    spec: query,
  });
  // Nothing is assumed about a foreign spec. The check refuses values that are not a list or an object.
  const operands = Array.isArray(spec.operands)
    ? spec.operands.map((operand) =>
        isObject(operand) ? { ...operand, query: statement(operand.query) } : operand,
      )
    : [];
  return { ...spec, base: statement(spec.base), operands };
}
