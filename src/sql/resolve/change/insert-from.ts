/** Resolves an insert of the rows of a query: the field for each value of a row, and the values that a scope adds. */
import { quoted } from "../../../core/errors.js";
import { InnerQuery } from "../../ast/inner-query.js";
import { storedBinder } from "../../value/binder.js";
import { isReadOnly } from "../../words/rules.js";
import { inScale } from "../expression/decimals.js";
import { resolveApart } from "../expression/inner.js";
import { constantParameter, typed } from "../expression/param.js";
import { outputOf } from "../expression/value.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, Item } from "../scope/resolved.js";
import type { ResolvedConflict, ResolvedInsertFrom } from "../scope/resolved-change.js";
import type { InnerColumn, ResolvedValue } from "../scope/result.js";
import { unknownField } from "../scope/scope.js";
import { unfit, unseen } from "./assigned.js";

/**
 * Resolves the query of an insert.
 * @param from the query of the statement.
 */
export function resolveInsertFrom(
  from: unknown,
  conflict: ResolvedConflict | undefined,
  resolution: Resolution,
): ResolvedInsertFrom | undefined {
  refuseConflict(conflict, resolution);
  const given = InnerQuery.own(from);
  // The stored rows must not depend on a parameter that a call omits.
  resolution.shared.mayBeOptional = false;
  const inner = given && resolveApart(given.statement, "from", resolution);
  if (inner === undefined) return undefined;
  const { query } = inner.subquery;
  if (query.kind === "aggregate") {
    resolution.add("INVALID_SPEC", "execFrom takes a query of rows, not of one value", "from");
    return undefined;
  }
  for (const { output } of query.items ?? [])
    if (output.nested !== undefined)
      resolution.add(
        "INVALID_FIELD",
        `a record has no rows inside of it, such as ${quoted(output.name)}`,
        "from.with",
      );
  const pairs = inner.columns.flatMap((column) => pairOf(column, resolution) ?? []);
  requireAll(inner.columns, resolution);
  const all = [...pairs, ...fixedPairs(resolution)];
  const { own: table } = resolution.scope;
  const fields = all.map(({ field }) => field);
  refuseMergedKey(conflict, fields, resolution);
  return { table, conflict, query, fields, items: all.map(({ item }) => item) };
}

const APART = "read the rows, and store them with execBatch";

function refuseConflict(conflict: ResolvedConflict | undefined, resolution: Resolution): void {
  if (conflict === undefined) return;
  // The statement cannot say which rows met one that nobody sees.
  if (conflict.among === undefined && (resolution.table.rules?.filters.size ?? 0) > 0)
    resolution.unsupported(
      "onConflict with execFrom where filters hide rows",
      "store the rows with execBatch, name a key of the visible rows, or say without(…)",
      "on_conflict",
    );
  const { onConflict, merges = false } = resolution.grammar;
  if (onConflict === undefined && merges) {
    if (conflict.key.length > 0) return;
    const hint = "name the key, onConflict(field)";
    resolution.unsupported("doNothing of any key with execFrom", hint, "on_conflict");
  } else if (onConflict === undefined)
    resolution.unsupported("onConflict with execFrom", APART, "on_conflict");
  else if (onConflict.namesKey) return;
  else if (conflict.where.length > 0)
    resolution.unsupported("upserts with conditions in execFrom", APART, "conflict_set");
  else if (conflict.readsAssigned) {
    const hint = "set such a field last, or store the rows with execBatch";
    resolution.unsupported(
      "an upsert with execFrom that reads a field which it has set",
      hint,
      "conflict_set",
    );
  }
}

// The fields by which rows are merged do not change.
function refuseMergedKey(
  conflict: ResolvedConflict | undefined,
  fields: readonly Field[],
  resolution: Resolution,
): void {
  const { onConflict, merges = false } = resolution.grammar;
  if (conflict?.action !== "update" || onConflict !== undefined || !merges) return;
  const isKey = (field: Field) => conflict.key.includes(field);
  const { set } = conflict;
  if (set === undefined ? !fields.every(isKey) : !set.some(({ field }) => isKey(field))) return;
  resolution.unsupported("upserts with execFrom that set their key", APART, "conflict_set");
}

/** A field and its value. */
interface Pair {
  readonly field: Field;
  readonly item: Item;
}

function pairOf({ name, value, item }: InnerColumn, resolution: Resolution): Pair | undefined {
  const { table } = resolution;
  const field = resolution.scope.own.fields.get(name);
  const refuse = (message: string) => {
    resolution.add("INVALID_FIELD", message, `from.${name}`);
    return undefined;
  };
  if (field === undefined) return refuse(unknownField(name, table));
  if (isReadOnly(field.column, table)) return refuse(`field ${quoted(name)} is set by the database`);
  if (table.fixed?.has(name) === true) return refuse(`field ${quoted(name)} is fixed by the scope`);
  const problem = isSameJson(field, value) ? undefined : unfit(field, value, resolution);
  if (problem !== undefined) return refuse(`field ${quoted(name)} ${problem}`);
  const { expression } = inScale(value, field.column.storage.scale ?? 0, resolution);
  // Its rows are not returned.
  const stored = unseen(field, expression, resolution) ?? expression;
  // The item keeps its own name, because the order of the query may use it.
  return { field, item: itemFor(field, stored, item.name, resolution) };
}

// A JSON column is stored unchanged. The compiler has already compared the schemas.
function isSameJson(
  { column, nullable }: Field,
  { expression, storage, nullable: mayBeNull }: ResolvedValue,
): boolean {
  const isJson = column.storage.kind === "json" && storage.kind === "json";
  return isJson && expression.kind === "field" && (nullable || !mayBeNull);
}

function itemFor(field: Field, expression: Item["expression"], name: string, resolution: Resolution): Item {
  const { storage, schema } = field.column;
  const output = outputOf({ storage, nullable: field.nullable, schema }, field.column.property, resolution);
  return { expression, name, output };
}

function requireAll(columns: readonly InnerColumn[], resolution: Resolution): void {
  const { scope, table } = resolution;
  const given = new Set(columns.map(({ name }) => name));
  for (const { column } of scope.own.fields.values()) {
    const { property, optional } = column;
    if (given.has(property) || optional || column.readOnly || table.fixed?.has(property) === true) continue;
    resolution.add("INVALID_FIELD", `the query gives no value for field ${quoted(property)}`, "from");
  }
}

/** The values that the scope gives to every row. */
function fixedPairs(resolution: Resolution): Pair[] {
  const { scope, grammar, table } = resolution;
  return [...(table.fixed?.values() ?? [])].flatMap(({ column, value }, i): Pair | readonly [] => {
    const field = scope.own.fields.get(column.property);
    if (field === undefined) return [];
    const { storage } = column;
    const binder = () => {
      const bind = storedBinder(column, grammar, { param: column.property, table });
      return () => bind(value);
    };
    const parameter = constantParameter(value, { operand: "value", column }, binder, resolution);
    const name = grammar.quote(`#fixed.${i}`);
    return { field, item: itemFor(field, typed(parameter, storage, resolution), name, resolution) };
  });
}
