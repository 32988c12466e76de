/**
 * Expressions as data: the resolver's input for an expression in `fields`, in a condition or in an order. Specs have
 * only plain aggregates, so only our own functions make these nodes: a spec from outside is copied, and a copy is not
 * an `ExpressionOperand`.
 */
import type { ByDialect, ColumnInfo, Storage } from "../declare/declaration.js";
import type { Dialect } from "../words/dialect.js";
import type {
  AnyAggregateFunction,
  ArithmeticFunction,
  CallName,
  CastTarget,
  DateFunction,
  ExtremeFunction,
  WindowFunction,
} from "../words/functions.js";
import type { PathKey } from "../words/paths.js";
import type { Window } from "../words/windows.js";
import { BuilderOnly } from "./builder-only.js";
import {
  type ConstantNode,
  type GivenMap,
  type GivenNode,
  type HoleNode,
  NO_CONSTANTS,
} from "./given-node.js";
import { countKey, keyOf, listKey, textKey } from "./key.js";
import type { ConditionSpec } from "./spec.js";

/** The operand of an expression: the name of a field, or another expression. */
export type OperandNode = string | ExpressionNode;

/** Values as a Zod schema describes them. */
export interface DescribedValues {
  readonly schema: ColumnInfo["schema"];
  readonly storage: Storage;
  readonly nullable: boolean;
  /** The declared type, if it is the schema of a column. */
  readonly type?: ByDialect | undefined;
}

/** A field as an expression. */
interface FieldNode {
  readonly kind: "field";
  readonly name: string;
}

/** The value that an upsert proposes for a field. */
interface InsertedNode {
  readonly kind: "inserted";
  readonly name: string;
}

/** Text of the program itself, with operands in its holes. */
export interface RawNodeText {
  /** The text before each hole, and after the last one. */
  readonly texts: readonly string[];
  readonly holes: readonly OperandNode[];
}

/** Text whose values have a schema: one text for all dialects, or one for each named dialect. */
export interface RawNode {
  readonly kind: "raw";
  readonly of: DescribedValues;
  readonly text: RawNodeText | Readonly<Partial<Record<Dialect, RawNodeText>>>;
}

/** A parameter. Without a description it has the values of the other operand. */
export interface ParamNode {
  readonly kind: "param";
  readonly name: string;
  readonly of?: DescribedValues | undefined;
}

/** A value that an untyped caller gave in place of an operand. */
export interface InvalidNode {
  readonly kind: "invalid";
  /** Its description in errors. */
  readonly what: string;
}

export interface AggregateNode {
  readonly kind: "aggregate";
  readonly func: AnyAggregateFunction;
  /** Without an operand the function counts rows. */
  readonly operand?: OperandNode | undefined;
  readonly filter?: ConditionSpec | undefined;
  /** The text between two values of `text_agg`. */
  readonly separator?: OperandNode | undefined;
  /** The order of the values of a list, in the form of a window's order. */
  readonly options?: WindowParts | undefined;
}

export interface CallNode {
  readonly kind: "call";
  readonly func: CallName;
  readonly operands: readonly OperandNode[];
  /** The other arguments of the function: parameters, constants, and other operands. */
  readonly params: readonly OperandNode[];
  /** The number of digits of `round`. It is written into the text. */
  readonly digits?: number | undefined;
}

/** A calculation with one or two numbers. */
export interface ArithmeticNode {
  readonly kind: "arithmetic";
  readonly func: ArithmeticFunction;
  readonly operands: readonly OperandNode[];
}

/** An aggregate of the rows that a relation leads to, for each row. */
export interface OfNode {
  readonly kind: "of";
  /** The relation, which an untyped caller may have made. */
  readonly relation: unknown;
  readonly aggregate: OperandNode;
}

/** A condition as an expression. */
export interface TestNode {
  readonly kind: "test";
  readonly condition: ConditionSpec;
}

/** The greatest or the least of several values. */
export interface ExtremeNode {
  readonly kind: "extreme";
  readonly func: ExtremeFunction;
  readonly operands: readonly OperandNode[];
}

export interface CastNode {
  readonly kind: "cast";
  readonly operand: OperandNode;
  readonly to: CastTarget;
}

export interface DateNode {
  readonly kind: "date";
  readonly func: DateFunction;
  readonly unit: string;
  readonly date: OperandNode;
  /** The number of units to add, or the date up to which units are counted. */
  readonly other?: OperandNode | undefined;
  /** The time zone: its name, or a parameter or constant that holds it. Absent: UTC. */
  readonly zone?: OperandNode | undefined;
}

/** A value inside a JSON value. */
export interface PathNode {
  readonly kind: "path";
  readonly of: OperandNode;
  /** The steps of the path, which an untyped caller may have made. */
  readonly keys: readonly PathKey[];
}

export interface CaseNode {
  readonly kind: "case";
  readonly labels: DescribedValues;
  readonly whens: readonly { readonly condition: ConditionSpec; readonly label: OperandNode }[];
  readonly otherwise?: OperandNode | undefined;
}

export interface WindowFunctionNode {
  readonly kind: "window function";
  readonly func: WindowFunction;
  readonly operand?: OperandNode | undefined;
  /** The number of buckets of `ntile`, or the offset of `lag` and `lead`. It is written into the text. */
  readonly count?: number | undefined;
}

/** The window of a node. It names fields, and contains expressions as values. */
export type WindowParts = Window<string | ExpressionOperand>;

