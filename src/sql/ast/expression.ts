/**
 * Expressions as data: what a named one in `fields` is to the check and the renderer. Specs have only plain
 * aggregates, so these come from our own functions alone: a spec from outside is copied, and a copy is no
 * `NamedExpression`.
 */
import type { ColumnInfo, Storage } from "../declare/declaration.js";
import type { AggregateFunction, CallName, CastTarget, WindowFunction } from "../words/functions.js";
import type { Window } from "../words/windows.js";
import { countKey, keyOf, listKey, textKey } from "./key.js";
import type { ConditionSpec } from "./spec.js";

/** What an expression is of: a field by its name, or another expression. */
export type Operand = string | ExpressionNode;

export interface AggregateNode {
  readonly kind: "aggregate";
  readonly func: AggregateFunction;
  /** None counts rows. */
  readonly operand?: Operand | undefined;
  readonly filter?: ConditionSpec | undefined;
}

export interface CallNode {
  readonly kind: "call";
  readonly func: CallName;
  readonly operands: readonly Operand[];
  readonly params: readonly string[];
  /** The digits of `round`, written into the text. */
  readonly digits?: number | undefined;
}

export interface CastNode {
  readonly kind: "cast";
  readonly operand: Operand;
  readonly to: CastTarget;
}

export interface CaseNode {
  readonly kind: "case";
  readonly labels: {
    readonly schema: ColumnInfo["schema"];
    readonly storage: Storage;
    readonly nullable: boolean;
  };
  readonly whens: readonly { readonly condition: ConditionSpec; readonly param: string }[];
  readonly otherwise?: string | undefined;
}

export interface WindowFunctionNode {
  readonly kind: "window function";
  readonly func: WindowFunction;
  readonly operand?: Operand | undefined;
  /** The buckets of `ntile`, the distance of `lag` and `lead`; written into the text. */
  readonly count?: number | undefined;
}

export interface WindowNode {
  readonly kind: "window";
  readonly of: AggregateNode | WindowFunctionNode;
  readonly window: Window;
}

/** The distance of a vector from a parameter. */
export interface DistanceNode {
  readonly kind: "distance";
  readonly field: string;
  readonly operator: string;
  readonly param: string;
}

export type ExpressionNode =
  | AggregateNode
  | CallNode
  | CastNode
  | CaseNode
  | WindowFunctionNode
  | WindowNode
  | DistanceNode;

/** Something of a builder that specs do not have. */
export abstract class BuilderOnly {
  // A proxy has no private members, so it cannot pass for one of ours and answer the check and the renderer differently.
  readonly #mark = true;

  /** What it is, for the error of a spec that was asked for. */
  abstract readonly what: string;

  /** Whether a value of an untyped caller is one. */
  static isOne(value: unknown): value is BuilderOnly {
    return typeof value === "object" && value !== null && #mark in value;
  }
}

/** An expression and the name that it has in the row. */
export class NamedExpression extends BuilderOnly {
  readonly what = "expressions";
  readonly node: ExpressionNode;
  readonly alias: string;

  constructor(node: ExpressionNode, alias: string) {
    super();
    this.node = node;
    this.alias = alias;
    Object.freeze(this);
  }

  /** What tells it from all others, where that is told quickly: not that of windows, labels and filters. */
  get key(): string | undefined {
    const { node, alias } = this;
    const own = keyOfNode(node);
    return own === undefined ? undefined : keyOf(own, "as", alias);
  }
}

function keyOfNode(node: ExpressionNode): string | undefined {
  switch (node.kind) {
    case "aggregate":
      if (node.filter !== undefined) return undefined;
      return node.operand === undefined ? keyOf(node.func) : keyOf(node.func, node.operand);
    case "call":
      return node.digits === undefined
        ? listKey(`${node.func}#${node.operands.length}`, [...node.operands, ...node.params], textKey)
        : keyOf(node.func, node.operands[0], countKey("digits", node.digits));
    case "cast":
      return keyOf("cast", node.operand, node.to);
    default:
      return undefined;
  }
}

/** Whether a value of an untyped caller is an expression with a name. */
export function isNamedExpression(value: unknown): value is NamedExpression {
  return BuilderOnly.isOne(value) && value instanceof NamedExpression;
}

/** `distance(field, :param) < :limit`. */
export class DistanceCondition extends BuilderOnly {
  readonly what = "distances in conditions";
  readonly distance: DistanceNode;
  readonly comparison: string;
  readonly limit: string;

  constructor(distance: DistanceNode, comparison: string, limit: string) {
    super();
    this.distance = distance;
    this.comparison = comparison;
    this.limit = limit;
    Object.freeze(this);
  }
}
