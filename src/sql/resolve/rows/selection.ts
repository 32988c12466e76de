/** Resolves the selected items: fields, and expressions with names. */

import { quoted } from "../../../core/errors.js";
import { ExpressionOperand, NamedExpression } from "../../ast/expression.js";
import { notName } from "../../words/names.js";
import { resolveAggregate } from "../expression/aggregate.js";
import { readAggregate } from "../expression/aggregate-spec.js";
import { requireScalar } from "../expression/comparison.js";
import { outputOf } from "../expression/value.js";
import { itemOf } from "../scope/layout.js";
import { PARAM_NAME, type Resolution } from "../scope/resolution.js";
import type { Field, Item, ResolvedExpression } from "../scope/resolved.js";
import { type InnerColumn, type ResolvedValue, valueOfField } from "../scope/result.js";

/** The selected items of a query. */
export interface ResolvedSelection {
  /** The fields, by name, without repetition; undefined for all columns. */
  readonly fields: ReadonlyMap<string, Field> | undefined;
  readonly expressions: ReadonlyMap<string, ResolvedValue>;
  /** Both in their order; undefined for all columns. */
  readonly items: readonly Item[] | undefined;
}

/** A list of items in a spec. */
interface FieldsPlace {
  /** The name of the list, for errors. */
  readonly place?: string;
  /** Whether rows are compared by their values: as groups, by DISTINCT, in a set operation. */
  readonly compares?: boolean;
}

/** The fields of a selection. */
export function selectedFields(
  { fields }: ResolvedSelection,
  { scope }: Resolution,
): ReadonlyMap<string, Field> {
  return fields ?? scope.own.fields;
}

/** The items of a query, one by one. */
export function selectedItems({ items }: ResolvedSelection, { scope }: Resolution): readonly Item[] {
  return items ?? scope.fields().map(itemOf);
}

/** The columns of a query: its fields and its expressions, which have unique names. */
export function columnsOf(selection: ResolvedSelection, resolution: Resolution): readonly InnerColumn[] {
  const fields = selectedFields(selection, resolution);
  return selectedItems(selection, resolution).flatMap((item): readonly InnerColumn[] => {
    const { name } = item.output;
    const field = fields.get(name);
    const value = field === undefined ? selection.expressions.get(name) : valueOfField(field);
    return value === undefined ? [] : [{ name, value, item }];
  });
}

/** Resolves `fields`, or another list of items. */
export function resolveFields(
  fields: unknown,
  resolution: Resolution,
  { place = "fields", compares = false }: FieldsPlace = {},
): ResolvedSelection {
  const named = new Map<string, Field>();
  const expressions = new Map<string, ResolvedValue>();
  const items: Item[] = [];
  // All columns are selected by an absent list; an empty one may be a filter that removed every field.
  if (Array.isArray(fields) && fields.length === 0)
    resolution.add("INVALID_FIELD", `${place} needs at least one name`, place);
  resolution.list(fields, place).forEach((one, i) => {
    const path = `${place}[${i}]`;
    if (typeof one !== "object" || one === null) {
      for (const field of fieldsAt(one, path, resolution)) {
        if (named.has(field.column.property)) continue;
        named.set(field.column.property, field);
        items.push(itemOf(field));
      }
      return;
    }
    const found = resolveExpression(one, path, resolution);
    if (found === undefined) return;
    const { alias, value } = found;
    if (expressions.has(alias))
      resolution.add("INVALID_FIELD", `two expressions are named ${quoted(alias)}`, `${path}.alias`);
    expressions.set(alias, value);
    const name = resolution.grammar.quote(alias);
    if (compares) requireScalar(value, "a comparison of rows", path, resolution);
    const selected = compares ? value : (value.selected ?? value);
    const { storage, expression } = selected;
    const dates = storage.kind === "date" ? resolution.grammar.dates(storage) : undefined;
    items.push({ expression, name, output: outputOf(selected, alias, resolution), dates });
  });
  if (fields !== undefined) return { fields: named, expressions, items: withPresences(items, resolution) };
  // All columns need no list, unless some of them must be written as expressions.
  const { scope } = resolution;
  return { fields: undefined, expressions, items: scope.takesAll ? undefined : scope.fields().map(itemOf) };
}

