/** Resolves the path to a declared relation: of the statement's own table, or of a joined table. */
import { describeType, listed, quoted } from "../../../core/errors.js";
import type { AnyTable } from "../../declare/declaration.js";
import { relatedFields } from "../../words/relations.js";
import type { Resolution } from "./resolution.js";
import type { Visible } from "./view.js";

/** The rows of a relation. */
interface Related {
  readonly table: AnyTable;
  /** The joined table with the relation; undefined if it is the own table. */
  readonly from: string | undefined;
  /** A field in the scope, and the field of the table that is equal to it. */
  readonly mine: string;
  readonly theirs: string;
  readonly isMany: boolean;
  /** The names that a client may use in them. */
  readonly visible: Visible;
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
  const fields = relatedFields(relation, table, target);
  if (fields === undefined) return refuse(`relation ${quoted(name)} needs a primary key of one field`);
  const { mine, theirs } = fields;
  return {
    table: whole === true ? (target.whole ?? target) : target,
    from,
    mine: from === undefined ? mine : `${from}.${mine}`,
    theirs,
    isMany: relation.kind === "many",
    visible,
  };
}
