/** Resolves the joined tables of a statement: their names, their conditions, and the scope that contains them. */
import { quoted } from "../../../core/errors.js";
import { JoinOn } from "../../ast/builder-parts.js";
import { sourceOf } from "../../ast/source.js";
import type { JoinKind } from "../../ast/spec.js";
import type { AnyTable } from "../../declare/declaration.js";
import { isName, notName } from "../../words/names.js";
import { equalFields } from "../expression/two-values.js";
import { outputOf } from "../expression/value.js";
import { standingConditions } from "../expression/where.js";
import { joinedLayout, labelOf, layoutOf, ownAmong } from "../scope/layout.js";
import { lastWord, relatedRows } from "../scope/related.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, Item, Layout, ResolvedCondition, ResolvedJoin } from "../scope/resolved.js";
import { wholeNumber } from "../scope/result.js";
import { type JoinedTable, unknownField } from "../scope/scope.js";
import type { Visible } from "../scope/view.js";
import { tableLayout } from "./source.js";

/** The joins of a statement, and a resolution that knows their tables. */
interface Joining {
  readonly joins: readonly ResolvedJoin[];
  readonly resolution: Resolution;
}

const none: readonly ResolvedJoin[] = [];

/** The parts of a join: its table, its name, and its equal fields. */
interface Said {
  readonly kind: JoinKind;
  readonly name: string;
  readonly table: AnyTable;
  /** The layout of the table, if it is known. */
  readonly layout?: Layout | undefined;
  readonly from: string | undefined;
  /** A field in the scope so far, and one of the table. */
  readonly mine: string;
  readonly theirs: string;
  readonly isMany: boolean;
  readonly visible: Visible;
}

/** Resolves `joins`. */
export function resolveJoins(joins: unknown, resolution: Resolution): Joining {
  if (joins === undefined) return { joins: none, resolution: reading(resolution) };
  const list = resolution.list(joins, "joins");
  if (list.length === 0) return { joins: none, resolution: reading(resolution) };
  const { mostTables = Number.POSITIVE_INFINITY } = resolution.grammar;
  if (list.length >= mostTables) {
    resolution.unsupported(`queries of more than ${mostTables} tables`, "read some of them apart", "joins");
    return { joins: none, resolution };
  }
  // The scope contains each table once it is joined.
  const joined = new Map<string, JoinedTable>();
  const { scope, grammar } = resolution;
  const names = list.flatMap(nameIn).map(grammar.quote);
  const own = ownAmong(
    ownLayout(resolution) ?? layoutOf(scope.own.table, grammar),
    [...scope.taken, ...names],
    grammar,
  );
  const inside = resolution.seeing(scope.joining(own, joined));
  const resolved = list.flatMap((join, i) => {
    const path = `joins[${i}]`;
    const said = JoinOn.own(join) === undefined ? related(join, path, inside) : onFields(join, path, inside);
    if (said === undefined || !mayBeNamed(said.name, path, inside)) return [];
    return joinedBy(said, { path, index: i, names }, joined, inside) ?? [];
  });
  return { joins: resolved, resolution: inside };
}

/** The own table of a statement, if it is a query. */
function ownLayout(resolution: Resolution): Layout | undefined {
  const { table } = resolution.scope.own;
  if (sourceOf(table) !== undefined) return tableLayout(table, "from", resolution);
  resolution.addTable(table);
  return undefined;
}

/** A resolution that knows the columns of its own table, if that is a query. */
function reading(resolution: Resolution): Resolution {
  const own = ownLayout(resolution);
  if (own === undefined) return resolution;
  const { scope, grammar } = resolution;
  const isAlone = scope.own.qualifier === undefined;
  const named = isAlone ? own : ownAmong(own, scope.taken, grammar);
  return resolution.seeing(scope.joining(named, scope.joined));
}

/** The name that a join gives its table, if it gives one. */
function nameIn(join: unknown): string | readonly [] {
  const on = JoinOn.own(join);
  const { relation, as = lastWord(relation) } = Object(join) as Readonly<Record<string, unknown>>;
  const name = on === undefined ? as : on.of.name;
  return typeof name === "string" ? name : [];
}

const joinKeys = ["relation", "as", "kind"];
const joinKeysOfClients: ReadonlySet<string> = new Set(joinKeys);
const joinKeysOfPrograms: ReadonlySet<string> = new Set([...joinKeys, "whole"]);

