/** Resolves casts. */

import { listed } from "../../../core/errors.js";
import type { CastNode } from "../../ast/expression.js";
import { castTargets } from "../../words/functions.js";
import { meets } from "../../words/kinds.js";
import { casts } from "../scope/functions.js";
import type { Resolution } from "../scope/resolution.js";
import { nameOf, type ResolvedValue } from "../scope/result.js";

const castNames: ReadonlySet<unknown> = new Set(castTargets);

/** Resolves a cast. */
export function resolveCast(
  { operand, to }: CastNode,
  path: string,
  resolution: Resolution,
): ResolvedValue | undefined {
  const value = resolution.node(operand, path);
  if (!castNames.has(to)) {
    resolution.add("INVALID_OPERATOR", `a cast makes ${listed(castTargets)}`, path);
    return undefined;
  }
  if (value === undefined) return undefined;
  const { kind } = value.storage;
  const scalar = meets(kind, "a scalar");
  const sensible = to === "date" ? kind === "text" || kind === "date" : kind !== "date" || to === "text";
  if (!scalar || !sensible) {
    const message = `field ${nameOf(value)} (${kind}) cannot be cast to ${String(to)}`;
    resolution.add("INVALID_OPERATOR", message, path);
    return undefined;
  }
  const template = resolution.grammar.expressions.cast(value.storage, to);
  const expression = {
    kind: "call",
    template,
    operands: [value.expression],
    separator: "",
    params: [],
  } as const;
  return { expression, storage: casts[to], nullable: value.nullable };
}
