/**
 * Resolves the value that `setFrom` sets: one of a related row, as it was before the statement. A row without a related
 * row is not updated.
 */
import { quoted } from "../../../core/errors.js";
import type { RelatedValue } from "../../ast/builder-parts.js";
import { infix } from "../../dialect/grammar/forms.js";
import { inScale } from "../expression/decimals.js";
import { onlyWhether } from "../expression/exists.js";
import {
  type InnerResolved,
  type RowsSaid,
  resolveApart,
  resolveRelated,
  rowsSaid,
} from "../expression/inner.js";
import { allOf, compareValues } from "../expression/two-values.js";
import { freeName } from "../scope/layout.js";
import type { Resolution } from "../scope/resolution.js";
import type {
  Field,
  Literal,
  ResolvedCondition,
  ResolvedExpression,
  ResolvedQuery,
} from "../scope/resolved.js";
import type { Assignment } from "../scope/resolved-change.js";
import { nameOf, valueOfField } from "../scope/result.js";
import { unfit } from "./assigned.js";

/** Resolves `setFrom(field, relation, theirs)`. */
export function resolveSetFrom(
  field: Field,
  { relation, theirs }: RelatedValue,
  path: string,
  resolution: Resolution,
): Assignment | undefined {
  const said = rowsSaid(relation, undefined, path, resolution);
  if (said === undefined) return undefined;
  const refuse = (message: string, code: "INVALID_RELATION" | "INVALID_CONDITION") => {
    resolution.add(code, message, path);
    return undefined;
  };
  if (said.isMany)
    return refuse(
      `setFrom takes a relation to one row, and ${quoted(relation)} leads to many`,
      "INVALID_RELATION",
    );
  const inner = resolveRelated(said, rowsOf(theirs), path, resolution);
  const [column] = inner?.columns ?? [];
  if (inner === undefined || column === undefined) return undefined;
  const { value } = column;
  const name = quoted(field.column.property);
  if (value.nullable && !field.nullable)
    return refuse(
      `field ${name} is never null, and ${nameOf(value)} of ${quoted(relation)} may be`,
      "INVALID_CONDITION",
    );
  const problem = unfit(field, value, resolution);
  if (problem !== undefined) return refuse(`field ${name} ${problem}`, "INVALID_CONDITION");
  const found = foundOf(said, inner, theirs, path, resolution);
  if (found === undefined) return undefined;
  const scaled = inScale({ ...value, expression: found }, field.column.storage.scale ?? 0, resolution);
  const rows = onlyWhether(inner.subquery, resolution);
  return { field, value: scaled.expression, requires: { kind: "exists", rows, isNegated: false } };
}

const keyName = (i: number): string => (i === 0 ? "key" : `key${i + 1}`);

const rowsOf = (...fields: readonly unknown[]) => ({ kind: "query", spec: { fields } }) as const;

/**
 * The value. If it has the same table, some servers would see the previous changes of the statement: these servers read
 * a copy of the table.
 */
function foundOf(
  said: RowsSaid,
  { subquery }: InnerResolved,
  theirs: unknown,
  path: string,
  resolution: Resolution,
): ResolvedExpression | undefined {
  const { grammar } = resolution;
  if (said.table.columns !== resolution.table.columns || grammar.readAtOnce === undefined) return subquery;
  const { table, tables } = said;
  const copy = resolveApart(
    { kind: "query", table, tables, spec: rowsOf(theirs).spec } as never,
    path,
    resolution,
  );
  const query = copy?.subquery.query;
  if (query?.kind !== "query") return undefined;
  const keys = said.pairs.flatMap(({ theirs: held }) => query.from.fields.get(held) ?? []);
  const { quote } = grammar;
  const [value] = query.items ?? [];
  if (value === undefined) return undefined;
  const whole: ResolvedQuery = {
    ...query,
    items: [
      ...keys.map((key, i) => ({ ...value, name: quote(keyName(i)), expression: key })),
      { ...value, name: quote("value") },
    ],
  };
  const { from } = query;
  const inside = from.qualifier ?? quote(from.table.name);
  const name = freeName("found", "found_", [...resolution.scope.qualifiers(grammar), inside], quote);
  const named = (of: string): Literal => ({ kind: "literal", sql: `${name}.${quote(of)}` });
  const equal = { operator: "=", form: infix("=") } as const;
  const isFound = keys.flatMap((key, i): ResolvedCondition | readonly [] => {
    const held = { ...valueOfField(key), expression: named(keyName(i)) };
    const mine = said.pairs[i]?.mine;
    if (mine === undefined) return [];
    const ours = valueOfField(resolution.scope.fromInside(mine, grammar));
    return compareValues(held, ours, equal, path, resolution) ?? [];
  });
  if (isFound.length < said.pairs.length) return undefined;
  return {
    kind: "fragment",
    texts: [`WITH ${name} ${grammar.readAtOnce} `, ` SELECT ${named("value").sql} FROM ${name} WHERE `, ""],
    holes: [
      { kind: "subquery", query: whole, reads: [] },
      { kind: "test", condition: allOf(isFound) },
    ],
  };
}
