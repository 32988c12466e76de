/** Conditions with queries as values, for groups, `not`, `filter`, `when`. They are checked where they are used. */
import { InnerQuery, type NoQuery, notShown, onlyConditions, RowsOn, withTable } from "../ast/inner-query.js";
import { keyOf } from "../ast/key.js";
import type { AlikeLeaf, OnLeaf, RowsLeaf } from "../types/asks.js";
import type { Condition } from "../types/conditions.js";
import type {
  AllRows,
  InnerParams,
  inner,
  QueryOf,
  QueryOn,
  QueryOperator,
  AnyRows as Rows,
} from "../types/inner.js";
import type { Leaf } from "../types/leaves.js";
import type { OperandExpression, SideFields, SideLeaves, WithResult } from "../types/operands.js";
import type { TestOf } from "../types/results.js";
import type { Dialect } from "../words/dialect.js";
import type { ComparisonOperator } from "../words/operators.js";
import { condition } from "./condition.js";
import { innerQuery } from "./inner-query.js";

const WHAT = "a condition";

/**
 * The relation leads to rows. If a query is given, only its rows count.
 * @example
 * import { exists, isNull, or } from "rowtype";
 * orders.query().whereOr(isNull("note"), exists("lines", lines.query().where("sku", "=", "sku")));
 */
export function exists<const To extends string, Q extends Rows<Dialect> | AllRows = AllRows>(
  relation: To,
  query?: Q,
): Condition<never, RowsLeaf<To, Q> | InnerParams<Q>> {
  return byRelation("exists", relation, query);
}

/** The relation leads to no rows. If a query is given, only its rows count. */
export function notExists<const To extends string, Q extends Rows<Dialect> | AllRows = AllRows>(
  relation: To,
  query?: Q,
): Condition<never, RowsLeaf<To, Q> | InnerParams<Q>> {
  return byRelation("not_exists", relation, query);
}

/** The query has rows in which `theirs`, a field of its own table, is equal to `mine`. */
export function existsOn<
  Q extends Rows<Dialect>,
  F extends string,
  G extends Q[typeof inner]["model"]["own"],
>(query: Q, mine: F, theirs: G): Condition<F, OnLeaf<F, Q, G> | InnerParams<Q>> {
  return byFields("exists", query, mine, theirs);
}

/** The query has no such rows. */
export function notExistsOn<
  Q extends Rows<Dialect>,
  F extends string,
  G extends Q[typeof inner]["model"]["own"],
>(query: Q, mine: F, theirs: G): Condition<F, OnLeaf<F, Q, G> | InnerParams<Q>> {
  return byFields("not_exists", query, mine, theirs);
}

/** `field operator (query)`: `IN` and `NOT IN` a query of one field, a comparison with `count()`, `avg(field)` … */
export function inQuery<F extends string, O extends QueryOperator, Q extends QueryOn<Dialect>>(
  field: F,
  operator: O,
  query: Q & QueryOf<O, Q>,
): Condition<F, Leaf<F, O, never> | OnLeaf<F, Q> | InnerParams<Q>> {
  const found = innerQuery(query, WHAT, withTable);
  return conditionOn(found, "in", [field, operator], { field, operator, query: found });
}

/** `left operator right`: two operands whose values have one type. */
export function compare<F extends string, O extends ComparisonOperator, G extends string>(
  left: F,
  operator: O,
  right: G,
): Condition<F | G, Leaf<F, O, never> | AlikeLeaf<F, G>>;
export function compare<
  const A extends string | OperandExpression,
  O extends ComparisonOperator,
  const B extends string | OperandExpression,
>(
  left: A,
  operator: O,
  right: B,
): Condition<SideFields<A | B>, SideLeaves<A | B> | TestOfSide<A, O> | TestOfSide<B, O>>;
export function compare(left: unknown, operator: string, right: unknown): Condition {
  return condition({ field: left, operator, right_field: right }, () =>
    keyOf("compare", left, operator, right),
  );
}

type TestOfSide<A, O> = A extends string
  ? Leaf<A, O, never>
  : A extends WithResult<infer T>
    ? TestOf<T, O, never>
    : never;

function byRelation<L>(
  word: "exists" | "not_exists",
  relation: unknown,
  query: unknown,
): Condition<never, L> {
  // A relation that an untyped caller left out must not become a missing key.
  const way = { [word]: relation ?? null };
  if (query === undefined) return condition(way, () => keyOf(word, relation));
  const where = innerQuery(query, WHAT, onlyConditions);
  return conditionOn(where, word, [relation], { ...way, where });
}

function byFields<F extends string, L>(
  word: "exists" | "not_exists",
  query: unknown,
  mine: F,
  theirs: unknown,
): Condition<F, L> {
  const rows = innerQuery(query, WHAT, notShown);
  return conditionOn(rows, `${word} on`, [mine, theirs], { [word]: new RowsOn(rows, mine, theirs) });
}

// A cached query has an id.
function conditionOn<F extends string, L>(
  query: InnerQuery | NoQuery,
  word: string,
  names: readonly unknown[],
  spec: object,
): Condition<F, L> {
  const offered = InnerQuery.own(query)?.offered;
  if (offered?.id === undefined) return condition(spec, undefined);
  return condition(spec, () => keyOf(`${word}#${offered.id}`, ...names), [offered]);
}
