/** The functions that a resolution needs for parts that contain each other. */
import type { ExpressionNode } from "../../ast/expression.js";
import type { Statement } from "../../ast/statement.js";
import type { Layout, ResolvedCondition } from "./resolved.js";
import type { InnerRows, ResolvedValue, ValueResult } from "./result.js";

/**
 * Resolves an expression. A resolution needs it, because expressions and conditions contain each other.
 * @param beside the type of the other operand, which a parameter without a schema gets.
 */
type ResolveNode<R> = (
  node: ExpressionNode,
  path: string,
  resolution: R,
  beside: ValueResult | undefined,
) => ResolvedValue | undefined;

/**
 * Resolves a query inside a statement. A resolution needs it, because queries and conditions contain each other.
 * @param statement its spec is typed as unknown, because the caller may be untyped.
 */
type ResolveInner<R> = (
  statement: { readonly kind: Statement["kind"]; readonly spec: unknown },
  resolution: R,
) => InnerRows | undefined;

/** Resolves a condition on single rows. A resolution needs it, because queries and conditions contain each other. */
type ResolveTest<R> = (condition: unknown, path: string, resolution: R) => ResolvedCondition | undefined;

/** Resolves the conditions that hold wherever a table is read. They are conditions, too. */
type ResolveStanding<R> = (layout: Layout, resolution: R) => readonly ResolvedCondition[];

/** The functions of a resolution, `R`, for parts that contain each other. */
export interface Resolvers<R> {
  readonly node: ResolveNode<R>;
  readonly inner: ResolveInner<R>;
  readonly test: ResolveTest<R>;
  readonly standing: ResolveStanding<R>;
  /** The database of a statement from a builder. Queries inside the statement have the same database. */
  readonly database: object | undefined;
}
