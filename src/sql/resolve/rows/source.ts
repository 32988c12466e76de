/** The layouts of tables and of queries as tables. */
import { quoted } from "../../../core/errors.js";
import { sourceOf, type TableSource } from "../../ast/source.js";
import type { AnyTable } from "../../declare/declaration.js";
import { tableFault } from "../../dialect/grammar/names.js";
import { layoutOf } from "../scope/layout.js";
import { MOST_QUERIES, type Resolution } from "../scope/resolution.js";
import type { Layout } from "../scope/resolved.js";
import { recursionOf } from "./recursion.js";
import { comparing, rowsApart, sourceLayout } from "./source-rows.js";

/**
 * The layout of a table, or of a query as one; undefined if the dialect does not support the table.
 * @throws {BuildError | UnsupportedError} for a query with problems, because its columns are not known then.
 */
export function tableLayout(table: AnyTable, path: string, resolution: Resolution): Layout | undefined {
  const { grammar } = resolution;
  const source = sourceOf(table);
  if (source !== undefined) {
    const rows = resolution.scope.depth < MOST_QUERIES ? readOf(table, source, path, resolution) : undefined;
    if (rows !== undefined) return rows;
    if (resolution.none)
      resolution.add("INVALID_SPEC", `queries nest more than ${MOST_QUERIES} levels`, path);
    resolution.throwIfAny();
  }
  resolution.addTable(table);
  const fault = tableFault(table, grammar);
  if (fault === undefined) return layoutOf(table, grammar);
  resolution.unsupported(fault.feature, fault.hint, path);
  return undefined;
}

/** A query in its place, or its name if the query is written once. */
function readOf(
  table: AnyTable,
  source: TableSource,
  path: string,
  resolution: Resolution,
): Layout | undefined {
  const { once, recursion } = source;
  const { named, mayName } = resolution.shared;
  if (source.isSelf === true) {
    const self = resolution.shared.selves.get(table);
    if (self === undefined)
      resolution.add("INVALID_RELATION", "only the step of a recursion can read the rows found so far", path);
    return self;
  }
  if (recursion !== undefined) return recursionOf(table, source, recursion, path, resolution);
  if (once === undefined || !mayName) return rowsOf(table, source, path, resolution);
  const known = named.get(once)?.layout;
  const layout = known ?? rowsOf(table, source, path, resolution);
  if (layout === undefined) return undefined;
  const { rows, ...read } = layout;
  if (known === undefined && rows !== undefined) {
    const { name } = layout;
    if ([...named.values()].some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      const message = `two queries of the statement are named ${quoted(table.name)}: make it once, and use it twice`;
      resolution.add("INVALID_ALIAS", message, path);
      return undefined;
    }
    named.set(once, { name, rows, layout });
  }
  return read;
}

function rowsOf(
  table: AnyTable,
  source: TableSource,
  path: string,
  resolution: Resolution,
): Layout | undefined {
  const inner = rowsApart(source.statement, path, resolution);
  if (inner === undefined) return undefined;
  return sourceLayout(table, comparing(inner, resolution), resolution.grammar);
}

/** Adds a problem for a query with the name of a table, because the statement could no longer read that table. */
export function requireNames(resolution: Resolution): void {
  for (const { layout } of resolution.shared.named.values()) {
    const { name } = layout.table;
    if (!resolution.shared.tables.has(name.toLowerCase())) continue;
    const message = `a query cannot be named ${quoted(name)}: the statement reads a table of that name`;
    resolution.add("INVALID_ALIAS", message, "with");
  }
}
