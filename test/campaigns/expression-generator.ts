/** Random expressions and conditions. */
import type { Chance } from "./expression-chance.js";
import type { Condition, Kind, Tree, Type, Value } from "./expression-trees.js";
import { fields, paths, someOf } from "./expression-values.js";

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
    case "json":
      return pathOf(chance, "json");
  }
}

/** What leads into a document. */
export function pathOf(chance: Chance, kind: Kind): Tree {
  return { op: "path", name: "j", keys: chance.of(paths[kind] ?? []), type: plain(kind) };
}

/** A field, a path, a parameter or a constant. */
export function leafOf(chance: Chance, type: Type): Tree {
  if (paths[type.kind] !== undefined && (type.kind === "json" || chance.oneIn(5)))
    return pathOf(chance, type.kind);
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

/** An expression of values at the ends of their ranges, most of which lead beyond. */
export function tooFar(chance: Chance): Tree {
  const edge = (kind: Kind): Tree => {
    const [type, names] = [plain(kind), Object.keys(fields).filter((name) => fields[name]?.kind === kind)];
    const choice = chance.below(3);
    if (choice === 0) return { op: "field", name: chance.of(names), type };
    const value = someOf(chance, type, true);
    // A double that is whole would be a whole number.
    const constant = typeof value === "number" ? value * 1e200 + 0.5 : value;
    if (choice === 1) return { op: "constant", value: constant, type };
    return { op: "param", name: chance.param(), value: constant, typed: true, type };
  };
  const kind = chance.of(["int", "big", "num", "date"] as const);
  const type = plain(kind);
  if (kind === "date") {
    const count: Tree = { op: "constant", value: BigInt(chance.below(200) - 100), type: plain("int") };
    return { op: "date", func: "dateAdd", unit: chance.of(units), args: [edge(kind), count], type };
  }
  if (chance.oneIn(5)) return call(chance.of(["neg", "abs"]), type, edge(kind));
  const func = chance.of(kind === "num" ? (["add", "sub", "mul", "div"] as const) : signs);
  return call(func, type, edge(kind), edge(kind));
}

/** One step beyond each end of each range, with constants and with a parameter: no server can give any of them. */
export function beyondEnds(): readonly Tree[] {
  type Leaf = (kind: Kind, value: Exclude<Value, null>) => Tree;
  const constant: Leaf = (kind, value) => ({ op: "constant", value, type: plain(kind) });
  const param: Leaf = (kind, value) => ({ op: "param", name: "end", value, typed: true, type: plain(kind) });
  const treesOf = (leaf: Leaf): readonly Tree[] => [
    ...numbersBeyond.map(([func, kind, first, ...others]) =>
      call(func, plain(kind), leaf(kind, first), ...others.map((other) => constant(kind, other))),
    ),
    ...datesBeyond.map(([date, count, unit]): Tree => {
      const args = [leaf("date", new Date(date)), constant("int", count)];
      return { op: "date", func: "dateAdd", unit, args, type: plain("date") };
    }),
  ];
  return [...treesOf(constant), ...treesOf(param)];
}

const [MOST, LEAST, SAFE] = [2n ** 63n - 1n, -(2n ** 63n), BigInt(Number.MAX_SAFE_INTEGER)];
type Operands = readonly [Exclude<Value, null>, ...Exclude<Value, null>[]];
const numbersBeyond: readonly (readonly [string, Kind, ...Operands])[] = [
  ["add", "big", MOST, 1n],
  ["add", "big", LEAST, -1n],
  ["sub", "big", LEAST, 1n],
  ["sub", "big", 0n, LEAST],
  ["mul", "big", MOST, 2n],
  ["mul", "big", LEAST, -1n],
  ["div", "big", LEAST, -1n],
  ["neg", "big", LEAST],
  ["abs", "big", LEAST],
  ["add", "int", SAFE, 1n],
  ["sub", "int", -SAFE, 1n],
  ["mul", "int", SAFE, 2n],
  ["add", "num", 1.5e308, 1.5e308],
  ["sub", "num", -1.5e308, 1.5e308],
  ["mul", "num", 1.5e308, -10.5],
  ["div", "num", 1.5e308, 0.25],
];
const datesBeyond: readonly (readonly [string, bigint, (typeof units)[number]])[] = [
  ["9999-12-31T23:59:59.999Z", 1n, "second"],
  ["9999-12-31T00:00:00.000Z", 1n, "day"],
  ["9999-12-01T00:00:00.000Z", 1n, "month"],
  ["9999-01-01T00:00:00.000Z", 1n, "year"],
  ["0001-01-01T00:00:00.000Z", -1n, "second"],
  ["0001-01-01T00:00:00.000Z", -1n, "minute"],
  ["0001-03-31T00:00:00.000Z", -1n, "quarter"],
  ["0001-12-31T00:00:00.000Z", -1n, "year"],
];

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
  switch (chance.below(8)) {
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
    case 4: {
      const exponent: Tree = { op: "constant", value: BigInt(chance.below(4)), type: plain("int") };
      return call("power", type, treeOf(chance, type, inside), exponent);
    }
    default: {
      const func = chance.of(["add", "sub", "mul", "div", "mod"]);
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
  if (chance.oneIn(12)) return { op: "null", left: pathOf(chance, "json"), is: chance.oneIn(2) };
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
