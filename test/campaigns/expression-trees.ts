/**
 * Random expressions as plain data. `expression-generator.ts` makes them; `expression-evaluator.ts` says what each gives,
 * `expression-builder.ts` makes it with the functions of the package: neither knows the other.
 */

export type Kind = "int" | "big" | "dec" | "num" | "text" | "bool" | "date" | "json";

export interface Type {
  readonly kind: Kind;
  /** The digits after the point of a decimal. */
  readonly scale: number;
}

/** An exact decimal: a whole number of its last digit. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** A document, or a part of one. */
export interface Json {
  readonly json: unknown;
}

/** A value: ints and bigs are bigints, nums are numbers. */
export type Value = null | bigint | number | string | boolean | Date | Decimal | Json;

export type Row = Readonly<Record<string, Value>>;

interface Typed {
  readonly type: Type;
}

export type Tree = Typed &
  (
    | { readonly op: "field"; readonly name: string }
    | { readonly op: "constant"; readonly value: Exclude<Value, null> }
    | {
        readonly op: "param";
        readonly name: string;
        readonly value: Exclude<Value, null>;
        readonly typed: boolean;
      }
    | { readonly op: "path"; readonly name: string; readonly keys: readonly (string | number)[] }
    | { readonly op: "call"; readonly func: string; readonly args: readonly Tree[]; readonly digits?: number }
    | {
        readonly op: "cast";
        readonly to: "text" | "integer" | "number" | "boolean";
        readonly args: readonly [Tree];
      }
    | { readonly op: "date"; readonly func: string; readonly unit: string; readonly args: readonly Tree[] }
    | { readonly op: "when"; readonly condition: Condition }
    | {
        readonly op: "case";
        readonly whens: readonly { readonly condition: Condition; readonly label: Tree }[];
        readonly otherwise: Tree | undefined;
      }
  );

export type Condition =
  | {
      readonly op: "compare";
      readonly operator: string;
      readonly left: Tree;
      readonly param: string;
      readonly values: readonly Exclude<Value, null>[];
    }
  | { readonly op: "null"; readonly left: Tree; readonly is: boolean }
  | { readonly op: "not"; readonly member: Condition }
  | { readonly op: "group"; readonly logic: "and" | "or"; readonly members: readonly Condition[] };

/** What stands directly inside a tree. */
export function insideOf(tree: Tree): readonly Tree[] {
  return "args" in tree ? tree.args : [];
}

/** The trees inside a tree, and itself last. */
export function withInside(tree: Tree): readonly Tree[] {
  if (tree.op === "when") return [...operandsOf(tree.condition).flatMap(withInside), tree];
  if (tree.op === "case") {
    const conditions = tree.whens.flatMap(({ condition }) => operandsOf(condition));
    const labels = tree.whens.map(({ label }) => label);
    return [
      ...[...conditions, ...labels, ...(tree.otherwise ? [tree.otherwise] : [])].flatMap(withInside),
      tree,
    ];
  }
  return "args" in tree ? [...tree.args.flatMap(withInside), tree] : [tree];
}

/** What a condition compares. */
export function operandsOf(condition: Condition): readonly Tree[] {
  if (condition.op === "not") return operandsOf(condition.member);
  return condition.op === "group" ? condition.members.flatMap(operandsOf) : [condition.left];
}