export interface WindowNode {
  readonly kind: "window";
  readonly of: AggregateNode | WindowFunctionNode;
  readonly window: WindowParts;
}

/** The distance of a vector from a parameter. */
export interface DistanceNode {
  readonly kind: "distance";
  readonly field: string;
  readonly operator: string;
  readonly param: unknown;
}

export type ExpressionNode =
  | FieldNode
  | InsertedNode
  | RawNode
  | ParamNode
  | ConstantNode
  | HoleNode
  | InvalidNode
  | AggregateNode
  | CallNode
  | ArithmeticNode
  | ExtremeNode
  | OfNode
  | TestNode
  | CastNode
  | DateNode
  | PathNode
  | CaseNode
  | WindowFunctionNode
  | WindowNode
  | DistanceNode;

/** An expression of our own functions, with a name or without one. */
export abstract class ExpressionOperand extends BuilderOnly {
  readonly what = "expressions";
  readonly node: ExpressionNode;

  constructor(node: ExpressionNode) {
    super();
    this.node = Object.freeze(node);
  }

  override get key(): string | undefined {
    return keyOfNode(this.node);
  }

  override get constants(): readonly ConstantNode[] {
    const { node } = this;
    return node.kind === "constant" ? [node] : NO_CONSTANTS;
  }

  override mapped(map: GivenMap): ExpressionOperand {
    const { node } = this;
    if (node.kind !== "constant" && node.kind !== "hole") return this;
    const other = map(node);
    return other === node ? this : new GivenOperand(other);
  }
}

/** A constant in the place of a parameter, or its place in a draft. */
export class GivenOperand extends ExpressionOperand {
  override readonly node: GivenNode;

  constructor(node: GivenNode) {
    super(node);
    this.node = node;
    Object.freeze(this);
  }
}

/** The constant, or its place, that stands where a parameter could; undefined for any other value. */
export function givenNode(value: unknown): GivenNode | undefined {
  if (typeof value !== "object") return undefined;
  const node = ExpressionOperand.own(value)?.node;
  return node?.kind === "constant" || node?.kind === "hole" ? node : undefined;
}

/** A constant in the place of a parameter, as a part of the key of a step: its value does not count. */
export function paramPart(param: unknown): unknown {
  return givenNode(param) === undefined ? param : ANY_CONSTANT;
}

class AnyConstant extends BuilderOnly {
  readonly what = "values";

  constructor() {
    super();
    Object.freeze(this);
  }

  override get key(): string {
    return "value";
  }
}

/** Stands for every constant in the arguments of a step that is found again. */
export const ANY_CONSTANT: BuilderOnly = new AnyConstant();

/** An expression and the name that it has in the row. */
export class NamedExpression extends ExpressionOperand {
  readonly alias: string;

  constructor(node: ExpressionNode, alias: string) {
    super(node);
    this.alias = alias;
    Object.freeze(this);
  }

  override get key(): string | undefined {
    const own = super.key;
    return own === undefined ? undefined : keyOf(own, "as", this.alias);
  }
}

// A longer key would cost more than the cached result saves.
const DEEPEST_KEY = 8;

/** The key of an expression, if it is cheap to compute. Windows, labels and filters have none. */
function keyOfNode(node: ExpressionNode, depth = 0): string | undefined {
  if (depth > DEEPEST_KEY) return undefined;
  const inside = (operand: unknown) => keyOfOperand(operand, depth + 1);
  switch (node.kind) {
    case "field":
      return listKey("field", [node.name], textKey);
    case "inserted":
      return listKey("inserted", [node.name], textKey);
    case "param":
      return node.of === undefined ? listKey("param", [node.name], textKey) : undefined;
    case "aggregate":
      if (node.filter !== undefined || node.separator !== undefined || node.options !== undefined)
        return undefined;
      return listKey(node.func, node.operand === undefined ? [] : [node.operand], inside);
    case "call":
      return listKey(
        `${node.func}#${node.operands.length}${countKey("#", node.digits) ?? ""}`,
        [...node.operands, ...node.params],
        inside,
      );
    case "arithmetic":
    case "extreme":
      return listKey(node.func, node.operands, inside);
    case "cast":
      // An untyped caller may give any value as a type.
      if (typeof node.to !== "string") return undefined;
      return listKey(`cast#${node.to}`, [node.operand], inside);
    case "date":
      if (typeof node.unit !== "string") return undefined;
      return listKey(
        `date#${node.func}`,
        // The unit comes first, so it is never confused with an operand. Each function has as many parts, and a zone last.
        [node.unit, node.date, ...[node.other, node.zone].filter((part) => part !== undefined)],
        inside,
      );
    case "path": {
      const of = keyOfOperand(node.of, depth + 1);
      return of === undefined ? undefined : listKey(`path\0${of}`, node.keys, keyOfStep);
    }
    default:
      return undefined;
  }
}

// Names and positions in a list have different keys. Other values of an untyped caller have no key.
function keyOfStep(step: unknown): string | undefined {
  if (typeof step === "number") return `#${step}`;
  return typeof step === "string" ? textKey(`.${step}`) : undefined;
}

// The key of an expression follows an empty part. No name is empty, so the key never equals a name.
function keyOfOperand(operand: unknown, depth: number): string | undefined {
  if (typeof operand !== "object") return textKey(operand);
  // Operands are names and our own nodes.
  const key = keyOfNode(operand as ExpressionNode, depth);
  return key === undefined ? undefined : `\0${key}`;
}
