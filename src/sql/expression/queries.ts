/** Conditions with queries as values, for groups, `not`, `filter`, `when`. They are checked where they are used. */
import { describeType } from "../../core/errors.js";
import { ConditionValue } from "../ast/condition-value.js";
import {
  HasTable,
  InnerQuery,
  NoQuery,
  notShown,
  onlyConditions,
  RowsOn,
  RowsWhere,
  withTable,
} from "../ast/inner-query.js";
import { draftKey, keyOf } from "../ast/key.js";
import type { AlikeLeaf, OnLeaf, OnLeaves, RowsLeaf } from "../types/asks.js";
import type { Condition, LeafOf } from "../types/conditions.js";
import type {
  AllRows,
  InnerParams,
  inner,
  OwnFields,
  QueryOf,
  QueryOn,
  QueryOperator,
  AnyRows as Rows,
} from "../types/inner.js";
import type { FitsRows, OuterFields, OuterLeaves } from "../types/joins/rows.js";
import type { Leaf } from "../types/leaves.js";
import type { OperandExpression, SideFields, SideLeaves, WithResult } from "../types/operands.js";
import type { AnyParam } from "../types/params.js";
import type { TestOf } from "../types/results.js";
import type { Source } from "../types/source.js";
import type { Dialect } from "../words/dialect.js";
import type { ComparisonOperator } from "../words/operators.js";
import { condition, keyByConditions, queriesIn, specsOf } from "./condition.js";
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

/**
 * The query has rows in which `theirs`, a field of its own table, is equal to `mine`. Or a query that was named by `as` has
 * rows for which a condition holds, which names their columns `name.column`.
 */
export function existsOn<
  Q extends Rows<Dialect>,
  F extends string,
  G extends Q[typeof inner]["model"]["own"],
>(query: Q, mine: F, theirs: G): Condition<F, OnLeaf<F, Q, G> | InnerParams<Q>>;
export function existsOn<
  Q extends Rows<Dialect>,
  const F extends readonly [string, ...string[]],
  const G extends OwnFields<F, Q>,
>(query: Q, mine: F, theirs: G): Condition<F[number], OnLeaves<F, Q, G> | InnerParams<Q>>;
export function existsOn<
  A extends string,
  T,
  P extends AnyParam,
  D extends Dialect,
  const C extends Condition,
>(
  query: Source<A, T, P, D>,
  on: C & FitsRows<A, T, D, C>,
): Condition<OuterFields<A, C>, OuterLeaves<A, T, D, LeafOf<C>> | P>;
export function existsOn(query: unknown, mine: unknown, theirs?: unknown): Condition<never, never> {
  return byFields("exists", query, mine, theirs);
}

/** The query has no such rows. */
export function notExistsOn<
  Q extends Rows<Dialect>,
  F extends string,
  G extends Q[typeof inner]["model"]["own"],
>(query: Q, mine: F, theirs: G): Condition<F, OnLeaf<F, Q, G> | InnerParams<Q>>;
export function notExistsOn<
  Q extends Rows<Dialect>,
  const F extends readonly [string, ...string[]],
  const G extends OwnFields<F, Q>,
>(query: Q, mine: F, theirs: G): Condition<F[number], OnLeaves<F, Q, G> | InnerParams<Q>>;
export function notExistsOn<
  A extends string,
  T,
  P extends AnyParam,
  D extends Dialect,
  const C extends Condition,
>(
  query: Source<A, T, P, D>,
  on: C & FitsRows<A, T, D, C>,
): Condition<OuterFields<A, C>, OuterLeaves<A, T, D, LeafOf<C>> | P>;
export function notExistsOn(query: unknown, mine: unknown, theirs?: unknown): Condition<never, never> {
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
  mine: unknown,
  theirs: unknown,
): Condition<F, L> {
  if (isByCondition(mine, theirs)) return byCondition(word, query, mine);
  const rows = innerQuery(query, WHAT, notShown);
  const on = new RowsOn(rows, mine, theirs);
  return conditionOn(rows, `${word} on`, [on.mine, on.theirs], { [word]: on });
}

// A cached query has an id.
function conditionOn<F extends string, L>(
  query: InnerQuery | NoQuery,
  word: string,
  names: readonly unknown[],
  spec: object,
): Condition<F, L> {
  const offered = InnerQuery.own(query)?.offered;
  if (offered?.id === undefined) return condition(spec, undefined, [], 0, query.constants);
  return condition(spec, () => keyOf(draftKey(word, offered.id), ...names), [offered], 0, query.constants);
}

/** Whether a caller gave a condition in the place of two fields. */
export function isByCondition(mine: unknown, theirs: unknown): boolean {
  if (ConditionValue.own(mine) !== undefined) return true;
  return theirs === undefined && mine !== undefined && typeof mine !== "string" && !Array.isArray(mine);
}

/** The named query has, or does not have, rows for which a condition holds. */
export function byCondition<F extends string, L>(
  word: "exists" | "not_exists",
  query: unknown,
  on: unknown,
): Condition<F, L> {
  const [spec] = specsOf([on]);
  const offered = HasTable.ownTable(query)?.offered;
  const message = `rows by a condition are those of a query with a name, query.as(name), not of ${describeType(query)}`;
  const rows = offered ?? new NoQuery(message);
  const way = { [word]: new RowsWhere({ rows, condition: spec }) };
  const queries = [...(offered === undefined ? [] : [offered]), ...queriesIn(on)];
  if (offered?.id === undefined) return condition(way, undefined, queries);
  const step = keyOf(draftKey(`${word} where`, offered.id), offered.name);
  return condition(way, () => keyByConditions(step, [on]), queries);
}
