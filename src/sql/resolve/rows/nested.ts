/** Resolves `with`: rows of other tables nested in the rows of a query, as JSON that the server writes. */
import { describeType, quoted } from "../../../core/errors.js";
import { isObject } from "../../../core/values.js";
import { InnerQuery, type InnerStatement, RowsOn, RowsWhere } from "../../ast/inner-query.js";
import { textFor } from "../../dialect/grammar/declared.js";
import type { NestedValue } from "../../dialect/grammar/nested.js";
import type { NestedOutput, Output } from "../../value/output.js";
import { isName, notName } from "../../words/names.js";
import {
  givenIn,
  type InnerFound,
  type InnerResolved,
  type RowsSaid,
  resolveFound,
  resolveRelated,
  rowsSaid,
} from "../expression/inner.js";
import { freeName, isLargeObject, itemOf } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, ResolvedExpression, ResolvedQuery } from "../scope/resolved.js";
import { type ResolvedValue, wholeNumber } from "../scope/result.js";
import { formOfNested, type ResolvedNestedRows } from "./nested-form.js";
import type { ResolvedSelection } from "./selection.js";

type Spec = Readonly<Record<string, unknown>>;

const none: readonly Item[] = [];

// The server's JSON and the decoder have the same maximum depth.
const MOST_LEVELS = 8;

/** How the outer rows are selected. */
interface RowsAround {
  readonly selection: ResolvedSelection;
  readonly isGrouped: boolean;
  /** Whether a set operation compares the outer rows. */
  readonly isPart: boolean;
}

/** Resolves `with`: an item for each of its names. */
export function resolveNested(spec: Spec, around: RowsAround, resolution: Resolution): readonly Item[] {
  const { with: nested } = spec;
  if (nested === undefined) return none;
  if (!isObject(nested)) {
    resolution.add("INVALID_SPEC", `with must be an object, not ${describeType(nested)}`, "with");
    return none;
  }
  const entries = Object.entries(nested).filter(([, given]) => given !== undefined);
  if (entries.length === 0) return none;
  if (around.isGrouped)
    resolution.add("INVALID_AGGREGATE", "nested rows belong to a row, and these rows are groups", "with");
  else if (around.isPart || spec["distinct"] === true) {
    const what = around.isPart ? "set operations" : "queries with DISTINCT";
    resolution.unsupported(
      `nested rows in ${what}`,
      "compare plain rows, and read the others after that",
      "with",
    );
  } else {
    const names = [...around.selection.expressions.keys(), ...entries.map(([name]) => name)];
    return entries.flatMap(([name, given]) => {
      const item = nestedItem(name, given, around, resolution);
      return item === undefined ? [] : labelled(item, names, resolution);
    });
  }
  return none;
}

function nestedItem(
  name: string,
  given: unknown,
  around: RowsAround,
  resolution: Resolution,
): Item | undefined {
  const path = `with.${name}`;
  if (!mayBeNamed(name, around, path, resolution)) return undefined;
  const where = RowsWhere.own(given);
  if (where !== undefined) return itemFound(name, where.of, path, resolution);
  const on = RowsOn.own(given);
  const isSpec = on === undefined && InnerQuery.own(given) === undefined;
  if (isSpec && !isObject(given)) {
    resolution.add("INVALID_SPEC", `${path} must be a query, not ${describeType(given)}`, path);
    return undefined;
  }
  const { whole, ...spec }: { readonly whole?: unknown } = isSpec ? Object(given) : {};
  const said = rowsSaid(on ?? name, isSpec ? undefined : given, path, resolution, whole);
  if (said === undefined) return undefined;
  const statement: InnerStatement = said.query ?? { kind: "query", table: said.table, spec };
  if (!isOfRows(statement, path, resolution)) return undefined;
  const inner = resolution.nesting(MOST_LEVELS, path, () =>
    resolveRelated(said, statement, path, resolution),
  );
  return inner === undefined ? undefined : itemOfRows(name, said, inner, path, resolution);
}

/** Rows that are found by a condition. */
function itemFound(
  name: string,
  of: RowsWhere["of"],
  path: string,
  resolution: Resolution,
): Item | undefined {
  const statement = givenIn(of.rows, path, resolution);
  if (statement === undefined || !isOfRows(statement, path, resolution)) return undefined;
  const inner = resolution.nesting(MOST_LEVELS, path, () =>
    resolveFound(of, name, statement, path, resolution),
  );
  return inner === undefined ? undefined : itemOfRows(name, undefined, inner, path, resolution);
}

function isOfRows({ kind }: InnerStatement, path: string, resolution: Resolution): boolean {
  if (kind === "query" || kind === "select") return true;
  resolution.add("INVALID_RELATION", `with takes a query of rows, not a ${kind}`, path);
  return false;
}

