/**
 * Random expressions as plain data. `expression-evaluator.ts` says what each gives, `expression-builder.ts` makes it
 * with the functions of the package: neither knows the other.
 */

export type Kind = "int" | "big" | "dec" | "num" | "text" | "bool" | "date";

export interface Type {
  readonly kind: Kind;
  /** The digits behind the point of a decimal. */
  readonly scale: number;
}

/** An exact decimal: a whole number of its last digit. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** A value: ints and bigs are bigints, nums are numbers. */
export type Value = null | bigint | number | string | boolean | Date | Decimal;

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

/** Numbers that look random and are the same for a seed. */
export class Chance {
  #state: number;
  #params = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  of<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error("a choice of nothing");
    return one;
  }

  /** A parameter name that no other place has. */
  param(): string {
    return `p${this.#params++}`;
  }
}

/** The fields of the table, by name. */
export const fields: Readonly<Record<string, Type & { readonly nullable: boolean }>> = {
  i1: { kind: "int", scale: 0, nullable: false },
  i2: { kind: "int", scale: 0, nullable: true },
  b1: { kind: "big", scale: 0, nullable: false },
  b2: { kind: "big", scale: 0, nullable: true },
  p2: { kind: "dec", scale: 2, nullable: false },
  p4: { kind: "dec", scale: 4, nullable: true },
  p0: { kind: "dec", scale: 0, nullable: true },
  n1: { kind: "num", scale: 0, nullable: false },
  n2: { kind: "num", scale: 0, nullable: true },
  t1: { kind: "text", scale: 0, nullable: false },
  t2: { kind: "text", scale: 0, nullable: true },
  f1: { kind: "bool", scale: 0, nullable: false },
  f2: { kind: "bool", scale: 0, nullable: true },
  d1: { kind: "date", scale: 0, nullable: false },
  d2: { kind: "date", scale: 0, nullable: true },
};

/** The digits of the decimals that fields have, before and behind the point. */
const digits: Readonly<Record<string, number>> = { p2: 8, p4: 5, p0: 6 };

const day = (text: string) => new Date(`${text}Z`);

// Ends of months, leap days, ISO weeks at the turn of a year, both ends of the calendar.
const dates: readonly Date[] = [
  "2024-02-29T23:59:59.999",
  "2023-02-28T00:00:00.000",
  "2024-01-31T12:30:00.000",
  "2025-08-31T00:00:00.001",
  "2020-12-31T23:59:59.999",
  "2021-01-03T10:00:00.000",
  "2021-01-04T00:00:00.000",
  "2018-12-31T05:06:07.008",
  "2016-01-01T00:00:00.000",
  "2000-02-29T06:00:00.500",
  "1970-01-01T00:00:00.000",
  "1969-12-31T23:59:59.999",
  "1900-03-01T01:02:03.004",
  "2100-02-28T22:00:00.000",
].map(day);
const farDates: readonly Date[] = [
  "0001-01-01T00:00:00.000",
  "0004-02-29T00:00:00.000",
  "9999-12-31T23:59:59.999",
  "1582-10-15T00:00:00.000",
].map(day);

const texts: readonly string[] = [
  "",
  " ",
  "a",
  "A",
  "Ann Low",
  "  two  blanks ",
  "100%",
  "a_b\\c",
  "it's",
  '"quoted"',
  "日本語",
  "x\u{1F600}y",
  "\uFF5E",
  "ab\tc\nd",
  "zzz ZZZ 09",
];

