/**
 * Conditions that connect the rows of a table with those of the statement: in `ON` of a join, and for rows that are
 * found by a condition. What they are made of is resolved as any other condition.
 */
import { quoted } from "../../../core/errors.js";
import type { Resolution } from "../scope/resolution.js";
import type { Comparison, Field, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import type { NameScope } from "../scope/scope.js";
import { expressionsOf, fieldsOf, hasQuery } from "../scope/walk.js";

/** A condition that connects a table with the tables before it. */
interface Connecting {
  readonly on: ResolvedCondition;
  /** The fields of the table that it fixes by `=`, each without the name of the table. */
  readonly fixed: ReadonlySet<string>;
  /** Whether it demands that a value of the table equals one of the tables before. */
  readonly equates: boolean;
  /** The other joined tables that it names. */
  readonly others: ReadonlySet<string>;
}

/**
 * Resolves a condition in a scope that knows the table by its name; adds a problem if the condition does not name the
 * table, or contains a query.
 */
export function resolveConnecting(
  condition: unknown,
  name: string,
  path: string,
  resolution: Resolution,
): Connecting | undefined {
  const on = resolution.test(condition, path);
  if (on === undefined) return undefined;
  const expressions = expressionsOf(on);
  if (expressions.some(hasQuery)) {
    const message = "a condition that joins rows takes no query: put that into where";
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  const { scope } = resolution;
  const tables = new Set(expressions.flatMap(fieldsOf).map((field) => scope.joinedTableOf(field)));
  if (!tables.has(name)) {
    const message = `the condition names no field of ${quoted(name)}: write ${quoted(`${name}.field`)} for a field of it`;
    resolution.add("INVALID_CONDITION", message, path);
    return undefined;
  }
  const equalities = equalitiesOf(on);
  const fixed = new Set(equalities.flatMap((one) => fixedBy(one, name, scope)));
  const equates = equalities.some((one) => connects(one, name, scope));
  const others = new Set([...tables].filter((table) => table !== undefined && table !== name) as string[]);
  return { on, fixed, equates, others };
}

/** The equalities that hold wherever a condition holds. */
function equalitiesOf(condition: ResolvedCondition): readonly Comparison[] {
  if (condition.kind === "group")
    return condition.logic === "AND" || condition.members.length === 1
      ? condition.members.flatMap(equalitiesOf)
      : [];
  return condition.kind === "comparison" && (condition.isEquality || condition.equates === true)
    ? [condition]
    : [];
}

function fixedBy({ left, right }: Comparison, name: string, scope: NameScope): readonly string[] {
  return [[left, right] as const, [right, left] as const].flatMap(([one, other]) =>
    one.kind === "field" && isOf(one, name, scope) && !readsOf(other, name, scope)
      ? [one.column.property.slice(name.length + 1)]
      : [],
  );
}

/** Whether one side reads the table alone, and the other side only other tables. */
function connects({ left, right }: Comparison, name: string, scope: NameScope): boolean {
  const [mine, theirs] = [left, right].map((side) => fieldsOf(side).map((field) => isOf(field, name, scope)));
  if (mine === undefined || theirs === undefined || mine.length === 0 || theirs.length === 0) return false;
  const [one, other] = [new Set(mine), new Set(theirs)];
  return one.size === 1 && other.size === 1 && mine[0] !== theirs[0];
}

function readsOf(expression: ResolvedExpression, name: string, scope: NameScope): boolean {
  return fieldsOf(expression).some((field) => isOf(field, name, scope));
}

function isOf(field: Field, name: string, scope: NameScope): boolean {
  return scope.joinedTableOf(field) === name;
}
