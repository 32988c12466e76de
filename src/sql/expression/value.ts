/** Expressions as values: created by the functions of this folder, named by `as`, checked where they are used. */
import { describeType } from "../../core/errors.js";
import { frozenCopy } from "../ast/copy.js";
import type { AggregateNode, ExpressionNode, WindowFunctionNode, WindowParts } from "../ast/expression.js";
import { ExpressionOperand, NamedExpression } from "../ast/expression.js";
import type { Window } from "../words/windows.js";
import { specsOf } from "./condition.js";

/** The methods of every expression without a name. */
export class PlainValue extends ExpressionOperand {
  constructor(node: ExpressionNode) {
    super(node);
    Object.freeze(this);
  }

  as(alias: string): NamedExpression {
    return new NamedExpression(this.node, alias);
  }
}

/**
 * The value of a node, with the type of the function that made it. Results and requirements of an expression exist only
 * as types, which the cast sets.
 */
export function typedValue<V>(node: ExpressionNode): V {
  return new PlainValue(node) as unknown as V;
}

/** An aggregate, over the rows of a group or of a window. */
export class AggregateExpression extends PlainValue {
  readonly #node: AggregateNode;

  constructor(node: AggregateNode) {
    super(node);
    this.#node = node;
  }

  filter(condition: unknown): AggregateExpression {
    const [filter] = specsOf([condition]);
    return new AggregateExpression({ ...this.#node, filter });
  }

  over(window?: Window): PlainValue {
    return overWindow(this.#node, window);
  }
}

/** A function that requires a window. */
export class WindowFunctionExpression {
  readonly #node: WindowFunctionNode;

  constructor(node: WindowFunctionNode) {
    this.#node = Object.freeze(node);
  }

  over(window?: Window): PlainValue {
    return overWindow(this.#node, window);
  }
}

function overWindow(of: AggregateNode | WindowFunctionNode, window: unknown = {}): PlainValue {
  return new PlainValue({ kind: "window", of, window: windowParts(window) });
}

/**
 * The parts of a window. An untyped caller may give any value, and may change it later. Expressions never change, so
 * they are kept; everything else is copied. A value that cannot be copied is replaced by a description, which the check
 * refuses: making an expression never throws.
 */
export function windowParts(window: unknown): WindowParts {
  try {
    if (typeof window !== "object" || window === null || Array.isArray(window)) return copied(window);
    const parts: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(window))
      if (part !== undefined) parts[key] = key === "frame" ? frozenCopy(part) : operandsIn(part);
    return Object.freeze(parts);
  } catch {
    return copied(describeType(window));
  }
}

// The check examines each part of it.
function copied(window: unknown): WindowParts {
  return frozenCopy(window) as WindowParts;
}

function operandsIn(part: unknown): unknown {
  if (ExpressionOperand.own(part) !== undefined) return part;
  return Array.isArray(part) ? Object.freeze(Array.from(part, operandsIn)) : frozenCopy(part);
}
