/** Resolves aggregates that give all values of a group: as one text, or as a list. */
import type { AggregateNode, OperandNode } from "../../ast/expression.js";
import type { Storage } from "../../declare/declaration.js";
import type { ExpressionGrammar } from "../../dialect/grammar/grammar.js";
import { isTextInJson } from "../../dialect/grammar/listings.js";
import { textBinder } from "../../value/binder.js";
import type { ListingFunction } from "../../words/functions.js";
import { meets } from "../../words/kinds.js";
import type { Resolution } from "../scope/resolution.js";
import type { GroupAggregate, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import { nameOf, type ResolvedValue, type ValueResult, valuesOf } from "../scope/result.js";
import { hasAggregate, hasWindow } from "../scope/walk.js";
import { comparableDate } from "./comparison.js";
import { argument, typed } from "./param.js";
import { resolveTerm } from "./window.js";

/** An aggregate that gives all values of a group. */
interface ListingForm {
  readonly name: string;
  readonly takes: "text" | "a scalar";
  readonly what: string;
  readonly item: (value: ResolvedValue, resolution: Resolution) => ListedItem;
  readonly gives: (item: Storage) => ValueResult;
  readonly template: (expressions: ExpressionGrammar, item: Storage, isOrdered: boolean) => string;
  readonly leavesOutNulls: boolean;
}

/** These functions. */
export const listings: { readonly [F in ListingFunction]: ListingForm } = {
  text_agg: {
    name: "textAgg",
    takes: "text",
    what: "texts",
    item: ({ expression, storage }) => ({ operand: expression, storage }),
    gives: () => ({ storage: { kind: "text" }, nullable: true }),
    template: ({ textAgg }, _, isOrdered) => textAgg(isOrdered),
    leavesOutNulls: false,
  },
  list_agg: {
    name: "listAgg",
    takes: "a scalar",
    what: "values that are not lists or objects",
    item: itemOf,
    gives: (item) => ({ storage: { kind: "array", item }, nullable: false }),
    template: ({ listAgg }, item, isOrdered) => listAgg(item, isOrdered),
    leavesOutNulls: true,
  },
};

/** Whether a function gives all values of a group. */
export function isListing(func: string): func is ListingFunction {
  return Object.hasOwn(listings, func);
}

/** The aggregate over the values, restricted by a filter. */
export function resolveListing(
  func: ListingFunction,
  of: ResolvedValue,
  { separator, options }: Pick<AggregateNode, "separator" | "options">,
  filter: ResolvedCondition | undefined,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const form = listings[func];
  if (!meets(of.storage.kind, form.takes)) {
    const message = `${form.name} takes ${form.what}, ${nameOf(of)} holds ${of.storage.kind}`;
    resolution.add("INVALID_AGGREGATE", message, path);
    return undefined;
  }
  const between =
    separator === undefined ? undefined : separatorOf(separator, `${path}.separator`, resolution);
  const orderBy = orderOf(options, path, resolution);
  if (orderBy === undefined || (separator !== undefined && between === undefined)) return undefined;
  const { expressions } = resolution.grammar;
  const isOrdered = orderBy.length > 0;
  const { operand, storage } = form.item(of, resolution);
  const expression: GroupAggregate = {
    kind: "aggregate",
    template: form.template(expressions, storage, isOrdered),
    ...gatheredOf(operand, of, filter, form.leavesOutNulls, resolution),
    listing: { separator: between, orderBy },
  };
  return { expression, ...form.gives(storage) };
}

/** The values and their filter. A list has no NULLs, and a dialect without filters already leaves them out. */
function gatheredOf(
  operand: ResolvedExpression,
  { expression, nullable }: ResolvedValue,
  filter: ResolvedCondition | undefined,
  leavesOutNulls: boolean,
  { grammar: { expressions } }: Resolution,
): Pick<GroupAggregate, "operand" | "filter"> {
  if (!expressions.filters) {
    if (filter === undefined) return { operand, filter };
    const whens = [{ condition: filter, result: operand }];
    return { operand: { kind: "case", whens, otherwise: undefined }, filter: undefined };
  }
  if (!leavesOutNulls || !nullable) return { operand, filter };
  const known: ResolvedCondition = { kind: "null test", operand: expression, test: " IS NOT NULL" };
  if (filter === undefined) return { operand, filter: known };
  return { operand, filter: { kind: "group", logic: "AND", members: [filter, known] } };
}

interface ListedItem {
  readonly operand: ResolvedExpression;
  readonly storage: Storage;
}

/** A value as an item of a list. */
function itemOf(value: ResolvedValue, { grammar }: Resolution): ListedItem {
  const { values: _, ...storage } = valuesOf(value).storage;
  const { expression } = value;
  if (storage.kind === "date") {
    const dates = grammar.dates(storage);
    const plain: Storage = { kind: "date" };
    const operand = dates.comparable === "{f}" ? expression : comparableDate(expression, dates);
    return { operand: written(operand, plain), storage: plain };
  }
  return { operand: written(expression, storage), storage };

  function written(operand: ResolvedExpression, of: Storage): ResolvedExpression {
    if (grammar.expressions.listsTexts !== true || !isTextInJson(of)) return operand;
    const template = grammar.expressions.cast(of, "text");
    return { kind: "call", template, operands: [operand], separator: "", params: [] };
  }
}

function separatorOf(
  separator: OperandNode,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  const text: Storage = { kind: "text" };
  if (typeof separator === "object" && separator.kind === "param" && separator.of === undefined) {
    const param = resolution.param(separator.name, path);
    const place = { param: param ?? "", table: resolution.table };
    if (param === undefined) return undefined;
    return typed(
      argument(param, text, () => textBinder(place), resolution),
      text,
      resolution,
    );
  }
  if (typeof separator === "object" && (separator.kind === "constant" || separator.kind === "param")) {
    const value = resolution.node(separator, path, { storage: text, nullable: false });
    if (value === undefined || value.storage.kind === "text") return value?.expression;
  }
  const message = "the separator of textAgg is a parameter, or a constant that is a text";
  resolution.add("INVALID_AGGREGATE", message, path);
  return undefined;
}

const optionKeys: ReadonlySet<string> = new Set(["orderBy"]);

/** The order of the values. An untyped caller may give any value. */
function orderOf(options: unknown, path: string, resolution: Resolution) {
  if (options === undefined) return [];
  if (!resolution.keys(options, optionKeys, `${path}.options`)) return undefined;
  const place = `${path}.orderBy`;
  const terms = resolution.list(options["orderBy"], place);
  const order = terms.flatMap((term, i) => resolveTerm(term, `${place}[${i}]`, resolution) ?? []);
  if (order.some(({ operand }) => hasAggregate(operand) || hasWindow(operand))) {
    resolution.add("INVALID_AGGREGATE", "the values of a group are ordered by values of their rows", place);
    return undefined;
  }
  return order.length < terms.length ? undefined : order;
}