/** A join of a relation. */
function related(join: unknown, path: string, resolution: Resolution): Said | undefined {
  const keys = resolution.scope.isOfClient ? joinKeysOfClients : joinKeysOfPrograms;
  if (!resolution.keys(join, keys, path)) return undefined;
  const { relation: way, as = lastWord(way), kind = "inner", whole } = join;
  if (kind !== "inner" && kind !== "left") {
    resolution.add(
      "INVALID_SPEC",
      `kind of a join must be inner or left, not ${quoted(kind)}`,
      `${path}.kind`,
    );
    return undefined;
  }
  const found = relatedRows(way, `${path}.relation`, resolution, whole);
  if (found === undefined) return undefined;
  // A name that is not text is refused together with the other names.
  return {
    kind,
    name: as as string,
    ...found,
  };
}

/** A join by two fields. */
function onFields(join: unknown, path: string, resolution: Resolution): Said | undefined {
  const { kind, name, table, mine, theirs } = (join as JoinOn).of;
  const { scope } = resolution;
  const field = resolution.field(mine, `${path}.mine`);
  const layout = tableLayout(table, `${path}.table`, resolution);
  if (layout === undefined) return undefined;
  const other = typeof theirs === "string" && layout.fields.has(theirs);
  if (!other) resolution.add("INVALID_FIELD", unknownField(theirs, table), `${path}.theirs`);
  if (field === undefined || !other) return undefined;
  const { property } = field.column;
  const from = scope.joinedTableOf(field);
  const { keys = table.keys } = layout;
  const isMany = !keys.some((key) => key.length === 1 && key[0] === theirs);
  return {
    kind,
    name: name as string,
    table,
    layout,
    from,
    mine: property,
    theirs,
    isMany,
    visible: undefined,
  };
}

function mayBeNamed(name: unknown, path: string, resolution: Resolution): boolean {
  const { own, joined } = resolution.scope;
  const refuse = (message: string) => {
    resolution.add("INVALID_ALIAS", message, `${path}.as`);
    resolution.refuseName(name);
    return false;
  };
  if (!isName(name)) return refuse(notName(name, "a table"));
  // A row has its own fields and the joined parts, and some servers ignore the case of names.
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  for (const field of own.fields.keys())
    if (same(field) || field.startsWith(`${name}.`))
      return refuse(`a joined table cannot be named ${quoted(name)}: a field has that name; give it another`);
  if ([...joined.keys()].some(same)) return refuse(`two joined tables are named ${quoted(name)}`);
  return true;
}

/** The position of a join among joins with these quoted names. */
interface JoinAmong {
  readonly path: string;
  readonly index: number;
  readonly names: readonly string[];
}

function joinedBy(
  { kind, name, table, layout: known, from, mine, theirs, isMany, visible }: Said,
  { path, index, names }: JoinAmong,
  joined: Map<string, JoinedTable>,
  resolution: Resolution,
): ResolvedJoin | undefined {
  const { grammar } = resolution;
  const plain = known ?? tableLayout(table, path, resolution);
  if (plain === undefined) return undefined;
  const taken = takenBeside(grammar.quote(name), names, joined, resolution);
  const place = { name, isOptional: kind === "left", index, taken };
  const layout = joinedLayout(plain, place, grammar);
  const label = labelOf(place, "*", "*", grammar);
  const presence =
    kind === "left" ? presenceOf(name, label, layout.fields.get(theirs), resolution) : undefined;
  joined.set(name, { name, layout, from, isMany, presence, visible });
  const [left, right] = [resolution.scope.hidden(mine), layout.fields.get(theirs)];
  if (left === undefined || right === undefined) return undefined;
  const equal = equalFields(left, right, path, resolution);
  if (equal === undefined) return undefined;
  const within = standingConditions(layout, resolution);
  const on: ResolvedCondition = {
    kind: "group",
    logic: "AND",
    members: [equal, ...within],
    optional: undefined,
  };
  return { kind, table: layout, on: within.length === 0 ? equal : on, isMany };
}

// In an inner query a table may be renamed. It must not get the name of another table.
function takenBeside(
  name: string,
  names: readonly string[],
  joined: ReadonlyMap<string, JoinedTable>,
  { scope: { own, taken }, grammar: { quote } }: Resolution,
): readonly string[] {
  if (taken.length === 0) return taken;
  const layouts = [own, ...[...joined.values()].map(({ layout }) => layout)];
  const beside = layouts.map(({ qualifier, table }) => qualifier ?? quote(table.name));
  return [...taken, ...beside, ...names.filter((other) => other !== name)];
}

/** Whether a left join has found a row. If it has, the field by which the row was found is not null. */
function presenceOf(
  name: string,
  label: string,
  field: Field | undefined,
  resolution: Resolution,
): Item | undefined {
  if (field === undefined) return undefined;
  const template = "CASE WHEN {f} IS NULL THEN 0 ELSE 1 END";
  return {
    expression: { kind: "call", template, operands: [field], separator: "", params: [] },
    name: label,
    output: { ...outputOf(wholeNumber, `${name}.*`, resolution), inside: { part: name, name: undefined } },
  };
}
