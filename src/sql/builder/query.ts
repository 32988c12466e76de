/** All matching rows. */
import { isObject } from "../../core/values.js";
import { BuilderOnly } from "../ast/builder-only.js";
import { NamedExpression } from "../ast/expression.js";
import { CountedQuery } from "../ast/inner-query.js";
import { countKey } from "../ast/key.js";
import type { AggregateStatement, CompoundStatement, QueryStatement } from "../ast/statement.js";
import type { DecodedRow } from "../exec/decode.js";
import type { CallParams } from "../exec/params.js";
import type { Problem } from "../words/errors.js";
import type { ExecOptions } from "../words/options.js";
import { AggregateBuilder } from "./aggregate.js";
import { CompoundBuilder } from "./compound.js";
import type { AnyDraft } from "./draft/draft.js";
import { ReadingDraft } from "./draft/statement-draft.js";
import { ExistsBuilder, existsSpec } from "./exists.js";
import { PageBuilder, pagesOf } from "./page.js";
import { paged } from "./paging.js";
import { allOf, rowsOf, serverPlanOf } from "./reading.js";
import { SelectingBuilder } from "./selecting.js";
import { NamedQuery } from "./source.js";

type QueryDraft = ReadingDraft<QueryStatement>;
type State = QueryStatement["spec"];

export class QueryBuilder extends SelectingBuilder<QueryStatement> {
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

  /** The query as a table. */
  as(name: string): NamedQuery {
    // A draft of one kind of statement is used as a draft of any kind.
    return new NamedQuery(name, this.draft as unknown as AnyDraft, this.draft.statement, this.constants);
  }

  /** The number of rows that meet the conditions; fields, order and paging do not count. */
  count(): AggregateBuilder {
    const on = (draft: QueryDraft) => {
      const problems = this.#faultsOf("count()", ["distinct", "distinct_on", "group_by"]);
      const { where, joins } = draft.spec;
      const parts = {
        ...(where === undefined ? {} : { where }),
        ...(joins === undefined ? {} : { joins }),
        ...this.#counted(),
      };
      // Resolving accepts a distance in the conditions, although a spec cannot hold one.
      const spec = parts as AggregateStatement["spec"];
      return new ReadingDraft<AggregateStatement>(draft.source, "count", spec, problems);
    };
    return this.draft.take({ key: "count", on }, this.place, this.constants, AggregateBuilder);
  }

  /** Whether a row meets the conditions. */
  exists(): ExistsBuilder {
    const on = ({ source, spec }: QueryDraft) => {
      const problems = this.#faultsOf("exists()", []);
      const all = { ...existsSpec(source.table, spec), ...this.#counted() };
      return new ReadingDraft<QueryStatement>(source, "query", all, problems);
    };
    return this.draft.take({ key: "exists", on }, this.place, this.constants, ExistsBuilder);
  }

  /** Pages of n rows. Their order must contain a key. */
  page(size: number): PageBuilder {
    const step = { key: countKey("page", size), on: (draft: QueryDraft) => pagesOf(draft, size) };
    return this.draft.take(step, this.place, this.constants, PageBuilder);
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
    return allOf(this, params, options, "QUERY");
  }

  stream(params?: CallParams, options?: ExecOptions): AsyncIterable<DecodedRow> {
    return rowsOf(this, params, options, "QUERY");
  }

  async explain(params?: CallParams, options?: ExecOptions): Promise<string> {
    return serverPlanOf(this, params, options, "QUERY");
  }

  /** The query itself, if parts that do not affect the count may have parameters. */
  #counted(): { readonly counted?: CountedQuery } {
    return mayHaveParams(this.spec) ? { counted: new CountedQuery(this.draft.statement) } : {};
  }

  #faultsOf(what: string, refused: readonly (keyof State)[]): readonly Problem[] {
    return [...this.draft.problems, ...faultsOfAggregate(this.spec, what, refused)];
  }

  #compound(): CompoundBuilder {
    return this.draft.take(COMPOUND, this.place, this.constants, CompoundBuilder);
  }
}

const COMPOUND = {
  key: "compound",
  on: ({ source, statement, problems }: QueryDraft) =>
    new ReadingDraft<CompoundStatement>(source, "compound", { base: statement, operands: [] }, problems),
};

// These parts change the rows, or lock them, so an aggregate of only the conditions would be wrong.
function faultsOfAggregate(spec: State, what: string, refused: readonly (keyof State)[]): readonly Problem[] {
  const parts = ["having", "having_agg", "for_locking", ...refused] as const;
  const faults = parts.flatMap((part): readonly Problem[] => {
    const value: unknown = spec[part];
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return [];
    return [
      {
        code: "INVALID_SPEC",
        message: `${what} of a query with ${part}: count the rows of exec(…)`,
        path: part,
      },
    ];
  });
  const isGrouped = Array.isArray(spec.group_by) && spec.group_by.length > 0;
  const hasAggregates = Array.isArray(spec.fields) && spec.fields.some(isAggregate);
  if (isGrouped || !hasAggregates) return faults;
  const message = `${what} of a query of aggregates: it always has one row`;
  return [...faults, { code: "INVALID_SPEC", message, path: "fields" }];
}

// Apart from conditions and joins, names of fields and numeric limits have no parameters.
function mayHaveParams({ fields, order_by, with: nested, limit_param, offset_param }: State): boolean {
  if (nested !== undefined || limit_param !== undefined || offset_param !== undefined) return true;
  // A spec of an untyped caller may hold any value.
  const isExpression = (part: unknown) => BuilderOnly.isOne(part);
  const isPlain = (term: unknown) =>
    isObject(term) && typeof term["field"] === "string" && term["param"] === undefined;
  const hasExpressions = Array.isArray(fields) && fields.some(isExpression);
  return hasExpressions || (Array.isArray(order_by) && !order_by.every(isPlain));
}

function isAggregate(field: unknown): boolean {
  if (field instanceof NamedExpression) return holdsAggregate(field.node);
  return isObject(field) && "func" in field;
}

// A window function applies to the rows of the result, and an aggregate of related rows to each row. All parts of a
// node are nodes, names, or lists of them.
function holdsAggregate(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(holdsAggregate);
  if (!isObject(part)) return false;
  const { kind } = part;
  if (kind === "aggregate") return true;
  // A label of CASE with its condition.
  if (kind === undefined) return holdsAggregate(part["label"]);
  return kind !== "window" && kind !== "of" && Object.values(part).some(holdsAggregate);
}
