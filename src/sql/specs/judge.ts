/** What is wrong with a spec of a client: too large, something that the profile does not allow, or no spec at all. */
import { quoted } from "../../core/errors.js";
import { pathTo } from "../ast/path.js";
import type { Statement } from "../ast/statement.js";
import { partsOf } from "../builder/compound.js";
import { problemsOf } from "../check/statement.js";
import type { AnyTable } from "../declaration.js";
import type { Problem } from "../errors.js";
import { measured } from "./bounds.js";
import type { Profile } from "./profile.js";

/** The kinds of spec, by the names of their schemas. */
export type SpecKind = "query" | "select" | "insert" | "modify" | "remove" | "aggregate" | "compound";

/** What is wrong with a spec of a kind, given as a copy. */
export function faultsOf(kind: SpecKind, spec: object, profile: Profile): readonly Problem[] {
  const size = measured(spec, profile);
  if ("problem" in size) return [size.problem];
  const { grammar, table, seen, regex, hides } = profile;
  const problems: Problem[] = [];
  if (!regex)
    for (const { path, value } of size.leaves)
      if (isRegex(value["operator"])) problems.push(noRegex(value["operator"], `${path}.operator`));
  problems.push(...problemsOf(statementOf(kind, spec, seen), grammar).found);
  if (hides && kind === "insert") problems.push(...faultsOfConflict(spec, profile));
  if (problems.length > 0 || !hides) return problems;
  // A name that a hidden field has is not free either.
  return problemsOf(statementOf(kind, spec, table), grammar).found;
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
function faultsOfConflict(spec: object, { table, seen }: Profile): readonly Problem[] {
  const {
    conflict_action: action,
    conflict_set: set,
  }: { conflict_action?: unknown; conflict_set?: unknown } = spec;
  if (action === "update" && set === undefined) {
    const message = "an update on a conflict says here what it sets";
    return [{ code: "INVALID_SPEC", message, path: "conflict_set" }];
  }
  return Object.entries(Object(set) as object).flatMap(([field, param]): Problem[] => {
    if (typeof param !== "string" || seen.columns[param] !== undefined) return [];
    if (table.columns[param] === undefined) return [];
    const message = `parameter ${quoted(param)} cannot be called so here`;
    return [{ code: "INVALID_PARAM", message, path: pathTo("conflict_set", field) }];
  });
}
