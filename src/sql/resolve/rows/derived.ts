/**
 * A table as the rows of a query: where only a part of it is joined and its other rows must not be there at all, or where
 * nothing in its rows says that they are there.
 */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { standingConditions } from "../expression/where.js";
import { freeName, itemOf } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, Layout, Literal, ResolvedCondition, ResolvedQuery } from "../scope/resolved.js";
import { everyRow } from "./paging.js";

/** The rows of a part of a table before any join; the table itself if it is no part. */
export function partAlone(layout: Layout, resolution: Resolution): Layout {
  const where = standingConditions(layout, resolution);
  return where.length === 0
    ? layout
    : { ...rowsOf(layout, undefined, where, resolution.grammar), isPart: true };
}

/** The rows of a table with one more column, which is never NULL in them. */
interface Marked {
  readonly layout: Layout;
  /** The quoted name of that column. */
  readonly mark: string;
}

/** The rows of a table, marked. */
export function marked(layout: Layout, grammar: Grammar): Marked {
  const taken = [...layout.fields.values()].map(({ name }) => name);
  const mark = freeName("found", "found_", taken, grammar.quote);
  return { layout: rowsOf(layout, mark, [], grammar), mark };
}

function rowsOf(
  layout: Layout,
  mark: string | undefined,
  where: readonly ResolvedCondition[],
  grammar: Grammar,
): Layout {
  const items = [...layout.fields.values()].map(itemOf);
  const rows: ResolvedQuery = {
    kind: "query",
    from: layout,
    joins: [],
    isDistinct: false,
    distinctOn: [],
    items: mark === undefined ? items : [...items, ...markOf(mark, items)],
    where,
    groupBy: [],
    having: [],
    orderBy: [],
    paging: mark === undefined ? [] : everyRow(grammar),
    lock: undefined,
    findBy: undefined,
    isOne: false,
  };
  return { ...layout, name: grammar.quote(layout.table.name), rows };
}

// A row has at least one field. Nobody reads the output of this one.
function markOf(name: string, items: readonly Item[]): readonly Item[] {
  const one: Literal = { kind: "literal", sql: "1" };
  return items.slice(0, 1).map(({ output }) => ({ expression: one, name, output }));
}
