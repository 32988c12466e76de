/** The names of fields in specs: those of the table, and those of joined tables after a dot. */
import type { ZodEnum, ZodString, ZodType } from "zod";
import * as z from "zod";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import { isLargeObject } from "../resolve/scope/layout.js";
import { keptFor } from "./members.js";
import type { Permissions } from "./permissions.js";

/** An enum of a list that has at least one value. */
export function oneOf(values: Iterable<string>): ZodEnum {
  return z.enum([...values]);
}

/** A column that a client may name, and its table. */
interface Seen {
  readonly column: ColumnInfo;
  readonly table: AnyTable;
}

/** The columns of the table and of all related tables, by their names before a join renames them. */
export const columnsSeen: (permissions: Permissions) => ReadonlyMap<string, Seen> = keptFor(allSeen);

function allSeen({ columns, table, relations, maxJoins }: Permissions): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const column of columns) seen.set(column.property, { column, table });
  if (!mayJoin({ relations, maxJoins })) return seen;
  const add = (all: Permissions["relations"]) => {
    for (const [name, one] of all) {
      for (const column of one.columns) seen.set(`${name}.${column.property}`, { column, table: one.table });
      add(one.relations);
    }
  };
  add(relations);
  return seen;
}

/**
 * The name of a field; undefined if no field fits.
 * @param fits whether a field is allowed here.
 */
export function fieldName(
  permissions: Permissions,
  fits: (seen: Seen) => boolean = () => true,
): ZodType | undefined {
  const names = [...columnsSeen(permissions)].flatMap(([name, seen]) => (fits(seen) ? [name] : []));
  if (names.length === 0) return undefined;
  const known = oneOf(names);
  return mayJoin(permissions) ? z.union([known, renamed()]) : known;
}

/** The name of any field: there is at least one. */
export const anyField: (permissions: Permissions) => ZodType = keptFor(
  (permissions) => fieldName(permissions) ?? z.never(),
);

/** The name of a field whose values the dialect can sort and compare; undefined if there is none. */
export const comparableField: (permissions: Permissions) => ZodType | undefined = keptFor((permissions) =>
  fieldName(permissions, ({ column, table }) => !isLargeObject(column, table, permissions.grammar)),
);

/** Whether a spec may join other tables. */
export function mayJoin({ relations, maxJoins }: Pick<Permissions, "relations" | "maxJoins">): boolean {
  return relations.size > 0 && maxJoins > 0;
}

const DOTTED = /^[A-Za-z_][A-Za-z0-9_]{0,62}\.[^.]+$/;

// The spec determines the name of a join.
function renamed(): ZodString {
  return z.string().regex(DOTTED).describe("The name of a join, a dot, and one of its fields.");
}

/** The permissions in a spec of a single table without joins. */
export const aloneOf: (permissions: Permissions) => Permissions = keptFor((permissions) =>
  mayJoin(permissions) ? { ...permissions, maxJoins: 0 } : permissions,
);

/** Whether the related tables have usable relations of their own. */
export function leadsOn({ relations }: Pick<Permissions, "relations">): boolean {
  return [...relations.values()].some((target) => target.relations.size > 0);
}

const PATH = /^[A-Za-z_][A-Za-z0-9_]{0,62}\.[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * A relation of a joined table.
 * @param join the part before the dot, as the document describes it.
 */
export function relationPath(join: string): ZodString {
  return z.string().regex(PATH).describe(`${join}, a dot, and a relation of its table.`);
}
