/** What aggregates give in the groups of rows, worked out without the package and without a server. */
import { given } from "./expression-builder.js";
import {
  averaged,
  compared,
  evaluate,
  evaluateCondition,
  isDecimal,
  unlessBeyond,
} from "./expression-evaluator.js";
import { partsBy, sumOf } from "./expression-parts.js";
import { type Direction, inOrder, shown } from "./expression-results.js";
import type { Condition, Decimal, Row, Tree, Value } from "./expression-trees.js";

/** A query of groups. */
export interface GroupPlan {
  /** What the rows of a group have in common. */
  readonly by: Tree;
  /** Numbers that are counted and added. */
  readonly of: Tree;
  readonly condition: Condition;
  /** Texts that become one, and what stands between them. */
  readonly text: Tree;
  readonly separator: string;
  /** Values that become a list. */
  readonly item: Tree;
  readonly order: Tree;
  readonly direction: Direction;
}

/** The rows of such a query, each as text; undefined where a sum or an average may fail. */
export function groupsOf(plan: GroupPlan, rows: readonly Row[]): readonly string[] | undefined {
  const groups = partsBy(plan.by, inOrder(rows, plan.order, plan.direction));
  return unlessBeyond(() => groups.map((group) => lineOf(plan, group)).sort());
}

function lineOf(plan: GroupPlan, group: readonly Row[]): string {
  const { by, of, condition, text, separator, item } = plan;
  const truths = group.map((row) => evaluateCondition(condition, row)).filter((truth) => truth !== null);
  const known = knownOf(of, group);
  const units = known.map((value) => (typeof value === "bigint" ? value : (value as Decimal).units));
  const sum = sumOf(known, of);
  const edge = (sign: number) =>
    known.reduce<Value>(
      (one, value) => (one === null || compared(value, one) * sign > 0 ? value : one),
      null,
    );
  const texts = knownOf(text, group);
  const first = group[0];
  return shown({
    g: first === undefined ? null : given(evaluate(by, first), by.type),
    n: known.length,
    d: new Set(units.map(String)).size,
    s: given(sum, of.type),
    least: given(edge(-1), of.type),
    most: given(edge(1), of.type),
    mean: isDecimal(sum) ? given(averaged(sum, known.length), of.type) : null,
    all: truths.length === 0 ? null : truths.every(Boolean),
    any: truths.length === 0 ? null : truths.some(Boolean),
    text: texts.length === 0 ? null : texts.join(separator),
    list: knownOf(item, group).map((value) => given(value, item.type)),
  });
}

function knownOf(tree: Tree, rows: readonly Row[]): readonly Exclude<Value, null>[] {
  return rows.flatMap((row) => evaluate(tree, row) ?? []);
}
