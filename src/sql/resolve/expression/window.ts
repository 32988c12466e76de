/** Resolves window functions and their windows. */
import { quoted } from "../../../core/errors.js";
import type { WindowFunctionNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import { MOST_DIGITS } from "../../kind/decimals.js";
import type { WindowFunction } from "../../words/functions.js";
import { meets } from "../../words/kinds.js";
import type { FrameBound } from "../../words/windows.js";
import { comparedValue } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { OrderTerm, ResolvedExpression } from "../scope/resolved.js";
import { type ResolvedValue, valuesOf, wholeNumber } from "../scope/result.js";
import { hasWindow } from "../scope/walk.js";
import { requireOrder, requireScalar } from "./comparison.js";
import { isNameAlone, orderTemplate } from "./order-template.js";

interface Ranking {
  readonly word: string;
  readonly takesField: boolean;
  /** Its number, if it needs one; the others may have a number of rows from 0. */
  readonly count?: { readonly least: number; readonly what: string };
  /** Whether it is null only if the frame is empty: there is no row before the first and after the last. */
  readonly isEdge?: true;
}

const rankings: { readonly [F in WindowFunction]: Ranking } = {
  row_number: { word: "ROW_NUMBER", takesField: false },
  rank: { word: "RANK", takesField: false },
  dense_rank: { word: "DENSE_RANK", takesField: false },
  ntile: { word: "NTILE", takesField: false, count: { least: 1, what: "buckets from 1" } },
  lag: { word: "LAG", takesField: true },
  lead: { word: "LEAD", takesField: true },
  first_value: { word: "FIRST_VALUE", takesField: true, isEdge: true },
  last_value: { word: "LAST_VALUE", takesField: true, isEdge: true },
};

const rows = { least: 0, what: "rows from 0" };

/** Whether a function requires a field. */
export function takesField(func: WindowFunction): boolean {
  return rankings[func].takesField;
}

/** A function that requires a window. */
export function rankingOf(
  { func, count }: WindowFunctionNode,
  of: ResolvedValue | undefined,
  inFrame: boolean,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const ranking = rankings[func];
  const { least, what } = ranking.count ?? rows;
  const needsCount = ranking.count !== undefined || count !== undefined;
  if (needsCount && !isCount(count, least, Number.MAX_SAFE_INTEGER)) {
    resolution.add("INVALID_PARAM", `${func} takes a whole number of ${what}`, path);
    return undefined;
  }
  const operands: ResolvedExpression[] = of === undefined ? [] : [of.expression];
  if (count !== undefined) operands.push({ kind: "literal", sql: String(count) });
  const template = `${ranking.word}({f})`;
  const expression = { kind: "call", template, operands, separator: ", ", params: [] } as const;
  if (of === undefined) return { expression, ...wholeNumber };
  return { expression, ...valuesOf(of), nullable: of.nullable || ranking.isEdge !== true || inFrame };
}

/** Whether a value is a whole number within bounds. */
export function isCount(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

const windowKeys: ReadonlySet<string> = new Set(["partitionBy", "orderBy", "frame"]);
const frameKeys: ReadonlySet<string> = new Set(["rows", "range"]);

/** A function over a window, which may be any value from an untyped caller. */
export function overWindow(
  value: ResolvedValue | undefined,
  window: unknown,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  if (!resolution.keys(window, windowKeys, path)) return undefined;
  const { partitionBy, orderBy, frame } = window;
  const parts = resolveParts(partitionBy, `${path}.partitionBy`, resolution);
  const terms = resolution.list(orderBy, `${path}.orderBy`);
  const ordered = terms.flatMap((term, i) => orderedBy(term, `${path}.orderBy[${i}]`, resolution) ?? []);
  const order = ordered.map(({ term }) => term);
  const isWhole = ordered.length === terms.length;
  const framed =
    frame === undefined || !isWhole ? undefined : frameOf(frame, ordered, `${path}.frame`, resolution);
  if (value === undefined) return undefined;
  if (hasWindow(value.expression) || [...parts, ...order.map(({ operand }) => operand)].some(hasWindow)) {
    resolution.add("INVALID_AGGREGATE", "a window cannot stand in another", path);
    return undefined;
  }
  const { wholeWindow } = resolution.grammar.expressions;
  const [first] = resolution.scope.own.fields.values();
  return {
    ...value,
    expression: {
      kind: "window",
      of: value.expression,
      partitionBy: parts,
      orderBy: order,
      whole: first === undefined ? undefined : wholeWindow?.(first.sql),
      frame: framed,
    },
  };
}

function resolveParts(partitionBy: unknown, path: string, resolution: Resolution): ResolvedExpression[] {
  return resolution.list(partitionBy, path).flatMap((part, i) => {
    const place = `${path}[${i}]`;
    const value = resolveBy(part, place, resolution);
    return value === undefined ? [] : comparedValue(value);
  });
}

/** An expression by which a window is partitioned or ordered: the name of a field, or one of our expressions. */
function resolveBy(by: unknown, place: string, resolution: Resolution): ResolvedValue | undefined {
  const value = resolution.operand(by, place);
  if (value?.expression.kind === "field") resolution.comparable(value.expression.column, place);
  if (value !== undefined) requireScalar(value, "a window", place, resolution);
  return value;
}

/** A term of the order of a window, or of the values of a list. */
export function resolveTerm(term: unknown, place: string, resolution: Resolution): OrderTerm | undefined {
  return orderedBy(term, place, resolution)?.term;
}

/** A term of an order, and the values of its expression. */
interface Ordered {
  readonly term: OrderTerm;
  readonly storage: Storage;
}

function orderedBy(term: unknown, place: string, resolution: Resolution): Ordered | undefined {
  if (!Array.isArray(term) || term.length !== 2) {
    resolution.add("INVALID_SPEC", "an order term must be a field and a direction", place);
    return undefined;
  }
  const [name, direction]: unknown[] = term;
  const value = resolveBy(name, place, resolution);
  if (value !== undefined) requireOrder(value, place, resolution);
  if (direction !== "asc" && direction !== "desc") {
    resolution.add("INVALID_DIRECTION", `direction must be asc or desc, not ${quoted(direction)}`, place);
    return undefined;
  }
  if (value === undefined) return undefined;
  const template = orderTemplate(direction, undefined, value.nullable, resolution);
  return { term: { template, operand: comparedValue(value) }, storage: value.storage };
}

/** The text of a frame, if it is valid. */
function frameOf(
  frame: unknown,
  order: readonly Ordered[],
  path: string,
  resolution: Resolution,
): string | undefined {
  if (!resolution.keys(frame, frameKeys, path)) return undefined;
  const { rows, range } = frame;
  const bounds: unknown = rows ?? range;
  if ((rows === undefined) === (range === undefined) || !Array.isArray(bounds) || bounds.length !== 2) {
    resolution.add("INVALID_SPEC", "a frame must be rows or range, with a start and an end", path);
    return undefined;
  }
  const [start, end] = bounds.map(boundOf);
  if (start === undefined || end === undefined)
    resolution.add(
      "INVALID_SPEC",
      "a bound of a frame must be a word, or a number of rows preceding or following",
      path,
    );
  else if (start.place > end.place || start.place === Infinity || end.place === -Infinity)
    resolution.add("INVALID_SPEC", "a frame must not end before it begins", path);
  else {
    const amounts = [start, end].filter(({ isWord }) => !isWord);
    const write = range === undefined || amounts.length === 0 ? String : amountIn(order, path, resolution);
    if (write === undefined) return undefined;
    return `${rows === undefined ? "RANGE" : "ROWS"} BETWEEN ${start.sql(write)} AND ${end.sql(write)}`;
  }
  return undefined;
}

/** Writes an amount of a range frame, which is a distance between two numbers. */
function amountIn(
  order: readonly Ordered[],
  path: string,
  resolution: Resolution,
): ((amount: number) => string) | undefined {
  const [first, ...others] = order;
  if (first === undefined || others.length > 0) {
    resolution.add("INVALID_SPEC", "a range of values needs exactly one field to order by", path);
    return undefined;
  }
  const { term, storage } = first;
  if (!meets(storage.kind, "a number")) {
    const message = `a range of values is an amount around a number, not around ${storage.kind}: take rows`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  // On such a dialect the position of NULLs is a separate term.
  if (!isNameAlone(term.template)) {
    const hint = "order by what is never null, coalesce(…) say, or take rows";
    resolution.unsupported("a range of values around what may be null", hint, path);
    return undefined;
  }
  if (storage.kind !== "decimal") return String;
  const { encode } = resolution.grammar.values.decimal;
  // Some dialects count decimals in their last digits. An amount is a whole number, so it has no more of them.
  return (amount) => String(encode(String(amount) as never, { ...storage, precision: MOST_DIGITS }));
}

interface Bound {
  /** Its position, in rows after the current one. */
  readonly place: number;
  /** Whether it is a keyword, which every order accepts. */
  readonly isWord: boolean;
  readonly sql: (write: (amount: number) => string) => string;
}

const word = (place: number, sql: string): Bound => ({ place, isWord: true, sql: () => sql });

const words: { readonly [B in Extract<FrameBound, string>]: Bound } = {
  "unbounded preceding": word(-Infinity, "UNBOUNDED PRECEDING"),
  "current row": word(0, "CURRENT ROW"),
  "unbounded following": word(Infinity, "UNBOUNDED FOLLOWING"),
};

function boundOf(bound: unknown): Bound | undefined {
  if (typeof bound === "string" && Object.hasOwn(words, bound)) return words[bound as keyof typeof words];
  if (typeof bound !== "object" || bound === null || Object.keys(bound).length !== 1) return undefined;
  if ("preceding" in bound && isCount(bound.preceding, 0, Number.MAX_SAFE_INTEGER))
    return amount(bound.preceding, -1, "PRECEDING");
  if ("following" in bound && isCount(bound.following, 0, Number.MAX_SAFE_INTEGER))
    return amount(bound.following, 1, "FOLLOWING");
  return undefined;
}

// Servers refuse PRECEDING after CURRENT ROW, even with an amount of 0.
function amount(count: number, sign: 1 | -1, side: string): Bound {
  if (count === 0) return words["current row"];
  return { place: sign * count, isWord: false, sql: (write) => `${write(count)} ${side}` };
}
