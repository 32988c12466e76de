/** Resolves the conflict handling of an insert: the key must be declared. */
import { listed, quoted } from "../../../core/errors.js";
import { ConflictConditions, SetPaths } from "../../ast/builder-parts.js";
import { ExpressionOperand } from "../../ast/expression.js";
import { pathTo } from "../../ast/path.js";
import type { AnyTable } from "../../declare/declaration.js";
import { resolveWhere, visibleConditions } from "../expression/where.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, ParameterPlace, ResolvedCondition, ResolvedExpression } from "../scope/resolved.js";
import type { Assignment, ResolvedConflict } from "../scope/resolved-change.js";
import { expressionsOf, parametersOf } from "../scope/walk.js";
import { assigned, canHold, resolveAssigned, unseen } from "./assigned.js";
import { readsAssigned, resolveAssignments } from "./change.js";
import { ruledAssignments } from "./rules.js";

/** Resolves `on_conflict`, `conflict_action`, `conflict_set`, and the conditions of the update. */
export function resolveConflict(
  spec: Readonly<Record<string, unknown>>,
  resolution: Resolution,
): ResolvedConflict | undefined {
  const { on_conflict: names, conflict_action: action, conflict_set: set } = spec;
  const conditions = ConflictConditions.own(spec["conflict_where"])?.list;
  if (names === undefined && action === undefined && set === undefined && conditions === undefined)
    return undefined;
  const properties = resolution.list(names, "on_conflict");
  const key = resolution.fields(properties, "on_conflict");
  const among = isAnyKey(names, action, resolution) ? undefined : keyAmong(properties, resolution);
  if (action !== "nothing" && action !== "update")
    resolution.add("INVALID_SPEC", 'conflict_action must be "nothing" or "update"', "conflict_action");
  if (conditions !== undefined && action !== "update")
    resolution.add("INVALID_CONDITION", "an insert has conditions only after doUpdate()", "where");
  const { scope, grammar } = resolution;
  const isQualified = spec["from"] !== undefined || grammar.onConflict?.namesKey === true;
  const qualifier = isQualified ? grammar.quote(scope.own.table.name) : undefined;
  const upsert = resolution.seeing(scope.ofUpsert(qualifier));
  upsert.shared.mayBeOptional = false;
  // The key of a scope already contains its fields.
  const isRuled = action === "update" && (scope.own.table.rules?.filters.size ?? 0) > 0;
  const where = conditions === undefined && !isRuled ? [] : resolveWhere(conditions, upsert);
  const ruled = action === "update" ? ruledAssignments(resolution, upsert) : [];
  requireNoVersion(action, resolution);
  const assignments = set === undefined ? undefined : resolveConflictSet(set, action, resolution, upsert);
  const conflict: ResolvedConflict = {
    key,
    ...(among === undefined ? {} : { among }),
    action: action === "update" ? "update" : "nothing",
    set: assignments,
    ruled,
    readsAssigned: assignments !== undefined && readsAssigned(assignments),
    where,
    readsRow: where.length > 0 || [...(assignments ?? []), ...ruled].some(({ value }) => !isPlain(value)),
  };
  requireOwnNames(conflictParams(conflict), "conflict_set", resolution);
  requireKnownKey(conflict, resolution);
  return conflict;
}

/** The parameters of an upsert, in addition to those of the record. */
export function conflictParams({ set = [], where }: ResolvedConflict): readonly ParameterPlace[] {
  const expressions = [...set.map(({ value }) => value), ...where.flatMap(expressionsOf)];
  return expressions.flatMap(parametersOf);
}

// An upsert has not read the row that it would change.
function requireNoVersion(action: unknown, resolution: Resolution): void {
  const { version, demandsVersion } = resolution.table.rules ?? {};
  if (action !== "update" || version === undefined || demandsVersion !== true) return;
  const message = `an upsert has not read the version that it would change: read the row and modify it, or say without(${quoted(version)})`;
  resolution.add("UNSAFE_UPDATE", message, "conflict_action");
}

// A conflict needs no key if nothing is done. A client who may not see a key learns nothing about it. In a part of a
// table nobody learns that a row of another part has a key.
function isAnyKey(names: unknown, action: unknown, { scope, table }: Resolution): boolean {
  if (action !== "nothing" || !Array.isArray(names) || names.length > 0) return false;
  const fixed = [...(table.fixed?.keys() ?? [])];
  const given = table.keys.filter((key) => fixed.length === 0 || !isGenerated(key, table));
  return (
    given.length > 0 &&
    given.every((key) => fixed.every((field) => key.includes(field))) &&
    table.keys.every((key) => key.every((field) => scope.sees(field)))
  );
}

