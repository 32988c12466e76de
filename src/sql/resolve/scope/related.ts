/** Resolves the path to a declared relation: of the statement's own table, or of a joined table. */
import { describeType, listed, quoted } from "../../../core/errors.js";
import type { AnyTable } from "../../declare/declaration.js";
import { betweenOf, type FieldPair, type Relation, relatedFields } from "../../words/relations.js";
import type { Resolution } from "./resolution.js";
import { readWithout } from "./ruled.js";
import type { Visible } from "./view.js";

/** The rows of a relation. */
export interface Related {
  /** Their table, with the rules that are in force for the relation. */
  readonly table: AnyTable;
  /** The same with all of its rules. */
  readonly target: AnyTable;
  /** The joined table with the relation; undefined if it is the own table. */
  readonly from: string | undefined;
  readonly ways: WaysTo;
  readonly isMany: boolean;
  /** Whether the row may be missing although the fields are not null. */
  readonly isOptional: boolean;
  /** The names that a client may use in them. */
  readonly visible: Visible;
}

/** How rows are found. */
export interface WaysTo {
  /** Fields in the scope, and the fields of the table that are equal to them: of the table between, if there is one. */
  readonly pairs: readonly FieldPair[];
  readonly between?: BetweenRows | undefined;
}

/** A table that a relation leads through. */
export interface BetweenRows {
  readonly table: AnyTable;
  /** Its fields, and the fields of the target that are equal to them. */
  readonly pairs: readonly FieldPair[];
}

/** The name at the end of a path. */
export function lastWord(path: unknown): unknown {
  return typeof path === "string" ? path.slice(path.lastIndexOf(".") + 1) : path;
}

/**
 * The rows of `customer`, or of `customer.country` if the customer is joined.
 * @param whole whether they are the rows of the whole table in a scope that restricts it: true or undefined.
 */
export function relatedRows(
  way: unknown,
  path: string,
  resolution: Resolution,
  whole?: unknown,
): Related | undefined {
  const refuse = (message: string) => {
    resolution.add("INVALID_RELATION", message, path);
    return undefined;
  };
  if (typeof way !== "string") return refuse(`a relation must be a text, not ${describeType(way)}`);
  const { scope } = resolution;
  const dot = way.lastIndexOf(".");
  const from = dot < 0 ? undefined : way.slice(0, dot);
  const base = from === undefined ? scope.own : scope.joined.get(from)?.layout;
  if (base === undefined) {
    const known = scope.joined.size === 0 ? "none yet" : listed(scope.joined.keys());
    return refuse(
      `${quoted(from)} in ${quoted(way)} must be a table that is joined before; joined: ${known}`,
    );
  }
  const { table } = base;
  const name = way.slice(dot + 1);
  const relations = table.relations ?? {};
  const seen = scope.visibleOf(from);
  const visible = seen?.relations.get(name);
  const isSeen = seen === undefined || visible !== undefined;
  const relation = isSeen && Object.hasOwn(relations, name) ? relations[name] : undefined;
  if (relation === undefined) {
    const known = Object.keys(relations).filter((one) => seen === undefined || seen.relations.has(one));
    // A client's schema does not show the names of tables.
    const where = seen === undefined ? ` of table ${quoted(table.name)}` : "";
    const none = seen === undefined ? ", which declares none" : "; there are none here";
    const others = known.length === 0 ? none : `; relations: ${listed(known)}`;
    return refuse(`unknown relation ${quoted(name)}${where}${others}`);
  }
  const target = scope.tables?.get(relation.to);
  if (target === undefined)
    return refuse(
      scope.tables === undefined || scope.tables.size === 0
        ? `relation ${quoted(name)} needs the other tables: make the repositories with db.repositories(module)`
        : `relation ${quoted(name)} leads to ${quoted(relation.to)}, which no table is exported as`,
    );
  if (whole !== undefined && whole !== true) return refuse("whole of a relation must be true or absent");
  const ways = waysOf(relation, table, target, scope.tables ?? none);
  if (typeof ways === "string") return refuse(`relation ${quoted(name)} ${ways}`);
  const all = whole === true ? (target.whole ?? target) : target;
  return {
    table: relation.without === undefined ? all : readWithout(all, relation.without),
    target: all,
    from,
    ways: from === undefined ? ways : { ...ways, pairs: ways.pairs.map((pair) => qualifiedPair(from, pair)) },
    isMany: relation.kind === "many",
    isOptional: relation.kind === "one" && relation.absent === null,
    visible,
  };
}

const none: ReadonlyMap<string, AnyTable> = new Map();

/** How the rows of a relation are found from those of its table, or a sentence about what it lacks. */
function waysOf(
  relation: Relation,
  table: AnyTable,
  target: AnyTable,
  tables: ReadonlyMap<string, AnyTable>,
): WaysTo | string {
  if (relation.kind === "one" || relation.through === undefined) {
    const pairs = relatedFields(relation, table, target);
    return pairs === undefined ? "has not as many fields as the key" : { pairs };
  }
  const between = betweenOf(relation, table, target, tables);
  if (typeof between === "string") return between;
  return { pairs: between.near, between: { table: between.table, pairs: between.far } };
}

function qualifiedPair(joined: string, { mine, theirs }: FieldPair): FieldPair {
  return { mine: `${joined}.${mine}`, theirs };
}
