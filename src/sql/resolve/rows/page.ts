/**
 * Resolves a page: whether the order contains a key, where its values are among the selected items, and the conditions
 * of the rows after a given row. Without a key two rows could be equal in the order, and one of them could be lost
 * between two pages.
 */
import { listed, quoted } from "../../../core/errors.js";
import { isObject } from "../../../core/values.js";
import { PagePart } from "../../ast/builder-parts.js";
import type { ColumnInfo } from "../../declare/declaration.js";
import { textFor } from "../../dialect/grammar/declared.js";
import type { Direction } from "../../dialect/grammar/grammar.js";
import { nullsIn } from "../expression/order-template.js";
import { itemOf, keyFieldOf } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, Item, Layout, ResolvedQuery } from "../scope/resolved.js";
import { hasWindow } from "../scope/walk.js";
import { isGrouped } from "./grouping.js";
import { nullsSaid } from "./order.js";
import { conditionsAfter, type OrderedField, paramOf } from "./page-conditions.js";
import { type ResolvedSelection, selectedItems } from "./selection.js";

type Spec = Readonly<Record<string, unknown>>;

/** A page, and the selected items with the values of the order. */
interface Paged {
  readonly page: NonNullable<ResolvedQuery["page"]>;
  readonly items: readonly Item[] | undefined;
}

/**
 * Resolves the page of a query whose other parts are resolved; undefined if it has none.
 * @param whole the items of its rows; undefined for all columns.
 */
export function resolvePage(
  spec: Spec,
  selection: ResolvedSelection,
  whole: readonly Item[] | undefined,
  resolution: Resolution,
): Paged | undefined {
  const part = PagePart.own(spec["page"]);
  if (part === undefined) return undefined;
  const { size, place } = part;
  const isSize = typeof size === "number" && Number.isSafeInteger(size) && size > 0;
  if (!isSize || size === Number.MAX_SAFE_INTEGER)
    resolution.add("INVALID_PARAM", "the size of a page must be a whole number from 1", place);
  refuseBeside(spec, selection, resolution);
  // The order is read again, so it must be valid.
  if (!resolution.none || !isSize) return undefined;
  const fields = orderOf(spec["order_by"], resolution);
  if (!resolution.none) return undefined;
  requireKeys(fields, resolution);
  const items = whole ?? selectedItems(selection, resolution);
  const hidden: Item[] = [];
  const terms = fields.map(({ field, param, nullParam }) => {
    let at = items.findIndex(({ expression }) => expression === field);
    if (at < 0) at = items.length + hidden.push(hiddenItem(field, hidden.length, resolution)) - 1;
    return { at, output: { ...field.output, nullable: field.nullable }, param, nullParam };
  });
  const signature = JSON.stringify([resolution.table.name, ...fields.map(signatureOf)]);
  const page = { size, terms, after: conditionsAfter(fields, resolution), signature };
  return { page, items: hidden.length === 0 ? whole : [...items, ...hidden] };
}

function hiddenItem(field: Field, index: number, { grammar }: Resolution): Item {
  return {
    ...itemOf(field),
    name: grammar.quote(`#order.${index}`),
    output: { ...field.output, hidden: true },
  };
}

function signatureOf({ field: { column }, direction, nulls }: OrderedField): readonly unknown[] {
  const { kind, scale } = column.storage;
  return [column.property, direction, nulls, kind, scale];
}

const counts = ["limit", "limit_param", "offset", "offset_param"] as const;

function refuseBeside(spec: Spec, selection: ResolvedSelection, resolution: Resolution): void {
  for (const key of counts)
    if (spec[key] !== undefined)
      resolution.unsupported(`pages with ${key}`, "leave it out: page(size) says how many rows", key);
  for (const key of ["distinct", "distinct_on"])
    if (spec[key] !== undefined && spec[key] !== false)
      resolution.unsupported("pages of distinct rows", "leave out DISTINCT, or use limit and offset", key);
  if (isGrouped(spec, selection))
    resolution.unsupported("pages of groups", "read them as a whole, or use limit and offset", "group_by");
  // On a later page the window function would see only the remaining rows.
  else if ([...selection.expressions.values()].some(({ expression }) => hasWindow(expression)))
    resolution.unsupported("windows in pages", "leave it out, or use limit and offset", "fields");
}

