/** The problems of a client's spec: too large, not permitted, or not a spec. */
import { listed, quoted } from "../../core/errors.js";
import { isObject } from "../../core/values.js";
import { pathTo } from "../ast/path.js";
import type { Statement } from "../ast/statement.js";
import { compoundPartsOf } from "../builder/compound.js";
import type { AnyTable } from "../declare/declaration.js";
import { unknownKey } from "../resolve/scope/resolution.js";
import { problemsOf } from "../resolve/statement.js";
import type { Problem } from "../words/errors.js";
import { aggregateFunctions } from "../words/functions.js";
import { aggregatesIn, measured, type Parts, type PlacedPart, type PlacedQuery } from "./bounds.js";
import { conditionKeys } from "./conditions.js";
import { isRegex, type Permissions } from "./permissions.js";
import { nestedKeys, operandKeys } from "./related.js";

/** The kinds of spec, by the names of their schemas. */
export type SpecKind = "query" | "select" | "insert" | "modify" | "remove" | "aggregate" | "compound";

/** The problems of a copied spec of a kind. */
export function problemsOfSpec(kind: SpecKind, spec: object, permissions: Permissions): readonly Problem[] {
  const size = measured(spec, permissions);
  if ("problem" in size) return [size.problem];
  // Keys that a client may not send are refused before any name in them is looked up.
  const unknown = unknownKeys(kind, size, permissions);
  if (unknown.length > 0) return unknown;
  const { grammar, table, view } = permissions;
  const problems: Problem[] = [
    ...size.leaves.flatMap((leaf) => faultsOfOperator(leaf, permissions)),
    ...faultsOfAggregates(spec, permissions),
  ];
  problems.push(...faultsOfRows(kind, spec, permissions));
  const seen = withFields(kind, spec, permissions);
  const { after: _, ...read }: { after?: unknown } = seen;
  problems.push(...problemsOf(statementOf(kind, kind === "query" ? read : seen, permissions), grammar, view));
  const { fields } = view;
  if (kind === "insert" && fields !== undefined) problems.push(...faultsOfConflict(spec, table, fields));
  return problems;
}

/** The keys that are in no schema of a condition, or of a query inside the spec. */
function unknownKeys(
  kind: SpecKind,
  { conditions, queries }: Pick<Parts, "conditions" | "queries">,
  permissions: Permissions,
): readonly Problem[] {
  const ofCondition = conditionKeys(permissions);
  const keysIn = ({ permissions: of }: PlacedQuery) =>
    of === undefined ? undefined : Object.keys(kind === "compound" ? operandKeys(of) : nestedKeys(of));
  return [
    ...conditions.flatMap(({ path, value }) => unknownAmong(value, ofCondition, `${path}.`)),
    ...queries.flatMap((query) => unknownAmong(query.value, keysIn(query), query.path)),
  ];
}

function unknownAmong(
  value: PlacedPart["value"],
  keys: readonly string[] | undefined,
  path: string,
): readonly Problem[] {
  if (keys === undefined) return [];
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  return unknown.map((key) => ({
    code: "INVALID_SPEC",
    message: unknownKey(key, keys),
    path: pathTo(path.slice(0, -1), key),
  }));
}

/** A spec in which missing `fields` are replaced by all fields that the client may see, also in nested rows. */
function withFields(kind: SpecKind, spec: object, permissions: Permissions): object {
  if (kind === "query" || kind === "select") return withNested(spec, permissions);
  if (kind !== "compound") return spec;
  const { base, operands, ...rest }: { base?: unknown; operands?: unknown } = spec;
  const query = (one: unknown) => (isObject(one) ? withNested(one, permissions) : one);
  const operand = (one: unknown) =>
    isObject(one) && "query" in one ? { ...one, query: query(one["query"]) } : one;
  return { ...rest, base: query(base), operands: Array.isArray(operands) ? operands.map(operand) : operands };
}

function withNested(spec: object, { view, columns, relations }: Permissions): object {
  const { with: nested }: { with?: unknown } = spec;
  const names = columns.map(({ property }) => property);
  const whole = view.fields === undefined || "fields" in spec ? spec : { ...spec, fields: names };
  if (!isObject(nested)) return whole;
  const inner = Object.entries(nested).map(([name, one]) => {
    const target = relations.get(name);
    return [name, target === undefined || !isObject(one) ? one : withNested(one, target)] as const;
  });
  return { ...whole, with: Object.fromEntries(inner) };
}

