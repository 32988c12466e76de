/** Resolves compound queries. Their operands have the rows of the first query, with its names and order of fields. */
import { listed, quoted } from "../../../core/errors.js";
import type { CompoundParts, QueryStatement } from "../../ast/statement.js";
import { type SetOperation, setOperations } from "../../words/operators.js";
import { comparableDate } from "../expression/comparison.js";
import { isNameAlone } from "../expression/order-template.js";
import { comparableField } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, OrderTerm, ResolvedCompound, ResolvedOperand } from "../scope/resolved.js";
import { resolveOrder } from "./order.js";
import { resolvePaging } from "./paging.js";
import { resolveRows } from "./query.js";
import { type ResolvedSelection, selectedFields, selectedItems } from "./selection.js";

const operations: ReadonlySet<unknown> = new Set(setOperations);
const operandKeys: ReadonlySet<string> = new Set(["operation", "query"]);

/** A query of a compound: its rows, in the scope of its own table. */
interface Part extends ResolvedOperand {
  readonly selection: ResolvedSelection;
  readonly inside: Resolution;
}

/**
 * Resolves a compound query.
 * @param spec the same parts, which an untyped caller may have made.
 * @param queryKeys the keys of a query.
 */
export function resolveCompound(
  { base, operands }: CompoundParts,
  spec: Readonly<Record<string, unknown>>,
  queryKeys: ReadonlySet<string>,
  resolution: Resolution,
): ResolvedCompound | undefined {
  const partOf = (query: QueryStatement, path: string) => resolvePart(query, path, queryKeys, resolution);
  const whole = partOf(base, "base");
  if (operands.length === 0)
    resolution.add("INVALID_SPEC", "a compound query needs at least one operand", "operands");
  const { mostQueries } = resolution.grammar.compound;
  if (operands.length >= mostQueries) {
    resolution.unsupported(`set operations of more than ${mostQueries} queries`, "split it", "operands");
    return undefined;
  }
  const others = operands.map((operand, i) => {
    const path = `operands[${i}]`;
    if (!resolution.keys(operand, operandKeys, path)) return undefined;
    return partOf(operand.query, `${path}.query`);
  });
  const mixed = mixedDates([whole, ...others]);
  const first = whole && inOneForm(whole, mixed);
  const resolved = operands.flatMap((operand, i) => {
    const part = others[i];
    if (part === undefined || first === undefined || !resolution.none) return [];
    const path = `operands[${i}]`;
    return resolveOperand(operand.operation, first, inOneForm(part, mixed), path, resolution) ?? [];
  });
  if (first === undefined) return undefined;
  // After the operations only the names of the first query are available.
  const named = resolution.seeing(first.inside.scope.comparing(false));
  const orderBy = resolveOrder(spec["order_by"], first.selection, "a compound query", named);
  const isNamed = resolution.grammar.compound.namesFields;
  const paging = resolvePaging(spec, resolution);
  return {
    kind: "compound",
    of: resolution.scope.own,
    items: first.items,
    base: { query: first.query, items: first.items.map((item) => ({ ...item, isNamed })) },
    operands: resolved,
    ordersTable: orderBy.some(needsTable),
    orderBy,
    paging,
  };
}

// After a set operation an order can only use names.
function needsTable({ template, operand }: OrderTerm): boolean {
  return operand.kind === "call" || !isNameAlone(template);
}

function resolvePart(
  statement: QueryStatement,
  path: string,
  queryKeys: ReadonlySet<string>,
  resolution: Resolution,
): Part | undefined {
  const within = resolution.inside(path, resolution.scope.over(statement, resolution.grammar, true));
  // The type is unknown, because the caller may be untyped.
  const seen: unknown = statement.spec;
  if (!within.keys(seen, queryKeys, "")) return undefined;
  const { query, selection, inside } = resolveRows("query", seen, within, true);
  if (seen["for_locking"] !== undefined)
    within.add("INVALID_SPEC", "the queries of a compound query cannot lock rows", "for_locking");
  return { query, selection, items: selectedItems(selection, inside), inside };
}

// Dates that are stored in several forms are written in one form.
function inOneForm(part: Part, mixed: ReadonlySet<string>): Part {
  if (mixed.size === 0) return part;
  return { ...part, items: part.items.map((item) => comparableItem(item, mixed)) };
}

function comparableItem(item: Item, mixed: ReadonlySet<string>): Item {
  const { expression, output, dates } = item;
  if (dates === undefined || !mixed.has(output.name)) return item;
  const decode = dates.decodeComparable ?? output.decode;
  const written =
    expression.kind === "field" ? comparableField(expression) : comparableDate(expression, dates);
  return { ...item, expression: written, output: { ...output, decode } };
}

/** The dates whose form differs between the queries. */
function mixedDates(parts: readonly (Part | undefined)[]): ReadonlySet<string> {
  const ways = new Map<string, string>();
  const mixed = new Set<string>();
  for (const { output, dates } of parts.flatMap((part) => part?.items ?? [])) {
    if (dates === undefined) continue;
    const { comparable: way } = dates;
    if ((ways.get(output.name) ?? way) !== way) mixed.add(output.name);
    ways.set(output.name, way);
  }
  return mixed;
}

function resolveOperand(
  operation: unknown,
  base: Part,
  operand: Part,
  path: string,
  resolution: Resolution,
): ResolvedCompound["operands"][number] | undefined {
  const isKnown = isOperation(operation);
  if (!isKnown) {
    const known = listed(setOperations);
    const message = `unknown operation ${quoted(operation)}; operations: ${known}`;
    resolution.add("INVALID_SPEC", message, `${path}.operation`);
  }
  const items = itemsLike(base.items, operand.items);
  if (items === undefined) {
    const wanted = listed(base.items.map(({ output }) => output.name));
    const message = `an operand must select the fields of the first query, each of the same kind: ${wanted}`;
    resolution.add("INVALID_FIELD", message, `${path}.query.fields`);
  }
  // If numbers are limited to 64 bits, a sum of bigints has its own form, and a bigint never equals it.
  if (
    items?.some(({ output }, i) => base.items[i]?.output.decode !== output.decode && output.kind === "bigint")
  )
    resolution.unsupported(
      "set operations of a sum of bigints with plain bigints",
      "combine sums with sums, or combine them in the application",
      `${path}.query.fields`,
    );
  if (operation !== "union_all")
    for (const { column } of selectedFields(base.selection, base.inside).values())
      resolution.comparable(column, `${path}.operation`);
  return isKnown && items !== undefined ? { operation, query: operand.query, items } : undefined;
}

function isOperation(value: unknown): value is SetOperation {
  return operations.has(value);
}

/** The items of another query, with the order and names of the first query's items; undefined if they differ. */
function itemsLike(base: readonly Item[], others: readonly Item[]): Item[] | undefined {
  if (base.length !== others.length) return undefined;
  const byName = new Map(others.map((item) => [item.output.name, item]));
  const items = base.flatMap(({ name, output }) => {
    const item = byName.get(output.name);
    // A server must be able to compare rows for equality.
    return item === undefined || item.output.kind !== output.kind || item.output.scale !== output.scale
      ? []
      : { ...item, name };
  });
  return items.length === base.length ? items : undefined;
}