// An insert cannot set it, so it cannot conflict with a row of another part.
function isGenerated(key: readonly string[], { columns }: AnyTable): boolean {
  return key.some((field) => columns[field]?.readOnly === true);
}

function isPlain({ kind }: ResolvedExpression): boolean {
  return kind === "parameter" || kind === "proposed" || kind === "literal";
}

/** Refuses parameters of an insert with the names of fields: these names belong to the values of the record. */
export function requireOwnNames(
  params: readonly ParameterPlace[],
  place: "conflict_set" | "returning",
  resolution: Resolution,
): void {
  const what = place === "returning" ? "returning" : "an upsert";
  for (const name of new Set(params.map((one) => one.name)))
    if (resolution.scope.own.fields.has(name)) {
      const other = place === "returning" ? "" : `, or inserted(${quoted(name)})`;
      const message = `parameter ${quoted(name)} of ${what} has the name of a field: take another name${other}`;
      resolution.add("INVALID_PARAM", message, place);
    }
}

// The row that steps have updated is read by its key.
function requireKnownKey({ key, set = [] }: ResolvedConflict, resolution: Resolution): void {
  if (resolution.grammar.onConflict?.namesKey === true) return;
  const isComputed = set.some(({ field, value }) => key.includes(field) && !isPlain(value));
  if (!isComputed) return;
  const hint = "set it to a parameter, or update the row with modify()";
  resolution.unsupported("an upsert that sets a field of its key to an expression", hint, "conflict_set");
}

/**
 * Finds the key; it may be one of the rows that the filters leave.
 * @returns the conditions of these rows, if it is a key among them only.
 */
function keyAmong(
  properties: readonly unknown[],
  resolution: Resolution,
): readonly ResolvedCondition[] | undefined {
  const { scope, table } = resolution;
  const seen = (keys: readonly (readonly string[])[]) =>
    keys.filter((key) => key.every((field) => scope.sees(field)));
  const isOne = (key: readonly string[]) =>
    key.length === properties.length && key.every((one) => properties.includes(one));
  const keys = seen(table.keys);
  if (keys.some(isOne)) return undefined;
  const visible = seen(visibleKeys(table));
  if (visible.some(isOne)) {
    if (resolution.grammar.ddl.index.where) return visibleConditions(scope.own, resolution);
    resolution.unsupported(
      "a key of the rows that filters leave",
      "declare a key of all rows",
      "on_conflict",
    );
    return undefined;
  }
  const known = [...keys, ...visible].map((key) => key.join("+"));
  const message = `ON CONFLICT takes a declared key${known.length === 0 ? "; the table has no key" : `: ${listed(known)}`}`;
  resolution.add("INVALID_FIELD", message, "on_conflict");
  return undefined;
}

function visibleKeys({ indexes }: AnyTable): readonly (readonly string[])[] {
  return indexes.flatMap(({ unique, visible, columns }) =>
    unique && visible && columns.length > 0 ? [columns.map(({ property }) => property)] : [],
  );
}

function resolveConflictSet(
  set: unknown,
  action: unknown,
  resolution: Resolution,
  upsert: Resolution,
): readonly Assignment[] {
  if (action !== "update")
    resolution.add("INVALID_SPEC", 'conflict_set needs the conflict_action "update"', "conflict_set");
  const assign = (field: Field, given: unknown, path: string): Assignment | undefined => {
    if (ExpressionOperand.own(given) === undefined && SetPaths.own(given) === undefined) {
      const param = resolution.param(given, path);
      return param === undefined ? undefined : proposedOrParameter(field, param, resolution);
    }
    const value = resolveAssigned(field, given, path, upsert);
    return value === undefined ? undefined : { field, value, unseen: unseen(field, value, upsert) };
  };
  return resolveAssignments(set, "conflict_set", assign, resolution);
}

// A parameter with the name of a field is its proposed value. This value must be valid for the field that is set.
function proposedOrParameter(field: Field, param: string, resolution: Resolution): Assignment {
  const proposed = resolution.scope.own.fields.get(param);
  if (proposed === undefined) return { field, value: assigned(field, { name: param }, resolution) };
  if (field !== proposed && !canHold(field.column.storage, proposed.column.storage)) {
    const { property } = field.column;
    const message = `${quoted(param)} is the proposed value of that field, which field ${quoted(property)} cannot hold`;
    resolution.add("INVALID_PARAM", message, pathTo("conflict_set", property));
  }
  return { field, value: { kind: "proposed", field: proposed, template: "{0}" } };
}
