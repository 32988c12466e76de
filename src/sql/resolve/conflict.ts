/** Resolves what an insert does on a conflict: the key must be a declared one. */
import { listed, quoted } from "../../core/errors.js";
import { pathTo } from "../ast/path.js";
import type { ColumnInfo } from "../declare/declaration.js";
import { assigned, resolveAssignments } from "./change.js";
import type { Resolution } from "./resolution.js";
import type { Conflict, ConflictAssignment, Field } from "./resolved.js";

/** Resolves `on_conflict`, `conflict_action` and `conflict_set`. */
export function resolveConflict(
  spec: Readonly<Record<string, unknown>>,
  resolution: Resolution,
): Conflict | undefined {
  const { on_conflict: names, conflict_action: action, conflict_set: set } = spec;
  if (names === undefined && action === undefined && set === undefined) return undefined;
  const properties = resolution.list(names, "on_conflict");
  const key = resolution.fields(properties, "on_conflict");
  requireKey(properties, resolution);
  if (action !== "nothing" && action !== "update")
    resolution.add("INVALID_SPEC", "a conflict is answered by nothing or by an update", "conflict_action");
  const assignments = set === undefined ? undefined : resolveConflictSet(set, action, resolution);
  return { key, action: action === "update" ? "update" : "nothing", set: assignments };
}

function requireKey(properties: readonly unknown[], resolution: Resolution): void {
  const { scope, table } = resolution;
  const keys = table.keys.filter((key) => key.every((field) => scope.sees(field)));
  const isOne = (key: readonly string[]) =>
    key.length === properties.length && key.every((one) => properties.includes(one));
  if (keys.some(isOne)) return;
  const known = keys.map((key) => key.join("+"));
  const message = `ON CONFLICT takes a declared key${known.length === 0 ? ", there is none" : `: ${listed(known)}`}`;
  resolution.add("INVALID_FIELD", message, "on_conflict");
}

function resolveConflictSet(
  set: unknown,
  action: unknown,
  resolution: Resolution,
): readonly ConflictAssignment[] {
  if (action !== "update")
    resolution.add("INVALID_SPEC", "only an update sets fields on a conflict", "conflict_set");
  const assign = (field: Field, param: string) => proposedOrParameter(field, param, resolution);
  return resolveAssignments(set, "conflict_set", assign, resolution);
}

// A parameter that is named like a field is the proposed value of it, which must be one of the field that is set.
function proposedOrParameter(field: Field, param: string, resolution: Resolution): ConflictAssignment {
  const proposed = resolution.scope.own.fields.get(param);
  if (proposed === undefined) return { field, value: assigned(field, param, resolution) };
  if (!holds(field.column, proposed.column)) {
    const { property } = field.column;
    const message = `${quoted(param)} is the proposed value of that field, which field ${quoted(property)} cannot hold`;
    resolution.add("INVALID_PARAM", message, pathTo("conflict_set", property));
  }
  return { field, value: proposed };
}

/** Whether a column can hold every value of another one, as far as their types say. */
function holds(target: ColumnInfo, source: ColumnInfo): boolean {
  if (target === source) return true;
  const [into, from] = [target.storage, source.storage];
  if (into.kind !== from.kind || into.kind === "json") return false;
  if (into.integer === true && from.integer !== true) return false;
  if (into.decimal !== from.decimal || into.dimensions !== from.dimensions) return false;
  if (into.item?.kind !== from.item?.kind) return false;
  const { values } = into;
  return (
    values === undefined || (from.values !== undefined && [...from.values].every((one) => values.has(one)))
  );
}
