/** Resolves expressions to trees, each by its kind. */
import type { ExpressionNode, WindowFunctionNode, WindowNode } from "../../ast/expression.js";
import type { AnyAggregateFunction } from "../../words/functions.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedValue, ValueResult } from "../scope/result.js";
import { resolveAggregate } from "./aggregate.js";
import { resolveArithmetic } from "./arithmetic.js";
import { resolveCall } from "./call.js";
import { resolveCase } from "./case.js";
import { resolveCast } from "./cast.js";
import { resolveTest } from "./condition-as-value.js";
import { resolveDate } from "./date.js";
import { resolveDistance } from "./distance.js";
import { resolveExtreme } from "./extreme.js";
import { resolveInserted } from "./inserted.js";
import { listings } from "./listing.js";
import { refuseInvalid, resolveConstant, resolveParam } from "./param.js";
import { resolvePath } from "./path.js";
import { resolveRaw } from "./raw.js";
import { resolveOf } from "./related-aggregate.js";
import { overWindow, rankingOf, takesField } from "./window.js";

/** Resolves an expression. Its parts return here through `Resolution.node`. */
export function resolveNode(
  node: ExpressionNode,
  path: string,
  resolution: Resolution,
  beside: ValueResult | undefined,
): ResolvedValue | undefined {
  switch (node.kind) {
    case "field":
      return resolution.operand(node.name, path);
    case "inserted":
      return resolveInserted(node.name, path, resolution);
    case "raw":
      return resolveRaw(node, path, resolution);
    case "param":
      return resolveParam(node, path, resolution, beside);
    case "hole":
      // Only what stands in the place of a parameter has one.
      return undefined;
    case "constant":
      return resolveConstant(node, path, resolution, beside);
    case "invalid":
      return refuseInvalid(node, path, resolution);
    case "of":
      return resolveOf(node, path, resolution);
    case "aggregate":
      return resolveAggregate(node, path, resolution);
    case "call":
      return resolveCall(node, path, resolution);
    case "arithmetic":
      return resolveArithmetic(node, path, resolution);
    case "extreme":
      return resolveExtreme(node, path, resolution);
    case "test":
      return resolveTest(node.condition, path, resolution);
    case "cast":
      return resolveCast(node, path, resolution);
    case "date":
      return resolveDate(node, path, resolution);
    case "path":
      return resolvePath(node, path, resolution);
    case "case":
      return resolveCase(node, path, resolution);
    case "window function":
      return resolveRanking(node, path, resolution, false);
    case "window":
      return resolveWindow(node, path, resolution);
    case "distance": {
      const distance = resolveDistance(node, (part) => `${path}.${part}`, resolution);
      if (distance === undefined) return undefined;
      return {
        expression: distance.expression,
        storage: { kind: "number" },
        nullable: distance.field.nullable,
      };
    }
  }
}

function resolveRanking(
  node: WindowFunctionNode,
  path: string,
  resolution: Resolution,
  inFrame: boolean,
): ResolvedValue | undefined {
  const { operand } = node;
  if (operand === undefined && !takesField(node.func))
    return rankingOf(node, undefined, inFrame, path, resolution);
  const of = resolution.node(operand ?? "", `${path}.field`);
  return of === undefined ? undefined : rankingOf(node, of, inFrame, path, resolution);
}

/** The aggregates that have no window, by the names that users call. */
const groupNames: { readonly [F in AnyAggregateFunction]?: string } = {
  count_distinct: "countDistinct",
  text_agg: listings.text_agg.name,
  list_agg: listings.list_agg.name,
};

function resolveWindow(
  { of, window }: WindowNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const name = of.kind === "aggregate" ? groupNames[of.func] : undefined;
  if (name !== undefined) resolution.add("INVALID_AGGREGATE", `${name} cannot be used over a window`, path);
  const value =
    of.kind === "aggregate"
      ? resolveAggregate(of, path, resolution)
      : resolveRanking(of, path, resolution, Object(window).frame !== undefined);
  return overWindow(value, window, `${path}.over`, resolution);
}