function mayBeNamed(name: string, { selection }: RowsAround, path: string, resolution: Resolution): boolean {
  const refuse = (message: string) => {
    resolution.add("INVALID_ALIAS", message, path);
    return false;
  };
  if (!isName(name)) return refuse(notName(name, "nested rows"));
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  const { own, joined } = resolution.scope;
  if (Object.keys(own.table.columns).some(same))
    return refuse(`nested rows cannot be named ${quoted(name)}: a field has that name`);
  if ([...selection.expressions.keys()].some(same))
    return refuse(`nested rows cannot be named ${quoted(name)}: an expression has that name`);
  if ([...joined.keys()].some(same))
    return refuse(
      `nested rows cannot be named ${quoted(name)}: a joined table has that name; give that another`,
    );
  return true;
}

function itemOfRows(
  name: string,
  said: RowsSaid | undefined,
  { subquery, columns, found }: InnerResolved | InnerFound,
  path: string,
  resolution: Resolution,
): Item | undefined {
  const { query: whole, reads } = subquery;
  // The statement is a query of rows.
  if (whole.kind === "aggregate") return undefined;
  const { grammar } = resolution;
  // Rows that are found by a condition are many.
  const isMany = said?.isMany !== false;
  const isAlone = !isMany && whole.joins.length === 0;
  // A select has a limit of one. A single row does not need it.
  const query = isAlone && whole.isOne ? { ...whole, paging: [] } : whole;
  const items = query.items ?? [...query.from.fields.values()].map(itemOf);
  const values = new Map(columns.map((column) => [column.name, column.value]));
  const forms = new Map(items.map((item) => [item, valueForm(item, values, path, resolution)]));
  const written: ResolvedNestedRows["written"] = (item, from, isAgain) => {
    const { inside, insideAgain } = grammar.nested;
    const template =
      item.expression.kind === "nested" ? (isAgain ? insideAgain : inside) : forms.get(item)?.template;
    if (template === undefined || template === "{f}") return from;
    return { kind: "call", template, operands: [from], separator: "", params: [] };
  };
  const form = formOfNested({ query, found, items, written, reads, isAlone }, path, resolution);
  if (form === undefined) return undefined;
  const { nested, holds } = form;
  const gives = isMany ? "list" : nested.shape === "row" ? "row" : "first";
  const { table } = query.from;
  const inside: NestedOutput = {
    table,
    outputs: items.map((item) => readingJson(item.output, forms.get(item))),
    gives,
    mostValues: grammar.nested.mostValues,
    holds: gives === "row" ? undefined : holds,
  };
  return {
    expression: nested,
    name: grammar.quote(name),
    output: nestedOutput(name, said, query, inside),
  };
}

// The name in the text. A column may have the name of the nested rows while its field has another name. An order by
// this column would then mean the rows.
function labelled(item: Item, names: readonly string[], { scope, grammar: { quote } }: Resolution): Item {
  const { name } = item.output;
  const columns = Object.values(scope.own.table.columns).map((column) => column.name);
  const taken = [...columns, ...names.filter((other) => other !== name)];
  return { ...item, name: freeName(name, `${name}_`, taken.map(quote), quote) };
}

function valueForm(
  { expression, output: { name } }: Item,
  values: ReadonlyMap<string, ResolvedValue>,
  path: string,
  resolution: Resolution,
): NestedValue | undefined {
  if (expression.kind === "nested") return undefined;
  const { grammar } = resolution;
  if (expression.kind === "field") {
    const { column, table } = expression;
    if (column.kind === "bytes" && isLargeObject(column, table, grammar))
      resolution.unsupported(
        "bytes of large objects in nested rows",
        `leave out ${quoted(name)}, and read it in a query of its own`,
        path,
      );
    const isDeclared = textFor(column.type, grammar.dialect) !== undefined;
    return grammar.nested.value(column.storage, isDeclared ? "declared column" : "column");
  }
  const { storage } = selectedAs(expression, values.get(name)) ?? wholeNumber;
  return grammar.nested.value(storage, "expression");
}

// A selected value may differ from its compared form. An item without a value says whether a part exists.
function selectedAs(
  expression: ResolvedExpression,
  value: ResolvedValue | undefined,
): Pick<ResolvedValue, "storage"> | undefined {
  return value?.selected?.expression === expression ? value.selected : value;
}

function readingJson(output: Output, form: NestedValue | undefined): Output {
  const read = form?.read;
  if (read === undefined) return output;
  const { decode } = output;
  return { ...output, decode: (value) => decode(read(value)) };
}

/** The output of nested rows in a row. A required reference exists, unless the query may leave out rows. */
function nestedOutput(
  name: string,
  said: RowsSaid | undefined,
  query: ResolvedQuery,
  nested: NestedOutput,
): Output {
  // The first condition connects the row to the outer one.
  const leavesOut =
    query.where.length > 1 || query.joins.length + query.paging.length + query.having.length > 0;
  const isMany = said?.isMany !== false;
  const mayMiss =
    said?.isOptional === true || said?.pairs.some(({ mine }) => mine.nullable) === true || leavesOut;
  return {
    name,
    kind: `${isMany ? "rows" : "the row"} of ${quoted(nested.table.name)}${isMany ? "" : " that it refers to"}`,
    nullable: !isMany && mayMiss,
    nested,
    // Rows are read as a whole, and never sent to the server.
    fault: () => undefined,
    encode: (value) => value,
    decode: (value) => value,
  };
}