/** A value of a type; far ones are at the ends of its range. */
export function someOf(chance: Chance, { kind, scale }: Type, far: boolean, whole = 6): Exclude<Value, null> {
  switch (kind) {
    case "int": {
      if (far) return chance.of([9007199254740991n, -9007199254740991n, 4294967296n, -2147483648n, 0n]);
      return chance.of([0n, 1n, -1n, 2n, BigInt(chance.below(2001) - 1000), BigInt(chance.below(21) - 10)]);
    }
    case "big": {
      const edge = 2n ** 63n;
      if (far) return chance.of([edge - 1n, -edge, -edge + 1n, 9007199254740993n, 0n, -1n]);
      return chance.of([0n, 1n, -1n, BigInt(chance.below(200_001) - 100_000), -7n, 10n]);
    }
    case "dec": {
      const most = 10n ** BigInt(whole + scale) - 1n;
      if (far) return { units: chance.of([most, -most, 1n, -1n, 0n, most / 2n]), scale };
      const some = BigInt(chance.below(1_000_000) - 500_000);
      return {
        units: chance.of([0n, 1n, -1n, 5n, some, some / 1000n, 10n ** BigInt(scale)]) % (most + 1n),
        scale,
      };
    }
    case "num":
      if (far) return chance.of([1e15, -1e15, 0.1, -0.1, 1.5e-5, 123456789.125, 0]);
      return chance.of([0, 1, -1, 0.5, -2.5, (chance.below(20_001) - 10_000) / 8, chance.below(100)]);
    case "text":
      return chance.of(texts);
    case "bool":
      return chance.oneIn(2);
    case "date":
      return far ? chance.of(farDates) : chance.of(dates);
  }
}

/** A row of the table; its `id` is a whole number. */
export function rowOf(chance: Chance, id: number, far: boolean): Row {
  const row: Record<string, Value> = { id: BigInt(id) };
  for (const [name, type] of Object.entries(fields))
    row[name] =
      type.nullable && chance.oneIn(4) ? null : someOf(chance, type, far && !chance.oneIn(4), digits[name]);
  return row;
}

const scalars: readonly Kind[] = ["int", "big", "dec", "num", "text", "bool", "date"];
const MOST_SCALE = 18;

const plain = (kind: Kind, scale = 0): Type => ({ kind, scale });

/** A random expression of some type. */
export function anyTree(chance: Chance, depth: number): Tree {
  const kind = chance.of([...scalars, "dec", "int", "date"] as const);
  return treeOf(chance, plain(kind, kind === "dec" ? chance.of([0, 2, 4, 6]) : 0), depth);
}

/** A random expression of a type; of a decimal the scale is a wish. */
export function treeOf(chance: Chance, type: Type, depth: number): Tree {
  if (depth <= 0) return leafOf(chance, type);
  const general = chance.below(8);
  if (general === 0) return leafOf(chance, type);
  if (general === 1) return chosen(chance, type, depth);
  switch (type.kind) {
    case "int":
      return wholeTree(chance, depth);
    case "big":
      return sameKind(chance, plain("big"), depth);
    case "dec":
      return decimalTree(chance, type.scale, depth);
    case "num":
      return numberTree(chance, depth);
    case "text":
      return textTree(chance, depth);
    case "bool":
      if (chance.oneIn(2)) return { op: "when", condition: conditionOf(chance, depth - 1), type };
      return cast(chance, "boolean", depth);
    case "date":
      return dateTree(chance, depth);
  }
}

function leafOf(chance: Chance, type: Type): Tree {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === type.kind);
  const some = someOf(chance, type, chance.oneIn(8));
  // A constant that is whole would be a whole number wherever nothing beside it says otherwise.
  const constant = type.kind === "num" && Number.isInteger(some) ? Number(some) + 0.5 : some;
  const choice = chance.below(6);
  if (choice === 0 && type.kind !== "dec") return { op: "constant", value: constant, type };
  if (choice === 1) return { op: "param", name: chance.param(), value: constant, typed: true, type };
  const name = chance.of(names);
  const { kind, scale } = fields[name] ?? type;
  return { op: "field", name, type: { kind, scale } };
}

/** A parameter or a constant that has the type of what stands beside it. */
function besideOf(chance: Chance, type: Type, depth: number): Tree {
  const choice = chance.below(4);
  const value = someOf(chance, type, false, 3);
  if (choice === 0) return { op: "param", name: chance.param(), value, typed: false, type };
  if (choice === 1) return { op: "constant", value, type };
  return treeOf(chance, type, depth - 1);
}

const call = (func: string, type: Type, ...args: readonly Tree[]): Tree => ({ op: "call", func, args, type });

