/** Resolves the joined tables of a statement: their names, their conditions, and the scope that contains them. */
import { quoted } from "../../../core/errors.js";
import { JoinOn, JoinWhere, OuterJoin, type TableJoin } from "../../ast/builder-parts.js";
import { sourceOf } from "../../ast/source.js";
import type { AnyTable } from "../../declare/declaration.js";
import { allOf, equalPairs } from "../expression/two-values.js";
import { outputOf } from "../expression/value.js";
import { standingConditions } from "../expression/where.js";
import { resolveConnecting } from "../on/connecting.js";
import { mayName } from "../on/naming.js";
import { pairsOf } from "../on/pairs.js";
import { joinedLayout, keepsTheirs, labelOf, layoutOf, missing, ownAmong } from "../scope/layout.js";
import { lastWord, relatedRows, type WaysTo } from "../scope/related.js";
import type { Resolution } from "../scope/resolution.js";
import type {
  Item,
  JoinedBetween,
  Layout,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedJoin,
} from "../scope/resolved.js";
import { wholeNumber } from "../scope/result.js";
import { type JoinedTable, unknownField } from "../scope/scope.js";
import type { Visible } from "../scope/view.js";
import { layoutsIn } from "../scope/walk.js";
import { marked, partAlone } from "./derived.js";
import { tableLayout } from "./source.js";
import { leadThrough } from "./through.js";

/** The joins of a statement, and a resolution that knows their tables. */
interface Joining {
  readonly joins: readonly ResolvedJoin[];
  readonly resolution: Resolution;
}

const none: readonly ResolvedJoin[] = [];

/** The parts of a join: its table, its name, and its condition. */
interface Said {
  readonly kind: TableJoin;
  readonly name: string;
  readonly table: AnyTable;
  /** The layout of the table, if it is known. */
  readonly layout?: Layout | undefined;
  readonly on: EqualFields | Condition;
  readonly visible: Visible;
}

/** A join by equal fields. */
interface EqualFields {
  readonly from: string | undefined;
  readonly ways: WaysTo;
  readonly isMany: boolean;
}

/** A join by a condition, as the caller gave it. */
interface Condition {
  readonly condition: unknown;
}

/** Resolves `joins`. */
export function resolveJoins(joins: unknown, resolution: Resolution): Joining {
  if (joins === undefined) return { joins: none, resolution: reading(resolution) };
  const list = resolution.list(joins, "joins");
  if (list.length === 0) return { joins: none, resolution: reading(resolution) };
  const { mostTables = Number.POSITIVE_INFINITY } = resolution.grammar;
  if (list.length >= mostTables) {
    tooMany(mostTables, resolution);
    return { joins: none, resolution };
  }
  // The scope contains each table once it is joined.
  const joined = new Map<string, JoinedTable>();
  const { scope, grammar } = resolution;
  const names: string[] = list.flatMap(nameIn).map(grammar.quote);
  const plain = ownLayout(resolution) ?? layoutOf(scope.own.table, grammar);
  // The join after which no row of a table before it is missing anymore.
  const lastOuter = list.findLastIndex((join) => keepsTheirs(kindOf(join)));
  const own = ownAmong(
    lastOuter < 0 ? plain : missing(partAlone(plain, resolution)),
    [...scope.taken, ...names],
    grammar,
  );
  const inside = resolution.seeing(scope.joining(own, joined));
  const resolved = list.flatMap((join, i) => {
    const path = `joins[${i}]`;
    const said = saidBy(join, path, inside);
    if (said === undefined || !mayName(said.name, "a joined table", path, inside)) return [];
    const mayMiss = said.kind === "left" || said.kind === "full" || i < lastOuter;
    return joinedBy(said, { path, index: i, names, mayMiss }, joined, inside) ?? [];
  });
  const count = layoutsIn({ from: own, joins: resolved }).length;
  if (count > mostTables) tooMany(mostTables, resolution);
  return { joins: resolved, resolution: inside };
}

function tooMany(most: number, resolution: Resolution): void {
  resolution.unsupported(
    `queries of more than ${most} tables`,
    "read some of them by queries of their own",
    "joins",
  );
}

/** The kind of a join that no spec can hold. */
function kindOf(join: unknown): TableJoin | undefined {
  return (OuterJoin.own(join) ?? JoinOn.own(join) ?? JoinWhere.own(join))?.of.kind;
}

