/** Resolves what the rules of a table add to a change: the fields that every change sets, and the version it demands. */
import { quoted } from "../../../core/errors.js";
import { fixesKey } from "../expression/keys.js";
import { ownCondition } from "../expression/where.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, ResolvedCondition } from "../scope/resolved.js";
import type { Assignment } from "../scope/resolved-change.js";
import { unsafe } from "./bounded.js";

/** The additions to a change of existing rows. */
interface Ruled {
  readonly assignments: readonly Assignment[];
  readonly where: readonly ResolvedCondition[];
}

/**
 * The additions to an update or a removal.
 * @param own its other conditions.
 */
export function ruledChange(
  kind: "modify" | "remove",
  own: readonly ResolvedCondition[],
  resolution: Resolution,
): Ruled {
  const { rules } = resolution.table;
  if (rules === undefined) return NOTHING;
  const where = versionCondition(kind, own, resolution);
  if (kind === "modify") return { where, assignments: ruledAssignments(resolution, resolution) };
  if (rules.deleted === undefined) return { where, assignments: [] };
  return { where, assignments: [...times(rules.deleted, resolution), ...counted(resolution, resolution)] };
}

const NOTHING: Ruled = { assignments: [], where: [] };

/**
 * The fields that an update or an upsert sets by the rules.
 * @param stored the resolution that sees the existing row.
 */
export function ruledAssignments(resolution: Resolution, stored: Resolution): readonly Assignment[] {
  const { rules } = resolution.table;
  if (rules === undefined) return [];
  return [...times(rules.updated, resolution), ...counted(resolution, stored)];
}

function times(property: string | undefined, { scope, grammar }: Resolution): readonly Assignment[] {
  const field = property === undefined ? undefined : scope.own.fields.get(property);
  if (field === undefined) return [];
  const sql = grammar.ddl.defaultExpression("CURRENT_TIMESTAMP", field.column.storage);
  return [{ field, value: { kind: "literal", sql }, isOfRule: true }];
}

function counted({ scope, table }: Resolution, stored: Resolution): readonly Assignment[] {
  const version = table.rules?.version;
  const of = ({ own }: { readonly own: { readonly fields: ReadonlyMap<string, Field> } }) =>
    version === undefined ? undefined : own.fields.get(version);
  const [field, value] = [of(scope), of(stored.scope)];
  if (field === undefined || value === undefined) return [];
  const next = { kind: "call", template: "{f} + 1", operands: [value], separator: "", params: [] } as const;
  return [{ field, value: next, isOfRule: true }];
}

function versionCondition(
  kind: "modify" | "remove",
  own: readonly ResolvedCondition[],
  resolution: Resolution,
): readonly ResolvedCondition[] {
  const { table, scope } = resolution;
  const { version, demandsVersion } = table.rules ?? {};
  if (version === undefined || demandsVersion !== true) return [];
  if (!fixesKey(own.flatMap(membersOf), table)) {
    const [code, verb] = unsafe[kind];
    const message = `${verb} of rows with versions needs conditions that fix a declared key by =, because ${quoted(version)} was read of one row`;
    resolution.add(code, message, "where");
  }
  if (own.some((condition) => isOfVersion(condition, version))) return [];
  const condition = ownCondition(
    { field: version, operator: "=", param: version },
    "where",
    scope.own,
    resolution,
  );
  return [condition].flat();
}

function membersOf(condition: ResolvedCondition): readonly ResolvedCondition[] {
  if (condition.kind !== "group" || condition.logic !== "AND") return [condition];
  return condition.members.flatMap(membersOf);
}

// A program may say it itself.
function isOfVersion(condition: ResolvedCondition, version: string): boolean {
  if (condition.kind !== "comparison" || !condition.isEquality) return false;
  const { left, right } = condition;
  const isField = left.kind === "field" && left.column.property === version;
  return isField && right.kind === "parameter" && right.name === version;
}
