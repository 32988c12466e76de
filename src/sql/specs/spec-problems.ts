/** What is wrong with a spec of a client: too large, something that the permissions does not allow, or no spec at all. */
import { quoted } from "../../core/errors.js";
import { pathTo } from "../ast/path.js";
import type { Statement } from "../ast/statement.js";
import { partsOf } from "../builder/compound.js";
import type { AnyTable } from "../declare/declaration.js";
import { problemsOf } from "../resolve/statement.js";
import type { Problem } from "../words/errors.js";
import { measured } from "./bounds.js";
import type { Permissions } from "./permissions.js";

/** The kinds of spec, by the names of their schemas. */
export type SpecKind = "query" | "select" | "insert" | "modify" | "remove" | "aggregate" | "compound";

/** What is wrong with a spec of a kind, given as a copy. */
export function problemsOfSpec(kind: SpecKind, spec: object, permissions: Permissions): readonly Problem[] {
  const size = measured(spec, permissions);
  if ("problem" in size) return [size.problem];
  const { grammar, table, regex, visible } = permissions;
  const problems: Problem[] = [];
  if (!regex)
    for (const { path, value } of size.leaves)
      if (isRegex(value["operator"])) problems.push(noRegex(value["operator"], `${path}.operator`));
  const seen = visible === undefined ? spec : withFields(kind, spec, visible);
  problems.push(...problemsOf(statementOf(kind, seen, table), grammar, visible));
  if (kind === "insert" && visible !== undefined) problems.push(...faultsOfConflict(spec, table, visible));
  return problems;
}

/** A spec with the fields that the schema gives to who names none: all are those that the client may see. */
function withFields(kind: SpecKind, spec: object, visible: ReadonlySet<string>): object {
  if (kind === "query" || kind === "select")
    return "fields" in spec ? spec : { ...spec, fields: [...visible] };
  if (kind !== "compound") return spec;
  const { base, operands, ...rest }: { base?: unknown; operands?: unknown } = spec;
  const query = (one: unknown) => (isObject(one) ? withFields("query", one, visible) : one);
  const operand = (one: unknown) =>
    isObject(one) && "query" in one ? { ...one, query: query(one.query) } : one;
  return { ...rest, base: query(base), operands: Array.isArray(operands) ? operands.map(operand) : operands };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const regexes: ReadonlySet<unknown> = new Set(["~", "~*", "!~", "!~*"]);

function isRegex(operator: unknown): operator is string {
  return regexes.has(operator);
}

function noRegex(operator: string, path: string): Problem {
  const message = `regular expressions are not allowed here: ${operator}`;
  return { code: "INVALID_OPERATOR", message, path };
}

// The check believes nothing of a spec, so it may be called one.
function statementOf(kind: SpecKind, spec: object, table: AnyTable): Statement {
  switch (kind) {
    case "query":
    case "select":
      return { kind, table, spec };
    case "insert":
      return { kind, table, spec };
    case "modify":
      return { kind: "update", table, spec };
    case "remove":
      return { kind: "delete", table, spec };
    case "aggregate":
      return { kind: "count", table, spec };
    case "compound":
      return { kind, table, spec: partsOf(spec as Parameters<typeof partsOf>[0], table) };
  }
}

// A conflict that is answered by an update of "everything", or by the value of a field, must not reach hidden ones.
function faultsOfConflict(spec: object, table: AnyTable, visible: ReadonlySet<string>): readonly Problem[] {
  const {
    conflict_action: action,
    conflict_set: set,
  }: { conflict_action?: unknown; conflict_set?: unknown } = spec;
  if (action === "update" && set === undefined) {
    const message = "an update on a conflict says here what it sets";
    return [{ code: "INVALID_SPEC", message, path: "conflict_set" }];
  }
  return Object.entries(Object(set) as object).flatMap(([field, param]): Problem[] => {
    if (typeof param !== "string" || visible.has(param) || table.columns[param] === undefined) return [];
    const message = `parameter ${quoted(param)} cannot be called so here`;
    return [{ code: "INVALID_PARAM", message, path: pathTo("conflict_set", field) }];
  });
}