function saidBy(join: unknown, path: string, resolution: Resolution): Said | undefined {
  const on = JoinOn.own(join);
  if (on !== undefined) return onFields(on, path, resolution);
  const where = JoinWhere.own(join);
  if (where === undefined) return related(join, path, resolution);
  const { kind, name, table, condition } = where.of;
  return { kind, name: name as string, table, on: { condition }, visible: undefined };
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
  const on = JoinOn.own(join) ?? JoinWhere.own(join);
  const said = OuterJoin.own(join)?.of ?? join;
  const { relation, as = lastWord(relation) } = Object(said) as Readonly<Record<string, unknown>>;
  const name = on === undefined ? as : on.of.name;
  return typeof name === "string" ? name : [];
}

const joinKeys = ["relation", "as", "kind"];
const joinKeysOfClients: ReadonlySet<string> = new Set(joinKeys);
const joinKeysOfPrograms: ReadonlySet<string> = new Set([...joinKeys, "whole"]);

/** A join of a relation. */
function related(join: unknown, path: string, resolution: Resolution): Said | undefined {
  const outer = OuterJoin.own(join)?.of;
  if (outer !== undefined)
    return relatedBy(outer.kind, outer.relation, outer.as, undefined, path, resolution);
  const keys = resolution.scope.isOfClient ? joinKeysOfClients : joinKeysOfPrograms;
  if (!resolution.keys(join, keys, path)) return undefined;
  const { relation: way, as, kind = "inner", whole } = join;
  if (kind !== "inner" && kind !== "left") {
    resolution.add(
      "INVALID_SPEC",
      `kind of a join must be inner or left, not ${quoted(kind)}`,
      `${path}.kind`,
    );
    return undefined;
  }
  return relatedBy(kind, way, as, whole, path, resolution);
}

function relatedBy(
  kind: TableJoin,
  way: unknown,
  as: unknown,
  whole: unknown,
  path: string,
  resolution: Resolution,
): Said | undefined {
  const found = relatedRows(way, `${path}.relation`, resolution, whole);
  if (found === undefined) return undefined;
  const { table, visible, from, ways, isMany } = found;
  // A name that is not text is refused together with the other names.
  const name = (as === undefined ? lastWord(way) : as) as string;
  return { kind, name, table, on: { from, ways, isMany }, visible };
}

/** A join by fields that are equal. */
function onFields({ of }: JoinOn, path: string, resolution: Resolution): Said | undefined {
  const { kind, name, table, mine, theirs } = of;
  const { scope } = resolution;
  const layout = tableLayout(table, `${path}.table`, resolution);
  if (layout === undefined) return undefined;
  const rows = {
    kindOf: (field: string) => layout.fields.get(field)?.column.kind,
    unknown: (field: unknown) => unknownField(field, table),
  };
  const given = pairsOf(mine, theirs, rows, path, resolution);
  if (given === undefined) return undefined;
  const before = new Set(given.map((pair) => scope.joinedTableOf(pair.mine)));
  const { keys = table.keys } = layout;
  const isMany = !keys.some((key) => key.every((property) => given.some((pair) => pair.theirs === property)));
  const pairs = given.map((pair) => ({ mine: pair.mine.column.property, theirs: pair.theirs }));
  const on = {
    from: [...scope.joined.keys()].findLast((one) => before.has(one)),
    ways: { pairs },
    isMany,
  };
  return { kind, name: name as string, table, layout, on, visible: undefined };
}

/** The position of a join among joins with these quoted names. */
interface JoinAmong {
  readonly path: string;
  readonly index: number;
  readonly names: string[];
  /** Whether its row may be missing. */
  readonly mayMiss: boolean;
}

function joinedBy(
  { kind, name, table, layout: known, on, visible }: Said,
  { path, index, names, mayMiss }: JoinAmong,
  joined: Map<string, JoinedTable>,
  resolution: Resolution,
): ResolvedJoin | undefined {
  const { grammar } = resolution;
  const given = known ?? tableLayout(table, path, resolution);
  if (given === undefined) return undefined;
  const keeps = keepsTheirs(kind);
  const plain = keeps ? partAlone(given, resolution) : given;
  const taken = takenBeside(grammar.quote(name), names, joined, resolution);
  const place = { name, isOptional: mayMiss, index, taken };
  const layout = joinedLayout(plain, place, grammar);
  // Its condition may name it.
  joined.set(name, { name, layout, from: undefined, isMany: true, presence: undefined, visible });
  const connected = connectedBy(on, { kind, name, given, layout, plain, path, names }, resolution);
  if (connected === undefined) return undefined;
  const { from, isMany, equates } = connected;
  requireKind(kind, equates, path, resolution);
  // A row that is there only if its condition holds has no NULL in a field that this fixes.
  const fixed = keeps ? undefined : connected.fixed;
  const sign = "ways" in on ? (fixed ?? neverNull(plain)) : (neverNull(plain) ?? fixed);
  const signed = mayMiss && sign === undefined ? marked(plain, grammar) : undefined;
  const read = signed === undefined ? layout : joinedLayout(signed.layout, place, grammar);
  const isThere: ResolvedExpression | undefined =
    signed === undefined
      ? layout.fields.get(sign ?? "")
      : { kind: "literal", sql: `${layout.qualifier}.${signed.mark}` };
  const label = labelOf(place, "*", "*", grammar);
  const presence = mayMiss ? presenceOf(name, label, isThere, resolution) : undefined;
  const { mayRepeat } = connected;
  joined.set(name, { name, layout: read, from, isMany, mayRepeat, presence, visible });
  const within = standingConditions(read, resolution);
  const { through } = connected;
  return { kind, table: read, on: allOf([...connected.on, ...within]), isMany, through };
}

