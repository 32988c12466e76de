/** Resolves recursions: a start and a step, whose rows have the same columns. */
import { listed, quoted } from "../../../core/errors.js";
import type { RecursionParts, TableSource } from "../../ast/source.js";
import type { AnyTable } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { outputOf } from "../expression/value.js";
import { keepsTheirs } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, Layout, ResolvedQuery } from "../scope/resolved.js";
import { areAlike, type InnerColumn, type InnerRows, wholeNumber } from "../scope/result.js";
import { comparing, rowsApart, sourceLayout } from "./source-rows.js";

/** The parts of a recursion whose rows are resolved. */
interface Recursive extends RecursionParts {
  readonly table: AnyTable;
  readonly once: object;
  readonly start: InnerRows;
  readonly query: ResolvedQuery;
  readonly further: ResolvedQuery;
  readonly items: readonly (InnerColumn | undefined)[];
  /** The table of the step that stands for the rows found so far. */
  readonly own: Layout;
}

export function recursionOf(
  table: AnyTable,
  { statement, once = table }: TableSource,
  recursion: RecursionParts,
  path: string,
  resolution: Resolution,
): Layout | undefined {
  const known = resolution.shared.named.get(once)?.layout;
  if (known !== undefined) return known;
  const refuse = (message: string) => {
    resolution.add("INVALID_SPEC", message, path);
    return undefined;
  };
  if (!resolution.shared.mayName) return refuse("a recursion cannot stand in a statement that changes rows");
  const begun = rowsApart(statement, `${path}.start`, resolution);
  if (begun === undefined) return undefined;
  const start = comparing(begun, resolution);
  const step = stepAfter(start, recursion, path, resolution);
  if (step === undefined) return undefined;
  const query = rowsAlone(start.query);
  const further = rowsAlone(step.query);
  if (query === undefined || further === undefined)
    return refuse("start and step of a recursion take no order, limit or offset, and the step no groups");
  if (further.joins.some(({ kind }) => keepsTheirs(kind)))
    return refuse("the step of a recursion has no right or full join");
  const read = [
    further.from,
    ...further.joins.flatMap(({ kind, table: one }) => (kind === "inner" ? [one] : [])),
  ];
  const [own, ...more] = read.filter((one) => one.table === recursion.self);
  if (own === undefined || more.length > 0 || further.groupBy.length > 0 || further.isDistinct)
    return refuse(
      "the step of a recursion must use its argument exactly once, in from or joinQuery, and without groups",
    );
  const items = itemsLike(start, step, path, resolution);
  if (items === undefined) return undefined;
  return named({ table, once, start, query, further, items, own, ...recursion }, resolution);
}

/** The rows of the step, which reads those found so far. */
function stepAfter(
  start: InnerRows,
  { self, step, depth }: RecursionParts,
  path: string,
  resolution: Resolution,
): InnerRows | undefined {
  const { grammar, shared } = resolution;
  if (depth !== undefined && hasColumn(depth, start.columns, grammar)) {
    const message = `the level cannot be named ${quoted(depth)}: a column has that name`;
    resolution.add("INVALID_ALIAS", message, path);
    return undefined;
  }
  const { rows: _, ...found } = sourceLayout(self, start, grammar);
  shared.selves.set(self, { ...found, keys: [] });
  const gone = rowsApart(step, `${path}.step`, resolution);
  shared.selves.delete(self);
  return gone === undefined ? undefined : comparing(gone, resolution);
}

/** The items of the step in the order of the start; adds a problem if they are not of the same kinds. */
function itemsLike(
  start: InnerRows,
  step: InnerRows,
  path: string,
  resolution: Resolution,
): readonly (InnerColumn | undefined)[] | undefined {
  const items = start.columns.map(({ name }) => step.columns.find((column) => column.name === name));
  const isAlike = (i: number) => {
    const [one, other] = [start.columns[i]?.value, items[i]?.value];
    return (
      one !== undefined &&
      other !== undefined &&
      areAlike(one.storage, other.storage) &&
      one.storage.scale === other.storage.scale &&
      (one.nullable || !other.nullable)
    );
  };
  if (items.length !== step.columns.length || !items.every((_, i) => isAlike(i))) {
    const names = listed(start.columns.map(({ name }) => name));
    resolution.add(
      "INVALID_FIELD",
      `the step of a recursion must select what its start selects, of the same kinds: ${names}`,
      path,
    );
    return undefined;
  }
  return items;
}

/** The recursion as a query that is written once. */
function named(
  { table, once, start, query, further, items, own, maxDepth, depth }: Recursive,
  resolution: Resolution,
): Layout {
  const { grammar } = resolution;
  const level = grammar.quote(levelName(depth, start.columns));
  const levels = outputOf(wholeNumber, depth ?? "level", resolution);
  const above = own.qualifier === undefined ? level : `${own.qualifier}.${level}`;
  const levelled = (sql: string): Item => ({
    expression: { kind: "literal", sql },
    name: level,
    output: levels,
  });
  const layout: Layout = {
    ...sourceLayout(
      table,
      {
        ...start,
        columns: [...start.columns, ...(depth === undefined ? [] : [levelColumn(depth, level, levels)])],
      },
      grammar,
    ),
    keys: [],
  };
  const { rows: _, ...readable } = layout;
  resolution.shared.named.set(once, {
    name: layout.name,
    layout: readable,
    rows: { ...query, items: [...start.columns.map(({ item }) => item), levelled("1")] },
    recursion: {
      maxDepth,
      columns: [...start.columns.map(({ item }) => item.name), level],
      step: {
        ...further,
        items: [
          ...items.flatMap((column) => column?.item ?? []),
          levelled(
            grammar.recursion.next.replaceAll("{f}", () => above).replaceAll("{most}", String(maxDepth)),
          ),
        ],
      },
    },
  });
  return readable;
}

// The server could read either of two columns with the same name.
function hasColumn(name: string, columns: readonly InnerColumn[], { quote }: Grammar): boolean {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return columns.some((column) => same(column.name, name) || same(column.item.name, quote(name)));
}

function rowsAlone(query: InnerRows["query"]): ResolvedQuery | undefined {
  if (query.kind === "aggregate" || query.paging.length > 0) return undefined;
  return query.orderBy.length > 0 ? undefined : query;
}

function levelName(depth: string | undefined, columns: readonly InnerColumn[]): string {
  let name = depth ?? "level";
  while (depth === undefined && columns.some(({ item }) => item.name.slice(1, -1).toLowerCase() === name))
    name += "_";
  return name;
}

function levelColumn(name: string, quotedName: string, output: Item["output"]): InnerColumn {
  const expression = { kind: "literal", sql: quotedName } as const;
  return { name, value: { ...wholeNumber, expression }, item: { expression, name: quotedName, output } };
}