/** One of several values: the first that is not null, one that is not another, one that a condition chooses. */
function chosen(chance: Chance, type: Type, depth: number): Tree {
  const first = treeOf(chance, type, depth - 1);
  const own = first.type;
  const other = () => besideOf(chance, own, depth);
  const widest = (...all: readonly Tree[]) => plain(own.kind, Math.max(...all.map((one) => one.type.scale)));
  switch (chance.below(type.kind === "bool" ? 3 : 4)) {
    case 3: {
      const others = Array.from({ length: 1 + chance.below(2) }, other);
      return call(chance.of(["greatest", "least"]), widest(first, ...others), first, ...others);
    }
    case 0: {
      const others = Array.from({ length: 1 + chance.below(2) }, other);
      return call("coalesce", widest(first, ...others), first, ...others);
    }
    case 1: {
      const that = other();
      return call("nullIf", widest(first, that), first, that);
    }
    default: {
      // A label has as many digits as the schema of the labels or fewer.
      const whens = Array.from({ length: 1 + chance.below(2) }, () => ({
        condition: conditionOf(chance, depth - 1),
        label: treeOf(chance, own, depth - 2),
      }));
      const otherwise = chance.oneIn(3) ? undefined : first;
      const labels = [...whens.map(({ label }) => label), ...(otherwise === undefined ? [] : [otherwise])];
      return { op: "case", whens, otherwise, type: widest(...labels) };
    }
  }
}

const signs = ["add", "sub", "mul", "div", "mod"] as const;

function sameKind(chance: Chance, type: Type, depth: number): Tree {
  if (chance.oneIn(6)) return call(chance.of(["neg", "abs"]), type, treeOf(chance, type, depth - 1));
  const first = treeOf(chance, type, depth - 1);
  return inAnyOrder(chance, chance.of(signs), type, first, besideOf(chance, type, depth));
}

function inAnyOrder(chance: Chance, func: string, type: Type, one: Tree, other: Tree): Tree {
  return chance.oneIn(3) ? call(func, type, other, one) : call(func, type, one, other);
}

const parts = ["year", "quarter", "month", "week", "day", "weekday", "hour", "minute", "second"] as const;
const units = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;

function wholeTree(chance: Chance, depth: number): Tree {
  const inside = depth - 1;
  const type = plain("int");
  switch (chance.below(6)) {
    case 0:
      return call("length", type, treeOf(chance, plain("text"), inside));
    case 1:
      return {
        op: "date",
        func: "datePart",
        unit: chance.of(parts),
        args: [treeOf(chance, plain("date"), inside)],
        type,
      };
    case 2: {
      const [from, to] = [treeOf(chance, plain("date"), inside), treeOf(chance, plain("date"), inside)];
      return { op: "date", func: "dateDiff", unit: chance.of(units), args: [from, to], type };
    }
    case 3:
      return cast(chance, "integer", depth);
    default:
      return sameKind(chance, type, depth);
  }
}

function decimalTree(chance: Chance, wish: number, depth: number): Tree {
  const inside = depth - 1;
  const one = treeOf(chance, plain("dec", wish), inside);
  const { scale } = one.type;
  const choice = chance.below(8);
  if (choice === 0) return call(chance.of(["neg", "abs"]), one.type, one);
  if (choice === 1) return call(chance.of(["ceil", "floor"]), plain("dec"), one);
  if (choice === 2) {
    const most = chance.below(7);
    return { op: "call", func: "round", args: [one], digits: most, type: plain("dec", most) };
  }
  const other =
    choice === 3
      ? treeOf(chance, plain(chance.of(["int", "big"])), inside)
      : choice === 4
        ? besideOf(chance, plain("dec", scale), depth)
        : treeOf(chance, plain("dec", chance.of([0, 2, 4])), inside);
  const func = chance.of(signs);
  const greater = Math.max(scale, other.type.scale);
  const result = func === "mul" ? scale + other.type.scale : func === "div" ? greater + 4 : greater;
  // What has more digits than SQLite is rounded first.
  if (result > MOST_SCALE - 4) {
    const rounded: Tree = { op: "call", func: "round", args: [one], digits: 2, type: plain("dec", 2) };
    return rounded;
  }
  return inAnyOrder(chance, func, plain("dec", result), one, other);
}