const ordered: ReadonlySet<string> = new Set([
  "text",
  "number",
  "bigint",
  "decimal",
  "boolean",
  "date",
  "bytes",
]);

/** The fields of the order. */
function orderOf(orderBy: unknown, resolution: Resolution): readonly OrderedField[] {
  return resolution.list(orderBy, "order_by").flatMap((term, i): OrderedField | readonly [] => {
    const path = `order_by[${i}]`;
    if (!isObject(term)) return [];
    const field = term["operator"] === undefined ? resolution.scope.field(term["field"]) : undefined;
    if (field === undefined) {
      resolution.unsupported("pages ordered by expressions", "order by fields", path);
      return [];
    }
    const { kind, property } = field.column;
    if (!ordered.has(kind)) {
      const hint = `order by another field than ${quoted(property)}`;
      resolution.unsupported(`pages ordered by ${kind}`, hint, path);
      return [];
    }
    const { grammar } = resolution;
    const declared = textFor(field.column.type, grammar.dialect);
    const unclear = declared === undefined ? undefined : grammar.unclearOrder(declared, field.column.storage);
    if (unclear !== undefined) resolution.unsupported(unclear.feature, unclear.hint, path);
    const direction: Direction = term["direction"] === "desc" ? "desc" : "asc";
    return { field, direction, nulls: nullsIn(direction, nullsSaid(term)), ...paramOf(field, i) };
  });
}

/** Adds a problem for each table that may have several rows that are equal in the order. */
function requireKeys(order: readonly OrderedField[], resolution: Resolution): void {
  const { own, joined } = resolution.scope;
  const named = new Set(order.map(({ field }) => field.column.property));
  const require = (layout: Layout, name: string | undefined) => {
    const { table, keys: known = table.keys } = layout;
    const keys = known.filter((key) => key.every((property) => tells(layout.fields.get(property))));
    const isNamed = (property: string) =>
      named.has(name === undefined ? property : `${name}.${property}`) ||
      (name === undefined && table.fixed?.has(property) === true);
    if (keys.some((key) => key.every(isNamed))) return;
    if (layout.mayMiss === true) {
      const fault = "rows of a right or full join have no key: no order says where the next page begins";
      resolution.add("UNSTABLE_ORDER", fault, "order_by");
      return;
    }
    const what = name === undefined ? `table ${quoted(table.name)}` : `joined table ${quoted(name)}`;
    const which = keys.length === 0 ? "it has none" : `keys: ${listed(keys.map((key) => key.join(" and ")))}`;
    const message = `the order of a page must hold all fields of a key of ${what} that are never null; ${which}`;
    resolution.add("UNSTABLE_ORDER", message, "order_by");
  };
  require(own, undefined);
  for (const { name, layout, isMany, mayRepeat } of joined.values()) {
    if (isMany) require(layout, name);
    if (mayRepeat !== true) continue;
    const message = `rows of joined table ${quoted(name)} may come twice, because the two references of the table between are not declared as its key: declare them`;
    resolution.add("UNSTABLE_ORDER", message, "order_by");
  }
}

/** Whether different values of a key field are still different when they are read. */
function tells(field: Field | undefined): boolean {
  if (field === undefined) return false;
  const column: ColumnInfo = keyFieldOf(field);
  const { dates } = field;
  // Spread dates have two texts for a whole second. Dates that are stored more exactly than they are read have many.
  return !column.nullable && (dates === undefined || dates.isExact || dates.spread !== undefined);
}