/** The field with a name, or all fields for `*` and `name.*`. */
function fieldsAt(name: unknown, path: string, resolution: Resolution): readonly Field[] {
  const { scope } = resolution;
  const known = scope.field(name);
  if (known !== undefined) return [known];
  const all = typeof name === "string" ? scope.allOf(name) : undefined;
  if (all !== undefined) return all;
  const field = resolution.field(name, path);
  return field === undefined ? [] : [field];
}

// The item that says whether a part of the row exists comes before the values of the part.
function withPresences(items: readonly Item[], { scope }: Resolution): readonly Item[] {
  if (scope.joined.size === 0) return items;
  const seen = new Set<string>();
  return items.flatMap((item) => {
    const { part } = item.output.inside ?? {};
    if (part === undefined || seen.has(part)) return [item];
    seen.add(part);
    const { presence } = scope.joined.get(part) ?? {};
    return presence === undefined ? [item] : [presence, item];
  });
}

/** The items that say whether the parts of a row exist. */
export function presencesIn({ items = [] }: ResolvedSelection): readonly ResolvedExpression[] {
  return items.flatMap(({ expression, output: { inside } }) =>
    inside !== undefined && inside.name === undefined ? [expression] : [],
  );
}

interface Named {
  readonly alias: string;
  readonly value: ResolvedValue;
}

function resolveExpression(one: object, path: string, resolution: Resolution): Named | undefined {
  const expression = ExpressionOperand.own(one);
  if (expression === undefined) return resolveSpec(one, path, resolution);
  if (expression instanceof NamedExpression) return resolveNamed(expression, path, resolution);
  resolution.add("INVALID_FIELD", "an expression among the fields needs a name: .as(…)", path);
  return undefined;
}

function resolveNamed(
  { node, alias: name }: NamedExpression,
  path: string,
  resolution: Resolution,
): Named | undefined {
  const alias = resolveAlias(name, `${path}.alias`, resolution);
  const value = resolution.node(node, path);
  return alias === undefined || value === undefined ? undefined : { alias, value };
}

const aggregateKeys: ReadonlySet<string> = new Set(["func", "field", "alias"]);

// An aggregate of a spec.
function resolveSpec(spec: object, path: string, resolution: Resolution): Named | undefined {
  if (!resolution.keys(spec, aggregateKeys, path)) return undefined;
  const { func, field, alias: name } = spec;
  const aggregate = readAggregate(func, field, path, resolution);
  if (aggregate === undefined) return undefined;
  const alias = resolveAlias(name, `${path}.alias`, resolution);
  const value = resolveAggregate(aggregate, path, resolution);
  return alias === undefined || value === undefined ? undefined : { alias, value };
}

/** The name of an expression; adds a problem if the value is not a valid name in this table. */
function resolveAlias(alias: unknown, path: string, resolution: Resolution): string | undefined {
  if (typeof alias !== "string" || !PARAM_NAME.test(alias)) {
    const message = notName(alias, "an expression");
    resolution.add("INVALID_FIELD", message, path);
    resolution.refuseName(alias);
    return undefined;
  }
  // This key would set the prototype of the row.
  if (alias === "__proto__")
    resolution.add("INVALID_FIELD", 'an expression cannot be named "__proto__"', path);
  const columns = Object.values(resolution.table.columns);
  // The server would not know which of the two an order names. Some servers ignore the case of names.
  const same = (name: string) => name.toLowerCase() === alias.toLowerCase();
  if (columns.some(({ property, name }) => same(property) || same(name)))
    resolution.add(
      "INVALID_FIELD",
      `an expression cannot be named ${quoted(alias)}: a field has that name`,
      path,
    );
  if (resolution.scope.joined.has(alias)) {
    const message = `an expression cannot be named ${quoted(alias)}: a joined table has that name`;
    resolution.add("INVALID_ALIAS", message, path);
  }
  return alias;
}