function numberTree(chance: Chance, depth: number): Tree {
  const inside = depth - 1;
  const type = plain("num");
  switch (chance.below(6)) {
    case 0:
      return call(chance.of(["ceil", "floor", "abs", "neg"]), type, treeOf(chance, type, inside));
    case 1: {
      // SQLite takes a number whose sixteenth digit is below a half for the half.
      const of = chance.oneIn(2) ? leafOf(chance, type) : treeOf(chance, plain("int"), inside);
      return { op: "call", func: "round", args: [of], digits: chance.below(4), type };
    }
    case 2:
      return call("sqrt", type, treeOf(chance, plain(chance.of(["num", "int", "dec"])), inside));
    case 3:
      return cast(chance, "number", depth);
    default: {
      // The remainder of binary fractions is not the same everywhere.
      const func = chance.of(["add", "sub", "mul", "div"]);
      const other = treeOf(chance, plain(chance.of(["num", "int"])), inside);
      return inAnyOrder(chance, func, type, treeOf(chance, type, inside), other);
    }
  }
}

function textTree(chance: Chance, depth: number): Tree {
  const inside = depth - 1;
  const type = plain("text");
  const text = () => treeOf(chance, type, inside);
  const count = (least: number): Tree => {
    const value = BigInt(least + chance.below(4));
    return { op: "constant", value, type: plain("int") };
  };
  switch (chance.below(6)) {
    case 0:
      return call(chance.of(["upper", "lower"]), type, text());
    case 1:
      return call(chance.of(["trim", "ltrim", "rtrim"]), type, text());
    case 2:
      return call("concat", type, ...Array.from({ length: 1 + chance.below(3) }, text));
    case 3:
      return call("substring", type, text(), count(1), count(0));
    case 4:
      return call("replace", type, text(), leafOf(chance, type), leafOf(chance, type));
    default:
      return cast(chance, "text", depth);
  }
}

function dateTree(chance: Chance, depth: number): Tree {
  const date = treeOf(chance, plain("date"), depth - 1);
  if (chance.oneIn(2))
    return {
      op: "date",
      func: "dateTrunc",
      unit: chance.of(units.slice(0, -1)),
      args: [date],
      type: date.type,
    };
  const count: Tree = { op: "constant", value: BigInt(chance.below(61) - 30), type: plain("int") };
  const by = chance.oneIn(3) ? treeOf(chance, plain("int"), depth - 2) : count;
  return { op: "date", func: "dateAdd", unit: chance.of(units), args: [date, by], type: date.type };
}

const castable: Readonly<Record<string, readonly Kind[]>> = {
  text: ["int", "big", "dec", "num", "bool", "date", "text"],
  integer: ["int", "dec", "num", "bool"],
  number: ["int", "dec", "num", "bool"],
  boolean: ["int", "dec", "bool"],
};
const results: Readonly<Record<string, Kind>> = {
  text: "text",
  integer: "int",
  number: "num",
  boolean: "bool",
};

function cast(chance: Chance, to: "text" | "integer" | "number" | "boolean", depth: number): Tree {
  const kind = chance.of(castable[to] ?? []);
  const of = treeOf(chance, plain(kind, kind === "dec" ? 2 : 0), depth - 1);
  return { op: "cast", to, args: [of], type: plain(results[to] ?? "text") };
}

const ordered = ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN", "BETWEEN", "NOT BETWEEN"] as const;
const sought = ["CONTAINS", "STARTS WITH", "ENDS WITH", "ICONTAINS", "ISTARTS WITH", "IENDS WITH"] as const;

/** A random condition. */
export function conditionOf(chance: Chance, depth: number): Condition {
  if (depth > 0 && chance.oneIn(4)) {
    const members = Array.from({ length: 2 + chance.below(2) }, () => conditionOf(chance, depth - 1));
    return { op: "group", logic: chance.oneIn(2) ? "and" : "or", members };
  }
  if (depth > 0 && chance.oneIn(6)) return { op: "not", member: conditionOf(chance, depth - 1) };
  const left = anyTree(chance, depth);
  if (chance.oneIn(6)) return { op: "null", left, is: chance.oneIn(2) };
  const { kind } = left.type;
  const operators =
    kind === "bool" ? ordered.slice(0, 2) : kind === "text" ? [...ordered, ...sought] : ordered;
  const operator = chance.of<string>(operators);
  const count = operator.endsWith("BETWEEN") ? 2 : operator.endsWith("IN") ? chance.below(4) : 1;
  const values = Array.from({ length: count }, () => someOf(chance, left.type, chance.oneIn(8), 4));
  return { op: "compare", operator, left, param: chance.param(), values };
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
