/** Expressions as values: made by the functions of this folder, named by `as`, checked where they are used. */
import { describeType } from "../../core/errors.js";
import { frozenCopy } from "../ast/copy.js";
import type { AggregateNode, ExpressionNode, WindowFunctionNode } from "../ast/expression.js";
import { NamedExpression } from "../ast/expression.js";
import type { Window } from "../words/windows.js";
import { specsOf } from "./condition.js";

/** What every expression without a name can do. */
export class PlainValue {
  readonly #node: ExpressionNode;

  constructor(node: ExpressionNode) {
    this.#node = Object.freeze(node);
  }

  as(alias: string): NamedExpression {
    return new NamedExpression(this.#node, alias);
  }
}

/** An aggregate: of the rows of a group, or of a window. */
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

/** A function that only a window gives a meaning. */
export class WindowFunctionExpression {
  readonly #node: WindowFunctionNode;

  constructor(node: WindowFunctionNode) {
    this.#node = Object.freeze(node);
  }

  over(window?: Window): PlainValue {
    return overWindow(this.#node, window);
  }
}

// What an untyped caller gives may change later, so it is copied; the check sees what the renderer will.
function overWindow(of: AggregateNode | WindowFunctionNode, window: unknown = {}): PlainValue {
  // Plain JSON, and the check looks at each part of it.
  return new PlainValue({ kind: "window", of, window: copyOf(window) as Window });
}

// What cannot be copied becomes a word for it, which the check refuses: making an expression never throws.
function copyOf(window: unknown): unknown {
  try {
    return frozenCopy(window);
  } catch {
    return describeType(window);
  }
}