/** The condition of a join, and what it says of the rows. */
interface Connected {
  readonly on: readonly ResolvedCondition[];
  readonly through?: JoinedBetween | undefined;
  readonly from: string | undefined;
  readonly isMany: boolean;
  readonly mayRepeat?: boolean;
  readonly equates: boolean;
  /** A field of the table that it fixes, if there is one. */
  readonly fixed: string | undefined;
}

/** A table that is being joined. */
interface Joined {
  readonly kind: TableJoin;
  readonly name: string;
  /** The table, whatever part of it is joined. */
  readonly given: Layout;
  readonly layout: Layout;
  readonly plain: Layout;
  readonly path: string;
  /** The quoted names of the joined tables, and of those between them. */
  readonly names: string[];
}

function connectedBy(
  on: Said["on"],
  { kind, name, layout, plain, given, path, names }: Joined,
  resolution: Resolution,
): Connected | undefined {
  const { scope } = resolution;
  if ("condition" in on) {
    // Conditions use plain fields, so that an index serves them.
    const plainly = resolution.seeing(scope.comparing(false));
    const connecting = resolveConnecting(on.condition, name, `${path}.on`, plainly);
    if (connecting === undefined) return undefined;
    const { fixed, equates, others } = connecting;
    const { keys = plain.table.keys } = plain;
    const isMany = !keys.some((key) => key.every((property) => fixed.has(property)));
    return {
      on: [connecting.on],
      from: [...scope.joined.keys()].findLast((one) => others.has(one)),
      isMany,
      equates,
      fixed: [...fixed][0],
    };
  }
  const { from, isMany, ways } = on;
  const { pairs, between } = ways;
  const mine = pairs.map((pair) => scope.hidden(pair.mine));
  if (between !== undefined) {
    const held = pairs.map((pair) => pair.theirs);
    const taken = [...names, ...scope.qualifiers(resolution.grammar)];
    const hidden = taken.length;
    const led = leadThrough({ kind, mine, held, between, layout, given }, taken, path, resolution);
    names.push(...taken.slice(hidden));
    const paired = [...held, ...between.pairs.map((pair) => pair.mine)];
    const mayRepeat = !between.table.keys.some((key) => key.every((property) => paired.includes(property)));
    return led && { ...led, from, isMany, mayRepeat, equates: true, fixed: between.pairs[0]?.theirs };
  }
  const theirs = pairs.map((pair) => layout.fields.get(pair.theirs));
  const equal = equalPairs(mine, theirs, path, resolution);
  return equal && { on: equal, from, isMany, equates: true, fixed: pairs[0]?.theirs };
}

function requireKind(kind: TableJoin, equates: boolean, path: string, resolution: Resolution): void {
  const { fullJoin } = resolution.grammar;
  if (kind !== "full" || fullJoin === undefined) return;
  if (fullJoin.needsEquality !== true || !equates)
    resolution.unsupported(fullJoin.feature, fullJoin.hint, path);
}

/** A field that no row of a table has as NULL, of a key if there is one; undefined if there is none. */
function neverNull({ fields, table, keys = table.keys }: Layout): string | undefined {
  const known = keys.flat();
  const sure = [...fields].filter(([, field]) => !field.nullable);
  const [[property] = [undefined]] = [...sure.filter(([one]) => known.includes(one)), ...sure];
  return property;
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

/**
 * Whether a joined table has a row.
 * @param sign what is not null if it has.
 */
function presenceOf(
  name: string,
  label: string,
  sign: ResolvedExpression | undefined,
  resolution: Resolution,
): Item | undefined {
  if (sign === undefined) return undefined;
  const template = "CASE WHEN {f} IS NULL THEN 0 ELSE 1 END";
  return {
    expression: { kind: "call", template, operands: [sign], separator: "", params: [] },
    name: label,
    output: { ...outputOf(wholeNumber, `${name}.*`, resolution), inside: { part: name, name: undefined } },
  };
}
