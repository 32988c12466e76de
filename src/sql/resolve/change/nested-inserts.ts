/** Resolves `with` of an insert: the relations to the tables whose records stand in the records of the insert. */
import { describeType, quoted } from "../../../core/errors.js";
import { type NestedInsert, NestedInserts } from "../../ast/builder-parts.js";
import type { AnyTable } from "../../declare/declaration.js";
import { lastWord, relatedRows } from "../scope/related.js";
import type { Resolution } from "../scope/resolution.js";
import type { ResolvedInsert, ResolvedNestedInsert, ReturnedItem } from "../scope/resolved-change.js";

type Spec = Readonly<Record<string, unknown>>;

/** As of nested rows. */
const MOST_LEVELS = 8;

/** Resolves the inserts inside an insert; undefined if there are none. */
export function resolveNestedInserts(
  spec: Spec,
  returned: ResolvedInsert["returned"],
  resolution: Resolution,
): readonly ResolvedNestedInsert[] | undefined {
  const nested = NestedInserts.own(spec["with"]);
  if (nested === undefined) return undefined;
  if (nested.levels > MOST_LEVELS) {
    resolution.add("INVALID_SPEC", `nested inserts nest more than ${MOST_LEVELS} levels`, "with");
    return [];
  }
  requirePlain("an insert", spec, "with", resolution);
  return nested.list.flatMap((one) => resolveOne(one, returned ?? [], resolution) ?? []);
}

/** Whether the rows that a statement stores are those of its records, whatever is there. */
function requirePlain(what: string, spec: Spec, path: string, resolution: Resolution): void {
  const hasConflict = ["on_conflict", "conflict_action", "conflict_set", "conflict_where"].some(
    (key) => spec[key] !== undefined,
  );
  if (hasConflict)
    resolution.unsupported(
      `onConflict together with nested records: ${what} whose row may be there already`,
      "store the rows one after the other, in a transaction",
      path,
    );
  if (spec["from"] !== undefined)
    resolution.unsupported(
      "execFrom of an insert with nested records",
      "store the rows of each table by an insert of its own",
      path,
    );
}

function resolveOne(
  { relation, insert: inner }: NestedInsert,
  returned: readonly ReturnedItem[],
  resolution: Resolution,
): ResolvedNestedInsert | undefined {
  const name = typeof relation === "string" ? String(lastWord(relation)) : describeType(relation);
  const path = `with.${name}`;
  const refuse = (message: string) => {
    resolution.add("INVALID_RELATION", message, path);
    return undefined;
  };
  if (typeof relation === "string" && relation.includes("."))
    return refuse(`${quoted(relation)} must be a relation of the table itself: nest the inserts`);
  const related = relatedRows(relation, path, resolution);
  if (related === undefined) return undefined;
  const own = resolution.scope.own.table;
  const { target, isMany, isOptional, ways } = related;
  if (ways.between !== undefined)
    return refuse(
      `relation ${quoted(name)} leads through table ${quoted(ways.between.table.name)}: insert into that, with its relation to ${quoted(target.name)} inside`,
    );
  if (target.view !== undefined)
    return refuse(`relation ${quoted(name)} leads to the view ${quoted(target.name)}, which stores nothing`);
  // A part of a table has its columns.
  if (inner !== undefined && inner.table.columns !== target.columns)
    return refuse(
      `relation ${quoted(name)} leads to ${quoted(target.name)}, and this is an insert of ${quoted(inner.table.name)}`,
    );
  if (inner !== undefined) requirePlain("a nested insert", inner.spec, path, resolution);
  if (returned.some(({ output }) => output.name === name)) {
    resolution.add(
      "INVALID_ALIAS",
      `nested records and a returned value are both named ${quoted(name)}`,
      path,
    );
    return undefined;
  }
  const mine = ways.pairs.map((pair) => pair.mine);
  const theirs = ways.pairs.map((pair) => pair.theirs);
  const isBefore = !isMany && !areSame(mine, own.primaryKey);
  const comesFirst = isBefore || (!isMany && refersTo(target, mine, own));
  const [filled, around] = comesFirst ? [mine, own] : [theirs, target];
  const set = filled.find((field) => around.columns[field]?.readOnly === true);
  if (set !== undefined)
    return refuse(
      `relation ${quoted(name)} would fill ${quoted(set)} of ${quoted(around.name)}, which the database sets`,
    );
  // A row that is stored after ours has no place in ours.
  const mayBeMissing =
    !isMany && (isBefore ? mine.some((field) => isNullable(field, own)) : isOptional && !comesFirst);
  const table = inner?.table ?? target;
  return { relation: name, table, mine, theirs, isMany, isBefore: comesFirst, mayBeMissing };
}

/** Whether a reference of the fields is declared: then the row that they refer to must be there first. */
function refersTo(target: AnyTable, fields: readonly string[], { columns, foreignKeys }: AnyTable): boolean {
  const isTarget = (table: AnyTable) => table.columns === target.columns;
  const [only, ...others] = fields;
  const reference = only === undefined || others.length > 0 ? undefined : columns[only]?.references;
  if (typeof reference === "function") return isTarget(reference());
  if (reference?.split("(")[0]?.trim() === target.name) return true;
  return foreignKeys.some((key) => areSame(key.columns, fields) && isTarget(key.references()));
}

function isNullable(field: string, { columns }: AnyTable): boolean {
  return columns[field]?.nullable === true;
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((field) => other.includes(field));
}
