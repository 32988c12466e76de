/** What a resolution is given: how that is resolved which stands in itself. */
import type { ExpressionNode } from "../../ast/expression.js";
import type { Statement } from "../../ast/statement.js";
import type { InnerRows, ResolvedValue, ValueResult } from "./result.js";

/**
 * What an expression means. It is given to a resolution, for expressions and conditions stand in each other.
 * @param beside the values of the operand beside it, which are those of a parameter without a schema.
 */
type ResolveNode<R> = (
  node: ExpressionNode,
  path: string,
  resolution: R,
  beside: ValueResult | undefined,
) => ResolvedValue | undefined;

/**
 * What a query inside a statement means. It is given to a resolution, for queries stand in conditions, and conditions
 * in queries.
 * @param statement its spec is typed as unknown, because the caller may be untyped.
 */
type ResolveInner<R> = (
  statement: { readonly kind: Statement["kind"]; readonly spec: unknown },
  resolution: R,
) => InnerRows | undefined;

/** What a resolution, `R`, resolves that stands in itself. */
export interface Resolvers<R> {
  readonly node: ResolveNode<R>;
  readonly inner: ResolveInner<R>;
  /** The database of the statement, where a builder made it: queries inside are of the same. */
  readonly database: object | undefined;
}