/** The fault if a spec requests more rows than the client may, including those of nested lists. */
function faultsOfRows(kind: SpecKind, spec: object, permissions: Permissions): readonly Problem[] {
  const { maxRows } = permissions;
  const { with: nested }: { with?: unknown } = spec;
  if (!isObject(nested) || nestedRows(spec, permissions, kind !== "select") <= maxRows) return [];
  const message = `at most ${maxRows} rows with all nested ones: give smaller limits`;
  return [{ code: "INVALID_SPEC", message, path: "with" }];
}

/** The product of the limits along each chain of nested lists, added up. */
function nestedRows(spec: unknown, permissions: Permissions, isMany: boolean): number {
  const { maxLimit = permissions.maxRows, defaultLimit = maxLimit, relations, table } = permissions;
  const { limit, with: nested }: { limit?: unknown; with?: unknown } = isObject(spec) ? spec : {};
  const most = typeof limit === "number" ? limit : defaultLimit;
  const own = isMany ? most : 1;
  if (!isObject(nested)) return own;
  const chains = Object.entries(nested).map(([name, one]) => {
    const target = relations.get(name);
    return target === undefined ? 0 : nestedRows(one, target, table.relations[name]?.kind === "many");
  });
  return (
    own *
    Math.max(
      1,
      chains.reduce((sum, rows) => sum + rows, 0),
    )
  );
}

function faultsOfOperator(
  { path, value }: PlacedPart,
  { regex, operators }: Permissions,
): readonly Problem[] {
  const { operator = value["is_null"] === true ? "IS NULL" : undefined } = value;
  const fault = (message: string): readonly Problem[] => [
    { code: "INVALID_OPERATOR", message, path: `${path}.operator` },
  ];
  if (!regex && isRegex(operator)) return fault(`regular expressions are not allowed here: ${operator}`);
  if (operators === undefined || typeof operator !== "string" || operators.has(operator)) return [];
  return fault(`operator ${quoted(operator)} is not allowed here; operators: ${listed(operators)}`);
}

function faultsOfAggregates(spec: object, permissions: Permissions): readonly Problem[] {
  const { aggregates } = permissions;
  if (aggregates.length === aggregateFunctions.length) return [];
  const allowed: readonly unknown[] = aggregates;
  return aggregatesIn(spec, permissions).flatMap(({ path, value: { func } }): readonly Problem[] => {
    if (func === undefined || allowed.includes(func)) return [];
    const others = aggregates.length === 0 ? "there are none" : `aggregates: ${listed(aggregates)}`;
    const message = `aggregate ${quoted(func)} is not allowed here; ${others}`;
    return [{ code: "INVALID_SPEC", message, path: `${path}.func` }];
  });
}

// The check makes no assumption about a spec, so the cast is safe.
function statementOf(kind: SpecKind, spec: object, { table, tables }: Permissions): Statement {
  switch (kind) {
    case "query":
    case "select":
      return { kind, table, tables, spec };
    case "insert":
      return { kind, table, spec };
    case "modify":
      return { kind: "modify", table, tables, spec };
    case "remove":
      return { kind: "remove", table, tables, spec };
    case "aggregate":
      return { kind: "count", table, tables, spec };
    case "compound":
      return {
        kind,
        table,
        spec: compoundPartsOf(spec as Parameters<typeof compoundPartsOf>[0], { table, tables }),
      };
  }
}

// An update on a conflict without `conflict_set`, or with the proposed value of a hidden field, must not reach
// hidden fields.
function faultsOfConflict(spec: object, table: AnyTable, visible: ReadonlySet<string>): readonly Problem[] {
  const {
    conflict_action: action,
    conflict_set: set,
  }: { conflict_action?: unknown; conflict_set?: unknown } = spec;
  if (action === "update" && set === undefined) {
    const message = 'here conflict_action "update" needs a conflict_set';
    return [{ code: "INVALID_SPEC", message, path: "conflict_set" }];
  }
  return Object.entries(Object(set) as object).flatMap(([field, param]): Problem[] => {
    if (typeof param !== "string" || visible.has(param) || table.columns[param] === undefined) return [];
    const message = `the name ${quoted(param)} is not allowed for a parameter here`;
    return [{ code: "INVALID_PARAM", message, path: pathTo("conflict_set", field) }];
  });
}
