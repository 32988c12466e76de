/** Resolves the joined tables of a statement: their names, their conditions, and the scope that contains them. */
import { quoted } from "../../../core/errors.js";
import { JoinOn, JoinWhere, OuterJoin, type TableJoin } from "../../ast/builder-parts.js";
import { sourceOf } from "../../ast/source.js";
import type { AnyTable } from "../../declare/declaration.js";
import { equalFields } from "../expression/two-values.js";
import { outputOf } from "../expression/value.js";
import { standingConditions } from "../expression/where.js";
import { resolveConnecting } from "../on/connecting.js";
import { mayName } from "../on/naming.js";
import { joinedLayout, keepsTheirs, labelOf, layoutOf, missing, ownAmong } from "../scope/layout.js";
import { lastWord, relatedRows } from "../scope/related.js";
import type { Resolution } from "../scope/resolution.js";
import type { Item, Layout, ResolvedCondition, ResolvedExpression, ResolvedJoin } from "../scope/resolved.js";
import { wholeNumber } from "../scope/result.js";
import { type JoinedTable, unknownField } from "../scope/scope.js";
import type { Visible } from "../scope/view.js";
import { marked, partAlone } from "./derived.js";
import { tableLayout } from "./source.js";

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
  /** A field in the scope so far, and one of the table. */
  readonly mine: string;
  readonly theirs: string;
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
    resolution.unsupported(`queries of more than ${mostTables} tables`, "read some of them apart", "joins");
    return { joins: none, resolution };
  }
  // The scope contains each table once it is joined.
  const joined = new Map<string, JoinedTable>();
  const { scope, grammar } = resolution;
  const names = list.flatMap(nameIn).map(grammar.quote);
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
  return { joins: resolved, resolution: inside };
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
  const { table, visible, ...on } = found;
  // A name that is not text is refused together with the other names.
  return { kind, name: (as === undefined ? lastWord(way) : as) as string, table, on, visible };
}

/** A join by two fields. */
function onFields({ of }: JoinOn, path: string, resolution: Resolution): Said | undefined {
  const { kind, name, table, mine, theirs } = of;
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
  const on = { from, mine: property, theirs, isMany };
  return { kind, name: name as string, table, layout, on, visible: undefined };
}

/** The position of a join among joins with these quoted names. */
interface JoinAmong {
  readonly path: string;
  readonly index: number;
  readonly names: readonly string[];
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
  const connected = connectedBy(on, { name, layout, plain, path }, resolution);
  if (connected === undefined) return undefined;
  const { from, isMany, equates } = connected;
  requireKind(kind, equates, path, resolution);
  // A row that is there only if its condition holds has no NULL in a field that this fixes.
  const fixed = keeps ? undefined : connected.fixed;
  const sign = "theirs" in on ? (fixed ?? neverNull(plain)) : (neverNull(plain) ?? fixed);
  const signed = mayMiss && sign === undefined ? marked(plain, grammar) : undefined;
  const read = signed === undefined ? layout : joinedLayout(signed.layout, place, grammar);
  const isThere: ResolvedExpression | undefined =
    signed === undefined
      ? layout.fields.get(sign ?? "")
      : { kind: "literal", sql: `${layout.qualifier}.${signed.mark}` };
  const label = labelOf(place, "*", "*", grammar);
  const presence = mayMiss ? presenceOf(name, label, isThere, resolution) : undefined;
  joined.set(name, { name, layout: read, from, isMany, presence, visible });
  const within = standingConditions(read, resolution);
  const members = [connected.on, ...within];
  const whole: ResolvedCondition = { kind: "group", logic: "AND", members, optional: undefined };
  return { kind, table: read, on: within.length === 0 ? connected.on : whole, isMany };
}

/** The condition of a join, and what it says of the rows. */
interface Connected {
  readonly on: ResolvedCondition;
  readonly from: string | undefined;
  readonly isMany: boolean;
  readonly equates: boolean;
  /** A field of the table that it fixes, if there is one. */
  readonly fixed: string | undefined;
}

/** A table that is being joined. */
interface Joined {
  readonly name: string;
  readonly layout: Layout;
  readonly plain: Layout;
  readonly path: string;
}

function connectedBy(
  on: Said["on"],
  { name, layout, plain, path }: Joined,
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
      on: connecting.on,
      from: [...scope.joined.keys()].findLast((one) => others.has(one)),
      isMany,
      equates,
      fixed: [...fixed][0],
    };
  }
  const { from, isMany } = on;
  const [left, right] = [scope.hidden(on.mine), layout.fields.get(on.theirs)];
  if (left === undefined || right === undefined) return undefined;
  const equal = equalFields(left, right, path, resolution);
  return equal && { on: equal, from, isMany, equates: true, fixed: on.theirs };
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
